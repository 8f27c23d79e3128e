import { PollLayoutType, type APIPoll, type APIPollMedia } from 'discord-api-types/v10'
import { z } from 'zod'

const HOUR_MS = 3_600_000

function media(maxChars: number) {
  return z.looseObject({
    text: z.string().min(1).max(maxChars, `Must be ${maxChars} or fewer in length.`).optional(),
    emoji: z.looseObject({ id: z.string().nullish(), name: z.string().nullish() }).nullish(),
  })
}

/** A poll as a bot sends it. `duration` is in hours. */
export const PollDraft = z.looseObject({
  question: media(300).extend({ text: z.string().min(1).max(300) }),
  answers: z
    .array(z.looseObject({ poll_media: media(55) }))
    .min(1)
    .max(10),
  duration: z.int().min(1).max(768).default(24),
  allow_multiselect: z.boolean().default(false),
  layout_type: z.literal(1).default(1),
})
export type PollDraft = z.infer<typeof PollDraft>

export function createPoll(draft: PollDraft, nowMs: number): APIPoll {
  return {
    question: { text: draft.question.text },
    answers: draft.answers.map(({ poll_media: answer }, index) => ({
      answer_id: index + 1,
      poll_media: describeMedia(answer),
    })),
    expiry: new Date(nowMs + draft.duration * HOUR_MS).toISOString(),
    allow_multiselect: draft.allow_multiselect,
    layout_type: PollLayoutType.Default,
    results: { is_finalized: false, answer_counts: [] },
  }
}

function describeMedia({ text, emoji }: PollDraft['answers'][number]['poll_media']): APIPollMedia {
  return {
    ...(text === undefined ? {} : { text }),
    ...(emoji ? { emoji: { id: emoji.id ?? null, name: emoji.name ?? null } } : {}),
  }
}

import { ComponentType, MessageFlags, MessageReferenceType } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm } from '../errors.ts'
import { PollDraft } from './poll-draft.ts'

const EMBEDS_CHARS = 6000
const COMPONENTS_V2_MAX = 40

const text = (max: number) => z.string().max(max, `Must be ${max} or fewer in length.`)
const media = z.looseObject({ url: text(2048).nullish() })

const Embed = z.looseObject({
  title: text(256).nullish(),
  description: text(4096).nullish(),
  url: text(2048).nullish(),
  timestamp: z.string().nullish(),
  color: z.number().int().min(0).max(0xff_ff_ff).nullish(),
  footer: z.looseObject({ text: text(2048).nullish() }).nullish(),
  image: media.nullish(),
  thumbnail: media.nullish(),
  author: z.looseObject({ name: text(256).nullish() }).nullish(),
  fields: z
    .array(z.looseObject({ name: text(256).min(1), value: text(1024).min(1), inline: z.boolean().default(false) }))
    .max(25)
    .nullish(),
})
export type EmbedDraft = z.infer<typeof Embed>

const customId = text(100).min(1)
const Button = z.looseObject({
  type: z.literal(ComponentType.Button),
  style: z.number().int().min(1).max(6),
  label: text(80).nullish(),
  custom_id: customId.nullish(),
  url: text(512).nullish(),
  disabled: z.boolean().optional(),
})
const Select = z.looseObject({
  type: z.literal([3, 5, 6, 7, 8]),
  custom_id: customId,
  placeholder: text(150).nullish(),
  min_values: z.number().int().min(0).max(25).default(1),
  max_values: z.number().int().min(1).max(25).default(1),
  options: z
    .array(z.looseObject({ label: text(100).min(1), value: text(100).min(1), description: text(100).nullish() }))
    .max(25)
    .optional(),
})
const Row = z.looseObject({
  type: z.literal(ComponentType.ActionRow),
  components: z
    .array(z.union([Button, Select]))
    .min(1)
    .max(5),
})
/** Sections, containers and the like: only their shape as a tree is looked at. A row is none, whatever is wrong with it. */
const Other = z.looseObject({ type: z.number().int().min(9, { abort: true }).max(23) })

export const Draft = z.looseObject({
  content: text(2000).nullish(),
  nonce: z.union([z.string().max(25), z.number().int()]).nullish(),
  enforce_nonce: z.boolean().nullish(),
  tts: z.boolean().nullish(),
  embeds: z.array(Embed).max(10, 'Must be 10 or fewer in length.').nullish(),
  components: z.array(z.union([Row, Other])).nullish(),
  flags: z.number().int().min(0).nullish(),
  poll: PollDraft.nullish(),
  sticker_ids: z.array(z.string()).max(3).nullish(),
  allowed_mentions: z
    .looseObject({
      parse: z.array(z.string()).nullish(),
      users: z.array(z.string()).max(100).nullish(),
      roles: z.array(z.string()).max(100).nullish(),
      replied_user: z.boolean().nullish(),
    })
    .nullish(),
  message_reference: z
    .looseObject({
      type: z.enum(MessageReferenceType).nullish(),
      message_id: z.string(),
      channel_id: z.string().nullish(),
      fail_if_not_exists: z.boolean().nullish(),
    })
    .nullish(),
  attachments: z
    .array(
      z.looseObject({
        id: z.union([z.string(), z.number()]),
        filename: z.string().nullish(),
        description: z.string().nullish(),
      }),
    )
    .nullish(),
})
/** Content of a message to be sent. */
export type Draft = z.infer<typeof Draft>

/** A component of any kind, as a tree. */
export interface Part {
  readonly type: ComponentType
  readonly custom_id?: string | null
  readonly url?: string | null
  readonly style?: number
  readonly components?: readonly Part[]
  readonly accessory?: Part
  /** Component of a label in a form. */
  readonly component?: Part
  readonly [other: string]: unknown
}

/** All parts of a message or a form, outer before inner. */
export function partsOf(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) => [
    part,
    ...partsOf([part.accessory, part.component, ...(part.components ?? [])].filter((one) => one !== undefined)),
  ])
}

/** Refuses what Discord refuses beyond the shape of a single field. */
export function checkDraft(draft: Draft, fileCount: number): void {
  const embeds = draft.embeds ?? []
  const parts = partsOf((draft.components ?? []) as Part[])
  const hasOther = Boolean(draft.poll) || (draft.sticker_ids ?? []).length > 0
  const isForward = draft.message_reference?.type === MessageReferenceType.Forward
  if (isForward && (draft.content || embeds.length > 0 || parts.length > 0 || hasOther || fileCount > 0)) {
    throw invalidForm('message_reference', 'MESSAGE_FORWARD_CANNOT_HAVE_CONTENT', 'A forward has no content of its own')
  }
  if (isForward) return
  const isEmpty = !draft.content && !hasOther && embeds.length === 0 && parts.length === 0 && fileCount === 0
  if (isEmpty) throw new DiscordError('emptyMessage')
  if (embeds.reduce((sum, embed) => sum + charsOf(embed), 0) > EMBEDS_CHARS) {
    throw invalidForm('embeds', 'MAX_EMBED_SIZE_EXCEEDED', `Embed size exceeds maximum size of ${EMBEDS_CHARS}`)
  }
  checkParts(draft, parts)
}

function checkParts(draft: Draft, parts: readonly Part[]): void {
  const isV2 = ((draft.flags ?? 0) & MessageFlags.IsComponentsV2) !== 0
  if (isV2 && (draft.content || draft.embeds?.length)) {
    const say = 'The MessageFlags.IS_COMPONENTS_V2 flag cannot be used with content or embeds'
    throw invalidForm(draft.content ? 'content' : 'embeds', 'MESSAGE_CANNOT_USE_LEGACY_FIELDS_WITH_COMPONENTS_V2', say)
  }
  const rows = (draft.components ?? []) as Part[]
  if (!isV2 && (rows.length > 5 || rows.some(({ type }) => type !== ComponentType.ActionRow))) {
    throw invalidForm('components', 'BASE_TYPE_BAD_LENGTH', 'Must be between 1 and 5 action rows.')
  }
  if (parts.length > COMPONENTS_V2_MAX) {
    throw invalidForm('components', 'BASE_TYPE_BAD_LENGTH', `Must be ${COMPONENTS_V2_MAX} or fewer in length.`)
  }
  const seen = new Set<string>()
  for (const { type, custom_id, url, style } of parts) {
    const isLink = style === 5 || style === 6
    if (type === ComponentType.Button && !isLink && !custom_id) {
      throw invalidForm('components', 'BUTTON_COMPONENT_CUSTOM_ID_REQUIRED', 'A custom id is required')
    }
    if (type === ComponentType.Button && style === 5 && !url) {
      throw invalidForm('components', 'BUTTON_COMPONENT_URL_REQUIRED', 'A url is required')
    }
    if (!custom_id) continue
    if (seen.has(custom_id)) {
      throw invalidForm('components', 'COMPONENT_CUSTOM_ID_DUPLICATED', 'Component custom id cannot be duplicated')
    }
    seen.add(custom_id)
  }
}

function charsOf({ title, description, footer, author, fields }: EmbedDraft): number {
  const texts = [
    title,
    description,
    footer?.text,
    author?.name,
    ...(fields ?? []).flatMap(({ name, value }) => [name, value]),
  ]
  return texts.reduce((sum, one) => sum + (one?.length ?? 0), 0)
}

import { ButtonStyle, ComponentType, type APIEmbed } from 'discord.js'
import { z } from 'zod'
import type { Input, OperationName } from '../../player/operations.ts'
import type { MemberControls } from '../../permissions/member-controls.ts'
import type { Vote } from '../../permissions/votes.ts'
import type { Words } from '../common-text.ts'
import { customId } from '../core/custom-id.ts'
import type { Content, EditSent, OnSent, Row } from '../core/reply.ts'
import { nameTrack, showTime } from '../i18n/format.ts'

export const VOTE_ID = customId('vote', z.tuple([z.string().max(20)]))

const MOST_NAMED = 20
const LOOPS = { off: '➡️', track: '🔂', queue: '🔁' } as const

/** The message of a vote in its current state. */
export function drawVote(vote: Vote, words: Words): Content {
  const { motion, voterIds, votesNeeded, state, endsAtMs } = vote
  const { track, text } = motion.subject
  const subject = [track ? nameTrack(track) : '', text ?? ''].filter(Boolean).join(' ')
  const named = voterIds.slice(0, MOST_NAMED).map((id) => `<@${id}>`)
  const bar = '▰'.repeat(voterIds.length) + '▱'.repeat(Math.max(votesNeeded - voterIds.length, 0))
  const isLong = votesNeeded > MOST_NAMED
  const lines = [
    subject,
    `${isLong ? '' : `${bar} `}${words.vote.progress({ have: voterIds.length, need: votesNeeded })} ${named.join(' ')}`,
    state === 'open'
      ? words.vote.ends({ when: `<t:${Math.ceil(endsAtMs / 1000)}:R>` })
      : `${MARKS[state]} ${words.vote[state]}`,
  ]
  const embed: APIEmbed = {
    title: `🗳️ ${words.vote.title({ what: words.permissions.names[motion.permission] })}`,
    description: lines.filter(Boolean).join('\n'),
  }
  return { embeds: [embed], rows: state === 'open' ? [drawButton(vote, words)] : [] }
}

const MARKS = { passed: '✅', expired: '⌛', over: '▫️', failed: '⚠️' } as const

function drawButton({ id }: Vote, words: Words): Row {
  const button = { type: ComponentType.Button as const, style: ButtonStyle.Primary as const, emoji: { name: '👍' } }
  return {
    type: ComponentType.ActionRow,
    components: [{ ...button, label: words.vote.agree, custom_id: VOTE_ID.of(id) }],
  }
}

/**
 * Keeps the message of a vote as the vote stands: one edit at a time, and never without the last one.
 * @returns the callback for when it was sent.
 */
export function followVote(controls: Pick<MemberControls, 'watch'>, vote: Vote, words: Words): OnSent {
  let edit: EditSent | null = null
  let latest: Vote | null = null
  let isEditing = false
  async function send(): Promise<void> {
    if (!edit || isEditing) return
    isEditing = true
    while (latest) {
      const content = drawVote(latest, words)
      latest = null
      // Without its message, members can still vote with the command.
      await edit(content).catch(() => undefined)
    }
    isEditing = false
  }
  controls.watch(vote.id, (now) => {
    latest = { ...now }
    void send()
  })
  return (_, given) => {
    edit = given
    void send()
  }
}

/** The value of an operation, independent of language. */
export function describeInput(name: OperationName, input: Input<OperationName>): string | null {
  if (name === 'move' && 'to' in input) return `→ ${input.to}`
  if (name === 'seekToChapter' && 'chapter' in input) return `🔖 ${input.chapter}`
  if (name === 'sleep' && 'minutes' in input) return describeSleep(input.minutes)
  if (name === 'mute' && 'muted' in input) return input.muted ? '🔇' : '🔊'
  if (name !== 'patch') return null
  const { volume, positionMs, loop, filters, autoplay } = input as Input<'patch'>
  const parts = [
    volume === undefined ? '' : `${volume}%`,
    positionMs === undefined ? '' : showTime(positionMs),
    loop === undefined ? '' : LOOPS[loop],
    filters === undefined ? '' : nameFilters(filters),
    autoplay === undefined ? '' : autoplay ? '✅' : '❌',
  ]
  return parts.filter(Boolean).join(' ') || null
}

function nameFilters({ preset, ...others }: NonNullable<Input<'patch'>['filters']>): string {
  return preset ?? (Object.keys(others).length > 0 ? '🎛️' : '—')
}

/** `⏭️` with the track that plays, `—` never. */
function describeSleep(minutes: number | null): string {
  if (minutes === null) return '💤 ⏭️'
  return minutes === 0 ? '💤 —' : `💤 ${minutes} min`
}

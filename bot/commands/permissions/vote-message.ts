import { component } from '../core/component.ts'
import {
  NOTHING,
  update,
  replyPrivately,
  type Reply,
  button,
  row,
  type Content,
  type EditSent,
  type OnSent,
} from '../core/reply.ts'
import { ButtonStyle, type APIEmbed } from 'discord.js'
import { z } from 'zod'
import type { MemberControls } from '../../permissions/member-controls.ts'
import type { Vote } from '../../permissions/votes.ts'
import { customId } from '../core/custom-id.ts'
import type { Invocation } from '../core/invocation.ts'
import { linkTo } from '../i18n/format.ts'
import { questionOf } from './vote-question.ts'

const VOTE_ID = customId('vote', z.tuple([z.string().max(20)]))

/** The language of the member who started the vote. */
type Reader = Pick<Invocation, 'words' | 'language'>

const MOST_NAMED = 20
/** Operations that fail once the current track has changed. */
const OF_CURRENT: ReadonlySet<string> = new Set(['skip', 'previous', 'seekToChapter'])

/** The message of a vote in its current state. */
export function drawVote(vote: Vote, { words, language }: Reader): Content {
  const { id, motion, voterIds, votesNeeded, state, endsAtMs } = vote
  const { subject } = motion
  const named = voterIds.slice(0, MOST_NAMED).map((id) => `<@${id}>`)
  const bar = '▰'.repeat(voterIds.length) + '▱'.repeat(Math.max(votesNeeded - voterIds.length, 0))
  const isLong = votesNeeded > MOST_NAMED
  const lines = [
    `${isLong ? '' : `${bar} `}${words.vote.progress({ have: voterIds.length, need: votesNeeded })} ${named.join(' ')}`,
    state === 'open'
      ? words.vote.ends({ when: `<t:${Math.ceil(endsAtMs / 1000)}:R>` })
      : `${MARKS[state]} ${words.vote[state === 'failed' && OF_CURRENT.has(subject.asked.name) ? 'trackOver' : state]}`,
  ]
  const embed: APIEmbed = {
    title: `🗳️ ${questionOf(subject, language)}`,
    ...linkTo(subject.track),
    description: lines.join('\n'),
  }
  const agree = button(VOTE_ID.of(id), '👍', words.vote.agree, ButtonStyle.Primary)
  return { embeds: [embed], rows: state === 'open' ? [row(agree)] : [] }
}

const MARKS = { passed: '✅', expired: '⌛', over: '▫️', failed: '⚠️' } as const

/**
 * Keeps the message of a vote as the vote stands: one edit at a time, and never without the last one.
 * @returns the callback for when it was sent.
 */
export function followVote(controls: Pick<MemberControls, 'watch'>, vote: Vote, reader: Reader): OnSent {
  let edit: EditSent | null = null
  let latest: Vote | null = null
  let isEditing = false
  async function send(): Promise<void> {
    if (!edit || isEditing) return
    isEditing = true
    while (latest) {
      const content = drawVote(latest, reader)
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

/** Agrees to what is put to the vote. What came of it is seen in the message. */
export const voteButton = component({
  id: VOTE_ID,
  rule: 'anyone',
  async run(invocation, { controls }): Promise<Reply> {
    const { member, words, options } = invocation
    const [voteId] = options
    const vote = controls.findVote(invocation, voteId)
    // Votes end with the service, and their messages stay.
    if (!vote) return update({ text: words.vote.over, embeds: [], rows: [] })
    if (vote.voterIds.includes(member.id)) return replyPrivately(words.vote.already)
    await controls.agree(invocation, voteId)
    return NOTHING
  },
})

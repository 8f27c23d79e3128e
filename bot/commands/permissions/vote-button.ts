import { component } from '../core/component.ts'
import { NOTHING, update, replyPrivately, type Reply } from '../core/reply.ts'
import { VOTE_ID } from './vote-message.ts'

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

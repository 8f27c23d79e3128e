import type { Attempt, Deferred } from '../../permissions/member-controls.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { replyPrivately, type Reply } from '../core/reply.ts'
import { drawVote, followVote } from './vote-message.ts'

/** Thrown to end a command whose operation goes to a vote; it is the answer. */
export class PutToVote extends Error {
  override readonly name = 'PutToVote'
  readonly reply: Reply

  constructor(reply: Reply) {
    super('This was put to the vote.')
    this.reply = reply
  }
}

/** @throws {PutToVote} unless it is done. */
export function outputOf<Result>(invocation: Invocation, { controls }: CommandContext, attempt: Attempt<Result>) {
  if (attempt.isDone) return attempt.output
  const { vote, isNew } = attempt
  const { words } = invocation
  if (!isNew)
    throw new PutToVote(replyPrivately(words.vote.counted({ have: vote.voterIds.length, need: vote.votesNeeded })))
  throw new PutToVote({
    as: 'message',
    isPrivate: false,
    ...drawVote(vote, invocation),
    onSent: followVote(controls, vote, invocation),
  })
}

/**
 * Runs an action on the player outside of the operations table, if the member is allowed to.
 * @throws {PutToVote} if others have to agree. @throws {PermissionRefused}
 */
export async function attempt<Result>(invocation: Invocation, context: CommandContext, what: Deferred<Result>) {
  return outputOf(invocation, context, await context.controls.attempt(invocation, what))
}

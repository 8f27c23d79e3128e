import type { Invocation } from '../core/invocation.ts'
import type { Reply } from '../core/reply.ts'
import { PutToVote } from '../permissions/put-to-vote.ts'
import { assertAllowed, type Rule } from '../permissions/rules.ts'
import { signed, type BotRouting, type RoutedInvocation, type Signature } from './bot-routing.ts'

export interface Asked extends Signature {
  readonly asked: Invocation
  readonly rule: Rule
}

/** Has the bot do it that is meant, where the member may. @throws {Refusal} */
export async function runRouted(
  routing: BotRouting,
  { asked, rule, ...signature }: Asked,
  act: (target: RoutedInvocation) => Promise<Reply>,
): Promise<Reply> {
  const target = routing.route(asked, rule)
  try {
    await assertAllowed(rule, target.invocation, target.context)
    return signed(await replyOf(act(target)), target, signature)
  } finally {
    target.release()
  }
}

/** Answers with the vote if the action was put to one. */
async function replyOf(work: Promise<Reply>): Promise<Reply> {
  try {
    return await work
  } catch (err) {
    if (err instanceof PutToVote) return err.reply
    throw err
  }
}

import { decidePermission, type Decision, type Situation } from '../../permissions/decide.ts'
import { PermissionRefused } from '../../permissions/member-controls.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { Refusal } from '../core/reply.ts'
import { explain } from '../core/error-message.ts'
import { assertAllowed, type Rule } from '../permissions/rules.ts'
import { PAGE_ACTIONS, specOf, type PageAction } from './page-actions.ts'

/** Current rights of a member. For display only: the command decides again. */
export interface Rights {
  /** Why they may not, in their words; null if they may, alone or by a vote. */
  readonly refused: Readonly<Record<PageAction, string | null>>
  readonly byVote: readonly PageAction[]
}

type RuleOf = (action: PageAction) => Rule

/** Reads the rights by the rules of commands, each checked once. */
export async function readRights(invocation: Invocation, context: CommandContext, ruleOf: RuleOf): Promise<Rights> {
  const { words } = invocation
  const asked = new Map<Rule, Promise<string | null>>()
  const ask = (rule: Rule) => {
    const known = asked.get(rule) ?? refusalOf(assertAllowed(rule, invocation, context), invocation)
    asked.set(rule, known)
    return known
  }
  // Without a player there is nothing to decide on: the rule says so.
  const situation = await context.controls.situation(invocation).catch(() => null)
  const refused: Partial<Record<PageAction, string | null>> = {}
  const byVote: PageAction[] = []
  for (const action of Object.keys(PAGE_ACTIONS) as PageAction[]) {
    const decision = decideFor(situation, action)
    refused[action] = await ask(ruleOf(action))
    if (refused[action] !== null || !situation || !decision) continue
    if (decision.outcome === 'vote') byVote.push(action)
    if (decision.outcome === 'refused') refused[action] = explain(new PermissionRefused(decision, situation), words)
  }
  return { refused: refused as Rights['refused'], byVote }
}

function decideFor(situation: Situation | null, action: PageAction): Decision | null {
  const { permission } = specOf(action)
  return situation && permission ? decidePermission(situation, permission) : null
}

async function refusalOf(work: Promise<void>, { words }: Invocation): Promise<string | null> {
  try {
    await work
    return null
  } catch (err) {
    if (err instanceof Refusal || err instanceof PermissionRefused) return explain(err, words)
    throw err
  }
}

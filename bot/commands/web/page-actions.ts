import { decidePermission, type Decision, type Situation } from '../../permissions/decide.ts'
import { PermissionRefused } from '../../permissions/member-controls.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import { Refusal } from '../core/reply.ts'
import { explain } from '../core/error-message.ts'
import { assertAllowed, type Rule } from '../permissions/rules.ts'
import { z } from 'zod'
import type { Permission } from '../../permissions/permission-table.ts'
import { LONGEST_QUEUE, Loop } from '../../player/inputs.ts'

interface PageActionSpec {
  /** The slash command that it is, with the same rules, votes and answer. */
  readonly command: string
  readonly subcommand?: string
  /** Values of the command's options. */
  readonly values: z.ZodObject
  /** Permission that the command needs besides its rule, to show before an attempt. */
  readonly permission?: Permission
}

const nothing = z.strictObject({})
const position = z.int().min(1).max(LONGEST_QUEUE)
const track = z.string().min(1).max(100)

/** Actions of members in the web player: each is one of their slash commands, so the same rules hold. */
export const PAGE_ACTIONS = {
  play: { command: 'play', values: z.strictObject({ query: z.string().trim().min(1).max(500) }) },
  playNext: {
    command: 'play',
    values: z.strictObject({ query: z.string().trim().min(1).max(500), when: z.literal('next').default('next') }),
    permission: 'playNext',
  },
  skip: { command: 'skip', values: nothing, permission: 'skip' },
  skipTo: { command: 'skipto', values: z.strictObject({ position }), permission: 'skip' },
  previous: { command: 'previous', values: nothing, permission: 'skip' },
  pause: { command: 'pause', values: nothing, permission: 'pause' },
  resume: { command: 'resume', values: nothing, permission: 'resume' },
  stop: { command: 'stop', values: nothing, permission: 'stop' },
  seek: { command: 'seek', values: z.strictObject({ time: z.string().regex(/^[\d:]{1,10}$/) }), permission: 'seek' },
  volume: {
    command: 'volume',
    values: z.strictObject({ percent: z.int().min(0).max(200) }),
    permission: 'volume',
  },
  mute: { command: 'mute', values: nothing, permission: 'volume' },
  unmute: { command: 'unmute', values: nothing, permission: 'resume' },
  loop: { command: 'loop', values: z.strictObject({ mode: Loop }), permission: 'loop' },
  autoplay: { command: 'autoplay', values: z.strictObject({ on: z.boolean() }), permission: 'autoplay' },
  shuffle: { command: 'shuffle', values: nothing, permission: 'shuffle' },
  clear: { command: 'clear', values: nothing, permission: 'clear' },
  move: { command: 'move', values: z.strictObject({ from: position, to: position }), permission: 'move' },
  remove: { command: 'remove', values: z.strictObject({ position }), permission: 'remove' },
  addFavourite: { command: 'favourites', subcommand: 'add', values: nothing },
  playFavourite: { command: 'favourites', subcommand: 'play', values: z.strictObject({ track }) },
  removeFavourite: { command: 'favourites', subcommand: 'remove', values: z.strictObject({ track }) },
} as const satisfies Readonly<Record<string, PageActionSpec>>

export type PageAction = keyof typeof PAGE_ACTIONS

export function isPageAction(name: string): name is PageAction {
  return Object.hasOwn(PAGE_ACTIONS, name)
}

export function specOf(action: PageAction): PageActionSpec {
  return PAGE_ACTIONS[action]
}

/** A member's voice in a vote that is open. */
export const Agreement = z.strictObject({ vote: z.string().min(1).max(20) })

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

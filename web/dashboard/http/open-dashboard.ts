import { randomBytes } from 'node:crypto'
import type { Middleware } from 'koa'
import type { Account } from '../../../db/people/accounts.ts'
import type { PeopleStores } from '../../../db/repositories.ts'
import { createDashboard, type DashboardOptions } from './dashboard.ts'
import type { DashboardContext } from './context.ts'
import { createPasswords } from '../auth/passwords.ts'
import { createRecentEvents } from './recent-events.ts'
import { createStreams } from '../../http/event-streams.ts'
import { createThrottle } from '../auth/sign-in-throttle.ts'
import { createOneTimeTokens } from '../../http/one-time-tokens.ts'

/** Opens the dashboard with its state in memory. */
export function openDashboard(
  parts: Omit<DashboardContext, 'passwords' | 'throttle' | 'tickets' | 'streams' | 'recentEvents' | 'now'>,
  { stopping, ...options }: DashboardOptions & { readonly stopping: AbortSignal },
): Middleware {
  const memory = {
    passwords: createPasswords(),
    throttle: createThrottle(parts.signInTries),
    tickets: createOneTimeTokens(parts.oneTime),
    streams: createStreams(stopping),
    recentEvents: createRecentEvents(parts.events, Date.now),
  }
  return createDashboard({ ...parts, ...memory, now: Date.now }, options)
}

/** Longer than any sandbox runs; the next start makes a new one. */
const SANDBOX_LIFETIME_MS = 30 * 86_400_000
const FIRST_LIFETIME_MS = 86_400_000
/** An id that no account gets by chance: an account with the same name is another one. */
const SANDBOX_OWNER = 'usr_sandbox'

/**
 * The path that lets the first person in: the owner of the sandbox where there is one, otherwise the visitor who makes the first
 * account. Null: there are accounts.
 */
export async function entryPath(people: PeopleStores, sandboxProjectId: string | null): Promise<string | null> {
  const { accounts, links, memberships } = people
  if (sandboxProjectId !== null) {
    const owner = await sandboxOwner(people)
    const role = await memberships.role(sandboxProjectId, owner.id)
    if (role === null) await memberships.set(sandboxProjectId, owner.id, 'owner')
    return pathWith(
      await links.make({ kind: 'sandbox', accountId: owner.id, madeBy: 'start', lifetimeMs: SANDBOX_LIFETIME_MS }),
    )
  }
  // The account of the sandbox has no rights outside it: its sessions and links end with it.
  await links.endAll('sandbox')
  await accounts.remove(SANDBOX_OWNER)
  if (await accounts.hasAnybody()) return null
  return pathWith(await links.make({ kind: 'first', madeBy: 'start', lifetimeMs: FIRST_LIFETIME_MS }))
}

function pathWith(secret: string): string {
  return `/dashboard/enter?token=${secret}`
}

async function sandboxOwner({ accounts }: PeopleStores): Promise<Account> {
  const known = await accounts.find(SANDBOX_OWNER)
  if (known) return known
  const name = (await accounts.findByName('sandbox')) ? `sandbox ${randomBytes(3).toString('hex')}` : 'sandbox'
  return accounts.create({ id: SANDBOX_OWNER, name, isOperator: true })
}

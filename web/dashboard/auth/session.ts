import { randomBytes } from 'node:crypto'
import type { Account } from '../../../db/people/accounts.ts'
import { redirect, type Outcome } from '../http/route.ts'
import { record, type PageRequest } from '../http/page-request.ts'

const COOKIE_SECONDS = 14 * 86_400

/** Always opens a new session, which prevents session fixation. */
export async function signIn(
  request: PageRequest,
  account: Account,
  how: 'password' | 'discord' | 'link',
): Promise<void> {
  const { context, address, userAgent, session } = request
  if (session) await context.sessions.end(session.accountId, session.id)
  request.setCookie(
    'session',
    await context.sessions.open({ accountId: account.id, address, userAgent }),
    COOKIE_SECONDS,
  )
  request.setCookie('visitor', randomBytes(16).toString('hex'), 400 * 86_400)
  await record({ context, address, account }, 'session.opened', account.name, { how })
}

/** Signs the account in, or asks for its second factor first. */
export async function letIn(
  request: PageRequest,
  account: Account,
  how: 'password' | 'discord',
  { next, entry = null }: { readonly next: string; readonly entry?: string | null },
): Promise<Outcome> {
  if (account.hasTotp) {
    const ticket = await request.context.tickets.issue('secondFactor', browserOf(request), {
      accountId: account.id,
      entry,
      next,
    })
    return redirect(`/dashboard/sign-in/code?ticket=${ticket}`)
  }
  await signIn(request, account, how)
  return redirect(next)
}

/** The holder of one-time tokens of a visitor without a session. */
export function browserOf(request: PageRequest): string {
  return request.cookie('visitor') ?? ''
}

/** Returns the page to open after sign-in, always one of this dashboard. */
export function safeNext(wanted: string | null): string {
  return wanted !== null && /^\/dashboard(?:\/[\w-]+)*(?:\?token=[0-9a-f]+)?$/.test(wanted) ? wanted : '/dashboard'
}

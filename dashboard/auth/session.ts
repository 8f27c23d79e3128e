import { randomBytes } from 'node:crypto'
import type { Account } from '../../db/people/accounts.ts'
import { redirect, type Outcome } from '../http/route.ts'
import { record, type PageRequest } from '../http/page-request.ts'

const COOKIE_SECONDS = 14 * 86_400

/** Opens a new session, whatever the browser had before: nobody can have planted this one. */
export function signIn(visit: PageRequest, account: Account, how: 'password' | 'discord' | 'link'): void {
  const { desk, address, userAgent, session } = visit
  if (session) desk.sessions.end(session.accountId, session.id)
  visit.setCookie('session', desk.sessions.open({ accountId: account.id, address, userAgent }), COOKIE_SECONDS)
  visit.setCookie('visitor', randomBytes(16).toString('hex'), 400 * 86_400)
  record({ desk, address, account }, 'session.opened', account.name, { how })
}

/** In at once, or first to the second factor where the account has one. */
export function letIn(visit: PageRequest, account: Account, how: 'password' | 'discord', next: string): Outcome {
  if (account.hasTotp) {
    const ticket = visit.desk.tickets.issue('secondFactor', browserOf(visit), { accountId: account.id, next })
    return redirect(`/dashboard/sign-in/code?ticket=${ticket}`)
  }
  signIn(visit, account, how)
  return redirect(next)
}

/** What a ticket of somebody who is not signed in is bound to. */
export function browserOf(visit: PageRequest): string {
  return visit.cookie('visitor') ?? ''
}

/** Where to go after signing in: a page of ours, and nothing else whatever was asked for. */
export function safeNext(wanted: string | null): string {
  return wanted !== null && /^\/dashboard(?:\/[\w-]+)*(?:\?token=[0-9a-f]+)?$/.test(wanted) ? wanted : '/dashboard'
}

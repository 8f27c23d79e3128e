import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../../lib/errors.ts'
import type { Route } from '../http/route.ts'
import { isAtLeast, type AccountRequest, type ProjectRequest, type PageRequest } from '../http/page-request.ts'

/** A page for signed-in users was requested without a session. */
export class SignInNeeded extends Error {
  override readonly name = 'SignInNeeded'
}

/**
 * The request as its route requires it.
 * @throws {SignInNeeded}
 * @throws {Fault} `not_found` for the project of others, `forbidden` for a role that is too low.
 */
export function admit(route: Route, request: PageRequest): PageRequest {
  const { access } = route
  if (access === 'anyone') return request
  if (!request.account || !request.session) throw new SignInNeeded('Sign in first.')
  const known = request as AccountRequest
  if (access === 'account') return known
  if (access === 'operator') {
    if (!known.account.isOperator) throw new Fault('not_found', 'Page not found.')
    return known
  }
  const project = projectOf(known)
  if (!isAtLeast(project.role, access)) throw new Fault('forbidden', `This needs the role of ${access}.`)
  const member: ProjectRequest = { ...known, project }
  return member
}

function projectOf({ context, account, params }: AccountRequest): ProjectRequest['project'] {
  const { projectId = '' } = params
  const role = context.memberships.role(projectId, account.id)
  if (!role) throw new Fault('not_found', 'Project not found.')
  return { ...context.projects.get(projectId), role }
}

/** Bound to the browser and to the session, so that signing in or out makes every older form worthless. */
export function csrfToken(visitor: string, session: string | null): string {
  return createHash('sha256')
    .update(`csrf ${visitor} ${session ?? ''}`)
    .digest('hex')
}

/** @throws {Fault} `forbidden` for what no form of ours has sent. */
export function assertOwnForm(
  req: IncomingMessage,
  baseUrl: string,
  request: Pick<PageRequest, 'csrf' | 'form'>,
): void {
  const { 'sec-fetch-site': site, origin, host = '' } = req.headers
  const isForeign =
    site === undefined ? origin !== undefined && !isOwnOrigin(origin, host, baseUrl) : site !== 'same-origin'
  const sent = Buffer.from(request.form.get('csrf') ?? '')
  const expected = Buffer.from(request.csrf)
  if (isForeign || sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    throw new Fault('forbidden', 'This form is out of date. Go back, load the page again and send it once more.')
  }
}

function isOwnOrigin(origin: string, host: string, baseUrl: string): boolean {
  return origin === new URL(baseUrl).origin || (URL.canParse(origin) && new URL(origin).host === host)
}

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../../../lib/errors.ts'
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
export async function admit(route: Route, request: PageRequest): Promise<PageRequest> {
  const { access } = route
  const { context } = request
  if (access === 'anyone') return request
  if (!request.account || !request.session) throw new SignInNeeded('Sign in first.')
  const known = request as AccountRequest
  if (access === 'account') return known
  if (access === 'operator') {
    if (!known.account.isOperator) throw new Fault('not_found', 'Page not found.')
    return known
  }
  const project = await projectOf(known)
  await context.fleet.refresh((await context.bots.list(project.id)).map(({ id }) => id))
  if (!isAtLeast(project.role, access)) throw new Fault('forbidden', `This needs the role ${access}.`)
  const member: ProjectRequest = { ...known, project }
  return member
}

async function projectOf({ context, account, params }: AccountRequest): Promise<ProjectRequest['project']> {
  const { projectId = '' } = params
  const role = await context.memberships.role(projectId, account.id)
  if (!role) throw new Fault('not_found', 'Project not found.')
  return { ...(await context.projects.get(projectId)), role }
}

const TOKEN_BYTES = 16

/**
 * Bound to the browser and to the session, so that signing in or out makes every older form worthless. Each page has another
 * one of the same meaning: behind random bytes, which it is masked with. Pages are compressed, and their length would tell a
 * token that stays the same, letter by letter.
 */
export function csrfToken(visitor: string, session: string | null): string {
  const token = createHash('sha256')
    .update(`csrf ${visitor} ${session ?? ''}`)
    .digest()
    .subarray(0, TOKEN_BYTES)
  const mask = randomBytes(TOKEN_BYTES)
  return Buffer.concat([mask, xor(mask, token)]).toString('hex')
}

/** Whether both are the same token behind different masks. */
export function isSameToken(sent: string, expected: string): boolean {
  const [one, other] = [unmasked(sent), unmasked(expected)]
  return one.length === TOKEN_BYTES && other.length === TOKEN_BYTES && timingSafeEqual(one, other)
}

function unmasked(token: string): Buffer {
  const bytes = Buffer.from(token, 'hex')
  return xor(bytes.subarray(0, TOKEN_BYTES), bytes.subarray(TOKEN_BYTES))
}

function xor(a: Buffer, b: Buffer): Buffer {
  return Buffer.from(b.map((byte, at) => byte ^ (a[at] ?? 0)))
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
  if (isForeign || !isSameToken(request.form.get('csrf') ?? '', request.csrf)) {
    throw new Fault('forbidden', 'This form has expired. Go back, reload the page and submit it again.')
  }
}

function isOwnOrigin(origin: string, host: string, baseUrl: string): boolean {
  return origin === new URL(baseUrl).origin || (URL.canParse(origin) && new URL(origin).host === host)
}

import { createHash, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { APIUser } from 'discord-api-types/v10'
import { readBody } from './http/body.ts'
import type { World } from './world/world.ts'

interface Grant {
  readonly clientId: string
  readonly redirectUri: string
  readonly challenge: string | null
  readonly userId: string
  readonly untilMs: number
}

interface Answer {
  readonly status: number
  readonly body?: unknown
  readonly html?: string
  readonly location?: string
}

const AUTHORIZE = '/oauth2/authorize'
const CODE_LIFETIME_MS = 10 * 60_000
const TOKEN_SECONDS = 604_800
const BODY_BYTES = 16_384

/** Grants and access tokens that were issued. */
interface OAuthState {
  readonly world: World
  readonly grants: Map<string, Grant>
  readonly tokens: Map<string, string>
}

/** Signing in with Discord: the page that asks, the codes and the tokens. An application's secret is its bot's token. */
export function createOAuth(world: World) {
  const state: OAuthState = { world, grants: new Map(), tokens: new Map() }
  return {
    wants: ({ headers }: IncomingMessage, path: string): boolean =>
      path === AUTHORIZE ||
      /^\/api(?:\/v\d+)?\/oauth2\/token(?:\/revoke)?$/.test(path) ||
      (/^\/api(?:\/v\d+)?\/users\/@me$/.test(path) && (headers.authorization?.startsWith('Bearer ') ?? false)),
    async handle(request: IncomingMessage, response: ServerResponse) {
      const { status, body, html, location } = await answer(state, request)
      const type = html === undefined ? 'application/json' : 'text/html; charset=utf-8'
      response.writeHead(status, { 'content-type': type, ...(location !== undefined && { location }) })
      response.end(html ?? (body === undefined ? '' : JSON.stringify(body)))
    },
  }
}

async function answer(state: OAuthState, request: IncomingMessage): Promise<Answer> {
  const { world, tokens } = state
  const url = new URL(request.url ?? '/', 'http://localhost')
  const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
  if (url.pathname === AUTHORIZE) return authorize(state, url.searchParams)
  if (bearer !== undefined) {
    const user = world.users.get(tokens.get(bearer) ?? '')
    return user ? { status: 200, body: { ...user, mfa_enabled: false, locale: 'en-US' } } : UNAUTHORIZED
  }
  const clientId = clientOf(world, request.headers.authorization)
  if (clientId === null) return { status: 401, body: { error: 'invalid_client' } }
  const form = ((await readBody(request, BODY_BYTES)).json ?? {}) as Fields
  if (!url.pathname.endsWith('/revoke')) return exchange(state, clientId, form)
  tokens.delete(form['token'] ?? '')
  return { status: 200, body: {} }
}

function authorize(state: OAuthState, query: URLSearchParams): Answer {
  const wrong = wrongWish(state.world, query)
  if (wrong) return { status: 400, html: `<p>${wrong}</p>` }
  const userId = query.get('as')
  if (userId === null) return { status: 200, html: askingPage(people(state.world), query) }
  // Discord's app hands an Activity its code without a page to return to.
  if (!query.has('redirect_uri')) return { status: 200, body: { code: grantTo(state, userId, query) } }
  const back = new URL(query.get('redirect_uri') ?? '')
  back.searchParams.set('state', query.get('state') ?? '')
  if (userId === '') back.searchParams.set('error', 'access_denied')
  else back.searchParams.set('code', grantTo(state, userId, query))
  return { status: 302, location: back.href }
}

function grantTo({ world, grants }: OAuthState, userId: string, query: URLSearchParams): string {
  const code = randomBytes(15).toString('base64url')
  grants.set(code, {
    clientId: query.get('client_id') ?? '',
    redirectUri: query.get('redirect_uri') ?? '',
    challenge: query.get('code_challenge'),
    userId,
    untilMs: world.now() + CODE_LIFETIME_MS,
  })
  return code
}

function exchange({ world, grants, tokens }: OAuthState, clientId: string, form: Fields): Answer {
  const grant = grants.get(form['code'] ?? '')
  grants.delete(form['code'] ?? '')
  const verified = createHash('sha256')
    .update(form['code_verifier'] ?? '')
    .digest('base64url')
  const isGood =
    form['grant_type'] === 'authorization_code' &&
    grant?.clientId === clientId &&
    grant.redirectUri === (form['redirect_uri'] ?? '') &&
    grant.untilMs > world.now() &&
    (grant.challenge === null || grant.challenge === verified)
  if (!isGood) return { status: 400, body: { error: 'invalid_grant', error_description: 'Invalid "code" in request.' } }
  const token = randomBytes(20).toString('base64url')
  tokens.set(token, grant.userId)
  const body = { token_type: 'Bearer', access_token: token, expires_in: TOKEN_SECONDS, scope: 'identify' }
  return { status: 200, body: { ...body, refresh_token: randomBytes(20).toString('base64url') } }
}

type Fields = Readonly<Record<string, string>>

const UNAUTHORIZED = { status: 401, body: { message: '401: Unauthorized', code: 0 } }

function wrongWish(world: World, query: URLSearchParams): string | null {
  const back = query.get('redirect_uri') ?? ''
  if (!world.applications.has(query.get('client_id') ?? '')) return 'Unknown client_id.'
  if (query.get('response_type') !== 'code') return 'Only response_type=code is supported.'
  const isForActivity = !query.has('redirect_uri') && query.has('as')
  const isValid = URL.canParse(back) && /^https?:$/.test(new URL(back).protocol)
  if (!isForActivity && !isValid) return 'The redirect_uri is not valid.'
  const method = query.get('code_challenge_method')
  return method === null || method === 'S256' ? null : 'Only S256 is supported as code_challenge_method.'
}

function clientOf(world: World, authorization = ''): string | null {
  const basic = /^Basic (.+)$/.exec(authorization)?.[1] ?? ''
  const [id = '', secret] = Buffer.from(basic, 'base64').toString().split(':')
  return world.applications.get(id)?.token === secret && secret !== undefined ? id : null
}

function people(world: World): readonly APIUser[] {
  return [...world.users.values()].filter(({ bot }) => !bot)
}

/** Strangers chose these names, so they are escaped. */
function askingPage(users: readonly APIUser[], query: URLSearchParams): string {
  const hidden = [...query].map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  )
  const buttons = users.map(
    ({ id, username }) => `<p><button name="as" value="${id}">Continue as ${escape(username)}</button></p>`,
  )
  return `<!doctype html><html lang="en"><title>Sign in with the sandbox</title><h1>Choose a member</h1>
<form action="${AUTHORIZE}">${hidden.join('')}${buttons.join('')}<p><button name="as" value="">Cancel</button></p></form>`
}

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}

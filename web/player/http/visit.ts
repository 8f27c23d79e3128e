import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import { networkOf } from '../../../api/http/client-address.ts'
import { csrfToken, isSameToken } from '../../http/form-token.ts'
import type { Assets } from '../../http/assets.ts'
import { visitorAddress } from '../../http/page-at-owner.ts'
import { openCookies, type Cookies } from '../../http/cookies.ts'
import type { WebMember } from '../../../bot/commands/web/web-member.ts'
import type { WebPlayerVisitor } from '../../../db/people/web-player-access.ts'
import { Fault } from '../../../lib/errors.ts'
import { languageOf, LANGUAGES, preferredOf, type Language } from '../../../lib/texts/languages.ts'
import type { SignInCaller } from '../../../upstream/discord/sign-in-shares.ts'
import type { WebPlayerContext } from './context.ts'

/** One request of a browser for the player of a guild. */
export interface Visit {
  readonly ctx: Context
  readonly context: WebPlayerContext
  readonly guildId: string
  readonly address: string
  readonly cookies: Cookies
  readonly assets: Assets
  /** The language of the browser, as Discord calls it. */
  readonly locale: string
  readonly language: Language
  /** The session of the member signed in for this guild; null without one. */
  readonly session: VisitSession | null
}

interface VisitSession {
  readonly visitor: WebPlayerVisitor
  readonly secret: string
  /** The token that a changing request carries besides a cookie. */
  readonly csrf: string
  /** An Activity sends its secret in a header, a browser in a cookie. */
  readonly isActivity: boolean
}

const SESSION_SECONDS = 7 * 86_400
const VISITOR_SECONDS = 400 * 86_400
const SECRET = /^[0-9a-f]{64}$/

interface VisitOptions {
  readonly context: WebPlayerContext
  readonly assets: Assets
  readonly guildId: string
}

export async function openVisit(ctx: Context, { context, assets, guildId }: VisitOptions): Promise<Visit> {
  const cookies = openCookies(ctx, context.baseUrl().startsWith('https:'))
  const { bearer, secret, visitor } = await resume({ ctx, context, cookies, guildId })
  const locale = visitor?.locale ?? preferredOf(ctx.get('accept-language'), LANGUAGES)
  const session =
    visitor && secret !== null
      ? { visitor, secret, csrf: csrfToken('web player', secret), isActivity: bearer !== null }
      : null
  const address = visitorAddress(ctx, context.trustedProxies)
  return { ctx, context, guildId, address, cookies, assets, locale, language: languageOf(locale), session }
}

async function resume({ ctx, context, cookies, guildId }: Pick<Visit, 'ctx' | 'context' | 'cookies' | 'guildId'>) {
  const bearer = /^Bearer (\S{1,100})$/.exec(ctx.get('authorization'))?.[1] ?? null
  const secret = bearer ?? cookies.get(`listen_${guildId}`)
  const visitor = secret !== null && SECRET.test(secret) ? await context.access.resumeSession(secret, guildId) : null
  return { bearer, secret, visitor }
}

/** The caller of a Discord sign-in for a guild: the member of a valid session, or a stranger at an address. */
export async function callerOf(visit: Visit, guildId: string): Promise<SignInCaller> {
  const { visitor } = await resume({ ...visit, guildId })
  return { key: visitor?.userId ?? networkOf(visit.address), isSignedIn: visitor !== null }
}

/** Binds forms and the way to Discord and back to this browser. */
export function visitorCookie({ cookies }: Pick<Visit, 'cookies'>): string {
  const known = cookies.get('visitor')
  if (known !== null) return known
  const made = randomBytes(16).toString('hex')
  cookies.set('visitor', made, VISITOR_SECONDS)
  return made
}

/** A new session of a member in a browser, in place of an earlier one. */
export async function signIn(visit: Visit, visitor: WebPlayerVisitor): Promise<void> {
  const { context, cookies, guildId, session } = visit
  if (session) await context.access.endSession(session.secret)
  cookies.set(`listen_${guildId}`, await context.access.openSession(visitor), SESSION_SECONDS)
}

export async function signOut({ context, cookies, guildId, session }: Visit): Promise<void> {
  if (session) await context.access.endSession(session.secret)
  cookies.set(`listen_${guildId}`, null)
}

/** @throws {Fault} `invalid_api_key` without a session. */
export function sessionOf({ session }: Visit): VisitSession {
  if (!session) throw new Fault('invalid_api_key', "You're no longer signed in. Use /web for a new link.")
  return session
}

/** @throws {Fault} `forbidden` for a request that no page of ours has sent. */
export function assertOwnRequest({ ctx }: Visit, { csrf, isActivity }: VisitSession): void {
  // No other site knows the secret that an Activity sends, and browsers do not add it.
  if (isActivity) return
  const site = ctx.get('sec-fetch-site')
  const isOurs = isSameToken(ctx.get('x-csrf-token'), csrf)
  if (isOurs && (site === '' || site === 'same-origin')) return
  throw new Fault('forbidden', 'This page is outdated. Reload it.')
}

/**
 * The member at this moment. Who has left the guild is signed out everywhere.
 * @param maxAgeMs how old the answer may be of whether they are still a member.
 * @throws {Fault} `invalid_api_key` for who is not signed in, or no member any more.
 */
export async function memberOf(visit: Visit, maxAgeMs?: number): Promise<WebMember> {
  const { visitor } = sessionOf(visit)
  const member = await visit.context.players.findMember(visitor, maxAgeMs)
  if (member) return member
  if (!visit.context.players.findGuild(visitor.projectId, visitor.guildId)) {
    throw new Fault('service_unavailable', "The bot isn't connected to this server. Try again in a moment.")
  }
  await visit.context.access.endAll(visitor)
  throw new Fault('invalid_api_key', "You're no longer a member of this server.")
}

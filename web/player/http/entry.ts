import { createHash, randomBytes } from 'node:crypto'
import { assertOwnForm, csrfToken } from '../../http/form-token.ts'
import { readFields } from '../../http/form-fields.ts'
import { Fault, nullOn } from '../../../lib/errors.ts'
import type { DiscordSignIn } from '../../../upstream/discord/discord-oauth.ts'
import { PAPER } from '../pages/document.ts'
import { deadLinkPage, enterPage, signInPage } from '../pages/entry.ts'
import { playerPage } from '../pages/player.ts'
import { membershipOf } from './forwarding/at-owner.ts'
import { callerOf, sessionOf, assertOwnRequest, signIn, signOut, visitorCookie, type Visit } from './visit.ts'
import type { WebPlayerParts, WebPlayerRoute } from './web-player-route.ts'

const WAY_SECONDS = 600
const TOKEN = /^[0-9a-f]{64}$/

/** The player itself, and the ways in and out. */
export const entryRoutes: readonly WebPlayerRoute[] = [
  // Without a server there is nothing to sign in to.
  { method: 'GET', path: '{/}', run: (visit) => send(visit, signInPage(visit, false, null)) },
  { method: 'GET', path: '/discord/back', run: comeBack },
  { method: 'GET', path: '/:guildId', run: showPlayer, isAtOwner: true },
  { method: 'GET', path: '/:guildId/app.webmanifest', run: showManifest },
  { method: 'GET', path: '/:guildId/enter', run: showEnter },
  { method: 'POST', path: '/:guildId/enter', run: enter },
  { method: 'GET', path: '/:guildId/discord', run: leaveForDiscord },
  { method: 'POST', path: '/:guildId/sign-out', run: leave },
]

function send({ ctx }: Visit, markup: string, status = 200): void {
  ctx.status = status
  ctx.type = 'html'
  ctx.body = markup
}

function redirect({ ctx }: Visit, to: string): void {
  ctx.status = 303
  ctx.set('Location', to)
  ctx.body = ''
}

function showPlayer(visit: Visit): void {
  const { session, context, guildId, language, assets } = visit
  if (!session) return send(visit, signInPage(visit, context.discord !== null, null), 401)
  const guild = context.players.findGuild(session.visitor.projectId, guildId)
  const data = { guild: guildId, base: '', csrf: session.csrf }
  const guildName = guild?.name ?? 'Discord'
  const manifest = `/listen/${guildId}/app.webmanifest`
  const page = { language, guildName, assets, data, scripts: ['browser.js'], canSignOut: true, manifest }
  return send(visit, playerPage(page))
}

/** What a browser needs to put the page on a home screen. It says nothing of the server. */
function showManifest({ ctx, guildId, assets }: Visit): void {
  ctx.type = 'application/manifest+json'
  ctx.body = JSON.stringify({
    name: 'Bandstand',
    start_url: `/listen/${guildId}`,
    scope: `/listen/`,
    display: 'standalone',
    background_color: PAPER.light,
    theme_color: PAPER.light,
    icons: [
      { src: assets.url('icon.svg'), sizes: 'any', type: 'image/svg+xml' },
      { src: assets.url('icon-512.png'), sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      { src: assets.url('icon-512.png'), sizes: '512x512', type: 'image/png' },
    ],
  })
}

function showEnter(visit: Visit): void {
  const token = String(visit.ctx.query['token'] ?? '')
  if (!TOKEN.test(token)) return send(visit, deadLinkPage(visit), 404)
  return send(visit, enterPage(visit, token, csrfToken(visitorCookie(visit), null)))
}

async function enter(visit: Visit): Promise<void> {
  const { ctx, context, guildId } = visit
  const form = await readFields(ctx.req)
  assertOwnForm(ctx.req, context.baseUrl(), { csrf: csrfToken(visitorCookie(visit), null), form })
  const token = form.get('token') ?? ''
  const visitor = TOKEN.test(token) ? await context.access.redeemLink(token, guildId) : null
  if (!visitor) return send(visit, deadLinkPage(visit), 410)
  await signIn(visit, visitor)
  return redirect(visit, `/listen/${guildId}`)
}

async function leave(visit: Visit): Promise<void> {
  assertOwnRequest(visit, sessionOf(visit))
  await signOut(visit)
  visit.ctx.body = { signedOut: true }
}

async function leaveForDiscord(visit: Visit, { tickets }: WebPlayerParts): Promise<void> {
  const { context, cookies, guildId } = visit
  const verifier = randomBytes(32).toString('base64url')
  const { key } = await callerOf(visit, guildId)
  const state = await tickets.issueShared('listen', visitorCookie(visit), { verifier, guildId }, key)
  cookies.set('oauth', state, WAY_SECONDS)
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  redirect(visit, configured(visit).authorizeUrl({ state, challenge, returnUrl: returnUrl(context.baseUrl()) }))
}

async function comeBack(visit: Visit, { tickets }: WebPlayerParts): Promise<void> {
  const { ctx, context, cookies, locale } = visit
  const state = String(ctx.query['state'] ?? '')
  const way = cookies.get('oauth') === state ? await tickets.take('listen', visitorCookie(visit), state) : null
  cookies.set('oauth', null)
  const code = ctx.query['code']
  const place = { ...visit, guildId: way?.guildId ?? '' }
  if (!way || typeof code !== 'string' || code.length > 200)
    return send(visit, signInPage(place, way !== null, 'refused'), 403)
  const wish = { code, verifier: way.verifier, returnUrl: returnUrl(context.baseUrl()) }
  const person = await configured(visit)
    .identify(wish, await callerOf(visit, way.guildId))
    .catch(nullOn('validation_error'))
  if (!person) return send(visit, signInPage(place, true, 'refused'), 403)
  const { guildId } = way
  const member = await membershipOf(context, guildId, person.id)
  if (!member) return send(visit, signInPage(place, true, 'notMember'), 403)
  await signIn(place, { projectId: member.projectId, guildId, userId: person.id, channelId: null, locale })
  return redirect(visit, `/listen/${guildId}`)
}

function returnUrl(baseUrl: string): string {
  return `${baseUrl}/listen/discord/back`
}

function configured({ context }: Visit): DiscordSignIn {
  if (!context.discord) throw new Fault('not_found', 'Get a new link with /web in Discord.')
  return context.discord
}

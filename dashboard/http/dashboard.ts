import { randomBytes } from 'node:crypto'
import type { Context } from 'koa'
import { addressOf } from '../../api/http/client-address.ts'
import { statusOf, toFault } from '../../api/http/errors.ts'
import type { Pages } from '../../api/site/static-routes.ts'
import { Fault } from '../../lib/errors.ts'
import { admit, assertOwnForm, csrfToken, SignInNeeded } from '../auth/guards.ts'
import { ASSETS_PATH, loadAssets, type Assets } from './assets.ts'
import { openCookies } from './cookies.ts'
import type { DashboardContext } from './context.ts'
import { readFields } from './form.ts'
import { PAGES } from '../pages/index.ts'
import type { Outcome, Route } from './route.ts'
import { createTable } from './page-table.ts'
import { failurePage } from '../ui/error-page.ts'
import { layout } from '../ui/layout.ts'
import { THEMES, type Theme, type PageRequest } from './page-request.ts'
import { isLanguage, preferred } from '../words/language.ts'

/** @param fetched where else pictures and sound may come from: what a script of ours has fetched itself. */
const contentPolicy = (fetched: '' | ' blob:') =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    `img-src 'self' data:${fetched}`,
    `media-src 'self'${fetched}`,
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Of every answer but assets. With `no-referrer` browsers would send forms without saying where they come from. */
const HEADERS = {
  'Content-Security-Policy': contentPolicy(''),
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
} as const

export interface DashboardOptions {
  /** Address ranges (CIDR) of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  readonly routes?: readonly Route[]
}

/** The pages for the people who manage keys and bots, under `/dashboard`. */
export function createDashboard(desk: DashboardContext, options: DashboardOptions): Pages {
  const assets = loadAssets()
  const find = createTable(options.routes ?? PAGES)

  async function run(ctx: Context, visit: PageRequest): Promise<readonly [PageRequest, Outcome]> {
    const match = find(ctx.method, ctx.path)
    if (!match) throw new Fault('not_found', 'There is no such page.')
    if (!match.route) {
      ctx.set('Allow', match.allow)
      throw new Fault('method_not_allowed', `This page knows ${match.allow}.`)
    }
    const form = match.route.method === 'POST' ? await readFields(ctx.req) : visit.form
    const whole = { ...visit, params: match.params, form }
    if (match.route.method === 'POST') assertOwnForm(ctx.req, desk.baseUrl(), whole)
    const admitted = admit(match.route, whole)
    return [admitted, await match.route.run(admitted)]
  }

  return {
    owns: (pathname) => pathname === '/dashboard' || pathname.startsWith('/dashboard/'),
    async serve(ctx) {
      ctx.set('X-Content-Type-Options', 'nosniff')
      if (ctx.method === 'GET' || ctx.method === 'HEAD') {
        if (ctx.path.startsWith(ASSETS_PATH) && assets.serve(ctx, ctx.path.slice(ASSETS_PATH.length))) return
      }
      ctx.set(HEADERS)
      const visit = openVisit(ctx, desk, options)
      try {
        const [admitted, outcome] = await run(ctx, visit)
        write(ctx, admitted, outcome, assets)
      } catch (thrown) {
        write(ctx, visit, refusal(ctx, visit, thrown), assets)
      }
    },
  }
}

function openVisit(ctx: Context, desk: DashboardContext, { trustedProxies }: DashboardOptions): PageRequest {
  const baseUrl = desk.baseUrl()
  const cookies = openCookies(ctx, baseUrl.startsWith('https:'))
  if (cookies.get('visitor') === null) cookies.set('visitor', randomBytes(16).toString('hex'), 400 * 86_400)
  const secret = cookies.get('session')
  const session = secret === null ? null : desk.sessions.resume(secret)
  const account = session && desk.accounts.find(session.accountId)
  const theme = account?.theme ?? cookies.get('theme')
  const language = account?.language ?? cookies.get('language')
  return {
    desk,
    path: ctx.path,
    params: {},
    query: new URLSearchParams(ctx.querystring),
    form: new URLSearchParams(),
    address: addressOf(ctx.req, trustedProxies) ?? '',
    userAgent: ctx.headers['user-agent'] ?? '',
    language: isLanguage(language) ? language : preferred(ctx.headers['accept-language']),
    theme: THEMES.find((it) => it === theme) ?? ('auto' satisfies Theme),
    csrf: csrfToken(cookies.get('visitor') ?? '', session && secret),
    account,
    session: account && session,
    setCookie: (...it) => cookies.set(...it),
    cookie: (name) => cookies.get(name),
  }
}

function write(ctx: Context, visit: PageRequest, outcome: Outcome, assets: Assets): void {
  if (outcome.kind === 'redirect') {
    assertOurs(outcome.to, outcome.isOutside ?? false)
    ctx.status = 303
    ctx.set('Location', outcome.to)
    ctx.body = ''
    return
  }
  if (outcome.kind === 'file') {
    ctx.status = 200
    ctx.set('Content-Type', outcome.contentType)
    if (outcome.isKept) ctx.set('Cache-Control', 'private, max-age=86400')
    if (outcome.name !== undefined) ctx.set('Content-Disposition', `attachment; filename="${outcome.name}"`)
    ctx.body = outcome.body
    return
  }
  ctx.status = outcome.status ?? 200
  if (outcome.showsFetched) ctx.set('Content-Security-Policy', contentPolicy(' blob:'))
  ctx.set('Content-Type', 'text/html; charset=utf-8')
  ctx.set('Content-Language', visit.language)
  ctx.body = layout(visit, outcome, assets)
}

/** No redirect leads where a caller wants it to. */
function assertOurs(to: string, isOutside: boolean): void {
  if (isOutside || to === '/dashboard' || /^\/dashboard[/?]/.test(to)) return
  throw new Error(`A page wanted to redirect to ${to}.`)
}

function refusal(ctx: Context, visit: PageRequest, thrown: unknown): Outcome {
  if (thrown instanceof SignInNeeded) {
    const next = ctx.method === 'GET' ? `?next=${encodeURIComponent(ctx.path)}` : ''
    return { kind: 'redirect', to: `/dashboard/sign-in${next}` }
  }
  const fault = toFault(thrown)
  if (fault.code === 'internal_error') visit.desk.log.error({ err: fault.cause, path: visit.path }, 'page failed')
  if (fault.retryAfterMs !== undefined) ctx.set('Retry-After', String(Math.ceil(fault.retryAfterMs / 1000)))
  return failurePage(visit, statusOf(fault), fault)
}

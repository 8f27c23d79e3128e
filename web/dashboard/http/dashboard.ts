import { randomBytes } from 'node:crypto'
import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { statusOf, toApiFault } from '../../../api/http/errors.ts'
import { relay } from '../../../api/http/forwarding/relay.ts'
import { isNearest, knownVerbs } from '../../../api/http/router.ts'
import { Fault } from '../../../lib/errors.ts'
import { admit, SignInNeeded } from '../auth/guards.ts'
import { ASSET_FILES, ASSETS_PATH } from './assets.ts'
import { loadAssets, type Assets } from '../../http/assets.ts'
import { openCookies } from '../../http/cookies.ts'
import type { DashboardContext } from './context.ts'
import { isForForwarder, servePageAtOwner, visitorAddress } from '../../http/page-at-owner.ts'
import { readFields } from '../../http/form-fields.ts'
import { assertOwnForm, csrfToken } from '../../http/form-token.ts'
import { PAGES } from '../pages/index.ts'
import type { Outcome, PageRoute } from './route.ts'
import { failurePage } from '../ui/error-page.ts'
import { layout } from '../ui/layout.ts'
import { THEMES, type Theme, type PageRequest } from './page-request.ts'
import { isPageLanguage, PAGE_LANGUAGES, preferredOf } from '../../../lib/texts/languages.ts'

const CONTENT_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "font-src 'self'",
  "img-src 'self' data:",
  "media-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Headers of every answer but assets. With `no-referrer` browsers would send forms without saying where they come from. */
const HEADERS = {
  'Content-Security-Policy': CONTENT_POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Referrer-Policy': 'same-origin',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Cache-Control': 'no-store',
} as const

export interface DashboardOptions {
  /** Address ranges (CIDR) of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  readonly routes?: readonly PageRoute[]
}

/** A parameter is an id or a name, a request's id the longest; nothing else ever reaches a page. */
const PARAMETER = /^[\w.:-]{1,128}$/

function isDashboard(path: string): boolean {
  return path === '/dashboard' || path.startsWith('/dashboard/')
}

/** The pages for the people who manage keys and bots, under `/dashboard`. */
export function createDashboard(context: DashboardContext, options: DashboardOptions): Middleware {
  const assets = loadAssets(ASSETS_PATH, ASSET_FILES)
  const dispatch = createRouter(options.routes ?? PAGES, context).routes() as unknown as Middleware

  return async (ctx, next) => {
    if (!isDashboard(ctx.path)) return next()
    ctx.set('X-Content-Type-Options', 'nosniff')
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    if (isRead && ctx.path.startsWith(ASSETS_PATH) && assets.serve(ctx, ctx.path.slice(ASSETS_PATH.length))) return
    ctx.set(HEADERS)
    const request = await openVisit(ctx, context, options)
    ctx.state['request'] = request
    try {
      await dispatch(ctx, async () => assertServed(ctx))
      await write(ctx, ctx.state['request'] as PageRequest, ctx.state['outcome'] as Outcome, assets)
    } catch (thrown) {
      if (isForForwarder(ctx, thrown)) throw thrown
      await write(ctx, request, refusal(ctx, request, thrown), assets)
    }
  }
}

/** Literals take precedence over parameters: `keys/new` is not a key. */
function rank({ path }: PageRoute): string {
  return path.replaceAll(':', '~')
}

function createRouter(routes: readonly PageRoute[], context: DashboardContext): Router {
  const router = new Router({ strict: true, sensitive: true })
  for (const route of routes.toSorted((a, b) => (rank(a) < rank(b) ? -1 : 1))) {
    router.register(route.path, [route.method], async (ctx, next) => {
      const { state, params } = ctx
      if (!isNearest(ctx, route.path)) return next()
      if (!Object.values(params).every((value) => PARAMETER.test(value))) throw noSuchPage()
      const request = state['request'] as PageRequest
      const isForm = route.method === 'POST'
      const whole = { ...request, params, form: isForm ? await readFields(ctx.req) : request.form }
      if (isForm) assertOwnForm(ctx.req, context.baseUrl(), whole)
      const admitted = await admit(route, whole)
      state['request'] = admitted
      state['outcome'] = await servePageAtOwner<Outcome>({
        ctx,
        forwarding: context.forwarding,
        target: route.playerOf?.(admitted) ?? null,
        address: request.address,
        body: isForm ? whole.form.toString() : null,
        here: async () => route.run(admitted),
        relayed: (answer) => ({ kind: 'relayed', answer }),
      })
      return undefined
    })
  }
  return router
}

/** @throws {Fault} for a path that no page has, or not with this verb. */
function assertServed(ctx: Context): never {
  const allow = knownVerbs(ctx)?.join(', ')
  if (allow === undefined) throw noSuchPage()
  ctx.set('Allow', allow)
  throw new Fault('method_not_allowed', `This page supports ${allow}.`)
}

function noSuchPage(): Fault {
  return new Fault('not_found', 'Page not found.')
}

async function openVisit(
  ctx: Context,
  context: DashboardContext,
  { trustedProxies }: DashboardOptions,
): Promise<PageRequest> {
  const baseUrl = context.baseUrl()
  const cookies = openCookies(ctx, baseUrl.startsWith('https:'))
  if (cookies.get('visitor') === null) cookies.set('visitor', randomBytes(16).toString('hex'), 400 * 86_400)
  const secret = cookies.get('session')
  const session = secret === null ? null : await context.sessions.resume(secret)
  const account = session && (await context.accounts.find(session.accountId))
  const theme = account?.theme ?? cookies.get('theme')
  const language = account?.language ?? cookies.get('language')
  return {
    context,
    path: ctx.path,
    params: {},
    query: new URLSearchParams(ctx.querystring),
    form: new URLSearchParams(),
    address: visitorAddress(ctx, trustedProxies),
    userAgent: ctx.headers['user-agent'] ?? '',
    language: isPageLanguage(language) ? language : preferredOf(ctx.headers['accept-language'], PAGE_LANGUAGES),
    theme: THEMES.find((it) => it === theme) ?? ('auto' satisfies Theme),
    csrf: csrfToken(cookies.get('visitor') ?? '', session && secret),
    account,
    session: account && session,
    setCookie: (...it) => cookies.set(...it),
    cookie: (name) => cookies.get(name),
  }
}

async function write(ctx: Context, request: PageRequest, outcome: Outcome, assets: Assets): Promise<void> {
  if (outcome.kind === 'redirect') {
    assertOurs(outcome.to, outcome.isOutside ?? false)
    ctx.status = 303
    ctx.set('Location', outcome.to)
    ctx.body = ''
    return
  }
  if (outcome.kind === 'relayed') return relay(ctx, outcome.answer)
  if (outcome.kind === 'file') {
    ctx.status = 200
    ctx.set('Content-Type', outcome.contentType)
    if (outcome.isKept) ctx.set('Cache-Control', 'private, max-age=86400')
    if (outcome.name !== undefined) ctx.set('Content-Disposition', `attachment; filename="${outcome.name}"`)
    ctx.body = outcome.body
    return
  }
  ctx.status = outcome.status ?? 200
  ctx.set('Content-Type', 'text/html; charset=utf-8')
  ctx.set('Content-Language', request.language)
  ctx.body = await layout(request, outcome, (name) => assets.url(name))
}

/** No redirect leads where a caller wants it to. */
function assertOurs(to: string, isOutside: boolean): void {
  if (isOutside || to === '/dashboard' || /^\/dashboard[/?]/.test(to)) return
  throw new Error(`A page wanted to redirect to ${to}.`)
}

function refusal(ctx: Context, request: PageRequest, thrown: unknown): Outcome {
  if (thrown instanceof SignInNeeded) {
    const next = ctx.method === 'GET' ? `?next=${encodeURIComponent(ctx.path)}` : ''
    return { kind: 'redirect', to: `/dashboard/sign-in${next}` }
  }
  const fault = toApiFault(thrown)
  if (fault.code === 'internal_error')
    request.context.log.error({ err: fault.cause, path: request.path }, 'page failed')
  if (fault.retryAfterMs !== undefined) ctx.set('Retry-After', String(Math.ceil(fault.retryAfterMs / 1000)))
  return failurePage(request, statusOf(fault), fault)
}

import Router from '@koa/router'
import { hash, timingSafeEqual } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Context, Middleware } from 'koa'
import type { Registry } from 'prom-client'
import { Fault } from '../../lib/errors.ts'
import { isLocal, isLoopbackUrl } from '../http/client-address.ts'
import { sentOften } from '../http/compress.ts'
import { isFresh, weakTagOf } from '../http/response.ts'
import type { App } from '../http/app-context.ts'
import { html } from '../docs/html.ts'
import { page } from '../docs/page.ts'
import type { Docs } from '../docs/pages.ts'
import { once } from '../docs/lazy.ts'
import { ERRORS_PATH } from '../http/problem.ts'
import { renderErrors } from './errors-page.ts'
import { answerReadiness, type HealthCheck } from './health.ts'

interface Asset {
  readonly type: string
  readonly bytes: Buffer
  readonly etag: string
}

const CONTENT_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'self'; frame-ancestors 'none'"

const NEEDS_TOKEN = 'Set METRICS_TOKEN: with BASE_URL or TRUST_PROXY set, metrics require it.'

export interface MetricsPage {
  /** Who sends it may look from anywhere; null: only programs of this machine may. */
  readonly token: string | null
  /** Whether requests of others come by way of the loopback, so that only the token tells who may look. */
  readonly hasProxy: boolean
  readonly registry: Registry
}

export interface SiteOptions {
  readonly metrics: MetricsPage
  readonly hasDashboard: boolean
  readonly docs: Docs
  readonly check: HealthCheck
  /** Aborts when the service begins to close. */
  readonly stopping: AbortSignal
}

/** What this is, how it does, its OpenAPI document, and the reference made from that. */
export function createSite(app: App, { metrics, hasDashboard, docs, check, stopping }: SiteOptions): Middleware {
  const router = new Router({ strict: true, sensitive: true })
  const add = (path: string, type: string, make: () => string | Promise<string>) => {
    const asset = once(async () => prepare(type, await make()))
    router.get(path, async (ctx) => answer(ctx as unknown as Context, await asset()))
  }
  add('/', 'text/html', () => renderHome(app, hasDashboard))
  add('/docs', 'text/html', async () => (await docs()).reference)
  add(ERRORS_PATH, 'text/html', renderErrors)
  add('/docs/style.css', 'text/css', () => readFileSync(join(import.meta.dirname, '..', 'docs', 'style.css'), 'utf8'))
  add('/docs/script.js', 'text/javascript', () =>
    readFileSync(join(import.meta.dirname, '..', 'docs', 'script.js'), 'utf8'),
  )
  add('/openapi.json', 'application/json', async () => (await docs()).openapi)
  router.get('/metrics', async (ctx) => {
    assertMayLook(ctx.req, metrics.token, metrics.hasProxy || !isLoopbackUrl(app.baseUrl))
    ctx.body = await metrics.registry.metrics()
    ctx.set({ 'Content-Type': metrics.registry.contentType, 'Cache-Control': 'no-store' })
  })
  router.get('/healthz', (ctx) => {
    ctx.set('Cache-Control', 'no-store')
    ctx.body = 'ok\n'
  })
  router.get('/readyz', (ctx) => answerReadiness(ctx as unknown as Context, check, stopping.aborted))
  return router.routes() as unknown as Middleware
}

/** @param isPublic whether the service is meant to be reached from elsewhere, by way of a proxy that may not tell. */
function assertMayLook(req: IncomingMessage, token: string | null, isPublic: boolean): void {
  if (token === null) {
    if (!isPublic && isLocal(req)) return
    throw new Fault(
      'forbidden',
      isPublic ? NEEDS_TOKEN : 'Metrics are readable from this machine alone; set METRICS_TOKEN to open them.',
    )
  }
  const expected = Buffer.from(hash('sha256', `Bearer ${token}`, 'hex'))
  const sent = Buffer.from(hash('sha256', req.headers.authorization ?? '', 'hex'))
  if (!timingSafeEqual(sent, expected)) {
    throw new Fault('forbidden', 'Send `Authorization: Bearer <METRICS_TOKEN>`.')
  }
}

function prepare(type: string, text: string): Asset {
  return { type: `${type}; charset=utf-8`, bytes: sentOften(Buffer.from(text)), etag: weakTagOf(text) }
}

function answer(ctx: Context, { type, bytes, etag }: Asset): void {
  ctx.set({
    'Content-Type': type,
    'Cache-Control': 'no-cache',
    ETag: etag,
    Vary: 'Accept-Encoding',
    'Content-Security-Policy': CONTENT_POLICY,
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Access-Control-Allow-Origin': '*',
  })
  ctx.status = 200
  if (isFresh(ctx)) ctx.status = 304
  else ctx.body = bytes
}

function renderHome({ version, baseUrl }: App, hasDashboard: boolean): string {
  const body = html`<main class="home">
    <h1>Bandstand</h1>
    <p class="lead">A self-hosted Discord music bot with a REST and WebSocket control plane. Version ${version}.</p>
    <ul>
      ${hasDashboard && html`<li><a href="/dashboard">Dashboard</a></li>`}
      <li><a href="/docs">API reference</a></li>
      <li><a href="/openapi.json">OpenAPI document</a></li>
      <li><a href="/v1/status">Status</a></li>
    </ul>
    <p>The API is at <code>${baseUrl}/v1</code>. Send your key as <code>Authorization: Bearer svc.…</code></p>
  </main>`
  return page('Bandstand', body)
}

import Router from '@koa/router'
import { hash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Context, Middleware } from 'koa'
import type { Registry } from 'prom-client'
import { Fault } from '../../lib/errors.ts'
import { isLocal, isLoopbackUrl } from '../http/client-address.ts'
import type { App } from '../http/app-context.ts'
import { html } from '../docs/html.ts'
import { once } from '../docs/lazy.ts'
import type { Docs } from '../docs/pages.ts'
import { documentOf } from '../docs/reference/layout.ts'
import { answerAsset, prepare } from './asset.ts'
import { addDocsRoutes } from './docs-routes.ts'
import { answerReadiness, type HealthCheck } from './health.ts'

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
    router.get(path, async (ctx) => answerAsset(ctx as unknown as Context, await asset()))
  }
  add('/', 'text/html', () => renderHome(app, hasDashboard))
  addDocsRoutes(router, docs)
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
  return documentOf({ title: 'Bandstand', language: 'en', scripts: [] }, body)
}

import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { App } from '../http/app-context.ts'
import { html } from '../../lib/html.ts'
import { once } from '../docs/lazy.ts'
import type { Docs } from '../docs/pages.ts'
import { documentOf } from '../docs/reference/layout.ts'
import { answerAsset, prepare } from './asset.ts'
import { addDocsRoutes } from './docs-routes.ts'
import type { HealthCheck } from './health.ts'
import { addProbes, type MetricsPage } from './probes.ts'

interface SiteOptions {
  readonly metrics: MetricsPage
  readonly hasDashboard: boolean
  readonly docs: Docs
  readonly check: HealthCheck
  /** Aborts when the service begins to close. */
  readonly stopping: AbortSignal
}

/** Routes for the service description, its health, its OpenAPI document, and the reference made from that. */
export function createSite(app: App, { metrics, hasDashboard, docs, check, stopping }: SiteOptions): Middleware {
  const router = new Router({ strict: true, sensitive: true })
  const add = (path: string, type: string, make: () => string | Promise<string>) => {
    const asset = once(async () => prepare(type, await make()))
    router.get(path, async (ctx) => answerAsset(ctx as unknown as Context, await asset()))
  }
  add('/', 'text/html', () => renderHome(app, hasDashboard))
  addDocsRoutes(router, docs)
  add('/openapi.json', 'application/json', async () => (await docs()).openapi)
  addProbes(router, { baseUrl: app.baseUrl, metrics, check, stopping })
  return router.routes() as unknown as Middleware
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

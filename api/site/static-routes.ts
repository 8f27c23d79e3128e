import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import type { App } from '../http/app-context.ts'
import { Fault } from '../../lib/errors.ts'
import { once } from '../docs/lazy.ts'
import type { Docs } from '../docs/pages.ts'
import { answerAsset, prepare } from './asset.ts'
import { addDocsRoutes, addPage, languageOf } from './docs-routes.ts'
import { homePage, missingPage } from './home.ts'
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
  addPage(router, '/', async (language) => homePage(app, hasDashboard, language))
  addDocsRoutes(router, docs)
  const document = once(async () => prepare('application/json', (await docs()).openapi))
  router.get('/openapi.json', async (ctx) => answerAsset(ctx as unknown as Context, await document()))
  addProbes(router, { baseUrl: app.baseUrl, metrics, check, stopping })
  const routes = router.routes() as unknown as Middleware
  return async (ctx, next) => {
    try {
      await routes(ctx, next)
    } catch (thrown) {
      if (!(thrown instanceof Fault) || thrown.code !== 'not_found' || !wantsPage(ctx)) throw thrown
      const language = languageOf(ctx)
      const page = prepare('text/html', missingPage(language, hasDashboard), { language, isOnce: true })
      answerAsset(ctx, page, 404)
    }
  }
}

const API_PATH = /^\/(?:v\d+|mcp)(?:\/|$)/

/** Whether a person looks for a page: programs get JSON, and so does everything below the API. */
function wantsPage(ctx: Context): boolean {
  if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return false
  return !API_PATH.test(ctx.path) && ctx.accepts('json', 'html') === 'html'
}

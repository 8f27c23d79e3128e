import Router from '@koa/router'
import type { Context, Middleware } from 'koa'
import { statusOf, toApiFault } from '../../../api/http/errors.ts'
import { Refusal } from '../../../bot/commands/core/reply.ts'
import { loadAssets } from '../../http/assets.ts'
import { createOneTimeTokens } from '../../http/one-time-tokens.ts'
import { isForForwarder } from '../../http/page-at-owner.ts'
import { createStreams } from '../../http/event-streams.ts'
import { Fault } from '../../../lib/errors.ts'
import { serveVisitAtOwner } from './forwarding/at-owner.ts'
import { missingPage } from '../pages/entry.ts'
import { activityRoutes } from './activity.ts'
import { actionRoutes } from './actions.ts'
import { ASSET_FILES, ASSETS_PATH, PROXIED_ASSETS_PATH, sdkFiles } from './assets.ts'
import type { WebPlayerContext } from './context.ts'
import { createCovers } from './covers.ts'
import { entryRoutes } from './entry.ts'
import { createLivePages } from './live.ts'
import { createMemberLimits } from './member-limits.ts'
import { setPageHeaders } from './security.ts'
import { openVisit } from './visit.ts'
import type { WebPlayerParts, WebPlayerRoute } from './web-player-route.ts'
import { SNOWFLAKE } from '../../../lib/validation/snowflake.ts'

const MAX_STREAMS = 1000
const MAX_STREAMS_PER_MEMBER = 6

/** The player for members in the browser, under `/listen`. It ends with the service. */
export function createWebPlayer(context: WebPlayerContext, stopping: AbortSignal): Middleware {
  const hasActivity = context.activityClientId !== null
  const streams = createStreams(stopping, { total: MAX_STREAMS, share: MAX_STREAMS_PER_MEMBER })
  const files = hasActivity ? [...ASSET_FILES, ...sdkFiles()] : ASSET_FILES
  const parts: WebPlayerParts = {
    context,
    assets: loadAssets(ASSETS_PATH, ASSET_FILES),
    proxiedAssets: loadAssets(PROXIED_ASSETS_PATH, files),
    live: createLivePages(context, streams),
    limits: createMemberLimits(context.now),
    covers: createCovers(context.egress),
    tickets: createOneTimeTokens(context.oneTime),
  }
  stopping.addEventListener('abort', () => parts.live.close(), { once: true })
  const routes = [...entryRoutes, ...actionRoutes, ...(hasActivity ? activityRoutes : [])]
  const dispatch = createRouter(parts, routes).routes() as unknown as Middleware

  return async (ctx, next) => {
    if (hasActivity && isActivityStart(ctx)) ctx.path = '/listen/activity'
    if (ctx.path !== '/listen' && !ctx.path.startsWith('/listen/')) return next()
    setPageHeaders(ctx)
    const isRead = ctx.method === 'GET' || ctx.method === 'HEAD'
    const fileName = ctx.path.startsWith(ASSETS_PATH) ? ctx.path.slice(ASSETS_PATH.length) : null
    if (isRead && fileName && (parts.assets.serve(ctx, fileName) || parts.proxiedAssets.serve(ctx, fileName))) return
    try {
      await dispatch(ctx, () => Promise.reject(new Fault('not_found', 'Get a new link with /web in Discord.')))
    } catch (thrown) {
      if (isForForwarder(ctx, thrown)) throw thrown
      await refuse(ctx, parts, thrown)
    }
  }
}

/** Discord opens the root of the address that the Activity is mapped to. */
function isActivityStart({ path, method, query }: Context): boolean {
  return path === '/' && method === 'GET' && 'frame_id' in query && 'instance_id' in query
}

function createRouter(parts: WebPlayerParts, routes: readonly WebPlayerRoute[]): Router {
  const router = new Router({ strict: true, sensitive: true, prefix: '/listen' })
  const { context, assets } = parts
  for (const { method, path, run, isAtOwner } of routes) {
    router.register(path, [method], async (ctx, next) => {
      const { guildId = '' } = ctx.params
      if (path.includes(':guildId') && !SNOWFLAKE.test(guildId)) return next()
      const visit = await openVisit(ctx, { context, assets, guildId })
      if (isAtOwner) await serveVisitAtOwner(visit, () => run(visit, parts))
      else await run(visit, parts)
      return undefined
    })
  }
  return router
}

/** Scripts get a sentence as JSON, people a page. */
async function refuse(ctx: Context, parts: WebPlayerParts, thrown: unknown): Promise<void> {
  const { context, assets } = parts
  ctx.remove('Content-Encoding')
  if (thrown instanceof Refusal) {
    ctx.status = 409
    ctx.body = { error: { code: 'refused', message: thrown.message } }
    return
  }
  const fault = toApiFault(thrown)
  if (fault.code === 'internal_error') context.log.error({ err: fault.cause, path: ctx.path }, 'web player failed')
  if (fault.retryAfterMs !== undefined) ctx.set('Retry-After', String(Math.ceil(fault.retryAfterMs / 1000)))
  ctx.status = statusOf(fault)
  if (ctx.accepts('json', 'html') === 'html') {
    ctx.type = 'html'
    ctx.body = missingPage(await openVisit(ctx, { context, assets, guildId: '' }), fault.message)
  } else {
    ctx.body = { error: { code: fault.code, message: fault.message } }
  }
}

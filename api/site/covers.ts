import Router from '@koa/router'
import type { Middleware } from 'koa'
import type { CoverSize, Covers } from '../../bot/covers/covers.ts'
import { Fault } from '../../lib/errors.ts'
import { invalidField } from '../http/errors.ts'
import { isFresh } from '../http/response.ts'

/** Sizes by their names in addresses. */
const SIZES: Readonly<Record<string, CoverSize>> = { small: 160, large: 640 }
/** An address names one picture, whose changed form has another; a source may take one back. */
const KEPT = 'public, max-age=604800, stale-while-revalidate=2592000'

/**
 * Pictures of tracks. Discord, browsers and players fetch them without a key: an address is only known to those who were
 * shown the track, and opens nothing else.
 */
export function createCoverRoute(covers: Covers): Middleware {
  const router = new Router({ strict: true, sensitive: true })
  router.get('/covers/:signed', async (ctx) => {
    const { size: name = 'large' } = ctx.query
    const size = typeof name === 'string' ? SIZES[name] : undefined
    if (size === undefined) throw invalidField('query.size', `Must be one of ${Object.keys(SIZES).join(', ')}.`)
    const cover = await covers.read(ctx.params['signed'] ?? '', size)
    if (!cover) throw new Fault('not_found', 'There is no cover at this URL. It may have expired.')
    ctx.set({
      'Content-Type': cover.contentType,
      'Cache-Control': KEPT,
      ETag: cover.etag,
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Access-Control-Allow-Origin': '*',
    })
    ctx.status = 200
    if (isFresh(ctx)) ctx.status = 304
    else ctx.body = cover.bytes
  })
  return router.routes() as unknown as Middleware
}

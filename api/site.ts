import Router from '@koa/router'
import type { Context } from 'koa'
import { Fault } from '../errors.ts'
import type { App } from './app.ts'
import type { Route } from './route.ts'

/** The pages beside the API. */
export interface Site {
  owns(pathname: string): boolean
  /** @throws {Fault} where there is no such page or it does not know the verb. */
  serve(ctx: Context): Promise<void>
}

export function createSite(app: App, routes: readonly Route[]): Site {
  const router = new Router()
  const serve = router.routes()
  void app
  void routes
  return {
    owns: (pathname) => !pathname.startsWith('/v1/') && pathname !== '/v1' && pathname !== '*',
    async serve(ctx) {
      await serve(ctx as never, () => Promise.reject(new Fault('not_found', 'There is no such page.')))
    },
  }
}

import type { Middleware } from 'koa'
import { clientAddress } from '../../http/client-address.ts'
import type { Mount } from '../../http/connections/mount.ts'
import type { ApiContext } from '../../http/request-state.ts'
import { data } from '../../http/envelopes.ts'
import { HttpRefusal } from '../../http/errors.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import { Fault } from '../../../lib/errors.ts'
import { AudioLinks } from '../audio/audio-links.ts'
import { NodeSockets } from '../sessions/node-sockets.ts'
import { LavalinkSessions, type SessionsOptions } from '../sessions/sessions.ts'
import { createGuesses, type Guesses } from './guesses.ts'
import type { NodeCaller, NodeKeys } from './node-keys.ts'
import { setLavalinkRefusal } from './refusals.ts'
import { nodeRoutes } from './node-routes.ts'
import { markRoutes } from './mark-routes.ts'
import { playerRoutes } from './player-routes.ts'
import { pluginRoutes } from './plugin-routes.ts'
import { createLavalinkRouter } from './router.ts'
import { trackRoutes } from './track-routes.ts'

interface LavalinkOptions extends SessionsOptions {
  readonly keys: NodeKeys
  /** Address ranges (CIDR) of proxies whose word on a caller's address is taken. */
  readonly trustedProxies: readonly string[]
}

export interface Lavalink extends Mount {
  readonly sessions: LavalinkSessions
}

const AREA = /^\/v4(?:\/|$)|^\/version$/
const BEARER = /^bearer /i
/** Code for the log of requests; the client only sees the status. */
const WRONG_KEY = { code: 'invalid_api_key' } as const

/** A Lavalink v4 node: its routes, its socket and its refusals. */
export function createLavalink(options: LavalinkOptions): Lavalink {
  const { keys, trustedProxies, clock, log } = options
  const guesses = createGuesses({ log, now: monotonicNow })
  const sessions = new LavalinkSessions(options)
  const sockets = new NodeSockets({ ...options, sessions })
  const links = new AudioLinks({ ...options, countOthers: (node) => sessions.countOn(node) })
  const { tracks, knowledge } = options
  const routes = [...playerRoutes, ...trackRoutes, ...pluginRoutes, ...markRoutes, ...nodeRoutes]
  const router = createLavalinkRouter(routes, { sessions, tracks, knowledge })
  let isClosing = false

  const serve = async (ctx: ApiContext): Promise<void> => {
    const { upgrade } = ctx.state
    if (upgrade) ctx.state.route = { id: 'lavalink.websocket', url: ctx.path, class: 'player', envelope: data }
    const caller = await authenticate(ctx, { keys, trustedProxies, guesses })
    ctx.state.caller = { ...caller, botId: null, poolId: null, botIds: [] }
    ctx.state.origin.fields['projectId'] = caller.projectId
    if (!upgrade) return router(ctx, caller)
    if (isClosing) throw new Fault('service_unavailable', 'The node is stopping.', { retryAfterMs: 5000 })
    if (!AudioLinks.wants(ctx.req)) return sockets.open(ctx, caller)
    if (caller.isService) return links.open(ctx)
    throw new Fault('forbidden', 'Only AUDIO_NODE_PASSWORD of this node lets a service run its players here.')
  }

  // Not `async`, which would make all other requests wait a few turns for nothing.
  const refusals: Middleware = (ctx, next) => {
    if (!AREA.test(ctx.path)) return next()
    ctx.set('Lavalink-Api-Version', '4')
    return next().catch((thrown: unknown) => {
      const { requestId, wasAborted } = (ctx as ApiContext).state
      // Errors caused by a client that disconnected are no fault of ours.
      if (!(thrown instanceof Fault) && !wasAborted) {
        options.log.error({ requestId, err: thrown, path: ctx.path }, 'lavalink request failed')
      }
      setLavalinkRefusal(ctx, thrown, clock.dateMs())
    })
  }

  const middleware: Middleware = (ctx, next) => (AREA.test(ctx.path) ? serve(ctx) : next())
  return {
    sessions,
    middleware,
    refusals,
    wants: (req) => NodeSockets.wants(req) || AudioLinks.wants(req),
    async close() {
      isClosing = true
      // Clients take it for a node that comes back, and connect again.
      await Promise.all([links.close(), sessions.close(1001, 'The node is stopping.')])
      sockets.close()
    },
  }
}

interface Entrance extends Pick<LavalinkOptions, 'keys' | 'trustedProxies'> {
  readonly guesses: Guesses
}

/** @throws {Fault} 401 without a password and for a handshake, else 403, as Lavalink does; 429 for who guesses */
async function authenticate(ctx: ApiContext, { keys, trustedProxies, guesses }: Entrance): Promise<NodeCaller> {
  const { authorization } = ctx.req.headers
  if (authorization === undefined)
    throw new HttpRefusal(401, 'Send the password in the header Authorization.', WRONG_KEY)
  const password = authorization.replace(BEARER, '')
  const address = clientAddress(ctx.req, trustedProxies)
  // Refused guesses are summarised in the log.
  ctx.state.isSummarised = true
  guesses.assertMayTry(address ?? '', password)
  ctx.state.isSummarised = false
  const caller = await keys.find(password, () => address)
  guesses.note(address ?? '', password, caller !== null)
  if (caller) return caller
  throw new HttpRefusal(ctx.state.upgrade ? 401 : 403, 'The password in the header Authorization is wrong.', WRONG_KEY)
}

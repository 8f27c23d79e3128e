import type { BotSelection } from '../../../bot/bot-selection.ts'
import type { Forwarding, GuildTarget } from '../../../lib/sharing/forwarding.ts'
import type { Caller } from '../app-context.ts'
import { clientAddress } from '../client-address.ts'
import { IDEMPOTENCY_KEY } from '../conditions/idempotency.ts'
import type { ApiContext } from '../request-state.ts'
import type { Route } from '../route.ts'
import { doAtOwner, NOT_HERE } from './at-owner.ts'
import { forwardedHeaders, isNotHere, relay } from './relay.ts'

/** A request about the players of a guild. */
export interface MusicRequest {
  readonly ctx: ApiContext
  readonly route: Route
  readonly caller: Caller
  /** The bots of this service. */
  readonly bots: BotSelection
  readonly forwarding: Forwarding
  readonly trustedProxies: readonly string[]
  readonly traceparent: string | undefined
  /** Serves it with the bots of this service. */
  readonly serveHere: () => Promise<void>
}

/** Serves a request with the bots of its caller that the owner of a guild runs. */
export function serveAt(request: MusicRequest, target: GuildTarget, caller = request.caller): Promise<void> {
  const { ctx, route, forwarding, trustedProxies, traceparent, serveHere } = request
  const { req, state, method } = ctx
  const { signal } = state
  const isKeyed = req.headers[IDEMPOTENCY_KEY.toLowerCase()] !== undefined
  return doAtOwner(forwarding, target, {
    here() {
      state.caller = caller
      return serveHere()
    },
    async there(service) {
      const answer = await forwarding.send(service, {
        method,
        path: ctx.url,
        headers: forwardedHeaders(req.headers, state.requestId, traceparent),
        body: route.body && ctx.request.body !== undefined ? JSON.stringify(ctx.request.body) : null,
        identity: { address: clientAddress(req, trustedProxies) ?? null, caller, target },
        signal: state.disconnected,
      })
      if (!isNotHere(answer)) return relay(ctx, answer)
      answer.body.resume()
      return NOT_HERE
    },
    isRepeatable: isKeyed || method === 'GET' || method === 'HEAD' || (route.idempotent ?? method !== 'POST'),
    signal,
  })
}

import type { Forwarding, GuildTarget } from '../../../lib/sharing/forwarding.ts'
import type { Caller } from '../app-context.ts'
import { addressOf } from '../client-address.ts'
import { IDEMPOTENCY_KEY } from '../conditions/idempotency.ts'
import type { ApiContext } from '../request-state.ts'
import { rawInputs, type Route } from '../route.ts'
import { doAtOwner, NOT_HERE } from './at-owner.ts'
import { forwardedHeaders, isNotHere, relay } from './relay.ts'

const SNOWFLAKE = /^\d{17,20}$/

interface MusicRequest {
  readonly ctx: ApiContext
  readonly route: Route
  readonly caller: Caller
  readonly trustedProxies: readonly string[]
  readonly traceparent: string | undefined
}

/** Serves a request about the player of a guild where that guild is run: here, or by another service. */
export async function serveWherePlayed(
  forwarding: Forwarding,
  request: MusicRequest,
  here: () => Promise<void>,
): Promise<void> {
  const { ctx, route, caller } = request
  const guildId = guildOf(ctx, route)
  if (guildId === null) return here()
  const [botId] = caller.botIds
  if (botId === undefined) return here()
  await serveAt(forwarding, request, { target: { botId, guildId }, caller, here })
}

interface At {
  readonly target: GuildTarget
  /** With the bots that the service is to choose from. */
  readonly caller: Caller
  readonly here: () => Promise<void>
}

function serveAt(forwarding: Forwarding, request: MusicRequest, { target, caller, here }: At): Promise<void> {
  const { ctx, route, trustedProxies, traceparent } = request
  const { req, state, method } = ctx
  const { signal } = state
  const isKeyed = req.headers[IDEMPOTENCY_KEY.toLowerCase()] !== undefined
  return doAtOwner(forwarding, target, {
    here,
    async there(service) {
      const answer = await forwarding.send(service, {
        method,
        path: ctx.url,
        headers: forwardedHeaders(req.headers, state.requestId, traceparent),
        body: route.body && ctx.request.body !== undefined ? JSON.stringify(ctx.request.body) : null,
        identity: { address: addressOf(req, trustedProxies) ?? null, caller, target },
        signal,
      })
      if (!isNotHere(answer)) return relay(ctx, answer)
      answer.body.resume()
      return NOT_HERE
    },
    isRepeatable: isKeyed || method === 'GET' || method === 'HEAD' || (route.idempotent ?? method !== 'POST'),
    signal,
  })
}

/** The guild whose player is meant; null if there is none, or none that could be. */
export function guildOf(ctx: ApiContext, route: Route): string | null {
  if (route.class !== 'player') return null
  const { path, query } = rawInputs(ctx, route)
  const guildId: unknown = path.values['guildId'] ?? query.values['guildId']
  return typeof guildId === 'string' && SNOWFLAKE.test(guildId) ? guildId : null
}

import type { Context } from 'koa'
import { clientAddress } from '../../api/http/client-address.ts'
import { assertHere, doAtOwner, NOT_HERE } from '../../api/http/forwarding/at-owner.ts'
import { forwardedHeaders, isNotHere } from '../../api/http/forwarding/relay.ts'
import type { RequestState } from '../../api/http/request-state.ts'
import { Fault } from '../../lib/errors.ts'
import type { Forwarding, GuildTarget, PeerAnswer } from '../../lib/sharing/forwarding.ts'

/** A request of a browser, as it is forwarded to the service that runs a player. */
interface PageRequestToOwner<T> {
  readonly ctx: Context
  /** Null if this service runs all. */
  readonly forwarding: Forwarding | null
  /** Null if the page is about no player. */
  readonly target: GuildTarget | null
  /** Of who sent it. */
  readonly address: string
  readonly body: string | Buffer | null
  /** Serves it with the players of this service. */
  readonly here: () => Promise<T>
  /** Handles the answer of another service. */
  readonly relayed: (answer: PeerAnswer) => T
}

/** Serves a page about a player where that player is run: here, or at another service, which checks the session itself. */
export function servePageAtOwner<T>(request: PageRequestToOwner<T>): Promise<T> {
  const { ctx, forwarding, target, address, body, here, relayed } = request
  if (!forwarding || !target) return here()
  const state = ctx.state as RequestState
  if (state.forwarded) {
    assertHere(forwarding, state.forwarded.target)
    return here()
  }
  return doAtOwner<T>(forwarding, target, {
    here,
    async there(service) {
      const answer = await forwarding.send(service, {
        method: ctx.method,
        path: ctx.url,
        headers: forwardedHeaders(ctx.headers, state.requestId, state.origin.traceparent),
        body,
        identity: { address, caller: null, target },
        signal: state.disconnected,
      })
      if (!isNotHere(answer)) return relayed(answer)
      answer.body.resume()
      return NOT_HERE
    },
    isRepeatable: ctx.method !== 'POST',
    signal: state.signal,
  })
}

/** Whether an error is for the service that forwarded the request: the player is run elsewhere by now. */
export function isForForwarder(ctx: Context, thrown: unknown): boolean {
  const { forwarded } = ctx.state as Partial<RequestState>
  return Boolean(forwarded) && hasMoved(thrown)
}

/** Whether nothing was done, since another service runs the player by now. */
export function hasMoved(thrown: unknown): boolean {
  return thrown instanceof Fault && thrown.peer === 'moved'
}

/** The address of the sender. The service that forwarded a request knows it. */
export function visitorAddress(ctx: Context, trustedProxies: readonly string[]): string {
  const { forwarded } = ctx.state as Partial<RequestState>
  return (forwarded ? forwarded.address : clientAddress(ctx.req, trustedProxies)) ?? ''
}

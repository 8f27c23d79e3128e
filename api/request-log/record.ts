import ipaddr from 'ipaddr.js'
import type { AddressDetail, LoggedRequest } from '../../lib/request-log/request-log.ts'
import { redact } from '../../lib/redact.ts'
import type { App, Caller } from '../http/app-context.ts'
import { bearerKey, digestOf } from '../http/auth.ts'
import { clientAddress } from '../http/client-address.ts'
import { publicCodeOf } from '../http/errors.ts'
import type { ApiContext, RequestState } from '../http/request-state.ts'
import { bodiesOf } from './bodies.ts'

/** Parts of the pipeline that the log needs. */
export interface RequestRecorder {
  readonly app: Pick<App, 'keys' | 'requests' | 'baseUrl'>
  readonly trustedProxies: readonly string[]
  readonly keptAddresses: AddressDetail
  /** Whether there are pages that a refusal can link to. */
  readonly hasDashboard: boolean
}

/** Limit of the message that the caller was sent. */
const MAX_MESSAGE_CHARS = 300
const MAX_METHOD_CHARS = 20
/** Lavalink's clients send the key without `Bearer`. */
const LAVALINK = '/v4/'
const AREAS = ['/v1/', LAVALINK] as const

/** Writes a request whose key is known into the log of its project; also one that was refused, and one without a route. */
export async function recordRequest(
  { app, trustedProxies, keptAddresses }: RequestRecorder,
  ctx: ApiContext,
  { path, durationMs }: Pick<LoggedRequest, 'durationMs'> & { readonly path: string },
): Promise<void> {
  const { requests } = app
  if (!requests.isOn) return
  const { state } = ctx
  const owner = state.caller ?? (await ownerOf(app, ctx))
  if (!owner || !requests.admits(owner.projectId, ctx.status)) return
  const { route, limit } = state
  const isFailed = ctx.status >= 400 && ctx.path.startsWith('/v1/')
  requests.add({
    bodies: isFailed && requests.bodies?.admits(owner.projectId) ? JSON.stringify(bodiesOf(ctx)) : undefined,
    id: requests.nextId(),
    projectId: owner.projectId,
    keyId: owner.keyId,
    requestId: state.requestId,
    method: ctx.method.slice(0, MAX_METHOD_CHARS),
    operation: route?.id ?? null,
    route: route?.url ?? null,
    path: path === route?.url ? null : path,
    status: ctx.status,
    ...refusalOf(state),
    durationMs,
    address: keptAddresses === 'off' ? null : keptOf(clientAddress(ctx.req, trustedProxies), keptAddresses),
    limitClass: limit?.routeClass ?? null,
    limitPerMinute: limit?.limit ?? null,
    limitRemaining: state.remaining,
    limitSpent: state.spent,
    traceId: state.origin.traceId ?? null,
  })
}

const NO_REFUSAL = { code: null, reason: null, message: null } as const

function refusalOf({ fault }: RequestState): Pick<LoggedRequest, 'code' | 'reason' | 'message'> {
  if (!fault) return NO_REFUSAL
  const message = redact(fault.message.slice(0, MAX_MESSAGE_CHARS))
  return { code: publicCodeOf(fault), reason: fault.reason ?? null, message }
}

/** Adds the `Link` to the request log's page of a failed request. */
export async function linkToRequest({ app, hasDashboard }: RequestRecorder, ctx: ApiContext): Promise<void> {
  const { caller, requestId } = ctx.state
  if (!hasDashboard || !app.requests.isOn || !(caller ?? (await ownerOf(app, ctx)))) return
  ctx.set('Link', `<${app.baseUrl}/dashboard/requests/${requestId}>; rel="describedby"; type="text/html"`)
}

/** Owner of the key that was sent with a request that required none, or of a key that no longer works. */
async function ownerOf(
  app: RequestRecorder['app'],
  ctx: ApiContext,
): Promise<Pick<Caller, 'projectId' | 'keyId'> | null> {
  const { state, path } = ctx
  // A key that does not exist has no owner to look up.
  if (!AREAS.some((area) => path.startsWith(area)) || (state.keyDigest && state.fault?.code === 'invalid_api_key'))
    return null
  state.owner ??= (await findOwner(app, ctx)) ?? 'unknown'
  return state.owner === 'unknown' ? null : state.owner
}

async function findOwner(
  { keys }: RequestRecorder['app'],
  { state, req, path }: ApiContext,
): Promise<Pick<Caller, 'projectId' | 'keyId'> | null> {
  const { authorization = '' } = req.headers
  const isAlone = path.startsWith(LAVALINK) && !authorization.includes(' ')
  try {
    const key = bearerKey(isAlone ? `Bearer ${authorization}` : authorization)
    const record = await keys.findByDigest(state.keyDigest ?? digestOf(key))
    return record && { projectId: record.projectId, keyId: record.id }
  } catch {
    // No key, or the database does not answer.
    return null
  }
}

function keptOf(address: string | undefined, kept: AddressDetail): string | null {
  if (address === undefined || !ipaddr.isValid(address)) return null
  if (kept === 'full') return address
  const parsed = ipaddr.process(address)
  const bits = parsed.kind() === 'ipv4' ? 24 : 48
  const network = parsed instanceof ipaddr.IPv4 ? ipaddr.IPv4 : ipaddr.IPv6
  return `${network.networkAddressFromCIDR(`${parsed.toString()}/${bits}`).toString()}/${bits}`
}

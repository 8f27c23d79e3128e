import type { Socket } from 'node:net'
import type { Middleware } from 'koa'
import { Gauge, Registry } from 'prom-client'
import { noopHooks, type TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import type { AddressDetail } from '../../lib/request-log/request-log.ts'
import { createAccessLog } from '../../lib/log.ts'
import { LOOPBACK } from './client-address.ts'
import type { Covers } from '../../bot/covers/covers.ts'
import type { App } from './app-context.ts'
import { bindPort, type BoundPort, type PortOptions } from './connections/bound-port.ts'
import { createRequestPace } from '../limits/request-pace.ts'
import { createConnectionLimit, type ConnectionLimit } from './connections/connection-limit.ts'
import { openDocs, type Docs } from '../docs/pages.ts'
import { createEventSockets, EVENT_RULES, type EventRules, type EventSockets } from '../events/events-socket.ts'
import type { HealthCheck } from '../site/health.ts'
import type { PeerLink } from '../../lib/sharing/forwarding.ts'
import type { Mount } from './connections/mount.ts'
import { createKoa, type RequestHandler } from './koa.ts'
import { closeServer, serveBesideRequests } from './connections/serve.ts'
import { serve as serveRoute, type Pipeline } from './pipeline.ts'
import type { Route } from './route.ts'
import { createRouter } from './router.ts'
import { routes as allRoutes, unlistedRoutes } from '../routes/index.ts'
import { createCoverRoute } from '../site/covers.ts'
import { createMcp } from '../mcp/mcp.ts'
import { createSite } from '../site/static-routes.ts'

export type Api = Awaited<ReturnType<typeof listen>>

export interface ApiOptions extends PortOptions {
  /** A port that already listens. Defaults to binding `port`. */
  readonly bound?: BoundPort
  /** Public URL; null: the address it listens on. */
  readonly baseUrl: string | null
  readonly graceMs?: number
  readonly routes?: readonly Route[]
  readonly events?: Partial<EventRules>
  /** Address ranges (CIDR) of proxies whose `X-Forwarded-For` is trusted. Defaults to none. */
  readonly trustedProxies?: readonly string[]
  /** Connections of one address, and event sockets of one address behind a trusted proxy. */
  readonly connectionsPerAddress?: number
  /** Addresses (CIDR) of which any number of connections may come, besides trusted proxies; the loopback by default. */
  readonly unboundedAddresses?: readonly string[]
  /** Origins of pages that may call `/mcp`. Defaults to this service's own and those of the caller's machine. */
  readonly mcpOrigins?: readonly string[]
  /** Pages that come before those of the API's own site. */
  readonly pages?: (app: Pick<App, 'baseUrl'>, stopping: AbortSignal) => Middleware
  /** The other services that run shards of the same bots; null or left out: there are none. */
  readonly peers?: PeerLink | null
  /** Stops what event sockets tell of; called when the API closes, between the last request and their end. */
  readonly beforeSockets?: () => Promise<void>
  /** Other protocols on this port; null: one that is off. */
  readonly mounts?: readonly (Mount | null)[]
  /** Covers under `/covers/…`. Defaults to none. */
  readonly covers?: Covers
  /** Detail of callers' addresses in the log of requests. */
  readonly keptAddresses?: AddressDetail
  /** Called for every response. */
  readonly observer?: TelemetryHooks
  /** The result of `/readyz`. */
  readonly check?: HealthCheck
  readonly metrics?: {
    /** Password for `/metrics`; null or left out: only programs of this machine may read it. */
    readonly token?: string | null
    /** The metrics that `/metrics` returns; the API registers its own here. */
    readonly registry?: Registry
  }
}

/** Enough for an office or a host with many bots behind one address; a fortieth of all that may be open. */
const CONNECTIONS_PER_ADDRESS = 500

/** Opens the API: everything on one port. */
export async function listen(given: Omit<App, 'baseUrl'>, options: ApiOptions) {
  const { routes = allRoutes, graceMs = 8000, middleware = [], trustedProxies = [] } = options
  const { beforeSockets } = options
  const { connectionsPerAddress: perAddress = CONNECTIONS_PER_ADDRESS, unboundedAddresses = LOOPBACK } = options
  const bound = options.bound ?? (await bindPort(options))
  const { server, port, url } = bound
  const baseUrl = options.baseUrl ?? url
  const app: App = { ...given, baseUrl }
  const stopping = new AbortController()
  const hasPeers = Boolean(options.peers)
  const rules = { ...EVENT_RULES, perAddress, ...options.events }
  const sockets = createEventSockets({ app, trustedProxies, stopping: stopping.signal, hasPeers }, rules)
  const pipeline: Pipeline = {
    app,
    sockets,
    pace: createRequestPace(),
    forwarding: options.peers ?? null,
    access: createAccessLog(app.log),
    observer: options.observer ?? noopHooks,
    stopping: stopping.signal,
    underWay: { count: 0 },
    reading: new WeakMap(),
    trustedProxies,
    keptAddresses: options.keptAddresses ?? 'full',
    hasDashboard: options.pages !== undefined,
  }
  const registry = options.metrics?.registry ?? new Registry()
  countSockets(registry, sockets)
  const limit = createConnectionLimit({ perAddress, unbounded: [...unboundedAddresses, ...trustedProxies] })
  const serve: RequestHandler = (req, res, arrival) => handle(req, res, arrival)
  const mounts = (options.mounts ?? []).filter((mount) => mount !== null)
  const pages = openPages(pipeline, { registry, handle: serve }, options)
  const beside = [...mounts.map((mount) => mount.middleware), ...pages]
  const router = createRouter([...routes, ...unlistedRoutes], (ctx, route) => serveRoute(pipeline, ctx, route))
  const refusals = mounts.flatMap((mount) => mount.refusals ?? [])
  const handle = createKoa(pipeline, { limit, router, middleware, pages: beside, refusals })
  serveBesideRequests(server, pipeline, handle)
  server.on('connection', (socket: Socket) => limit.add(socket))
  const withSockets = [sockets, ...mounts]
  bound.serve(withPeers(handle, options.peers, limit), (req) => withSockets.some((one) => one.wants(req)))
  return {
    port,
    baseUrl,
    /** Number of open event sockets. */
    get openSockets(): number {
      return sockets.size
    },
    /** Lets requests in flight finish, says goodbye to sockets, then ends; after `graceMs` it cuts what is left. */
    close: (): Promise<void> =>
      closeServer(server, { mounts, sockets, stopping, graceMs, underWay: pipeline.underWay, beforeSockets }),
  }
}

interface PageParts {
  readonly registry: Registry
  readonly handle: RequestHandler
}

/** Requests of other services are checked before anything else reads them. */
function withPeers(
  handle: RequestHandler,
  peers: PeerLink | null | undefined,
  limit: Pick<ConnectionLimit, 'check'>,
): RequestHandler {
  if (!peers) return handle
  return (req, res) => {
    // Connections beyond the bounds of the port are refused by it in any case.
    if (!peers.isFromPeer(req) || limit.check(req, res)) return handle(req, res)
    void peers.receive(req, res, (checked, identity) => handle(checked, res, { upgrade: null, forwarded: identity }))
  }
}

/** MCP, the dashboard (if enabled), then the pages about the API. */
function openPages(pipeline: Pipeline, { registry, handle }: PageParts, options: ApiOptions): readonly Middleware[] {
  const { metrics: { token = null } = {}, pages, check = () => [], mcpOrigins = [] } = options
  const { app, stopping } = pipeline
  const hasDashboard = pages !== undefined
  const docs = openDocs(() => ({ version: app.version, baseUrl: app.baseUrl, hasDashboard }))
  const site = createSite(app, {
    metrics: { token, registry, hasProxy: pipeline.trustedProxies.length > 0 },
    hasDashboard,
    docs,
    check,
    stopping,
  })
  const mcp = createMcp(pipeline, { handle, docs, origins: mcpOrigins }) as Middleware
  const own = options.covers ? [mcp, createCoverRoute(options.covers), site] : [mcp, site]
  return [makeAhead(docs), ...(pages ? [pages(app, stopping), ...own] : own)]
}

/** The first page that a browser asks for has the reference made, which takes a thread a second: it may be the next one. */
function makeAhead(docs: Docs): Middleware {
  let isAsked = false
  return async (ctx, next) => {
    await next()
    if (isAsked || !ctx.type.startsWith('text/html')) return
    isAsked = true
    // A failed page is created again on its next request, which reports the error.
    docs().catch(() => undefined)
  }
}

function countSockets(registry: Registry, sockets: EventSockets): Gauge {
  return new Gauge({
    name: 'bandstand_event_sockets',
    help: 'Open event sockets.',
    registers: [registry],
    collect() {
      this.set(sockets.size)
    },
  })
}

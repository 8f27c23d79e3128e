import Router from '@koa/router'
import type { Socket } from 'node:net'
import type { Middleware } from 'koa'
import type { BoundPort } from '../../api/http/connections/bound-port.ts'
import { createConnectionLimit } from '../../api/http/connections/connection-limit.ts'
import { closeServer, serveBesideRequests } from '../../api/http/connections/serve.ts'
import { LOOPBACK } from '../../api/http/client-address.ts'
import { createKoa } from '../../api/http/koa.ts'
import type { Mount } from '../../api/http/connections/mount.ts'
import type { RequestParts } from '../../api/http/pipeline.ts'
import type { HealthCheck } from '../../api/site/health.ts'
import { addProbes, type MetricsPage } from '../../api/site/probes.ts'
import type { Config } from '../../config.ts'
import { Fault } from '../../lib/errors.ts'
import { createAccessLog, type Logger } from '../../lib/log.ts'
import type { TelemetryHooks } from '../../lib/telemetry-hooks.ts'

interface ServerOptions {
  readonly bound: BoundPort
  readonly settings: Config['api']
  readonly lavalink: Mount
  readonly metrics: Omit<MetricsPage, 'hasProxy'>
  readonly check: HealthCheck
  readonly observer: Pick<TelemetryHooks, 'answered' | 'forwarded' | 'traceparent'>
  readonly log: Logger
}

/** Time that requests under way have once the node stops. */
const GRACE_MS = 5000

/** Serves Lavalink and what monitoring asks for on the port, by the rules of the API for connections and heads. */
export function serve({ bound, settings, lavalink, metrics, check, observer, log }: ServerOptions) {
  const { trustedProxies, connectionsPerAddress: perAddress } = settings
  const stopping = new AbortController()
  const parts: RequestParts = {
    // The node has neither projects nor a log of their requests: those are a service's.
    app: {
      log,
      baseUrl: bound.url,
      usage: { count() {} },
      keys: { findByDigest: async () => null },
      requests: NO_REQUESTS,
    },
    access: createAccessLog(log),
    observer,
    stopping: stopping.signal,
    underWay: { count: 0 },
    reading: new WeakMap(),
    trustedProxies,
    keptAddresses: 'off',
    hasDashboard: false,
  }
  const router = new Router({ strict: true, sensitive: true })
  const page = { ...metrics, hasProxy: trustedProxies.length > 0 }
  addProbes(router, { baseUrl: bound.url, metrics: page, check, stopping: stopping.signal })
  const pages = [lavalink.middleware, router.routes() as unknown as Middleware]
  const limit = createConnectionLimit({ perAddress, unbounded: [...LOOPBACK, ...trustedProxies] })
  const handle = createKoa(parts, {
    limit,
    middleware: [],
    pages,
    refusals: lavalink.refusals ? [lavalink.refusals] : [],
  })
  serveBesideRequests(bound.server, parts, handle)
  bound.server.on('connection', (socket: Socket) => limit.add(socket))
  bound.serve(handle, (req) => lavalink.wants(req))
  return {
    close: () =>
      closeServer(bound.server, { mounts: [lavalink], stopping, graceMs: GRACE_MS, underWay: parts.underWay }),
  }
}

const NO_REQUESTS: RequestParts['app']['requests'] = {
  isOn: false,
  lateMs: 0,
  bodies: null,
  admits: () => false,
  nextId: () => 0,
  add() {},
  list: () => Promise.reject(new Fault('service_unavailable', 'This node keeps no log of requests.')),
}

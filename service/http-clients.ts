import type { Outside } from '../bot/sources/remote-sources.ts'
import type { Config } from '../config.ts'
import type { WorkerHealth } from '../lib/workers/worker-health.ts'
import type { Logger } from '../lib/log.ts'
import type { TelemetryHooks } from '../lib/telemetry-hooks.ts'
import { monotonicNow } from '../lib/clock.ts'
import type { Repositories } from '../db/repositories.ts'
import { openUpstreamContext } from '../upstream/http/context.ts'
import { createEgress, type Egress } from '../upstream/egress/egress.ts'
import { createUpstreamCounters, type UpstreamCounters, type UpstreamMetrics } from '../upstream/http/metrics.ts'
import { createLookups, type Lookups } from '../upstream/lookups.ts'

/** All ways out of this process: to the services it knows, and to what callers name. */
export interface HttpClients {
  /** Addresses that callers name; public ones only. */
  readonly egress: Egress
  /** What the sources of music reach outside with. */
  readonly outside: Outside
  readonly utilities: Lookups
  readonly counters: UpstreamCounters
  /** Of the thread for local data. */
  health(): WorkerHealth
}

export interface OutsideOptions {
  readonly config: Config
  readonly log: Logger
  readonly scripture: Repositories['scripture']
  readonly version: string
  readonly observer: TelemetryHooks
  /** Its pictures are on this machine. */
  readonly sandbox: { readonly url: string } | null
}

/** Opens no connection by itself: a service that is away is noticed when somebody asks for it. */
export function openHttpClients(
  { config, log, scripture, version, observer, sandbox }: OutsideOptions,
  opening: AsyncDisposableStack,
): HttpClients {
  const settings = config.utilities
  const counters = createUpstreamCounters()
  const allowHosts = [...config.egress.allowHosts, ...(sandbox ? [new URL(sandbox.url).host] : [])]
  const egress = opening.adopt(createEgress({ allowHosts }), (it) => it.close())
  const metrics: UpstreamMetrics = {
    ...counters,
    called(upstream, outcome, durationMs) {
      counters.called(upstream, outcome, durationMs)
      observer.called(upstream, outcome, durationMs)
    },
  }
  const calls = openUpstreamContext({ settings, log, metrics, version, now: monotonicNow, date: Date.now })
  const { context } = opening.adopt(calls, (it) => it.close())
  const { timeoutMs, cacheMaxEntries: cacheMax } = settings
  const outside = { context, egress, places: config.music.places, timeoutMs, cacheMax }
  const open = opening.adopt(createLookups({ context, settings, egress, scripture }), (it) => it.close())
  return { egress, outside, utilities: open.utilities, counters, health: () => open.health() }
}

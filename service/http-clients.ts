import type { Config } from '../config.ts'
import type { Logger } from '../lib/log.ts'
import type { UpstreamHooks } from '../lib/telemetry-hooks.ts'
import { monotonicNow } from '../lib/clock.ts'
import type { Repositories } from '../db/repositories.ts'
import { openUpstreamContext } from '../upstream/http/context.ts'
import { createEgress } from '../upstream/egress/egress-guard.ts'
import { createLookups } from '../upstream/lookups.ts'

interface OutsideOptions {
  readonly config: Config
  readonly log: Logger
  readonly scripture: Repositories['scripture']
  readonly observer: UpstreamHooks
}

/**
 * All ways out of this process: to the services it knows, and to what callers name. Connections are opened on demand: a
 * service that is away is noticed at the first request.
 */
export function openHttpClients({ config, log, scripture, observer }: OutsideOptions, opening: AsyncDisposableStack) {
  const settings = config.utilities
  /** Addresses that callers name; public ones only. */
  const egress = opening.adopt(createEgress(config.egress), (it) => it.close())
  const calls = openUpstreamContext({ settings, log, metrics: observer, now: monotonicNow, date: Date.now })
  const { context } = opening.adopt(calls, (it) => it.close())
  const { timeoutMs, cacheMaxEntries: cacheMax } = settings
  /** HTTP clients for the sources of music. */
  const outside = { context, egress, places: config.music.places, timeoutMs, cacheMax }
  const open = opening.adopt(createLookups({ context, settings, egress, scripture }), (it) => it.close())
  return {
    egress,
    outside,
    utilities: open.utilities,
    /** Health of the thread for local data. */
    health: () => open.health(),
  }
}

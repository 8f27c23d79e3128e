import { Agent, EnvHttpProxyAgent } from 'undici'
import type { Logger } from '../../lib/log.ts'
import { limitPieces } from '../egress/piece-limit.ts'
import type { UpstreamContext } from './client.ts'
import type { UpstreamHooks } from '../../lib/telemetry-hooks.ts'
import type { LookupSettings } from './settings.ts'

interface ContextOptions {
  readonly settings: Pick<LookupSettings, 'userAgent' | 'retries' | 'proxyUrl'>
  readonly log: Logger
  readonly metrics: UpstreamHooks
  /** Milliseconds that never step. */
  readonly now: () => number
  /** The time of day, as milliseconds since 1970. */
  readonly date: () => number
}

/** Connections to one host; more calls than that wait for their turn within their own time. */
const CONNECTIONS = 16

/** What clients of outside services share: the connections, who asks, and the end of it all. */
export function openUpstreamContext({ settings, log, metrics, now, date }: ContextOptions) {
  const closing = new AbortController()
  const { proxyUrl } = settings
  // For https alone, as the variable says: a service on the operator's own machine is called directly.
  const agent = proxyUrl
    ? new EnvHttpProxyAgent({ httpsProxy: proxyUrl, connections: CONNECTIONS })
    : new Agent({ connections: CONNECTIONS })
  const dispatcher = agent.compose(limitPieces)
  const context: UpstreamContext = {
    dispatcher,
    userAgent: settings.userAgent,
    log,
    metrics,
    now,
    date,
    retries: settings.retries,
    random: Math.random,
    closing: closing.signal,
  }
  return {
    context,
    /** Ends every call under way. */
    async close() {
      closing.abort()
      await dispatcher.destroy()
    },
  }
}

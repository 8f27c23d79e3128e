import { join } from 'node:path'
import type { Logger } from '../../lib/log.ts'
import { awaitStep } from '../../lib/workers/startup.ts'
import { createEgress, type Egress } from '../../upstream/egress/egress-guard.ts'
import { settleWithin } from '../../lib/deadline.ts'
import { browserProgram } from '../browser/browser-profile.ts'
import { openBrowser } from '../browser/browser.ts'
import { openEgressProxy } from '../browser/egress-proxy.ts'
import type { PageLender } from '../queue/job.ts'
import { createJobSecrets, type JobSecrets } from '../screenshots/job-secrets.ts'
import { createAdBlocking, type AdBlocking } from '../screenshots/ads/ad-filter.ts'
import { createAdLists } from '../screenshots/ads/ad-lists.ts'
import type { RendererSettings } from './renderer-settings.ts'
import { connectRedis } from '../redis/redis-client.ts'
import type { RedisAddress } from '../redis/redis.ts'
import { renders } from '../queue/job-types.ts'
import { serviceKey } from '../queue/worker-registry.ts'
import { openResults } from '../results/open-results.ts'
import { prefixOf } from '../queue/store-id.ts'
import { startWorker, type Worker } from './job-consumer.ts'

interface RendererOptions {
  readonly log: Logger
  /** Started by a service, which is there then. */
  readonly isOfService: boolean
  readonly onStuck: () => void
  /** No job came for the idle time of the settings. */
  readonly onIdle: () => void
  /** Aborts when the renderer has to stop while it starts. */
  readonly signal: AbortSignal
}

/** Time limit for closing the opened parts after a failed start. */
const CLEANUP_MS = 5000
/** Time after which a worker checks whether a service exists. */
const WONDER_MS = 15_000

/**
 * Everything that a renderer needs, opened in order.
 * @throws {Error} that says why it cannot start, at most 5 s after that is known; the reason of `signal` when that aborts.
 */
export async function openRenderer(
  settings: RendererSettings,
  options: RendererOptions,
): Promise<{ close(): Promise<void> }> {
  const opened = new AsyncDisposableStack()
  const close = () => opened.disposeAsync()
  try {
    await openParts(settings, options, opened)
    return { close }
  } catch (error) {
    await settleWithin(CLEANUP_MS, close())
    throw error
  }
}

async function openParts(
  settings: RendererSettings,
  { log, isOfService, onStuck, onIdle, signal }: RendererOptions,
  opening: AsyncDisposableStack,
): Promise<void> {
  const results = opening.adopt(await openResults(settings.results), (it) => it.close())
  const egress = opening.adopt(createEgress(settings.egress), (it) => it.close())
  const { address, concurrency, graceMs } = settings
  const program = browserProgram(settings)
  const openWarm = () => openWarmBrowser(program, settings, { egress, log }, opening)
  const browser = await awaitStep('Chromium', openWarm, { log, signal })
  const prefix = prefixOf(settings.redisPrefix, results)
  // Without a browser that should be there, screenshots are refused as long as this process says so.
  const isBroken = program !== null && browser === null
  const idle = settings.idleMs === null || isBroken ? null : { afterMs: settings.idleMs, onIdle }
  const own = { secrets: openerOf(settings.secretKeys), adBlocking: adBlockingOf(settings, egress, log) }
  const options = { ...own, address, prefix, jobs: renders, results, browser, egress, concurrency, log, onStuck, idle }
  opening.adopt<Worker>(startWorker(options), (it) => it.close(graceMs))
  log.info({ concurrency, hasBrowser: browser !== null, storeId: results.storeId }, 'renderer started')
  if (!isOfService) opening.adopt(wonderAbout(address, prefix, log), (it) => it.close())
}

function openerOf(keys: readonly string[]): JobSecrets | null {
  const [newest, ...older] = keys.map((key) => Buffer.from(key, 'hex'))
  return newest ? createJobSecrets([newest, ...older]) : null
}

function adBlockingOf({ adLists: urls, dataDir }: RendererSettings, egress: Egress, log: Logger): AdBlocking {
  return createAdBlocking(createAdLists({ urls, folder: join(dataDir, 'ad-lists'), egress, log }))
}

/** Says so when no service hands out work here: most likely its pictures go to another place than this worker's. */
function wonderAbout(address: RedisAddress, prefix: string, log: Logger): { close(): void } {
  const redis = connectRedis(address, log)
  const wonder = async () => {
    if ((await redis.exists(serviceKey(prefix))) > 0) return
    log.warn('no service found: it must have the same REDIS_URL and the same results store')
  }
  const timer = setTimeout(() => {
    wonder().catch(() => undefined)
  }, WONDER_MS)
  return {
    close() {
      clearTimeout(timer)
      redis.disconnect()
    },
  }
}

/** Null: there is none, or it does not start; what needs no browser is done all the same. */
async function openWarmBrowser(
  executablePath: string | null,
  { chromiumSandbox, chromiumIdleMs: idleMs }: RendererSettings,
  { egress, log }: { readonly egress: Egress; readonly log: Logger },
  opening: AsyncDisposableStack,
): Promise<PageLender | null> {
  if (executablePath === null) {
    log.warn('Chromium not installed; screenshots fail')
    return null
  }
  const proxy = opening.adopt(await openEgressProxy({ egress, log }), (it) => it.close())
  try {
    const sandbox = chromiumSandbox === null ? {} : { sandbox: chromiumSandbox }
    return opening.adopt(await openBrowser({ executablePath, proxy, log, idleMs, ...sandbox }), (it) => it.close())
  } catch (err) {
    log.error({ err, executablePath }, 'Chromium does not start; screenshots fail')
    return null
  }
}

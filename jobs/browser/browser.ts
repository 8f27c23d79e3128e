import type { Logger } from '../../lib/log.ts'
import { createTurns } from '../../lib/sharing/turns.ts'
import { createBrowserPool } from './browser-pool.ts'
import { launchEngine, OutgrownBrowser, type Engine } from './chromium.ts'
import { openBrowserProfile } from './browser-profile.ts'
import type { EgressProxy } from './egress-proxy.ts'
import type { PageLender } from '../queue/job.ts'

export interface BrowserOptions {
  readonly executablePath: string
  /** The browser's only way to the network. */
  readonly proxy: EgressProxy
  readonly log: Logger
  /** Default: yes, unless this process is root's. */
  readonly sandbox?: boolean
  /** After this many pages a browser is replaced by a fresh one. */
  readonly maxPages?: number
  readonly maxAgeMs?: number
  /** A browser that holds more memory than this between two jobs is replaced. */
  readonly maxRestingBytes?: number
  readonly maxRendererBytes?: number
  /** Memory limit of a browser with its pages; above it, each page runs again in its own browser. */
  readonly maxBytes?: number
  /** Memory limit of a browser with a single page; above it, the page fails. */
  readonly maxPageBytes?: number
  /** A browser that was idle for this long is closed, which frees its memory. Null: never. */
  readonly idleMs?: number | null
}

/** A browser that stays open between jobs. It is replaced before it ages, and when it dies. */
export interface WarmBrowser extends PageLender {
  /** The process group of the browser that takes the next page; null while none runs. */
  readonly group: number | null
  close(): Promise<void>
}

const MIB = 1024 * 1024
const DEFAULTS = {
  maxPages: 200,
  maxAgeMs: 15 * 60_000,
  maxRestingBytes: 600 * MIB,
  maxRendererBytes: 800 * MIB,
  maxBytes: 2048 * MIB,
  maxPageBytes: 1024 * MIB,
  idleMs: (2 * 60_000) as number | null,
}

/** Starts the browser, so that the first job finds it warm. @throws {Error} when it cannot be started. */
export async function openBrowser(options: BrowserOptions): Promise<WarmBrowser> {
  const { executablePath: program, sandbox = process.getuid?.() !== 0, ...rest } = options
  const bounds = { ...DEFAULTS, ...rest }
  const profile = openBrowserProfile()
  const common = { ...bounds, program, profile, sandbox }
  const pool = createBrowserPool(() => launchEngine({ ...common, isForOnePage: false }), bounds)
  const alone = createLonePages(() => launchEngine({ ...common, maxBytes: bounds.maxPageBytes, isForOnePage: true }))
  const close = async () => {
    await pool.close()
    await alone.ended()
    profile.close()
  }
  await pool.acquire().then(
    (run) => pool.release(run),
    async (error: Error) => {
      await close()
      throw error
    },
  )
  return {
    get group() {
      return pool.group()
    },
    async withPage(contextOptions, signal, use) {
      signal.throwIfAborted()
      const run = await pool.acquire()
      try {
        return await run.engine.use(contextOptions, signal, use)
      } catch (error) {
        if (!(error instanceof OutgrownBrowser)) throw error
      } finally {
        pool.release(run)
      }
      return alone.use(contextOptions, signal, use)
    },
    close,
  }
}

interface LonePages extends Pick<Engine, 'use'> {
  /** Waits for the last one. */
  ended(): Promise<void>
}

/** Gives each page a browser of its own, one after the other: a page that holds too much is found out there. */
function createLonePages(launch: () => Promise<Engine>): LonePages {
  const inTurn = createTurns()
  return {
    use: (options, signal, use) =>
      inTurn(async () => {
        signal.throwIfAborted()
        const engine = await launch()
        try {
          return await engine.use(options, signal, use)
        } finally {
          await engine.close()
        }
      }),
    ended: () => inTurn(async () => undefined),
  }
}

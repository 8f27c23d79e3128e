import type { Engine } from './chromium.ts'
import { bytesOf, processesOf } from './browser-memory.ts'

interface BrowserPoolBounds {
  readonly maxPages: number
  readonly maxAgeMs: number
  readonly maxRestingBytes: number
  /** Null: it is never closed for that. */
  readonly idleMs: number | null
}

/** One engine, and how far it is used up. */
interface Run {
  readonly engine: Engine
  pages: number
  busy: number
  isRetired: boolean
}

/** The memory at rest is looked at once in so many pages. */
const PAGES_BETWEEN_LOOKS = 10

/** Engines that are alive: the one that takes the next page, and those that only finish what they have. */
export function createBrowserPool(launch: () => Promise<Engine>, bounds: BrowserPoolBounds) {
  const runs = new Set<Run>()
  const endings = new Set<Promise<void>>()
  let current: Promise<Run> | null = null
  let latest: Run | null = null
  let idle: NodeJS.Timeout | undefined
  let isClosed = false

  async function start(): Promise<Run> {
    const run: Run = { engine: await launch(), pages: 0, busy: 0, isRetired: false }
    runs.add(run)
    latest = run
    return run
  }
  /** No page is opened in it any more; it ends with its last one. */
  function retire(run: Run): void {
    run.isRetired = true
    if (latest === run) {
      latest = null
      current = null
    }
    if (run.busy > 0 || !runs.delete(run)) return
    const ending = run.engine.close()
    endings.add(ending)
    void ending.finally(() => endings.delete(ending))
  }
  function release(run: Run): void {
    run.busy--
    if (run.isRetired) retire(run)
    if ([...runs].some(({ busy }) => busy > 0)) return
    if (bounds.idleMs === null) return
    idle = setTimeout(() => latest && retire(latest), bounds.idleMs)
    idle.unref()
  }
  return {
    /** The run for the next page, started if there is none. */
    async acquire(): Promise<Run> {
      for (;;) {
        clearTimeout(idle)
        if (isClosed) throw new Error('the browser is closed')
        current ??= start().catch((error: Error) => {
          current = null
          throw error
        })
        const run = await current
        if (!isUsedUp(run, bounds)) return take(run)
        retire(run)
      }
    },
    release,
    group: (): number | null => latest?.engine.group ?? null,
    async close() {
      isClosed = true
      clearTimeout(idle)
      await current?.catch(() => undefined)
      await Promise.all([...[...runs].map(({ engine }) => engine.close()), ...endings])
      runs.clear()
    },
  }
}

function take(run: Run): Run {
  run.pages++
  run.busy++
  return run
}

function isUsedUp({ engine, pages, busy, isRetired }: Run, bounds: BrowserPoolBounds): boolean {
  if (isRetired || !engine.isAlive || pages >= bounds.maxPages) return true
  if (pages > 0 && performance.now() - engine.startedAtMs > bounds.maxAgeMs) return true
  const isLookedAt = busy === 0 && pages % PAGES_BETWEEN_LOOKS === PAGES_BETWEEN_LOOKS - 1
  return isLookedAt && bytesOf(processesOf(engine.group)) > bounds.maxRestingBytes
}

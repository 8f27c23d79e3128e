import type { Redis } from 'ioredis'
import { Fault } from '../../lib/errors.ts'
import type { JobType } from './job.ts'
import { listPresent, type Heartbeat } from './heartbeat.ts'
import { reached } from './job-reader.ts'

/** Available workers and their job types. */
export type WorkerRegistry = ReturnType<typeof createWorkerRegistry>

interface RosterOptions {
  readonly redis: Redis
  readonly prefix: string
  /** The service starts a renderer of its own. */
  readonly hasOwn: boolean
  /** Job types that its own renderer takes as soon as it is awake; it is announced a moment after it fell asleep. */
  readonly ownTypes: () => readonly JobType[]
}

const FRESH_MS = 1000
/** A renderer may take so long to start, or to start again. */
const START_MS = 20_000
const ANNOUNCE_EVERY_MS = 10_000

/** Key under which a service announces itself, for workers that get no work. */
export function serviceKey(prefix: string): string {
  return `${prefix}:service`
}

export function createWorkerRegistry({ redis, prefix, hasOwn, ownTypes }: RosterOptions) {
  let known: { readonly atMs: number; readonly workers: Promise<readonly Heartbeat[]> } | null = null
  let servedAtMs = hasOwn ? performance.now() : -START_MS

  const announce = () => void redis.set(serviceKey(prefix), '1', 'PX', 3 * ANNOUNCE_EVERY_MS).catch(() => undefined)
  announce()
  const announcing = setInterval(announce, ANNOUNCE_EVERY_MS)

  const present = (): Promise<readonly Heartbeat[]> => {
    const nowMs = performance.now()
    if (!known || nowMs - known.atMs > FRESH_MS) {
      known = { atMs: nowMs, workers: reached(listPresent(redis, prefix)) }
      known.workers.catch(() => (known = null))
    }
    return known.workers
  }

  return {
    present,
    /** @throws {Fault} `service_unavailable` in words for the caller when no worker takes jobs of this type. */
    async assertServed(type: JobType) {
      const workers = await present()
      if (workers.length > 0) servedAtMs = performance.now()
      if (workers.some(({ types }) => types.includes(type)) || ownTypes().includes(type)) return
      if (workers.length > 0) throw new Fault('service_unavailable', NO_BROWSER)
      if (performance.now() - servedAtMs < START_MS) return
      throw new Fault('service_unavailable', NO_WORKER, { retryAfterMs: 10_000 })
    },
    close: (): void => clearInterval(announcing),
  }
}

const NO_BROWSER =
  'No renderer has a browser. The operator can install chromium-headless-shell or chromium on their machines.'
const NO_WORKER = 'No renderer is running. Try again in a moment.'

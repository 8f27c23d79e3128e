import { createLru } from '../../lib/sharing/lru.ts'
import type { UpstreamHooks } from '../../lib/telemetry-hooks.ts'

/** Where a service is whose answers are kept, and for how long and how many. */
export interface CachedService {
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly cacheMax: number
}

interface CacheOptions<T> {
  /** Names it in the metrics. */
  readonly name: string
  readonly max: number
  /** How long an answer is fresh, by the answer itself where that differs. */
  readonly ttlMs: number | ((value: T) => number)
  /** How long a null (nothing found) is cached. Defaults to the time of an answer. */
  readonly missingTtlMs?: number
  /** How much older than its time an answer may be served when the upstream fails. Defaults to 0 (never). */
  readonly staleMs?: number
  readonly metrics: UpstreamHooks
  readonly now: () => number
}

export interface Cache<T> {
  /**
   * The kept answer for `key`, or what `load` gives. Concurrent callers of the same key share one load.
   * Failures are never kept.
   */
  get(key: string, load: () => Promise<T>): Promise<T>
  /** The next one who asks for it gets another one. */
  forget(key: string): void
}

interface Kept<T> {
  readonly value: T
  readonly freshUntilMs: number
}

/** A bounded memory of answers: the least recently used go first. */
export function createCache<T>(options: CacheOptions<T>): Cache<T> {
  const { name, ttlMs, missingTtlMs, staleMs = 0, metrics, now } = options
  const kept = createLru<string, Kept<T>>(options.max)
  const loading = new Map<string, Promise<T>>()

  const freshMs = (value: T): number => {
    if (value === null && missingTtlMs !== undefined) return missingTtlMs
    return typeof ttlMs === 'number' ? ttlMs : ttlMs(value)
  }

  const load = async (key: string, from: () => Promise<T>): Promise<T> => {
    try {
      const value = await from()
      kept.set(key, { value, freshUntilMs: now() + freshMs(value) })
      return value
    } catch (error) {
      const old = kept.get(key)
      if (!old || now() >= old.freshUntilMs + staleMs) throw error
      metrics.looked(name, 'stale')
      return old.value
    }
  }

  return {
    forget: (key) => void kept.delete(key),
    get(key, from) {
      const known = kept.get(key)
      if (known && now() < known.freshUntilMs) {
        metrics.looked(name, 'hit')
        return Promise.resolve(known.value)
      }
      const underWay = loading.get(key)
      if (underWay) {
        metrics.looked(name, 'shared')
        return underWay
      }
      metrics.looked(name, 'miss')
      const fresh = load(key, from).finally(() => loading.delete(key))
      loading.set(key, fresh)
      return fresh
    },
  }
}

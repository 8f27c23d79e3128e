import { createFairQueue } from '../../../lib/sharing/fair-queue.ts'

type OnNews<News> = (news: News) => void
type EncodeJob<News> = (signal: AbortSignal, notify: OnNews<News>) => Promise<void>

/** The listener for the result, and the project whose share it uses. */
export interface Requester<News> {
  readonly projectId: string
  readonly listener: OnNews<News>
}

/** Work in the background, one piece after the other; projects take turns. */
interface EncodeQueue<News> {
  /** Runs the job once for all requesters of that name, in turns by project. Drops the oldest of too many of a project. */
  add(name: string, run: EncodeJob<News>, requester: Requester<News>): void
  close(): Promise<void>
}

interface Wanted<News> {
  readonly run: EncodeJob<News>
  readonly listeners: Set<OnNews<News>>
}

/** Maximum of waiting jobs per project; beyond it the oldest is dropped. Each takes a second or two: more would be too late. */
const MAX_WAITING = 100
/** A day of sound takes longer: it is played as it is. */
const MOST_MS = 10 * 60_000
/** All requesters of this job. */
const MAX_LISTENERS = 200
/** Number of failed tracks to remember. They are not retried. */
const MOST_REMEMBERED = 500

export function createEncodeQueue<News>(onError: (error: unknown) => void): EncodeQueue<News> {
  const waiting = new Map<string, Wanted<News>>()
  const queue = createFairQueue<string>()
  const failed = new Set<string>()
  const closing = new AbortController()
  let current: { readonly name: string; readonly wanted: Wanted<News> } | null = null
  let working: Promise<void> | null = null

  async function work(): Promise<void> {
    for (;;) {
      const name = queue.take()
      const wanted = name === undefined ? undefined : waiting.get(name)
      if (name === undefined || !wanted || closing.signal.aborted) return
      waiting.delete(name)
      current = { name, wanted }
      try {
        const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(MOST_MS)])
        await wanted.run(signal, (news) => wanted.listeners.forEach((listener) => listener(news)))
      } catch (error) {
        if (!closing.signal.aborted) onError(error)
        remember(name)
      }
      current = null
    }
  }

  function remember(name: string): void {
    failed.add(name)
    const [oldest] = failed
    if (failed.size > MOST_REMEMBERED && oldest !== undefined) failed.delete(oldest)
  }

  return {
    add(name, run, { projectId, listener }) {
      if (failed.has(name) || closing.signal.aborted) return
      const there = name === current?.name ? current.wanted : waiting.get(name)
      if (there) {
        if (there.listeners.size < MAX_LISTENERS) there.listeners.add(listener)
        return
      }
      waiting.set(name, { run, listeners: new Set([listener]) })
      queue.add(projectId, name)
      if (queue.sizeOf(projectId) > MAX_WAITING) waiting.delete(queue.take((id) => id === projectId) ?? '')
      working ??= work().finally(() => {
        working = null
      })
    },
    async close() {
      closing.abort()
      waiting.clear()
      await working
    },
  }
}

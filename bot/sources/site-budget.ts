import { createLeakyBuckets } from '../../lib/sharing/leaky-buckets.ts'
import { UpstreamFailure } from '../../upstream/http/failure.ts'
import { outcomeOf } from './source-health.ts'
import type { BudgetStatus } from './source-state.ts'
import { SOURCE_FACTS } from './settings.ts'
import type { Source } from './source.ts'

/** Requests that one service sends to a music site: as many at once, and then so many each minute. */
const PER_MINUTE = 120
/** After a refusal; each further one in a row doubles it. */
const PAUSE_MS = 30_000
const PAUSE_MAX_MS = 900_000

/** Bounds the requests to a site, and leaves it alone for a while after it refused one. */
export function createSiteBudget(site: string, now: () => number, perMinute = PER_MINUTE) {
  const buckets = createLeakyBuckets(now)
  const limit = { burst: perMinute, perSecond: perMinute / 60 }
  let pausedUntilMs = 0
  let refusals = 0
  const pausedMs = () => Math.max(0, pausedUntilMs - now())

  return {
    /** Takes one request. @throws {UpstreamFailure} `held_back` if there is none, or during a pause */
    take(): void {
      const waitMs = Math.max(pausedMs(), buckets.waitMs(site, limit))
      if (waitMs > 0) throw new UpstreamFailure({ kind: 'held_back', name: site, host: site, retryAfterMs: waitMs })
      buckets.take(site, limit)
    },
    answered: (): void => void (refusals = 0),
    /** @param retryAfterMs how long the site wants to be left alone, if it says */
    refused(retryAfterMs?: number): void {
      refusals += 1
      const waitMs = retryAfterMs ?? PAUSE_MS * 2 ** (refusals - 1)
      pausedUntilMs = Math.max(pausedUntilMs, now() + Math.min(waitMs, PAUSE_MAX_MS))
    },
    status: (): BudgetStatus => ({ perMinute, left: buckets.left(site, limit), pausedMs: Math.ceil(pausedMs()) }),
  }
}

/** The same source, which asks its site within a budget. */
export function withinBudget(source: Source, now: () => number): Source {
  const budget = createSiteBudget(SOURCE_FACTS[source.name].title, now)
  async function ask<T>(work: () => Promise<T>): Promise<T> {
    budget.take()
    try {
      const answer = await work()
      budget.answered()
      return answer
    } catch (error) {
      if (outcomeOf(error) === 'refused') budget.refused(retryAfterMs(error))
      throw error
    }
  }
  return {
    ...source,
    budget: () => budget.status(),
    resolve: (...of) => ask(() => source.resolve(...of)),
    search: (...of) => ask(() => source.search(...of)),
    open: (...of) => ask(() => source.open(...of)),
    ...(source.songs && { songs: (...of) => ask(async () => (await source.songs?.(...of)) ?? []) }),
    ...(source.lists && { lists: (...of) => ask(async () => (await source.lists?.(...of)) ?? []) }),
    ...(source.related && { related: (...of) => ask(async () => (await source.related?.(...of)) ?? []) }),
  }
}

function retryAfterMs(error: unknown): number | undefined {
  const cause = error instanceof UpstreamFailure ? error : (error as { readonly cause?: unknown }).cause
  return cause instanceof UpstreamFailure ? cause.facts.retryAfterMs : undefined
}

import { createBreaker, type Breaker } from '../../../lib/sharing/breaker.ts'
import { Fault } from '../../../lib/errors.ts'
import { unavailable } from './refusals.ts'
import type { YouTubeClient, YouTubeClientName, YouTubeWay } from './schemas.ts'
import type { WayOrder } from './way-order.ts'

/** After this many failures in a row a way is left alone for a while: each one costs seconds. */
const FAILURES_MAX = 3

/** A way that fails its trial again rests for twice as long as before. */
const REST_MAX_MS = 900_000

/** A way to ask YouTube, and how it fared. */
export interface Way {
  readonly name: YouTubeClientName | YouTubeWay
  readonly client: YouTubeClient
  readonly breaker: Breaker
  /** Whether a setting that it needs is missing. */
  readonly isUnset: boolean
  /** Why it rests, while it does. */
  failure: unknown
}

/** Reasons of failed ways, the most telling first. */
const TELLING = ['source_refused', 'unreachable', 'no_answer'] as const
const UNABLE = 'No client in YOUTUBE_CLIENTS supports this.'

export function createWay(name: Way['name'], client: YouTubeClient, now: () => number, isUnset = false): Way {
  return {
    name,
    client,
    breaker: createBreaker({ now, failures: FAILURES_MAX, openMaxMs: REST_MAX_MS }),
    isUnset,
    failure: null,
  }
}

interface Turn<T> {
  readonly ways: readonly Way[]
  readonly learned: WayOrder<Way>
  /** Whether a refusal by this way, about what was asked for, ends the search. */
  readonly isFinal: (way: Way) => boolean
  /** Undefined: it cannot answer this. */
  readonly ask: (way: Way) => Promise<T> | undefined
  readonly onAnswer?: (way: Way) => void
  readonly signal?: AbortSignal
}

/** Asks one way after another. @throws what says most of why none of them answers */
export async function askInTurn<T>({ ways, learned, isFinal, ask, onAnswer, signal }: Turn<T>): Promise<T> {
  const failures: unknown[] = []
  for (const way of ways) {
    const { breaker } = way
    const isAsked = breaker.admits()
    const answer = isAsked ? ask(way) : undefined
    if (answer === undefined) {
      if (isAsked) breaker.calledOff()
      else failures.push(way.failure)
      continue
    }
    try {
      const found = await answer
      breaker.succeeded()
      learned.succeeded(way)
      way.failure = null
      onAnswer?.(way)
      return found
    } catch (error) {
      settle(breaker, error, signal)
      if (isAboutTheVideo(error)) learned.succeeded(way)
      else learned.failed(way)
      if (isAboutTheVideo(error) && isFinal(way)) throw error
      if (!isAboutTheVideo(error)) way.failure = error
      failures.push(error)
    }
  }
  throw together(failures)
}

function settle(breaker: Breaker, error: unknown, signal: AbortSignal | undefined): void {
  if (signal?.aborted) {
    breaker.calledOff()
    throw error
  }
  if (isAboutTheVideo(error)) breaker.succeeded()
  else breaker.failed()
}

function isAboutTheVideo(error: unknown): boolean {
  return error instanceof Fault && error.code === 'validation_error'
}

/** The error when no client could answer: a reason of the video's own, or the failures of all clients. */
function together(failures: readonly unknown[]): unknown {
  const own = failures.find(isAboutTheVideo)
  const words = failures.flatMap((failure) => (failure instanceof Fault ? failure.message : []))
  if (own !== undefined) return own
  if (words.length < failures.length) return failures.find((failure) => !(failure instanceof Fault))
  const reasons = new Set(failures.map((failure) => (failure as Fault).reason))
  const reason = TELLING.find((one) => reasons.has(one)) ?? 'not_configured'
  return unavailable([...new Set(words)].join(' ') || UNABLE, failures, reason)
}

import type { AccessLine } from './log.ts'
import type { RequestContext } from './request-context.ts'

/** The outcome of a call to an outside service; `absent` means it does not have the item. */
export type CallOutcome =
  | 'answered'
  | 'absent'
  | 'unreachable'
  | 'timed_out'
  | 'held_back'
  | 'crowded'
  | 'refused'
  | 'rejected'
  | 'broken'
  | 'redirected'
  | 'too_large'
  | 'malformed'

/** `shared`: waited for the same call of another request. `stale`: an old answer, since the call failed. */
export type CacheOutcome = 'hit' | 'miss' | 'shared' | 'stale'

/** A request that was answered. */
export interface AnsweredRequest extends Omit<AccessLine, 'route'> {
  readonly origin: RequestContext
  /** The route's address with its parameters' names, and its name; null for an unknown route or a page. */
  readonly route: { readonly url: string; readonly id: string } | null
}

/** An opening of a track, up to its first frame. */
export interface OpenedTrack {
  readonly botId: string
  readonly guildId: string
  readonly projectId: string
  readonly source: string
  readonly outcome: 'playing' | 'failed'
  readonly durationMs: number
}

export interface EndedJob {
  readonly id: string
  readonly type: string
  readonly status: string
  readonly projectId: string
  readonly createdAtMs: number
  readonly startedAtMs: number | null
  readonly finishedAtMs: number
  /** Null: it was done. */
  readonly errorCode: string | null
}

/** Reports of the clients of outside services. */
export interface UpstreamHooks {
  /** A call to an outside service is over, retries included. */
  called(upstream: string, outcome: CallOutcome, durationMs: number): void
  retried(upstream: string): void
  /** A look into the cache of its answers. */
  looked(upstream: string, outcome: CacheOutcome): void
}

export interface WebhookHooks {
  /** @param outcome `delivered`, `refused` (any other status), or why there was no answer */
  webhookAttempted(outcome: string, durationMs: number): void
  /** Outcome of an event for one webhook; `left_out`: there was no room. */
  webhookDelivery(outcome: 'queued' | 'delivered' | 'failed' | 'left_out'): void
  webhookDisabled(): void
}

interface AutoplayReports {
  /**
   * A track that autoplay chose is over. `half`: members left it after half of it; `skipped_early`: within 20 s.
   * @param provider who recommended it
   */
  autoplayed(provider: string, outcome: AutoplayOutcome): void
}

export type AutoplayOutcome = 'finished' | 'half' | 'skipped' | 'skipped_early' | 'failed' | 'closed'

/** Callbacks on what the service does. They run inline, so they must not wait or throw. */
export interface TelemetryHooks extends UpstreamHooks, WebhookHooks, AutoplayReports {
  answered(request: AnsweredRequest): void
  /** A request was answered that another service had forwarded, which counts it. */
  forwarded(request: AnsweredRequest): void
  /** The `traceparent` by which a request is continued elsewhere; undefined while it is not traced. */
  traceparent(origin: RequestContext): string | undefined
  opened(track: OpenedTrack): void
  queued(jobId: string): void
  ended(job: EndedJob): void
}

/** No-op hooks. */
export const noopHooks: TelemetryHooks = {
  answered() {},
  forwarded() {},
  traceparent: () => undefined,
  called() {},
  retried() {},
  looked() {},
  opened() {},
  queued() {},
  ended() {},
  webhookAttempted() {},
  webhookDelivery() {},
  webhookDisabled() {},
  autoplayed() {},
}

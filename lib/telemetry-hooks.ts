import type { RequestContext } from './request-context.ts'

/** How a call of an outside service ended; `absent`: it knows no such thing. */
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

/** A request that was answered. */
export interface AnsweredRequest {
  readonly origin: RequestContext
  readonly requestId: string
  readonly method: string
  readonly path: string
  /** The route's address with its parameters' names, and its name; null: there is no such route, or it is a page. */
  readonly route: { readonly url: string; readonly id: string } | null
  readonly status: number
  readonly durationMs: number
  readonly projectId: string | undefined
  readonly keyId: string | undefined
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

/** Hears what the service does, from within what does it: it neither waits nor throws. */
export interface TelemetryHooks {
  answered(request: AnsweredRequest): void
  /** A call to an outside service is over. */
  called(upstream: string, outcome: CallOutcome, durationMs: number): void
  opened(track: OpenedTrack): void
  queued(jobId: string): void
  ended(job: EndedJob): void
}

/** Where nobody looks. */
export const noopHooks: TelemetryHooks = {
  answered() {},
  called() {},
  opened() {},
  queued() {},
  ended() {},
}

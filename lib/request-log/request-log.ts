import type { KeptBodies } from './kept-bodies.ts'

/** A request of a project that was answered. It has no bodies, queries or headers. */
export interface LoggedRequest {
  /** Unique, in the order of the answers; `answeredAtMs` is in it. */
  readonly id: number
  readonly projectId: string
  readonly keyId: string
  /** The value of `X-Request-Id`; a caller that sets it may use one twice. */
  readonly requestId: string
  readonly method: string
  /** The route's name and its path with the names of parameters; null for a path that no route has. */
  readonly operation: string | null
  readonly route: string | null
  /** The path as sent, without the query; null if equal to `route`. */
  readonly path: string | null
  readonly status: number
  /** Public error code, reason (if any) and message of an error response. */
  readonly code: string | null
  readonly reason: string | null
  readonly message: string | null
  readonly durationMs: number
  /** The caller's, as far as the operator keeps it. */
  readonly address: string | null
  /** The route class whose rate limit it counted against; null if not metered. */
  readonly limitClass: string | null
  readonly limitPerMinute: number | null
  readonly limitRemaining: number | null
  /** The budget that had no room for it: `class` or `aggregate`. */
  readonly limitSpent: string | null
  /** ID of the trace that was sent to a collector. */
  readonly traceId: string | null
  /** `KeptBodies` as JSON, of one that is added; lists leave it out. */
  readonly bodies?: string | undefined
}

/** Parts of a caller's address to keep: all of it, the network (/24 of IPv4, /48 of IPv6), or nothing. */
export const ADDRESS_DETAILS = ['full', 'network', 'off'] as const
export type AddressDetail = (typeof ADDRESS_DETAILS)[number]

/** Statuses from `least` to `most`. */
export interface StatusRange {
  readonly least: number
  readonly most: number
}

export interface RequestQuery {
  readonly projectId: string
  readonly statuses?: StatusRange | undefined
  readonly operation?: string | undefined
  readonly keyId?: string | undefined
  readonly code?: string | undefined
  readonly requestId?: string | undefined
  /** Text within path, route, error or ID, in any case, or one of these keys. Reads each row: bound it by `after`. */
  readonly text?: { readonly part: string; readonly keyIds: readonly string[] } | undefined
  /** Answered at `fromMs` or later, and before `toMs`. */
  readonly fromMs?: number | undefined
  readonly toMs?: number | undefined
  /** Only those with a smaller id: the page that follows. */
  readonly before?: number | undefined
  /** Only those with a greater id. */
  readonly after?: number | undefined
  readonly limit: number
}

/** Errors of one kind. */
export interface ErrorGroup {
  readonly code: string | null
  readonly operation: string | null
  readonly requests: number
}

/** Bodies of failed requests, of the projects that keep them for now. */
export interface BodyLog {
  /** Whether those of a request that failed now are kept; counts it, so that a flood is not kept whole. */
  admits(projectId: string): boolean
  find(request: Pick<LoggedRequest, 'id' | 'projectId' | 'requestId'>): Promise<KeptBodies | null>
  /** The end of the hour; null while none are kept. */
  untilMs(projectId: string): Promise<number | null>
  /** Null ends it and removes what was kept. */
  keepUntil(projectId: string, untilMs: number | null): Promise<void>
}

/** The log as the API and the dashboard use it. */
export interface RequestLog {
  /** Whether requests are recorded here at all. */
  readonly isOn: boolean
  /** Maximum delay from the answer to a request of another service to its arrival here; 0 where there is one. */
  readonly lateMs: number
  /** Bodies that projects keep for an hour; null if nothing is recorded. */
  readonly bodies: BodyLog | null
  /** Whether another one can be taken now; counts it as dropped otherwise. Costs next to nothing. */
  admits(projectId: string, status: number): boolean
  /** An id for a request that is answered now. */
  nextId(): number
  /** Keeps it in memory until the next batch is written; must neither wait nor throw. */
  add(request: LoggedRequest): void
  /**
   * The newest first.
   * @throws {Fault} `service_unavailable` if nothing is recorded, or the log cannot be read now.
   */
  list(query: RequestQuery): Promise<readonly LoggedRequest[]>
}

/** What the page of the log asks besides. */
export interface RequestSearch {
  /** Those of `query` by code and route, the most frequent first. @throws {Fault} `service_unavailable` as well. */
  groups(query: RequestQuery): Promise<readonly ErrorGroup[]>
  /**
   * The oldest of the newest `rows` requests of a project before one; null if it has fewer.
   * @throws {Fault} `service_unavailable` as well.
   */
  reach(query: Pick<RequestQuery, 'projectId' | 'before'>, rows: number): Promise<number | null>
}

/** Ids of one millisecond. Those of the year 2109 are still safe integers. */
const IDS_PER_MS = 2048

export function answeredAtMs({ id }: Pick<LoggedRequest, 'id'>): number {
  return Math.floor(id / IDS_PER_MS)
}

/** The least id of a moment. */
export function firstIdAt(ms: number): number {
  return ms * IDS_PER_MS
}

/** A clock that steps back for longer takes the ids with it. */
const STEP_MS = 60_000

/**
 * Ids that rise, by the clock. They go through the places of a millisecond in turn, so that a clock that steps back far does
 * not give again what it has given.
 */
export function createRequestIds(now: () => number): () => number {
  let count = -1
  let last = 0
  return () => {
    count = (count + 1) % IDS_PER_MS
    const id = firstIdAt(now()) + count
    last = id <= last && last - id < firstIdAt(STEP_MS) ? last + 1 : id
    return last
  }
}

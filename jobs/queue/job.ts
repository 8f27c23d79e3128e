import type { BrowserContextOptions, CDPSession, Page } from 'playwright'
import type { z } from 'zod'
import type { Logger } from '../../lib/log.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'
import type { Obstacle } from '../browser/egress-grant.ts'
import type { AdBlocking } from '../screenshots/ads/ad-filter.ts'
import type { JobSecrets } from '../screenshots/job-secrets.ts'

/** A job whose picture is larger has failed. */
export const MAX_PICTURE_BYTES = 20 * 1024 * 1024

/** The result of a job. */
export interface Picture {
  readonly bytes: Buffer
  readonly contentType: string
  readonly width: number
  readonly height: number
  /** Size of the whole picture; only set if it was cut. */
  readonly fullSize?: Size
}

export interface Size {
  readonly width: number
  readonly height: number
}

/** Extras that come with a page. */
export interface PageExtras {
  /** The browser's own protocol, for what Playwright does not offer. */
  readonly session: CDPSession
  /** Why nothing came from the host of this URL, as far as that is known. */
  obstacleTo(url: string): Obstacle | null
}

/** Lends pages of a browser that stays open. */
export interface PageLender {
  /**
   * Runs `use` on a page in a fresh context, which is closed afterwards however `use` ended; an abort closes it at once.
   * A browser that died is started again. With `offline: true` the page has no way to the network at all.
   * @throws {JobFailure} when the page took more memory than a page may have.
   */
  withPage<T>(
    options: BrowserContextOptions,
    signal: AbortSignal,
    use: (page: Page, extras: PageExtras) => Promise<T>,
  ): Promise<T>
}

/** Progress of a job, as shown to its caller. */
export type Stage = 'navigating' | 'rendering' | 'encoding'

/** Tools that a worker passes to each run of a job. */
export interface JobTools {
  /** Aborts at the job's time limit, and when the worker must stop. */
  readonly signal: AbortSignal
  readonly progress: (stage: Stage) => void
  /** null: there is no Chromium on this machine. */
  readonly browser: PageLender | null
  /** The way to addresses that callers named. */
  readonly egress: Egress
  /** Opens what callers confide. Null: this renderer has no key for it. */
  readonly secrets: Pick<JobSecrets, 'open'> | null
  readonly adBlocking: AdBlocking
  readonly log: Logger
}

export const JOB_TYPES = ['tools.screenshot', 'blockgame.render'] as const

export type JobType = (typeof JOB_TYPES)[number]

/** Job types that need `tools.browser`; workers without Chromium leave them to others. */
export const BROWSER_JOB_TYPES: ReadonlySet<JobType> = new Set(['tools.screenshot'])

/** Job types that a renderer with or without a browser can run. */
export function jobTypesOf(hasBrowser: boolean): readonly JobType[] {
  return JOB_TYPES.filter((type) => hasBrowser || !BROWSER_JOB_TYPES.has(type))
}

/** Data of a job's entry in Redis. */
export interface JobPayload {
  readonly projectId: string
  /** The name or the URL under which its caller knows it. */
  readonly label: string
  readonly request: unknown
  /** ID of the first request for this job; omitted if there is none. */
  readonly requestId?: string | undefined
}

/** Jobs, their results and states are kept for this long after their end. */
export const KEPT_MS = 24 * 60 * 60_000

/** A job is declared once: queue, worker, retries and time limits follow from it. */
export interface Job<D extends z.ZodType = z.ZodType> {
  readonly type: JobType
  /** Input of the job, in a form that JSON keeps. Requests with equal input may share one run. */
  readonly data: D
  /** Time limit of one run; the wait in the queue does not count. */
  readonly timeoutMs: number
  /** Number of runs before it fails for a reason that is not its own. */
  readonly attempts: number
  /** @throws {JobFailure} shown to the caller; any other error is ours, and the job is run again. */
  run(data: z.output<D>, tools: JobTools): Promise<Picture>
}

/** Declares a job. */
export function job<D extends z.ZodType>(spec: Job<D>): Job<D> {
  return spec
}

/** Failure codes that callers may branch on. */
export type JobFailureCode = 'bad_request' | 'not_found' | 'upstream_failed' | 'timed_out' | 'service_unavailable'

/** The end of a job that another run would not change: told to the caller, never retried. */
export class JobFailure extends Error {
  override readonly name = 'JobFailure'
  readonly code: JobFailureCode

  constructor(code: JobFailureCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

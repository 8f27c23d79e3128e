import type { EventBus } from '../../bot/events.ts'
import type { Images } from '../../jobs/images/images.ts'
import type { Jobs } from '../../jobs/queue/job-service.ts'
import type { TrackMetadata } from '../../bot/tracks/track-metadata.ts'
import type { PlayerService } from '../../bot/player-service.ts'
import type { Logger } from '../../lib/log.ts'
import type { Plan, RouteClass } from '../../lib/plans.ts'
import type { RequestLog } from '../../lib/request-log/request-log.ts'
import type { IdempotentRequests } from '../../lib/idempotency/requests.ts'
import type { Lookups } from '../../upstream/lookups.ts'
import type { RateLimiter } from '../limits/limiter.ts'
import type { Use } from '../../lib/usage.ts'

/** The stored key, as far as a request needs it. */
export interface KeyRecord {
  readonly id: string
  readonly projectId: string
  readonly plan: Plan
  readonly botId: string | null
  readonly poolId: string | null
  /** The bots of its pool. */
  readonly poolBotIds: readonly string[]
  readonly isBotRemoved: boolean
  /** Address ranges (CIDR) from which alone it is accepted; null: from anywhere. */
  readonly allow: readonly string[] | null
  /** Route classes for which alone it is accepted; null: for all. */
  readonly classes: readonly RouteClass[] | null
  readonly revokedAtMs: number | null
  readonly expiresAtMs: number | null
}

export interface KeyStore {
  /** @param digest SHA-256 of the whole key. */
  findByDigest(digest: Buffer): Promise<KeyRecord | null>
}

/** The caller, as identified by its key. */
export interface Caller {
  readonly keyId: string
  readonly projectId: string
  readonly plan: Plan
  /** The bot that the key is linked to, or null. */
  readonly botId: string | null
  /** The pool that the key is linked to, or null. */
  readonly poolId: string | null
  /** Bots that the key controls: its bot, or those of its pool. */
  readonly botIds: readonly string[]
}

/** All that the API and its routes may reach. main.ts fills it; tests fill it with fakes. */
export interface App extends Lookups {
  readonly log: Logger
  readonly keys: KeyStore
  readonly meter: RateLimiter
  /** Counts who used what; must neither wait nor throw. */
  readonly usage: { count(use: Use): void }
  /** Log of the requests of each project and their outcome. */
  readonly requests: RequestLog
  /** Requests that callers may send twice. */
  readonly idempotency: IdempotentRequests
  readonly music: PlayerService
  readonly images: Images
  readonly jobs: Jobs
  readonly trackMetadata: TrackMetadata
  readonly events: EventBus
  /** Version of the running service, for `GET /v1/status` and the OpenAPI document. */
  readonly version: string
  /** The configured environment: `production`, `test`, … */
  readonly environment: string
  /** Public URL of the API, without a slash at the end. */
  readonly baseUrl: string
  /** Wall clock in whole milliseconds since 1970. */
  readonly now: () => number
  /** Checks every answer against its declared shape and fails the request where they differ. For tests. */
  readonly checkAnswers: boolean
}

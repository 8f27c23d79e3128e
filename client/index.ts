import createFetchClient, { type Client } from 'openapi-fetch'
import { withRetries, type RetryRules } from './retries.ts'
import type { components, paths } from './schema.d.ts'

export { openEvents, type BandstandEvent, type EventStream, type EventsOptions } from './events.ts'
export type { components, paths } from './schema.d.ts'
export type { RetryRules } from './retries.ts'

export type PlayerInfo = components['schemas']['PlayerInfo']
export type Track = components['schemas']['Track']
export type Job = components['schemas']['Job']
export type ApiError = components['schemas']['Error']

export interface ClientOptions extends Partial<RetryRules> {
  /** Where Bandstand is, without `/v1`: `https://music.example.org`. */
  readonly baseUrl: string
  /** `svc.` and 64 hex digits. */
  readonly key: string
  /** For tests and for agents of one's own. */
  readonly fetch?: typeof fetch
}

/** `GET`, `POST`, `PUT`, `PATCH` and `DELETE`, each with the paths, inputs and answers of the API. */
export type Bandstand = Client<paths>

/**
 * A client of one Bandstand with one key. A call resolves with `data` or `error`, never with both, and rejects only when
 * no answer came. What was refused for its rate, and what is safe to ask again, is retried.
 */
export function createClient({ baseUrl, key, fetch: own = fetch, ...rules }: ClientOptions): Bandstand {
  return createFetchClient<paths>({
    baseUrl: baseUrl.replace(/\/$/, ''),
    headers: { Authorization: `Bearer ${key}` },
    fetch: withRetries(own, rules),
  })
}

import { hash } from 'node:crypto'
import { Fault } from '../errors.ts'
import type { Plan } from '../plans.ts'
import type { Caller } from './app.ts'

/** What is stored of a key; times are ISO 8601. */
export interface KeyRecord {
  readonly id: string
  readonly projectId: string
  readonly plan: Plan
  readonly botId: string | null
  readonly revokedAt: string | null
  readonly expiresAt: string | null
}

export interface KeyStore {
  /** @param digest SHA-256 of the whole key. */
  findByDigest(digest: Buffer): KeyRecord | undefined
}

// One space and nothing around the key: whatever is not exactly this is refused before any look-up.
const BEARER = /^bearer (?<key>.*)$/is
const KEY = /^svc\.[0-9a-f]{64}$/

/** The key of an `Authorization` header, whose scheme word may be written in any case. */
export function bearerKey(authorization: string | undefined): string {
  const key = BEARER.exec(authorization ?? '')?.groups?.['key']
  if (key === undefined || !KEY.test(key)) {
    throw new Fault('invalid_api_key', 'Send `Authorization: Bearer svc.<key>`, where <key> is 64 lowercase hex digits.')
  }
  return key
}

/** The SHA-256 digest under which a key is stored. */
export function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer')
}

/**
 * Whose key this is.
 * @throws {Fault} `invalid_api_key` for an unknown key, `api_key_revoked` for one that no longer works.
 */
export function findCaller(keys: KeyStore, digest: Buffer, nowMs: number): Caller {
  const record = keys.findByDigest(digest)
  if (!record) throw new Fault('invalid_api_key', 'This key does not exist.')
  // Revoked first: a revoked key that has also expired reads as revoked.
  if (record.revokedAt !== null) {
    throw new Fault('api_key_revoked', 'This key was revoked. Create another in the dashboard.')
  }
  if (record.expiresAt !== null && Date.parse(record.expiresAt) <= nowMs) {
    throw new Fault('api_key_revoked', `This key expired at ${record.expiresAt}. Create another in the dashboard.`)
  }
  return { keyId: record.id, projectId: record.projectId, plan: record.plan, botId: record.botId }
}

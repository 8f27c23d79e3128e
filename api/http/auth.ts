import { hash } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { Fault } from '../../lib/errors.ts'
import type { RouteClass } from '../../lib/plans.ts'
import { isWithin } from './client-address.ts'
import type { KeyRecord, KeyStore, Caller } from './app-context.ts'

// RFC 9110, section 11.4: one space or more after the scheme. Anything else is rejected before the lookup.
const BEARER = /^[Bb][Ee][Aa][Rr][Ee][Rr] +svc\.[0-9a-f]{64}$/
const AUTHORIZATION = 'authorization'
const KEY_LENGTH = 'svc.'.length + 64

/** The key of an `Authorization` header, whose scheme word may be written in any case. */
export function bearerKey(authorization: string | undefined): string {
  if (authorization === undefined || !BEARER.test(authorization)) {
    throw new Fault(
      'invalid_api_key',
      'Send `Authorization: Bearer svc.<key>`, where <key> is 64 lowercase hex digits.',
    )
  }
  return authorization.slice(-KEY_LENGTH)
}

/**
 * The `Authorization` of a request. Node.js shows the first of several, which a proxy may not take for the right one.
 * @throws {Fault} `invalid_api_key` where two lines differ.
 */
export function authorizationOf({ headers: { authorization }, rawHeaders }: IncomingMessage): string | undefined {
  if (authorization === undefined) return undefined
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? ''
    if (name.length !== AUTHORIZATION.length || rawHeaders[at + 1] === authorization) continue
    if (name.toLowerCase() !== AUTHORIZATION) continue
    throw new Fault('invalid_api_key', 'The request has two different Authorization headers. Send one.')
  }
  return authorization
}

/** The SHA-256 digest under which a key is stored. */
export function digestOf(key: string): Buffer {
  // Hashing to hex and decoding that is faster by far.
  return Buffer.from(hash('sha256', key, 'hex'), 'hex')
}

/**
 * The record of a key that works.
 * @throws {Fault} `invalid_api_key` for an unknown key, `api_key_revoked` for one that no longer works.
 */
export async function findWorkingKey(keys: KeyStore, digest: Buffer, nowMs: number): Promise<KeyRecord> {
  const record = await keys.findByDigest(digest)
  if (!record) throw new Fault('invalid_api_key', "This key doesn't exist. Check it, or create another one.")
  // Revoked first: a revoked key that has also expired reads as revoked.
  if (record.revokedAtMs !== null) {
    throw new Fault('api_key_revoked', 'This key was revoked. Create another one.')
  }
  if (record.expiresAtMs !== null && record.expiresAtMs <= nowMs) {
    const since = new Date(record.expiresAtMs).toISOString()
    throw new Fault('api_key_revoked', `This key expired at ${since}. Create another one.`)
  }
  return record
}

/** The caller, without a check of the key's permissions. */
export function callerOf({ id, projectId, plan, botId, poolId, poolBotIds }: KeyRecord): Caller {
  return { keyId: id, projectId, plan, botId, poolId, botIds: botId === null ? poolBotIds : [botId] }
}

/**
 * Holds a key against its own restrictions and against what the class of the route needs.
 * @param addressOf looks up the caller's address; only keys with an allowlist need it.
 * @throws {Fault} `forbidden`
 */
export function assertAccepted(record: KeyRecord, routeClass: RouteClass, addressOf: () => string | undefined): void {
  assertClass(record, routeClass)
  assertAddress(record, addressOf)
}

/**
 * Holds a key against the class of a route, wherever the request comes from.
 * @throws {Fault} `forbidden`
 */
export function assertClass({ botId, poolId, classes, isBotRemoved }: KeyRecord, routeClass: RouteClass): void {
  // The socket sends events of players, so a key without access to players cannot subscribe.
  const needed = routeClass === 'socket' ? 'player' : routeClass
  if (classes && !classes.includes(needed)) {
    throw new Fault('forbidden', `This key can't call ${needed} routes.`)
  }
  if (routeClass === 'player' && isBotRemoved) {
    const message = `This key's bot ${botId} was removed. Add it again, or use another bot's key.`
    throw new Fault('forbidden', message)
  }
  if (routeClass === 'player' && botId === null && poolId === null) {
    throw new Fault('forbidden', 'This key has no bot or pool. Music routes need a key with one.')
  }
}

/**
 * Holds a key against the addresses from which alone it is accepted.
 * @throws {Fault} `forbidden`
 */
export function assertAddress({ allow }: KeyRecord, addressOf: () => string | undefined): void {
  if (allow && !isWithin(allow, addressOf())) {
    throw new Fault('forbidden', "This key's allowlist doesn't contain your IP address.")
  }
}

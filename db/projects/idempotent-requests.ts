import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type {
  Claim,
  FinishedAnswer,
  IdempotentRequests,
  KeptAnswer,
  KeyedRequest,
} from '../../lib/idempotency/requests.ts'
import type { Store } from '../engine/store.ts'
import { isGone } from '../shard-leases.ts'

const KEPT_MS = 24 * 3_600_000
/** The oldest of a project go first. */
const MOST_OF_PROJECT = 10_000
/** The newest answers of a project are kept at any length; older ones only up to `SHORT_BYTES`. */
const NEWEST = 256
const SHORT_BYTES = 1024
const SWEPT_AT_ONCE = 500
/** After this a request that another service began, and did not answer, was cut off, though its service lives. */
const LONGEST_RUN_MS = 60_000
/** A service that gave no sign of life for so long is gone, or has lost its leases. */
const GONE_AFTER_MS = 10_000
/** Surplus rows are deleted once in this many claims. */
const SWEEP_EACH = 64

interface Row extends Omit<KeptAnswer, 'status'> {
  readonly status: number | null
  readonly id: number
  readonly owner: string
  readonly digest: Buffer
  readonly process: string
  readonly effect: string | null
  readonly createdAtMs: number
}

/** Removes what is older than a day, a bounded number at once. */
export interface Sweeping {
  sweep(): Promise<void>
}

/**
 * @param process the ID of this process, which is that of its service where several share the database. A folder has one
 *   service, so that the process of another row is gone; a server may have several, whose leases tell which are there.
 */
export function createIdempotentRequests(
  store: Store,
  now: () => number = Date.now,
  process: string = randomUUID(),
): IdempotentRequests & Sweeping {
  const running = new Set<number>()
  let claims = 0

  async function begin({ projectId, owner, key, digest }: KeyedRequest): Promise<Claim> {
    const row = await store.find<{ readonly id: number }>(sql`
      INSERT INTO idempotent_request (project_id, owner, key, digest, process, created_at_ms)
      VALUES (${projectId}, ${owner}, ${key}, ${digest}, ${process}, ${now()}) RETURNING id`)
    if (!row) throw new Error('An insert gave no row.')
    await store.run(shortening(projectId))
    if (++claims % SWEEP_EACH === 0) {
      await store.run(trim(projectId))
      await store.run(removalOlderThan(now() - KEPT_MS))
    }
    return { is: 'begun', id: row.id }
  }

  async function claim(request: KeyedRequest): Promise<Claim> {
    const row = await store.find<Row>(selectOf(request))
    if (!row) return begin(request)
    if (row.createdAtMs <= now() - KEPT_MS) {
      await store.run(removal(row.id))
      return begin(request)
    }
    const { id, digest, effect, status, answer, etag } = row
    if (row.owner !== request.owner || !digest.equals(request.digest)) return { is: 'another' }
    if (status !== null) return { is: 'done', effect, status, answer, etag }
    if (running.has(id)) return { is: 'running' }
    const mayRun = store.engine === 'postgres' && row.process !== process && row.createdAtMs > now() - LONGEST_RUN_MS
    if (mayRun && !(await isGone(store, row.process, GONE_AFTER_MS))) return { is: 'running' }
    if (effect !== null) return { is: 'done', effect, status: 200, answer: null, etag: null }
    await store.run(sql`UPDATE idempotent_request SET process = ${process}, created_at_ms = ${now()} WHERE id = ${id}`)
    return { is: 'begun', id }
  }

  return {
    async claim(request) {
      const claimed = await store.atomically(() => claim(request))
      if (claimed.is === 'begun') running.add(claimed.id)
      return claimed
    },
    async finish(id, answer) {
      running.delete(id)
      await keep(store, id, answer)
    },
    async release(id) {
      running.delete(id)
      await store.run(removal(id))
    },
    abandon: (id) => void running.delete(id),
    sweep: async () => void (await store.run(removalOlderThan(now() - KEPT_MS))),
  }
}

async function keep(store: Store, id: number, { status, answer, effect, etag }: FinishedAnswer): Promise<void> {
  await store.run(
    sql`UPDATE idempotent_request SET status = ${status}, answer = ${answer}, etag = ${etag} WHERE id = ${id}`,
  )
  // A kept answer says all that the effect does.
  if (answer === null && effect === null) return
  await store.run(sql`UPDATE idempotent_request SET effect = ${effect} WHERE id = ${id}`)
}

function selectOf({ projectId, key }: KeyedRequest) {
  return sql`
    SELECT id, owner, digest, process, effect, status, answer, etag, created_at_ms AS "createdAtMs"
      FROM idempotent_request WHERE project_id = ${projectId} AND key = ${key}`
}

/** Drops the answer, if it is long, of the request that a new one moves out of the newest of its project. */
function shortening(projectId: string) {
  return sql`
    UPDATE idempotent_request SET answer = NULL, effect = NULL
      WHERE id = (SELECT id FROM idempotent_request WHERE project_id = ${projectId} ORDER BY id DESC
        LIMIT 1 OFFSET ${NEWEST})
      AND status IS NOT NULL
      AND COALESCE(octet_length(answer), 0) + COALESCE(octet_length(effect), 0) > ${SHORT_BYTES}`
}

function removal(id: number) {
  return sql`DELETE FROM idempotent_request WHERE id = ${id}`
}

function removalOlderThan(ms: number) {
  return sql`
    DELETE FROM idempotent_request WHERE id IN
      (SELECT id FROM idempotent_request WHERE created_at_ms <= ${ms} LIMIT ${SWEPT_AT_ONCE})`
}

function trim(projectId: string) {
  return sql`
    DELETE FROM idempotent_request WHERE project_id = ${projectId} AND id <=
      (SELECT id FROM idempotent_request WHERE project_id = ${projectId} ORDER BY id DESC
        LIMIT 1 OFFSET ${MOST_OF_PROJECT})`
}

import { randomUUID } from 'node:crypto'
import type { Claim, IdempotentRequests, KeptAnswer, KeyedRequest } from '../../lib/idempotency/requests.ts'
import { atomically, type Database } from '../engine/open.ts'

const KEPT_MS = 24 * 3_600_000
/** The oldest of a project go first. */
const MOST_OF_PROJECT = 10_000
const LONGEST_ANSWER = 16_384
const SWEPT_AT_ONCE = 500
/** What is too much is looked for at one claim of so many. */
const SWEEP_EACH = 64

interface Row extends KeptAnswer {
  readonly id: number
  readonly digest: Buffer
  readonly process: string
  readonly effect: string | null
  readonly createdAtMs: number
}

/** Removes what is older than a day, a bounded number at once. */
export interface Sweeping {
  sweep(): void
}

const FIND = `
  SELECT id, digest, process, effect, status, answer, etag, created_at_ms AS createdAtMs
    FROM idempotent_request WHERE project_id = ? AND owner = ? AND key = ?`

const INSERT = `
  INSERT INTO idempotent_request (project_id, owner, key, digest, process, created_at_ms)
  VALUES (:projectId, :owner, :key, :digest, :process, :nowMs)`

const TRIM = `
  DELETE FROM idempotent_request WHERE project_id = :projectId AND id <=
    (SELECT id FROM idempotent_request WHERE project_id = :projectId ORDER BY id DESC LIMIT 1 OFFSET ${MOST_OF_PROJECT})`

export function createIdempotentRequests(db: Database, now: () => number = Date.now): IdempotentRequests & Sweeping {
  const find = db.prepare<[string, string, string], Row & { readonly status: number | null }>(FIND)
  const insert = db.prepare(INSERT)
  const takeOver = db.prepare('UPDATE idempotent_request SET process = ? WHERE id = ?')
  const finish = db.prepare('UPDATE idempotent_request SET status = ?, answer = ?, etag = ? WHERE id = ?')
  const remove = db.prepare('DELETE FROM idempotent_request WHERE id = ?')
  const trim = db.prepare(TRIM)
  const removeOld = db.prepare('DELETE FROM idempotent_request WHERE created_at_ms <= ? LIMIT ?')
  /** Of this process; a row of another one belongs to a process that is gone, since a folder has one service. */
  const process = randomUUID()
  const running = new Set<number>()
  let claims = 0

  function begin(request: KeyedRequest): Claim {
    const id = Number(insert.run({ ...request, process, nowMs: now() }).lastInsertRowid)
    if (++claims % SWEEP_EACH === 0) {
      trim.run({ projectId: request.projectId })
      removeOld.run(now() - KEPT_MS, SWEPT_AT_ONCE)
    }
    return { is: 'begun', id }
  }

  function claim(request: KeyedRequest): Claim {
    const row = find.get(request.projectId, request.owner, request.key)
    if (!row) return begin(request)
    if (row.createdAtMs <= now() - KEPT_MS) {
      remove.run(row.id)
      return begin(request)
    }
    const { id, digest, effect, status, answer, etag } = row
    if (!digest.equals(request.digest)) return { is: 'another' }
    if (status !== null) return { is: 'done', effect, status, answer, etag }
    if (running.has(id)) return { is: 'running' }
    if (effect !== null) return { is: 'done', effect, status: 200, answer: null, etag: null }
    takeOver.run(process, id)
    return { is: 'begun', id }
  }

  return {
    claim(request) {
      const claimed = atomically(db, () => claim(request))
      if (claimed.is === 'begun') running.add(claimed.id)
      return claimed
    },
    finish(id, { status, answer, etag }) {
      running.delete(id)
      const kept = answer !== null && answer.length <= LONGEST_ANSWER ? answer : null
      atomically(db, () => finish.run(status, kept, etag, id))
    },
    release(id) {
      running.delete(id)
      atomically(db, () => remove.run(id))
    },
    abandon: (id) => void running.delete(id),
    sweep: () => atomically(db, () => void removeOld.run(now() - KEPT_MS, SWEPT_AT_ONCE)),
  }
}

import type { Plan } from '../../lib/plans.ts'
import { brokenRule, durably, type Database } from '../engine/open.ts'
import type { Store } from '../engine/store.ts'
import { KEYS_TOPIC } from './key-cache.ts'

/** What services that share a project know of one of its keys; the key itself none of them knows. */
export interface SharedKey {
  readonly id: string
  readonly prefix: string
  /** SHA-256 of the whole key, in hex. */
  readonly digest: string
  readonly name: string | null
  readonly botId: string | null
  readonly poolId: string | null
  /** JSON lists, as they are stored. */
  readonly allow: string | null
  readonly classes: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
}

/** A pool of bots as services share it; one that was removed too. */
export interface SharedPool {
  readonly id: string
  readonly name: string
  /** A JSON list, as it is stored. */
  readonly botIds: string
  readonly createdAtMs: number
  readonly changedAtMs: number
  readonly removedAtMs: number | null
}

/** A project as it travels between services. */
export interface SharedProject {
  readonly id: string
  readonly name: string
  readonly plan: Plan
  readonly createdAtMs: number
  /** When name or plan were last changed. */
  readonly changedAtMs: number
  /** In the order of their ids. */
  readonly keys: readonly SharedKey[]
  /** In the order of their ids. */
  readonly pools: readonly SharedPool[]
}

/**
 * Projects as several services share them. A key only ever ends, or ends earlier, and of two names and plans, and of two
 * states of a pool, the later one counts. Merging is commutative and idempotent.
 */
export interface SharedProjects {
  ids(): readonly string[]
  find(id: string): SharedProject | null
  /** Takes over what the other state knows better. @returns the ids of keys and pools that cannot be taken in. */
  merge(theirs: SharedProject): readonly string[]
  /** What was changed since, by whichever process, and the mark to ask with the next time. */
  changedSince(mark: number): { readonly ids: readonly string[]; readonly mark: number }
}

/** A key that ended so long ago is sent only to services that do not know that it did. */
const ENDED_KEPT_MS = 90 * 86_400_000

const PROJECT = `
  SELECT id, name, plan, created_at_ms AS createdAtMs, changed_at_ms AS changedAtMs FROM project WHERE id = ?`
const KEYS = `
  SELECT id, prefix, lower(hex(digest)) AS digest, name, bot_id AS botId, pool_id AS poolId, allow, classes,
         created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs, revoked_at_ms AS revokedAtMs
    FROM api_key WHERE project_id = ? ORDER BY id`

const POOLS = `
  SELECT id, name, bot_ids AS botIds, created_at_ms AS createdAtMs, changed_at_ms AS changedAtMs,
         removed_at_ms AS removedAtMs
    FROM pool WHERE project_id = ? ORDER BY id`

const PUT_POOL = `
  INSERT INTO pool (id, project_id, name, bot_ids, created_at_ms, changed_at_ms, removed_at_ms)
  VALUES (:id, :projectId, :name, :botIds, :createdAtMs, :changedAtMs, :removedAtMs)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, bot_ids = excluded.bot_ids,
    changed_at_ms = excluded.changed_at_ms, removed_at_ms = excluded.removed_at_ms
  WHERE project_id = excluded.project_id`

const PUT_PROJECT = `
  INSERT INTO project (id, name, plan, created_at_ms, changed_at_ms)
  VALUES (:id, :name, :plan, :createdAtMs, :changedAtMs)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, plan = excluded.plan, changed_at_ms = excluded.changed_at_ms
  WHERE (excluded.changed_at_ms, excluded.name, excluded.plan) > (changed_at_ms, name, plan)`

const PUT_KEY = `
  INSERT INTO api_key (id, project_id, prefix, digest, name, bot_id, pool_id, allow, classes, created_at_ms,
                       expires_at_ms, revoked_at_ms, made_elsewhere)
  VALUES (:id, :projectId, :prefix, unhex(:digest), :name, :botId, :poolId, :allow, :classes, :createdAtMs, :expiresAtMs,
          :revokedAtMs, 1)`

const END_KEY = `
  UPDATE api_key SET expires_at_ms = :expiresAtMs, revoked_at_ms = coalesce(revoked_at_ms, :revokedAtMs)
   WHERE id = :id AND project_id = :projectId AND digest = unhex(:digest)`

export function createSharedProjects(db: Database, store: Pick<Store, 'announce'>): SharedProjects {
  const allIds = db.prepare<[], string>('SELECT id FROM project ORDER BY id').pluck()
  const project = db.prepare<[string], Omit<SharedProject, 'keys' | 'pools'>>(PROJECT)
  const keys = db.prepare<[string], SharedKey>(KEYS)
  const pools = poolsIn(db)
  const putProject = db.prepare(PUT_PROJECT)
  const putKey = db.prepare(PUT_KEY)
  const endKey = db.prepare(END_KEY)
  const changed = db.prepare<[number], { id: string; version: number }>(
    'SELECT id, version FROM project WHERE version > ? ORDER BY version',
  )

  function find(id: string): SharedProject | null {
    const row = project.get(id)
    return row ? { ...row, keys: keys.all(id), pools: pools.list(id) } : null
  }

  /** @returns whether the key can be here at all. */
  function mergeKey(projectId: string, ours: SharedKey | undefined, theirs: SharedKey): boolean {
    if (ours && endsSooner(theirs, ours)) {
      const expiresAtMs = earlier(ours.expiresAtMs, theirs.expiresAtMs)
      endKey.run({ ...theirs, projectId, expiresAtMs })
    }
    if (ours) return ours.digest === theirs.digest
    try {
      putKey.run({ ...theirs, projectId })
      return true
    } catch (error) {
      if (isForeign(error)) return false
      throw error
    }
  }

  return {
    ids: () => allIds.all(),
    find,
    merge(theirs) {
      const refused = durably(db, () => {
        putProject.run({ ...theirs, keys: null, pools: null })
        const refusedPools = pools.merge(theirs)
        const known = new Map(keys.all(theirs.id).map((key) => [key.id, key]))
        const refused = theirs.keys.filter((key) => !mergeKey(theirs.id, known.get(key.id), key))
        return [...refusedPools, ...refused].map(({ id }) => id)
      })
      void store.announce(KEYS_TOPIC)
      return refused
    },
    changedSince(mark) {
      const rows = changed.all(mark)
      return { ids: rows.map(({ id }) => id), mark: rows.at(-1)?.version ?? mark }
    },
  }
}

function poolsIn(db: Database) {
  const select = db.prepare<[string], SharedPool>(POOLS)
  const put = db.prepare(PUT_POOL)

  /** @returns whether the pool can be here at all. */
  function mergeOne(projectId: string, ours: SharedPool | undefined, theirs: SharedPool): boolean {
    try {
      if (isLater(theirs, ours)) put.run({ ...theirs, projectId })
      return true
    } catch (error) {
      if (isForeign(error)) return false
      throw error
    }
  }

  return {
    list: (projectId: string) => select.all(projectId),
    /** @returns those that cannot be here. */
    merge({ id, pools }: SharedProject): readonly SharedPool[] {
      const known = new Map(select.all(id).map((pool) => [pool.id, pool]))
      return pools.filter((pool) => !mergeOne(id, known.get(pool.id), pool))
    },
  }
}

/** Whether `ours` knows something that `theirs` does not. */
export function isNewer(ours: SharedProject, theirs: SharedProject | null, nowMs: number): boolean {
  if (!theirs || ours.changedAtMs > theirs.changedAtMs) return true
  if (ours.changedAtMs === theirs.changedAtMs && (ours.name !== theirs.name || ours.plan !== theirs.plan)) return true
  const knownPools = new Map(theirs.pools.map((pool) => [pool.id, pool]))
  if (ours.pools.some((pool) => isLater(pool, knownPools.get(pool.id)))) return true
  const known = new Map(theirs.keys.map((key) => [key.id, key]))
  return ours.keys.some((key) => {
    const there = known.get(key.id)
    return there ? endsSooner(key, there) : !endedLongAgo(key, nowMs)
  })
}

/** Both together, without what ended long ago. `ours` has taken over what `theirs` knew better. */
export function merge(ours: SharedProject, theirs: SharedProject | null, nowMs: number): SharedProject {
  const own = new Set(ours.keys.map(({ id }) => id))
  const onlyTheirs = theirs?.keys.filter(({ id }) => !own.has(id)) ?? []
  const alive = new Set(theirs?.keys.filter((key) => !endedLongAgo(key, nowMs)).map(({ id }) => id))
  const told = ours.keys.filter((key) => alive.has(key.id) || !endedLongAgo(key, nowMs))
  const ownPools = new Set(ours.pools.map(({ id }) => id))
  const pools = [...ours.pools, ...(theirs?.pools.filter(({ id }) => !ownPools.has(id)) ?? [])]
  return { ...ours, keys: byId([...told, ...onlyTheirs]), pools: byId(pools) }
}

function byId<T extends { readonly id: string }>(all: readonly T[]): readonly T[] {
  return all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
}

/** Of two changes in the same millisecond, all services have to choose the same one. */
function isLater(pool: SharedPool, than: SharedPool | undefined): boolean {
  if (!than || pool.changedAtMs !== than.changedAtMs) return !than || pool.changedAtMs > than.changedAtMs
  return stateOf(pool) > stateOf(than)
}

function stateOf({ removedAtMs, botIds, name }: SharedPool): string {
  return JSON.stringify([removedAtMs ?? 0, botIds, name])
}

/** Here a bot of it belongs to another project, which must not be steered by this one. */
function isForeign(error: unknown): boolean {
  const rule = brokenRule(error)
  return rule === 'bot_not_of_this_project' || rule === 'pool_not_of_this_project'
}

type End = Pick<SharedKey, 'expiresAtMs' | 'revokedAtMs'>

function endsSooner(key: End, than: End): boolean {
  if (key.revokedAtMs !== null && than.revokedAtMs === null) return true
  return (key.expiresAtMs ?? Infinity) < (than.expiresAtMs ?? Infinity)
}

function earlier(a: number | null, b: number | null): number | null {
  if (a === null || b === null) return a ?? b
  return Math.min(a, b)
}

function endedLongAgo({ expiresAtMs, revokedAtMs }: End, nowMs: number): boolean {
  return (earlier(expiresAtMs, revokedAtMs) ?? Infinity) < nowMs - ENDED_KEPT_MS
}

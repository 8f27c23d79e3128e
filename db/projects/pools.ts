import sql, { join, raw } from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import { createId } from '../engine/id.ts'
import { brokenRule } from '../engine/open.ts'
import type { Store } from '../engine/store.ts'
import { KEYS_TOPIC } from './key-cache.ts'
import { assertProject, checkedName } from './projects.ts'

/** Bots of a project that stand in for each other behind one key. */
export interface Pool {
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** The preferred one first. Some may have been registered with another service, before services shared a database. */
  readonly botIds: readonly string[]
  readonly createdAtMs: number
}

interface PoolChange {
  readonly name?: string | undefined
  readonly botIds?: readonly string[] | undefined
}

export type Pools = ReturnType<typeof createPools>

export const MAX_POOLS = 25
export const MAX_POOL_BOTS = 50
/** Includes removed pools to which keys are still linked. */
const MAX_POOL_ROWS = 500

interface Row extends Omit<Pool, 'botIds'> {
  readonly botIds: string
}

const COLUMNS = raw('id, project_id AS "projectId", name, bot_ids AS "botIds", created_at_ms AS "createdAtMs"')

const selectOf = (projectId: string) =>
  sql`SELECT ${COLUMNS} FROM pool WHERE project_id = ${projectId} AND removed_at_ms IS NULL`

export function createPools(store: Store, now: () => number = Date.now) {
  /** @throws {Fault} `not_found` */
  async function get(projectId: string, id: string): Promise<Pool> {
    const row = await store.find<Row>(sql`${selectOf(projectId)} AND id = ${id}`)
    if (!row) throw new Fault('not_found', `The project ${projectId} has no pool ${id}.`)
    return toPool(row)
  }

  return {
    /** @throws {Fault} `conflict` when the project has 25 pools, `not_found` for a project or bot it lacks. */
    create: ({ projectId, name, botIds }: Pick<Pool, 'projectId' | 'name' | 'botIds'>) =>
      store.durably(async () => {
        await assertProject(store, projectId)
        await assertRoom(store, projectId)
        const id = createId('pol')
        const bots = JSON.stringify(await checkedBots(store, { projectId, botIds, before: [] }))
        const insert = sql`
          INSERT INTO pool (id, project_id, name, bot_ids, created_at_ms)
          VALUES (${id}, ${projectId}, ${checkedName(name)}, ${bots}, ${now()})`
        await withRules(() => store.run(insert))
        return get(projectId, id)
      }),
    /** The oldest first. */
    async list(projectId: string) {
      const rows = await store.all<Row>(sql`${selectOf(projectId)} ORDER BY created_at_ms, rowid`)
      return rows.map(toPool)
    },
    get,
    /** Finds the project for an operator, who names a pool alone. */
    async projectOf(id: string) {
      const found = await store.find<Pick<Pool, 'projectId'>>(
        sql`SELECT project_id AS "projectId" FROM pool WHERE id = ${id} AND removed_at_ms IS NULL`,
      )
      return found?.projectId ?? null
    },
    /** Keys that are linked to it control its bots from the next request on. @throws {Fault} `not_found` */
    change: (projectId: string, id: string, change: PoolChange) =>
      store.durably(async () => {
        const { name, botIds: before } = await get(projectId, id)
        const named = change.name === undefined ? name : checkedName(change.name)
        const bots = await checkedBots(store, { projectId, botIds: change.botIds ?? before, before })
        const set = sql`name = ${named}, bot_ids = ${JSON.stringify(bots)}`
        await withRules(() => store.run(sql`UPDATE pool SET ${set} WHERE id = ${id}`))
        await store.announce(KEYS_TOPIC)
        return get(projectId, id)
      }),
    /** Keys that are linked to it stay, and control nothing. @throws {Fault} `not_found` */
    remove: (projectId: string, id: string) =>
      store.durably(async () => {
        await get(projectId, id)
        await store.run(sql`UPDATE pool SET removed_at_ms = ${now()} WHERE id = ${id}`)
        await store.announce(KEYS_TOPIC)
      }),
  }
}

/** @throws {Fault} `conflict` */
async function assertRoom(store: Store, projectId: string): Promise<void> {
  const { active, all } = (await store.find<{ readonly active: number; readonly all: number }>(sql`
    SELECT count(*) - count(removed_at_ms) AS active, count(*) AS "all" FROM pool WHERE project_id = ${projectId}`)) ?? {
    active: 0,
    all: 0,
  }
  if (active < MAX_POOLS && all < MAX_POOL_ROWS) return
  const why = active < MAX_POOLS ? `${MAX_POOL_ROWS} in total, removed pools included` : String(MAX_POOLS)
  throw new Fault('conflict', `Pool limit reached (${why}). Change an existing pool.`)
}

interface Membership {
  readonly projectId: string
  readonly botIds: readonly string[]
  readonly before: readonly string[]
}

/** Checks that bots new to the pool belong to the project. @throws {Fault} */
async function checkedBots(store: Store, { projectId, botIds, before }: Membership): Promise<readonly string[]> {
  const own = [...new Set(botIds)]
  if (own.length > MAX_POOL_BOTS) {
    throw new Fault('validation_error', `A pool can have at most ${MAX_POOL_BOTS} bots.`)
  }
  const added = own.filter((id) => !before.includes(id))
  if (added.length === 0) return own
  const found = await store.all<{ readonly id: string }>(
    sql`SELECT id FROM bot WHERE project_id = ${projectId} AND id IN (${join(added)})`,
  )
  const known = new Set(found.map(({ id }) => id))
  const missing = added.find((id) => !known.has(id))
  if (missing !== undefined) throw new Fault('not_found', `The project ${projectId} has no bot ${missing}.`)
  return own
}

function toPool(row: Row): Pool {
  return { ...row, botIds: JSON.parse(row.botIds) as string[] }
}

async function withRules(write: () => Promise<unknown>): Promise<void> {
  try {
    await write()
  } catch (error) {
    if (brokenRule(error) !== 'bot_not_of_this_project') throw error
    throw new Fault('conflict', 'One of these bots belongs to another project.', { cause: error })
  }
}

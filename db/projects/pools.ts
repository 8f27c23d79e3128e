import { Fault } from '../../lib/errors.ts'
import { createId } from '../engine/id.ts'
import { brokenRule, durably, type Database } from '../engine/open.ts'
import { checkedName } from './projects.ts'

/** Bots of a project that stand in for each other behind one key. */
export interface Pool {
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** The preferred one first. Some may be registered with another service of the installation only. */
  readonly botIds: readonly string[]
  readonly createdAtMs: number
}

export interface PoolChange {
  readonly name?: string | undefined
  readonly botIds?: readonly string[] | undefined
}

export interface Pools {
  /** @throws {Fault} `conflict` when the project has 25 pools, `not_found` for a project or bot it lacks. */
  create(input: { readonly projectId: string; readonly name: string; readonly botIds: readonly string[] }): Pool
  /** The oldest first. */
  list(projectId: string): readonly Pool[]
  /** @throws {Fault} `not_found` */
  get(projectId: string, id: string): Pool
  /** For an operator, who names a pool alone. */
  projectOf(id: string): string | null
  /** Keys that are linked to it control its bots from the next request on. @throws {Fault} `not_found` */
  change(projectId: string, id: string, change: PoolChange): Pool
  /** Keys that are linked to it stay, and control nothing. @throws {Fault} `not_found` */
  remove(projectId: string, id: string): void
}

export const MAX_POOLS = 25
export const MAX_POOL_BOTS = 50
/** With those that were removed, which other services have to know of. */
const MAX_POOL_ROWS = 500

interface Row extends Omit<Pool, 'botIds'> {
  readonly botIds: string
}

const COLUMNS = 'id, project_id AS projectId, name, bot_ids AS botIds, created_at_ms AS createdAtMs'
const SELECT = `SELECT ${COLUMNS} FROM pool WHERE project_id = ? AND removed_at_ms IS NULL`

// A clock that was set back must not make a later change the older one.
const CHANGED_AT = 'changed_at_ms = max(changed_at_ms + 1, :nowMs)'

function prepare(db: Database) {
  return {
    insert: db.prepare(`
      INSERT INTO pool (id, project_id, name, bot_ids, created_at_ms, changed_at_ms)
      VALUES (:id, :projectId, :name, :botIds, :nowMs, :nowMs)`),
    byId: db.prepare<[string, string], Row>(`${SELECT} AND id = ?`),
    byProject: db.prepare<[string], Row>(`${SELECT} ORDER BY created_at_ms, rowid`),
    projectOf: db
      .prepare<[string], string>('SELECT project_id FROM pool WHERE id = ? AND removed_at_ms IS NULL')
      .pluck(),
    count: db.prepare<[string], { active: number; all: number }>(
      'SELECT count(*) - count(removed_at_ms) AS active, count(*) AS "all" FROM pool WHERE project_id = ?',
    ),
    update: db.prepare(`UPDATE pool SET name = :name, bot_ids = :botIds, ${CHANGED_AT} WHERE id = :id`),
    remove: db.prepare(`UPDATE pool SET removed_at_ms = :nowMs, ${CHANGED_AT} WHERE id = :id`),
    hasProject: db.prepare<[string], number>('SELECT 1 FROM project WHERE id = ?').pluck(),
    hasBot: db.prepare<[string, string], number>('SELECT 1 FROM bot WHERE project_id = ? AND id = ?').pluck(),
  }
}

export function createPools(db: Database, now: () => number = Date.now): Pools {
  const statements = prepare(db)

  function get(projectId: string, id: string): Pool {
    const row = statements.byId.get(projectId, id)
    if (!row) throw new Fault('not_found', `The project ${projectId} has no pool ${id}.`)
    return toPool(row)
  }

  /** Those that are new to the pool have to be here; others may have come from another service. */
  function checkedBots(projectId: string, botIds: readonly string[], before: readonly string[] = []): string {
    const own = [...new Set(botIds)]
    if (own.length > MAX_POOL_BOTS) {
      throw new Fault('validation_error', `A pool can have at most ${MAX_POOL_BOTS} bots.`)
    }
    const missing = own.find((id) => !before.includes(id) && !statements.hasBot.get(projectId, id))
    if (missing !== undefined) throw new Fault('not_found', `The project ${projectId} has no bot ${missing}.`)
    return JSON.stringify(own)
  }

  return {
    create: ({ projectId, name, botIds }) =>
      durably(db, () => {
        if (!statements.hasProject.get(projectId)) throw new Fault('not_found', `There is no project ${projectId}.`)
        const { active, all } = statements.count.get(projectId) ?? { active: 0, all: 0 }
        if (active >= MAX_POOLS || all >= MAX_POOL_ROWS) {
          const why = `The project ${projectId} has ${active} pools, and had ${all} in all; ${MAX_POOLS} are the most.`
          throw new Fault('conflict', `${why} Change one that is there.`)
        }
        const id = createId('pol')
        const bots = checkedBots(projectId, botIds)
        withRules(() => statements.insert.run({ id, projectId, name: checkedName(name), botIds: bots, nowMs: now() }))
        return get(projectId, id)
      }),
    list: (projectId) => statements.byProject.all(projectId).map(toPool),
    get,
    projectOf: (id) => statements.projectOf.get(id) ?? null,
    change: (projectId, id, change) =>
      durably(db, () => {
        const before = get(projectId, id)
        const name = change.name === undefined ? before.name : checkedName(change.name)
        const botIds = checkedBots(projectId, change.botIds ?? before.botIds, before.botIds)
        withRules(() => statements.update.run({ id, name, botIds, nowMs: now() }))
        return get(projectId, id)
      }),
    remove: (projectId, id) =>
      durably(db, () => {
        get(projectId, id)
        statements.remove.run({ id, nowMs: now() })
      }),
  }
}

function toPool(row: Row): Pool {
  return { ...row, botIds: JSON.parse(row.botIds) as string[] }
}

function withRules(write: () => void): void {
  try {
    write()
  } catch (error) {
    if (brokenRule(error) !== 'bot_not_of_this_project') throw error
    throw new Fault('conflict', 'One of these bots belongs to another project.', { cause: error })
  }
}

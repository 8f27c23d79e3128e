import { Fault } from '../../lib/errors.ts'
import { brokenRule, durably, type Database } from '../engine/open.ts'
import { checkedName } from './projects.ts'
import type { Vault } from '../engine/vault.ts'

export interface BotRecord {
  /** Discord's user id of the bot. */
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** It lives in the stand-in Discord, not in the real one. */
  readonly sandbox: boolean
  /** Stopped by an operator or member; it stays registered. */
  readonly stopped: boolean
  /** Owners and managers may hear in the dashboard what it plays. */
  readonly mayListen: boolean
  readonly createdAtMs: number
}

export interface CreateBotInput {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly token: string
  readonly sandbox?: boolean
}

export interface BotRecords {
  /**
   * Adding a bot that the project already has gives it the new token and name.
   * @throws {Fault} `conflict` when another project has it, or still has active keys linked to it.
   */
  add(input: CreateBotInput): BotRecord
  /** The oldest first. */
  list(projectId: string): readonly BotRecord[]
  /** Those of all projects: what the service logs in. */
  listAll(): readonly BotRecord[]
  /** For an operator, who names a bot alone. */
  projectOf(id: string): string | null
  /** Its Discord token. @throws {Fault} when the bot is gone or the token was sealed with another key. */
  token(projectId: string, id: string): string
  /** @throws {Fault} `not_found` */
  setStopped(projectId: string, id: string, stopped: boolean): BotRecord
  /** @throws {Fault} `not_found` */
  setMayListen(projectId: string, id: string, mayListen: boolean): BotRecord
  /** Removes its saved players too; keys that are linked to it stay linked. @returns whether there was one. */
  remove(projectId: string, id: string): boolean
}

interface Row extends Omit<BotRecord, 'sandbox' | 'stopped' | 'mayListen'> {
  readonly sandbox: 0 | 1
  readonly stopped: 0 | 1
  readonly mayListen: 0 | 1
}

const COLUMNS =
  'id, project_id AS projectId, name, sandbox, stopped, may_listen AS mayListen, created_at_ms AS createdAtMs'

const UPSERT = `
  INSERT INTO bot (id, project_id, name, sealed_token, sandbox, created_at_ms)
  VALUES (:id, :projectId, :name, :sealed, :sandbox, :nowMs)
  ON CONFLICT (id) DO UPDATE SET name = excluded.name, sealed_token = excluded.sealed_token, sandbox = excluded.sandbox
  WHERE project_id = excluded.project_id`

export function createBotRecords(
  db: Database,
  vault: Pick<Vault, 'seal' | 'open'>,
  now: () => number = Date.now,
): BotRecords {
  const upsert = db.prepare(UPSERT)
  const byId = db.prepare<[string, string], Row>(`SELECT ${COLUMNS} FROM bot WHERE project_id = ? AND id = ?`)
  const byProject = db.prepare<[string], Row>(
    `SELECT ${COLUMNS} FROM bot WHERE project_id = ? ORDER BY created_at_ms, rowid`,
  )
  const all = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM bot ORDER BY created_at_ms, rowid`)
  const projectOf = db.prepare<[string], string>('SELECT project_id FROM bot WHERE id = ?').pluck()
  const sealed = db
    .prepare<[string, string], Buffer>('SELECT sealed_token FROM bot WHERE project_id = ? AND id = ?')
    .pluck()
  const setStopped = db.prepare('UPDATE bot SET stopped = ? WHERE project_id = ? AND id = ?')
  const setMayListen = db.prepare('UPDATE bot SET may_listen = ? WHERE project_id = ? AND id = ?')
  const remove = db.prepare('DELETE FROM bot WHERE project_id = ? AND id = ?')
  const hasProject = db.prepare<[string], number>('SELECT 1 FROM project WHERE id = ?').pluck()

  function get(projectId: string, id: string): BotRecord {
    const row = byId.get(projectId, id)
    if (!row) throw new Fault('not_found', `The project ${projectId} has no bot ${id}.`)
    return toRecord(row)
  }

  return {
    add: ({ id, projectId, name, token, sandbox = false }) =>
      durably(db, () => {
        if (!hasProject.get(projectId)) throw new Fault('not_found', `There is no project ${projectId}.`)
        const row = { id, projectId, name: checkedName(name), sealed: vault.seal(id, token), sandbox: sandbox ? 1 : 0 }
        const { changes } = withRules(() => upsert.run({ ...row, nowMs: now() }), id)
        if (changes === 0) {
          const owner = projectOf.get(id)
          throw new Fault('conflict', `The bot ${id} belongs to the project ${owner}. Remove it there first.`)
        }
        return get(projectId, id)
      }),
    list: (projectId) => byProject.all(projectId).map(toRecord),
    listAll: () => all.all().map(toRecord),
    projectOf: (id) => projectOf.get(id) ?? null,
    token(projectId, id) {
      const found = sealed.get(projectId, id)
      if (!found) throw new Fault('not_found', `The project ${projectId} has no bot ${id}.`)
      return vault.open(id, found)
    },
    setStopped: (projectId, id, stopped) =>
      durably(db, () => {
        setStopped.run(stopped ? 1 : 0, projectId, id)
        return get(projectId, id)
      }),
    setMayListen: (projectId, id, mayListen) =>
      durably(db, () => {
        setMayListen.run(mayListen ? 1 : 0, projectId, id)
        return get(projectId, id)
      }),
    remove: (projectId, id) => durably(db, () => remove.run(projectId, id).changes > 0),
  }
}

function toRecord(row: Row): BotRecord {
  return { ...row, sandbox: row.sandbox === 1, stopped: row.stopped === 1, mayListen: row.mayListen === 1 }
}

function withRules<T>(write: () => T, id: string): T {
  try {
    return write()
  } catch (error) {
    if (brokenRule(error) !== 'bot_linked_to_foreign_keys') throw error
    const why = `Another project has active keys for the bot ${id}.`
    throw new Fault('conflict', `${why} Revoke them before you move the bot.`, { cause: error })
  }
}

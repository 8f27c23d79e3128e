import sql, { raw } from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import { brokenRule } from '../engine/open.ts'
import type { Store } from '../engine/store.ts'
import { KEYS_TOPIC } from './key-cache.ts'
import { assertProject, checkedName } from './projects.ts'
import type { Vault } from '../engine/vault.ts'

export interface BotRecord {
  /** Discord's user id of the bot. */
  readonly id: string
  readonly projectId: string
  readonly name: string
  /** Whether the bot lives in the stand-in Discord, not in the real one. */
  readonly sandbox: boolean
  /** Stopped by an operator or member; it stays registered. */
  readonly stopped: boolean
  /** Owners and managers may hear in the dashboard what it plays. */
  readonly mayListen: boolean
  readonly createdAtMs: number
}

interface CreateBotInput {
  readonly id: string
  readonly projectId: string
  readonly name: string
  readonly token: string
  readonly sandbox?: boolean
}

/** Announced when a bot is added, changed or removed. */
export const BOTS_TOPIC = 'bots'

export type BotRecords = ReturnType<typeof createBotRecords>

interface Row extends Omit<BotRecord, 'sandbox' | 'stopped' | 'mayListen'> {
  readonly sandbox: 0 | 1
  readonly stopped: 0 | 1
  readonly mayListen: 0 | 1
}

const SELECT = raw(`
  SELECT id, project_id AS "projectId", name, sandbox, stopped, may_listen AS "mayListen", created_at_ms AS "createdAtMs"
    FROM bot`)

export function createBotRecords(store: Store, vault: Pick<Vault, 'seal' | 'open'>, now: () => number = Date.now) {
  function change(projectId: string, id: string, column: 'stopped' | 'may_listen', isOn: boolean): Promise<BotRecord> {
    return store.durably(async () => {
      const set = sql`${raw(column)} = ${isOn ? 1 : 0}`
      await store.run(sql`UPDATE bot SET ${set} WHERE project_id = ${projectId} AND id = ${id}`)
      await store.announce(BOTS_TOPIC)
      return getBot(store, projectId, id)
    })
  }

  return {
    /**
     * Adding a bot that the project already has gives it the new token and name.
     * @throws {Fault} `conflict` when another project has it, or still has active keys linked to it.
     */
    add: (input: CreateBotInput) =>
      store.durably(async () => {
        const { id, projectId } = input
        await assertProject(store, projectId)
        const sealed = vault.seal(id, input.token)
        if ((await withRules(() => store.run(upsert(input, sealed, now())), id)) === 0) {
          const owner = await projectOf(store, id)
          throw new Fault('conflict', `The bot ${id} belongs to the project ${owner}. Remove it there first.`)
        }
        await store.announce(BOTS_TOPIC)
        // Keys have their bot again.
        await store.announce(KEYS_TOPIC)
        return getBot(store, projectId, id)
      }),
    /** The oldest first. */
    async list(projectId: string) {
      const rows = await store.all<Row>(sql`${SELECT} WHERE project_id = ${projectId} ORDER BY created_at_ms, rowid`)
      return rows.map(toRecord)
    },
    /** Bots of all projects: the service logs these in. */
    listAll: async () => (await store.all<Row>(sql`${SELECT} ORDER BY created_at_ms, rowid`)).map(toRecord),
    /** Finds the project for an operator, who names a bot alone. */
    projectOf: (id: string) => projectOf(store, id),
    /** Returns the Discord token. @throws {Fault} when the bot is gone or the token was sealed with another key. */
    async token(projectId: string, id: string) {
      const query = sql`SELECT sealed_token AS sealed FROM bot WHERE project_id = ${projectId} AND id = ${id}`
      const found = await store.find<{ readonly sealed: Buffer }>(query)
      if (!found) throw noBot(projectId, id)
      return vault.open(id, found.sealed)
    },
    /** @throws {Fault} `not_found` */
    setStopped: (projectId: string, id: string, stopped: boolean) => change(projectId, id, 'stopped', stopped),
    /** @throws {Fault} `not_found` */
    setMayListen: (projectId: string, id: string, mayListen: boolean) => change(projectId, id, 'may_listen', mayListen),
    /** Removes its saved players too; keys that are linked to it stay linked. @returns whether there was one. */
    remove: (projectId: string, id: string) =>
      store.durably(async () => {
        const removed = await store.run(sql`DELETE FROM bot WHERE project_id = ${projectId} AND id = ${id}`)
        await store.announce(BOTS_TOPIC)
        // Keys and pools lose it.
        await store.announce(KEYS_TOPIC)
        return removed > 0
      }),
  }
}

async function getBot(store: Store, projectId: string, id: string): Promise<BotRecord> {
  const row = await store.find<Row>(sql`${SELECT} WHERE project_id = ${projectId} AND id = ${id}`)
  if (!row) throw noBot(projectId, id)
  return toRecord(row)
}

async function projectOf(store: Store, id: string): Promise<string | null> {
  const found = await store.find<Pick<Row, 'projectId'>>(
    sql`SELECT project_id AS "projectId" FROM bot WHERE id = ${id}`,
  )
  return found?.projectId ?? null
}

function upsert({ id, projectId, name, sandbox = false }: CreateBotInput, sealed: Buffer, nowMs: number) {
  return sql`
    INSERT INTO bot (id, project_id, name, sealed_token, sandbox, created_at_ms)
    VALUES (${id}, ${projectId}, ${checkedName(name)}, ${sealed}, ${sandbox ? 1 : 0}, ${nowMs})
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, sealed_token = excluded.sealed_token, sandbox = excluded.sandbox
    WHERE bot.project_id = excluded.project_id`
}

function noBot(projectId: string, id: string): Fault {
  return new Fault('not_found', `The project ${projectId} has no bot ${id}.`)
}

function toRecord(row: Row): BotRecord {
  return { ...row, sandbox: row.sandbox === 1, stopped: row.stopped === 1, mayListen: row.mayListen === 1 }
}

async function withRules<T>(write: () => Promise<T>, id: string): Promise<T> {
  try {
    return await write()
  } catch (error) {
    if (brokenRule(error) !== 'bot_linked_to_foreign_keys') throw error
    const why = `Another project has active keys for the bot ${id}.`
    throw new Fault('conflict', `${why} Revoke them before you move the bot.`, { cause: error })
  }
}

import { createHash, randomBytes } from 'node:crypto'
import sql, { raw } from 'sql-template-tag'
import { Fault } from '../../lib/errors.ts'
import type { Plan } from '../../lib/plans.ts'
import { createId } from '../engine/id.ts'
import type { Store } from '../engine/store.ts'
import { KEYS_TOPIC, rememberKeys } from './key-cache.ts'
import { brokenRule } from '../engine/open.ts'
import { checkedSettings, type GivenSettings, type KeySettings } from './key-settings.ts'
import { assertProject } from './projects.ts'

/** The record of a key, without the key itself. */
export interface ApiKey extends KeySettings {
  readonly id: string
  readonly projectId: string
  /** The first eight hex digits of the key. */
  readonly prefix: string
  readonly botId: string | null
  /** A key is linked to a bot, to a pool of them, or to neither. */
  readonly poolId: string | null
  readonly createdAtMs: number
  readonly revokedAtMs: number | null
  /** Exact to the second; null: never. */
  readonly lastUsedAtMs: number | null
}

/** A key that came with a request, and the plan of its project. It may be revoked or expired: see `keyState`. */
interface KnownKey extends ApiKey {
  readonly plan: Plan
  /** The bots of its pool; none if it has no pool, or the pool was removed. */
  readonly poolBotIds: readonly string[]
  /** Keys outlive their bot, and are linked to no other. */
  readonly isBotRemoved: boolean
}

interface CreateKeyInput extends GivenSettings {
  readonly projectId: string
  /** At most one of `botId` and `poolId`. */
  readonly botId?: string | null | undefined
  readonly poolId?: string | null | undefined
}

/** The only time at which the key itself, `svc.` and 64 hex digits, is seen. */
export interface NewKey extends ApiKey {
  readonly key: string
}

export type Keys = ReturnType<typeof createKeys>

export const MAX_ACTIVE_KEYS = 25

/** SHA-256 is enough: a key is 256 random bits, which cannot be guessed at any speed. */
export function keyDigest(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** A revoked key that has also expired is revoked. */
export function keyState(
  key: Pick<ApiKey, 'revokedAtMs' | 'expiresAtMs'>,
  nowMs: number,
): 'active' | 'revoked' | 'expired' {
  if (key.revokedAtMs !== null) return 'revoked'
  return key.expiresAtMs !== null && key.expiresAtMs <= nowMs ? 'expired' : 'active'
}

type Stored<T extends ApiKey> = Omit<T, 'allow' | 'classes' | 'poolBotIds' | 'isBotRemoved'> & {
  readonly allow: string | null
  readonly classes: string | null
}

const COLUMNS = raw(`
  id, project_id AS "projectId", prefix, name, bot_id AS "botId", pool_id AS "poolId", allow, classes,
  created_at_ms AS "createdAtMs", expires_at_ms AS "expiresAtMs", revoked_at_ms AS "revokedAtMs",
  last_used_at_ms AS "lastUsedAtMs"`)

// The plan as a sub-select: as a join the same look-up costs five times as much.
const SELECT_KNOWN = sql`
  SELECT ${COLUMNS}, (SELECT plan FROM project WHERE project.id = api_key.project_id) AS plan,
         (SELECT bot_ids FROM pool WHERE pool.id = api_key.pool_id AND pool.project_id = api_key.project_id
             AND removed_at_ms IS NULL) AS "poolBotIds",
         bot_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM bot WHERE bot.id = api_key.bot_id
             AND bot.project_id = api_key.project_id) AS "isBotRemoved"
    FROM api_key`

const SELECT = sql`SELECT ${COLUMNS} FROM api_key`

/** Finds keys by what came with a request; reads alone, so that a database that is open for nothing else will do. */
export function createKeyFinder(store: Store) {
  type Found = Stored<KnownKey> & { readonly poolBotIds: string | null; readonly isBotRemoved: 0 | 1 | boolean }
  return {
    /** @param digest `keyDigest` of the whole key */
    findByDigest: rememberKeys(store, async (digest): Promise<KnownKey | null> => {
      const row = await store.find<Found>(sql`${SELECT_KNOWN} WHERE digest = ${digest}`)
      if (!row) return null
      const [poolBotIds, isBotRemoved] = [list(row.poolBotIds) ?? [], Boolean(row.isBotRemoved)]
      return { ...parsed<ApiKey>(row), plan: row.plan, poolBotIds, isBotRemoved }
    }),
  }
}

export function createKeys(store: Store, now: () => number = Date.now) {
  /** @throws {Fault} `not_found` */
  const get = (projectId: string, id: string) => getKey(store, projectId, id)

  /** @throws {Fault} `conflict` when the project has 25 active keys, `not_found` for a project, bot or pool it lacks. */
  const create = (input: CreateKeyInput) => createKey(store, input, now())

  return {
    create,
    ...createKeyFinder(store),
    get,
    /** All of the project, revoked and expired ones too, the oldest first. */
    list: async (projectId: string): Promise<readonly ApiKey[]> => {
      const rows = await store.all<Stored<ApiKey>>(
        sql`${SELECT} WHERE project_id = ${projectId} ORDER BY created_at_ms, rowid`,
      )
      return rows.map(parsed<ApiKey>)
    },
    /** Finds the project for an operator, who names a key alone. */
    projectOf: (id: string) => projectOf(store, id),
    /** Takes effect from the next request on. @throws {Fault} `conflict` unless the key is active, `validation_error` */
    change: (projectId: string, id: string, settings: KeySettings) =>
      store.durably(() => changeKey(store, { projectId, id, settings, nowMs: now() })),
    /** Final, and safe to repeat. @throws {Fault} `not_found` */
    revoke: (projectId: string, id: string) =>
      store.durably(async () => {
        await store.run(sql`
          UPDATE api_key SET revoked_at_ms = ${now()}
           WHERE project_id = ${projectId} AND id = ${id} AND revoked_at_ms IS NULL`)
        await store.announce(KEYS_TOPIC)
        return get(projectId, id)
      }),
    /**
     * A new key with the old one's name, bot and limits; the old one expires after the grace.
     * @throws {Fault} `conflict` when the old one is not active, or both together would be more than 25.
     */
    rotate: (projectId: string, id: string, graceMs: number) =>
      store.durably(async () => {
        const old = await get(projectId, id)
        const nowMs = now()
        assertActive(old, nowMs, 'rotated')
        const lifetimeMs = old.expiresAtMs === null ? null : old.expiresAtMs - old.createdAtMs
        // First the old one ends: without a grace it gives its place among the 25 to the new one.
        const endsAtMs = Math.min(nowMs + graceMs, old.expiresAtMs ?? Infinity)
        await store.run(
          sql`UPDATE api_key SET expires_at_ms = ${endsAtMs} WHERE project_id = ${projectId} AND id = ${id}`,
        )
        await store.announce(KEYS_TOPIC)
        return create({ ...old, expiresAtMs: lifetimeMs === null ? null : nowMs + lifetimeMs })
      }),
  }
}

async function createKey(store: Store, input: CreateKeyInput, nowMs: number): Promise<NewKey> {
  const { row, key } = newKey(input, nowMs)
  const allow = row.allow && JSON.stringify(row.allow)
  const classes = row.classes && JSON.stringify(row.classes)
  const { id, projectId, prefix, name, botId, poolId, createdAtMs, expiresAtMs } = row
  const insert = sql`
    INSERT INTO api_key (id, project_id, prefix, digest, name, bot_id, pool_id, allow, classes, created_at_ms, expires_at_ms)
    VALUES (${id}, ${projectId}, ${prefix}, ${keyDigest(key)}, ${name}, ${botId}, ${poolId}, ${allow}, ${classes},
            ${createdAtMs}, ${expiresAtMs})`
  await store.durably(async () => {
    await assertProject(store, projectId)
    await withRules(() => store.run(insert), input)
  })
  return { ...row, revokedAtMs: null, lastUsedAtMs: null, key }
}

async function getKey(store: Store, projectId: string, id: string): Promise<ApiKey> {
  const row = await store.find<Stored<ApiKey>>(sql`${SELECT} WHERE project_id = ${projectId} AND id = ${id}`)
  if (!row) throw new Fault('not_found', `There is no key ${id}.`)
  return parsed<ApiKey>(row)
}

interface Change {
  readonly projectId: string
  readonly id: string
  readonly settings: KeySettings
  readonly nowMs: number
}

async function changeKey(store: Store, { projectId, id, settings, nowMs }: Change): Promise<ApiKey> {
  assertActive(await getKey(store, projectId, id), nowMs, 'changed')
  const { name, allow, classes, expiresAtMs } = checkedSettings(settings, nowMs)
  await store.run(sql`
    UPDATE api_key SET name = ${name}, allow = ${allow && JSON.stringify(allow)},
           classes = ${classes && JSON.stringify(classes)}, expires_at_ms = ${expiresAtMs}
     WHERE project_id = ${projectId} AND id = ${id}`)
  await store.announce(KEYS_TOPIC)
  return getKey(store, projectId, id)
}

async function projectOf(store: Store, id: string): Promise<string | null> {
  const found = await store.find<Pick<ApiKey, 'projectId'>>(
    sql`SELECT project_id AS "projectId" FROM api_key WHERE id = ${id}`,
  )
  return found?.projectId ?? null
}

/** Returns the record of a new key, and the key itself. @throws {Fault} `validation_error` */
function newKey(input: CreateKeyInput, createdAtMs: number) {
  const { projectId, botId = null, poolId = null } = input
  if (botId !== null && poolId !== null) {
    throw new Fault('validation_error', 'A key can have a bot or a pool, not both.')
  }
  const secret = randomBytes(32).toString('hex')
  const of = { id: createId('key'), projectId, prefix: secret.slice(0, 8) }
  return { row: { ...of, botId, poolId, createdAtMs, ...checkedSettings(input, createdAtMs) }, key: `svc.${secret}` }
}

function assertActive(key: ApiKey, nowMs: number, done: 'changed' | 'rotated'): void {
  const state = keyState(key, nowMs)
  if (state === 'active') return
  throw new Fault('conflict', `The key ${key.id} is ${state}. Only active keys can be ${done}.`)
}

function parsed<T extends ApiKey>(row: Stored<T>): T {
  const { allow, classes } = row
  // Few keys have lists, and every request comes through here.
  if (allow === null && classes === null) return row as unknown as T
  return { ...row, allow: list(allow), classes: list(classes) } as unknown as T
}

function list(json: string | null): readonly string[] | null {
  return json === null ? null : (JSON.parse(json) as string[])
}

async function withRules(write: () => Promise<unknown>, { projectId, botId, poolId }: CreateKeyInput): Promise<void> {
  try {
    await write()
  } catch (error) {
    const rule = brokenRule(error)
    if (rule === 'too_many_active_keys') {
      const message = `Key limit reached (${MAX_ACTIVE_KEYS} active). Revoke one first, or rotate without a grace period.`
      throw new Fault('conflict', message, { cause: error })
    }
    if (rule === 'pool_not_of_this_project') {
      throw new Fault('not_found', `The project ${projectId} has no pool ${poolId}.`, { cause: error })
    }
    if (rule === 'bot_not_of_this_project') {
      throw new Fault('not_found', `The project ${projectId} has no bot ${botId}.`, { cause: error })
    }
    throw error
  }
}

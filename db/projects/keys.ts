import { createHash, randomBytes } from 'node:crypto'
import ipaddr from 'ipaddr.js'
import { Fault } from '../../lib/errors.ts'
import type { Plan, RouteClass } from '../../lib/plans.ts'
import { createId } from '../engine/id.ts'
import { rememberKeys } from './key-cache.ts'
import { brokenRule, durably, type Database } from '../engine/open.ts'
import { checkedName } from './projects.ts'

/** What is known of a key; the key itself is not. */
export interface ApiKey {
  readonly id: string
  readonly projectId: string
  /** Its first eight hex digits. */
  readonly prefix: string
  readonly name: string | null
  readonly botId: string | null
  /** A key is linked to a bot, to a pool of them, or to neither. */
  readonly poolId: string | null
  /** Address ranges (CIDR) from which alone it is accepted; null: from anywhere. */
  readonly allow: readonly string[] | null
  /** Route classes for which alone it is accepted; null: for all. */
  readonly classes: readonly RouteClass[] | null
  readonly createdAtMs: number
  readonly expiresAtMs: number | null
  readonly revokedAtMs: number | null
  /** To the minute; null: never. */
  readonly lastUsedAtMs: number | null
}

/** A key that came with a request, and the plan of its project. It may be revoked or expired: see `keyState`. */
export interface KnownKey extends ApiKey {
  readonly plan: Plan
  /** The bots of its pool; none if it has no pool, or the pool was removed. */
  readonly poolBotIds: readonly string[]
}

export interface CreateKeyInput {
  readonly projectId: string
  readonly name?: string | null | undefined
  /** At most one of `botId` and `poolId`. */
  readonly botId?: string | null | undefined
  readonly poolId?: string | null | undefined
  readonly expiresAtMs?: number | null | undefined
  /** Addresses and ranges in any usual form; null allows all. */
  readonly allow?: readonly string[] | null | undefined
  /** Of `KEY_CLASSES`; null allows all. */
  readonly classes?: readonly string[] | null | undefined
}

/** The only time at which the key itself, `svc.` and 64 hex digits, is seen. */
export interface NewKey extends ApiKey {
  readonly key: string
}

export interface Keys {
  /** @throws {Fault} `conflict` when the project has 25 active keys, `not_found` for a project, bot or pool it lacks. */
  create(input: CreateKeyInput): NewKey
  /** @param digest `keyDigest` of the whole key */
  findByDigest(digest: Buffer): KnownKey | null
  /** All of the project, revoked and expired ones too, the oldest first. */
  list(projectId: string): readonly ApiKey[]
  /** @throws {Fault} `not_found` */
  get(projectId: string, id: string): ApiKey
  /** For an operator, who names a key alone. */
  projectOf(id: string): string | null
  /** Final, and safe to repeat. @throws {Fault} `not_found` */
  revoke(projectId: string, id: string): ApiKey
  /**
   * A new key with the old one's name, bot and limits; the old one expires after the grace.
   * @throws {Fault} `conflict` when the old one is not active, or both together would be more than 25.
   */
  rotate(projectId: string, id: string, graceMs: number): NewKey
}

export const MAX_ACTIVE_KEYS = 25

/** The route classes that a key can be restricted to. */
export const KEY_CLASSES = ['cheap', 'fetch', 'canvas', 'browser', 'player'] as const satisfies readonly RouteClass[]

const MAX_RANGES = 50

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

type Stored<T extends ApiKey> = Omit<T, 'allow' | 'classes' | 'poolBotIds'> & {
  readonly allow: string | null
  readonly classes: string | null
}

const COLUMNS = `
  id, project_id AS projectId, prefix, name, bot_id AS botId, pool_id AS poolId, allow, classes, created_at_ms AS createdAtMs,
  expires_at_ms AS expiresAtMs, revoked_at_ms AS revokedAtMs, last_used_at_ms AS lastUsedAtMs`

// The plan as a sub-select: as a join the same look-up costs five times as much, and every request pays it.
const SELECT_KNOWN = `
  SELECT ${COLUMNS}, (SELECT plan FROM project WHERE project.id = api_key.project_id) AS plan,
         (SELECT bot_ids FROM pool WHERE pool.id = api_key.pool_id AND pool.project_id = api_key.project_id
             AND removed_at_ms IS NULL) AS poolBotIds
    FROM api_key WHERE digest = ?`

const INSERT = `
  INSERT INTO api_key (id, project_id, prefix, digest, name, bot_id, pool_id, allow, classes, created_at_ms,
                       expires_at_ms)
  VALUES (:id, :projectId, :prefix, :digest, :name, :botId, :poolId, :allow, :classes, :createdAtMs, :expiresAtMs)`

function prepare(db: Database) {
  const select = `SELECT ${COLUMNS} FROM api_key`
  return {
    insert: db.prepare(INSERT),
    byId: db.prepare<[string, string], Stored<ApiKey>>(`${select} WHERE project_id = ? AND id = ?`),
    byProject: db.prepare<[string], Stored<ApiKey>>(`${select} WHERE project_id = ? ORDER BY created_at_ms, rowid`),
    projectOf: db.prepare<[string], string>('SELECT project_id FROM api_key WHERE id = ?').pluck(),
    revoke: db.prepare(
      'UPDATE api_key SET revoked_at_ms = ? WHERE project_id = ? AND id = ? AND revoked_at_ms IS NULL',
    ),
    expire: db.prepare('UPDATE api_key SET expires_at_ms = ? WHERE project_id = ? AND id = ?'),
    hasProject: db.prepare<[string], number>('SELECT 1 FROM project WHERE id = ?').pluck(),
  }
}

/** Finds keys by what came with a request; reads alone, so that a database that is open for nothing else will do. */
export function createKeyFinder(db: Database): Pick<Keys, 'findByDigest'> {
  const byDigest = db.prepare<[Buffer], Stored<KnownKey> & { readonly poolBotIds: string | null }>(SELECT_KNOWN)
  return {
    findByDigest: rememberKeys(db, (digest) => {
      const row = byDigest.get(digest)
      return row ? { ...parsed<ApiKey>(row), plan: row.plan, poolBotIds: list(row.poolBotIds) ?? [] } : null
    }),
  }
}

export function createKeys(db: Database, now: () => number = Date.now): Keys {
  const statements = prepare(db)

  function get(projectId: string, id: string): ApiKey {
    const row = statements.byId.get(projectId, id)
    if (!row) throw new Fault('not_found', `There is no key ${id}.`)
    return parsed<ApiKey>(row)
  }

  function create(input: CreateKeyInput): NewKey {
    const { projectId, name = null, botId = null, poolId = null, expiresAtMs = null } = input
    const allow = input.allow ? checkedRanges(input.allow) : null
    const classes = input.classes ? checkedClasses(input.classes) : null
    if (botId !== null && poolId !== null) {
      throw new Fault('validation_error', 'A key can have a bot or a pool, not both.')
    }
    const createdAtMs = now()
    if (expiresAtMs !== null && expiresAtMs <= createdAtMs) {
      throw new Fault('validation_error', 'The expiry must be in the future.')
    }
    const secret = randomBytes(32).toString('hex')
    const key = `svc.${secret}`
    const id = createId('key')
    const shown = name === null ? null : checkedName(name)
    const row = { id, projectId, prefix: secret.slice(0, 8), name: shown, botId, poolId, createdAtMs, expiresAtMs }
    const lists = { allow: allow && JSON.stringify(allow), classes: classes && JSON.stringify(classes) }
    durably(db, () => {
      if (!statements.hasProject.get(projectId)) throw new Fault('not_found', `There is no project ${projectId}.`)
      withRules(() => statements.insert.run({ ...row, ...lists, digest: keyDigest(key) }), input)
    })
    return { ...row, allow, classes, revokedAtMs: null, lastUsedAtMs: null, key }
  }

  return {
    create,
    ...createKeyFinder(db),
    get,
    list: (projectId) => statements.byProject.all(projectId).map(parsed<ApiKey>),
    projectOf: (id) => statements.projectOf.get(id) ?? null,
    revoke(projectId, id) {
      durably(db, () => statements.revoke.run(now(), projectId, id))
      return get(projectId, id)
    },
    rotate: (projectId, id, graceMs) =>
      durably(db, () => {
        const old = get(projectId, id)
        const nowMs = now()
        assertActive(old, nowMs)
        const lifetimeMs = old.expiresAtMs === null ? null : old.expiresAtMs - old.createdAtMs
        // First the old one ends: without a grace it gives its place among the 25 to the new one.
        statements.expire.run(Math.min(nowMs + graceMs, old.expiresAtMs ?? Infinity), projectId, id)
        return create({ ...old, expiresAtMs: lifetimeMs === null ? null : nowMs + lifetimeMs })
      }),
  }
}

function checkedRanges(ranges: readonly string[]): readonly string[] {
  if (ranges.length === 0 || ranges.length > MAX_RANGES) {
    throw new Fault('validation_error', `An allowlist has 1 to ${MAX_RANGES} IP addresses or ranges.`)
  }
  return ranges.map((range) => {
    if (ipaddr.isValidCIDR(range)) return range
    if (ipaddr.isValid(range)) return `${range}/${ipaddr.parse(range).kind() === 'ipv4' ? 32 : 128}`
    throw new Fault(
      'validation_error',
      `${range} is not an IP address or range, such as 203.0.113.0/24 or 2001:db8::/32.`,
    )
  })
}

function checkedClasses(classes: readonly string[]): readonly RouteClass[] {
  const wrong = classes.find((name) => !isKeyClass(name))
  if (classes.length === 0 || wrong !== undefined) {
    const why = wrong === undefined ? 'A key needs at least one route class' : `Unknown route class ${wrong}`
    throw new Fault('validation_error', `${why}. Use ${KEY_CLASSES.join(', ')}.`)
  }
  return [...new Set(classes.filter(isKeyClass))]
}

function isKeyClass(name: string): name is RouteClass {
  return (KEY_CLASSES as readonly string[]).includes(name)
}

function assertActive(key: ApiKey, nowMs: number): void {
  const state = keyState(key, nowMs)
  if (state === 'active') return
  throw new Fault('conflict', `The key ${key.id} is ${state}. Only active keys can be rotated.`)
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

function withRules(write: () => void, { projectId, botId, poolId }: CreateKeyInput): void {
  try {
    write()
  } catch (error) {
    const rule = brokenRule(error)
    if (rule === 'too_many_active_keys') {
      const why = `The project ${projectId} has ${MAX_ACTIVE_KEYS} active keys, the maximum.`
      throw new Fault('conflict', `${why} Revoke one first, or rotate without a grace period.`, { cause: error })
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

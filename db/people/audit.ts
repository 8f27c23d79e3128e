import sql, { join, type Sql } from 'sql-template-tag'
import { contains, escapeLike } from '../engine/contains.ts'
import type { Store } from '../engine/store.ts'

/** One entry of the audit log. */
export interface AuditEntry {
  readonly id: number
  readonly atMs: number
  readonly projectId: string | null
  readonly accountId: string | null
  /** The name of then. */
  readonly who: string
  readonly address: string
  /** The action: `key.created`, `member.removed`, … */
  readonly action: string
  /** The target's name, or its id if it has no name. */
  readonly target: string
  /** Changed values, by name; `volume.before` and `volume.after` are one value that was changed. No secrets. */
  readonly detail: AuditDetail
}

export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>
type NewAuditEntry = Omit<AuditEntry, 'id' | 'atMs'>

/** `control`: of a player, such as skip; `change`: all else. */
export const AUDIT_KINDS = ['change', 'control'] as const
type AuditKind = (typeof AUDIT_KINDS)[number]

export interface AuditQuery {
  readonly projectId: string
  /** Left out: both. */
  readonly kind?: AuditKind | undefined
  /** A part of the name, in any case. */
  readonly who?: string | undefined
  /** The first part of an action: `key` of `key.created`. */
  readonly area?: string | undefined
  readonly target?: string | undefined
  /** Anywhere in an entry but its time. */
  readonly text?: string | undefined
  readonly fromMs?: number | undefined
  /** Excluded. */
  readonly toMs?: number | undefined
  /** The id that the page before ended at. */
  readonly before?: number | undefined
  readonly limit: number
}

interface AuditPage {
  /** The latest first. */
  readonly entries: readonly AuditEntry[]
  /** Value of `before` for the next page; null if nothing is left. There can be one after a page of few or no entries. */
  readonly next: number | null
}

const KEPT_MS = 366 * 86_400_000
const PRUNED_AT_ONCE = 100
/** Limit of entries read for one page, however few of them match: some five milliseconds. */
const MOST_READ = 5000

type Row = Omit<AuditEntry, 'detail'> & { readonly detail: string }

const COLUMNS = sql`
  id, at_ms AS "atMs", project_id AS "projectId", account_id AS "accountId", who, address, action, target, detail`

interface Bounds {
  /** Excluded, both. */
  readonly after: number
  readonly before: number
}

export function createAudit(store: Store, now: () => number = Date.now) {
  return {
    async write(deed: NewAuditEntry) {
      const { projectId, accountId, who, address, action, target, detail } = deed
      const atMs = now()
      await store.atomically(
        async () => {
          await store.run(sql`
            INSERT INTO audit (at_ms, project_id, account_id, who, address, action, target, detail)
            VALUES (${atMs}, ${projectId}, ${accountId}, ${who}, ${address}, ${action}, ${target},
                    ${JSON.stringify(detail)})`)
          await store.run(sql`
            DELETE FROM audit WHERE id IN
              (SELECT id FROM audit WHERE at_ms < ${atMs - KEPT_MS} ORDER BY id LIMIT ${PRUNED_AT_ONCE})`)
        },
        { isBatch: true },
      )
    },
    async list(query: AuditQuery): Promise<AuditPage> {
      const { projectId, kind, limit } = query
      const within = await boundsOf(store, query)
      const { count, last } = await reachOf(store, query, within)
      const after = Math.max(within.after, (last ?? 1) - 1)
      const rows = await store.all<Row>(sql`
        SELECT ${COLUMNS} FROM audit
         WHERE ${join([placeOf(projectId, kind), sql`id > ${after} AND id < ${within.before}`, ...filtersOf(query, store.engine)], ' AND ')}
         ORDER BY id DESC LIMIT ${limit}`)
      const entries = rows.map(toEntry)
      const isWhole = entries.length < limit
      return { entries, next: isWhole ? (count < MOST_READ ? null : last) : (entries.at(-1)?.id ?? null) }
    },
    /** Returns the actions of an account outside any project, the latest first. */
    async ofAccount(accountId: string, limit: number): Promise<readonly AuditEntry[]> {
      const rows = await store.all<Row>(sql`
        SELECT ${COLUMNS} FROM audit WHERE account_id = ${accountId} AND project_id IS NULL
         ORDER BY id DESC LIMIT ${limit}`)
      return rows.map(toEntry)
    },
  }
}

/** The ids between which the times lie. */
async function boundsOf(store: Store, query: AuditQuery): Promise<Bounds> {
  const { projectId, fromMs, toMs, before = Number.MAX_SAFE_INTEGER } = query
  const idOf = async (where: Sql) =>
    (
      await store.find<{ readonly id: number }>(
        sql`SELECT id FROM audit WHERE project_id = ${projectId} AND ${where} LIMIT 1`,
      )
    )?.id
  const first = fromMs === undefined ? 1 : await idOf(sql`at_ms >= ${fromMs} ORDER BY at_ms, id`)
  const last = toMs === undefined ? before - 1 : await idOf(sql`at_ms < ${toMs} ORDER BY at_ms DESC, id DESC`)
  return { after: (first ?? Number.MAX_SAFE_INTEGER) - 1, before: Math.min(before, (last ?? 0) + 1) }
}

/** The first entries are in reach, in the order of the index alone. */
async function reachOf(store: Store, { projectId, kind }: AuditQuery, { after, before }: Bounds): Promise<Reach> {
  const row = await store.find<Reach>(sql`
    SELECT count(*) AS count, min(id) AS last FROM
      (SELECT id FROM audit WHERE ${placeOf(projectId, kind)} AND id > ${after} AND id < ${before}
        ORDER BY id DESC LIMIT ${MOST_READ}) AS entry`)
  return row ?? { count: 0, last: null }
}

interface Reach {
  readonly count: number
  readonly last: number | null
}

function placeOf(projectId: string, kind: AuditKind | undefined): Sql {
  const all = sql`project_id = ${projectId}`
  return kind === undefined ? all : sql`${all} AND is_control = ${kind === 'control' ? 1 : 0}`
}

function filtersOf({ who, area, target, text, fromMs, toMs }: AuditQuery, engine: Store['engine']): readonly Sql[] {
  const anywhere = [sql`who`, sql`action`, sql`target`, sql`address`, sql`detail`]
  return [
    who !== undefined && contains(engine, sql`who`, who),
    area !== undefined && sql`action LIKE ${`${escapeLike(area)}.%`} ESCAPE '\\'`,
    target !== undefined && contains(engine, sql`target`, target),
    text !== undefined &&
      sql`(${join(
        anywhere.map((column) => contains(engine, column, text)),
        ' OR ',
      )})`,
    fromMs !== undefined && sql`at_ms >= ${fromMs}`,
    toMs !== undefined && sql`at_ms < ${toMs}`,
  ].filter((condition) => condition !== false)
}

function toEntry(row: Row): AuditEntry {
  return { ...row, detail: JSON.parse(row.detail) as AuditEntry['detail'] }
}

import { atomically, type Database } from '../engine/open.ts'

/** One entry of the audit log. */
export interface AuditEntry {
  readonly id: number
  readonly atMs: number
  readonly projectId: string | null
  readonly accountId: string | null
  /** The name of then. */
  readonly who: string
  readonly address: string
  /** What was done: `key.created`, `member.removed`, … */
  readonly action: string
  /** To what: a name, or an id if there is none. */
  readonly target: string
  /** What was changed, by name; `volume.before` and `volume.after` are one value that was changed. No secrets. */
  readonly detail: AuditDetail
}

export type AuditDetail = Readonly<Record<string, string | number | boolean | null>>
export type NewAuditEntry = Omit<AuditEntry, 'id' | 'atMs'>

/** `control`: of a player, such as skip; `change`: all else. */
export const AUDIT_KINDS = ['change', 'control'] as const
export type AuditKind = (typeof AUDIT_KINDS)[number]

export interface AuditQuery {
  readonly projectId: string
  /** Left out: both. */
  readonly kind?: AuditKind | undefined
  /** A part of the name, in any case. */
  readonly who?: string | undefined
  /** What an action begins with: `key` of `key.created`. */
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

export interface AuditPage {
  /** The latest first. */
  readonly entries: readonly AuditEntry[]
  /** Where to look on as `before`; null if nothing is left. There can be one after a page of few or no entries. */
  readonly next: number | null
}

export interface Audit {
  write(deed: NewAuditEntry): void
  list(query: AuditQuery): AuditPage
  /** What an account did and what belongs to no project, the latest first. */
  ofAccount(accountId: string, limit: number): readonly AuditEntry[]
}

const KEPT_MS = 366 * 86_400_000
const PRUNED_AT_ONCE = 100
/** So many entries are read for one page however few of them match: some five milliseconds. */
const MOST_READ = 5000

type Row = Omit<AuditEntry, 'detail'> & { readonly detail: string }

const COLUMNS =
  'id, at_ms AS atMs, project_id AS projectId, account_id AS accountId, who, address, action, target, detail'

const PLACES = {
  one: 'project_id = :projectId AND is_control = :isControl AND id > :after AND id < :before',
  both: 'project_id = :projectId AND id > :after AND id < :before',
} as const

/** The first entries are in reach, in the order of the index alone. */
const reach = (place: string) => `
  SELECT count(*) AS count, min(id) AS last FROM
    (SELECT id FROM audit WHERE ${place} ORDER BY id DESC LIMIT ${MOST_READ})`

const matching = (place: string) => `
  SELECT ${COLUMNS} FROM audit
   WHERE ${place}
     AND (:who IS NULL OR who LIKE :who ESCAPE '\\')
     AND (:area IS NULL OR action LIKE :area ESCAPE '\\')
     AND (:target IS NULL OR target LIKE :target ESCAPE '\\')
     AND (:text IS NULL OR who LIKE :text ESCAPE '\\' OR action LIKE :text ESCAPE '\\' OR target LIKE :text ESCAPE '\\'
          OR address LIKE :text ESCAPE '\\' OR detail LIKE :text ESCAPE '\\')
     AND (:fromMs IS NULL OR at_ms >= :fromMs) AND (:toMs IS NULL OR at_ms < :toMs)
   ORDER BY id DESC LIMIT :limit`

interface Reach {
  readonly count: number
  readonly last: number | null
}

export function createAudit(db: Database, now: () => number = Date.now): Audit {
  const insert = db.prepare(`
    INSERT INTO audit (at_ms, project_id, account_id, who, address, action, target, detail)
    VALUES (:atMs, :projectId, :accountId, :who, :address, :action, :target, :detail)`)
  const read = {
    one: { reach: db.prepare<object, Reach>(reach(PLACES.one)), rows: db.prepare<object, Row>(matching(PLACES.one)) },
    both: {
      reach: db.prepare<object, Reach>(reach(PLACES.both)),
      rows: db.prepare<object, Row>(matching(PLACES.both)),
    },
  }
  const firstFrom = db
    .prepare<[string, number], number>(
      'SELECT id FROM audit WHERE project_id = ? AND at_ms >= ? ORDER BY at_ms, id LIMIT 1',
    )
    .pluck()
  const lastUntil = db
    .prepare<[string, number], number>(
      'SELECT id FROM audit WHERE project_id = ? AND at_ms < ? ORDER BY at_ms DESC, id DESC LIMIT 1',
    )
    .pluck()
  const byAccount = db.prepare<[string, number], Row>(
    `SELECT ${COLUMNS} FROM audit WHERE account_id = ? AND project_id IS NULL ORDER BY id DESC LIMIT ?`,
  )
  const prune = db.prepare('DELETE FROM audit WHERE id IN (SELECT id FROM audit WHERE at_ms < ? ORDER BY id LIMIT ?)')

  /** The ids between which the times lie. */
  function bounds({ projectId, fromMs, toMs, before = Number.MAX_SAFE_INTEGER }: AuditQuery) {
    const first = fromMs === undefined ? 1 : (firstFrom.get(projectId, fromMs) ?? Number.MAX_SAFE_INTEGER)
    const last = toMs === undefined ? before : (lastUntil.get(projectId, toMs) ?? 0) + 1
    return { projectId, after: first - 1, before: Math.min(before, last) }
  }

  return {
    write(deed) {
      const atMs = now()
      atomically(db, () => {
        insert.run({ ...deed, atMs, detail: JSON.stringify(deed.detail) })
        prune.run(atMs - KEPT_MS, PRUNED_AT_ONCE)
      })
    },
    list(query) {
      const { kind, limit } = query
      const statements = kind === undefined ? read.both : read.one
      const place = { ...bounds(query), ...(kind !== undefined && { isControl: kind === 'control' ? 1 : 0 }) }
      const { count, last } = statements.reach.get(place) ?? { count: 0, last: null }
      const after = Math.max(place.after, (last ?? 1) - 1)
      const entries = statements.rows.all({ ...place, ...filtersOf(query), after, limit }).map(toEntry)
      const isWhole = entries.length < limit
      return { entries, next: isWhole ? (count < MOST_READ ? null : last) : (entries.at(-1)?.id ?? null) }
    },
    ofAccount: (accountId, limit) => byAccount.all(accountId, limit).map(toEntry),
  }
}

function filtersOf({ who, area, target, text, fromMs, toMs }: AuditQuery) {
  const within = (part: string | undefined) => (part === undefined ? null : `%${escapeLike(part)}%`)
  return {
    who: within(who),
    area: area === undefined ? null : `${escapeLike(area)}.%`,
    target: within(target),
    text: within(text),
    fromMs: fromMs ?? null,
    toMs: toMs ?? null,
  }
}

function escapeLike(text: string): string {
  return text.replaceAll(/[\\%_]/g, String.raw`\$&`)
}

function toEntry(row: Row): AuditEntry {
  return { ...row, detail: JSON.parse(row.detail) as AuditEntry['detail'] }
}

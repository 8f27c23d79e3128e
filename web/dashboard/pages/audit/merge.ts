import type { AuditDetail, AuditEntry } from '../../../../db/people/audit.ts'

/** Entries that say the same of the same target, one after another. */
export interface MergedEntry {
  readonly latest: AuditEntry
  readonly firstAtMs: number
  readonly count: number
  /** The detail of the latest entry, with the `before` values of the first. */
  readonly detail: AuditDetail
}

/** More than that apart, two changes are two things that someone did. */
const MOST_APART_MS = 15 * 60_000

/** @param entries the latest first, as the log has them. */
export function mergeRepeats(entries: readonly AuditEntry[]): readonly MergedEntry[] {
  const merged: MergedEntry[] = []
  for (const entry of entries) {
    const last = merged.at(-1)
    if (last && isRepeat(last, entry)) merged[merged.length - 1] = join(last, entry)
    else merged.push({ latest: entry, firstAtMs: entry.atMs, count: 1, detail: entry.detail })
  }
  return merged
}

function isRepeat(
  { latest, firstAtMs, detail }: MergedEntry,
  { accountId, who, action, target, ...entry }: AuditEntry,
) {
  const isSame =
    latest.accountId === accountId && latest.who === who && latest.action === action && latest.target === target
  // Entries that differ in more than `before` and `after` values keep a row of their own.
  return isSame && firstAtMs - entry.atMs <= MOST_APART_MS && fixed(detail) === fixed(entry.detail)
}

function fixed(detail: AuditDetail): string {
  return JSON.stringify(Object.entries(detail).map(([name, value]) => (isChange(name) ? name : [name, value])))
}

function isChange(name: string): boolean {
  return /(?:^|\.)(?:before|after)$/.test(name)
}

function join({ latest, count, detail }: MergedEntry, { atMs, detail: earlier }: AuditEntry): MergedEntry {
  const before = Object.entries(earlier).filter(([name]) => name.endsWith('before'))
  return { latest, firstAtMs: atMs, count: count + 1, detail: { ...detail, ...Object.fromEntries(before) } }
}

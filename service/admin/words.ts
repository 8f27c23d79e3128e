import { InvalidArgumentError } from 'commander'

const UNIT_MS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const
const ISO_TIME = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** `90s`, `15m`, `24h`, `30d`, or `0` as milliseconds. */
export function parseSpan(text: string): number {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (text === '0') return 0
  if (!count || !unit) throw new InvalidArgumentError('Must be a number and a unit, such as 90s, 15m, 24h or 30d.')
  return Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
}

/** The reverse of `parseSpan` in the largest unit of which it has one, rounded down; 0 s for what has not begun. */
export function describeSpan(ms: number): string {
  const [unit, unitMs] = Object.entries(UNIT_MS).findLast(([, lengthMs]) => ms >= lengthMs) ?? ['s', UNIT_MS.s]
  return `${Math.max(0, Math.floor(ms / unitMs))}${unit}`
}

/** An ISO 8601 time with its zone, or a date (its first moment in UTC), as milliseconds since 1970. */
export function parseTime(text: string): number {
  const ms = ISO_TIME.test(text) ? Date.parse(text) : Number.NaN
  if (Number.isNaN(ms))
    throw new InvalidArgumentError('Must be an ISO 8601 time, such as 2027-01-31 or 2027-01-31T18:00:00Z.')
  return ms
}

/** A time as `parseTime` reads it, or a span back from now, as milliseconds since 1970. */
export function parseMoment(text: string): number {
  return /^\d+[smhd]$/.test(text) ? Date.now() - parseSpan(text) : parseTime(text)
}

/** A list written with commas. */
export function parseList(text: string): readonly string[] {
  const items = text.split(',').map((item) => item.trim())
  if (items.some((item) => item === ''))
    throw new InvalidArgumentError('Must be a list with single commas between the items.')
  return items
}

export function isoTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** Rows under their headings, in columns as wide as they need. An empty value is a dash. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number | null)[])[]): string[] {
  const cells = [headings, ...rows.map((row) => row.map((value) => String(value ?? '-')))]
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)))
  return cells.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}

/** The fields of one thing, one a line. */
export function fields(values: Readonly<Record<string, string | number | null>>): string[] {
  const width = Math.max(...Object.keys(values).map((name) => name.length))
  return Object.entries(values).map(([name, value]) => `${name.padEnd(width)}  ${value ?? '-'}`)
}

import { z } from 'zod'
import type { RecordEntry } from './entries.ts'
import { readEntry, type Kept, type Recorder } from './recorder.ts'

const WAIT_MS_MAX = 120_000
const ENTRIES_MAX = 1000

/** Conditions on fields that all entries have; all that are given must match. */
export const RecordFilter = z.strictObject({
  kind: z.enum(['request', 'gateway', 'voice']).optional(),
  applicationId: z.string().optional(),
  method: z.string().toUpperCase().optional(),
  path: z.string().optional().describe('path or route; `*` stands for one segment, `**` for all that follow'),
  status: z.int().optional(),
  reason: z.string().optional().describe('audit log reason'),
  direction: z.enum(['sent', 'received', 'closed']).optional().describe('of the gateway, seen from the sandbox'),
  op: z.int().optional(),
  event: z.string().optional().describe('gateway event such as `MESSAGE_CREATE`, or `join`, `move`, `leave` of voice'),
  code: z.int().optional().describe('close code'),
  guildId: z.string().optional(),
  channelId: z.string().optional(),
  userId: z.string().optional(),
  body: z.unknown().optional().describe('what the body contains; other fields may be there too'),
  response: z.unknown().optional().describe('what the response contains'),
  afterId: z.int().min(0).optional().describe('only entries after this one'),
})
export type RecordFilter = z.input<typeof RecordFilter>

export const RecordSearch = RecordFilter.extend({
  limit: z.int().min(1).max(ENTRIES_MAX).default(100).describe('the newest so many'),
  count: z.int().min(1).max(ENTRIES_MAX).default(1).describe('how many to wait for'),
  waitMs: z.int().min(0).max(WAIT_MS_MAX).default(0).describe('maximum time to wait for them'),
})
export type RecordSearch = z.input<typeof RecordSearch>

export interface RecordFound {
  /** Oldest first. */
  readonly entries: readonly RecordEntry[]
  /** Whether as many were found as were waited for. */
  readonly complete: boolean
  /** Entries that the record has dropped since it was cleared, since it is bounded. */
  readonly forgotten: number
}

/** Finds matching entries, or waits until there are enough. */
export async function searchRecord(recorder: Recorder, search: z.output<typeof RecordSearch>): Promise<RecordFound> {
  const { limit, count, waitMs, ...filter } = search
  const fits = createMatcher(filter)
  const find = () => recorder.entries().filter(fits)
  let found = find()
  if (found.length < count && waitMs > 0) {
    await enough(recorder, { missing: count - found.length, fits, waitMs })
    found = find()
  }
  return {
    entries: found.slice(-limit).map(readEntry),
    complete: found.length >= count,
    forgotten: recorder.forgotten,
  }
}

function enough(
  { notices }: Recorder,
  { missing, fits, waitMs }: { missing: number; fits: (entry: Kept) => boolean; waitMs: number },
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, waitMs)
  let left = missing
  const onEntry = (entry: Kept) => {
    if (!fits(entry)) return
    left -= 1
    if (left === 0) resolve()
  }
  notices.on('entry', onEntry)
  return promise.finally(() => {
    clearTimeout(timer)
    notices.off('entry', onEntry)
  })
}

function createMatcher(filter: z.output<typeof RecordFilter>): (entry: Kept) => boolean {
  const { afterId, path, body, response, ...plain } = filter
  const wanted = Object.entries(plain).filter(([, value]) => value !== undefined)
  const readsContent = body !== undefined || response !== undefined
  return (kept) => {
    if (afterId !== undefined && kept.id <= afterId) return false
    const facts: Readonly<Record<string, unknown>> = { ...kept.facts }
    if (!wanted.every(([key, value]) => facts[key] === value)) return false
    if (path !== undefined && !isAt(facts, path)) return false
    if (!readsContent) return true
    const entry: { body?: unknown; response?: unknown } = readEntry(kept)
    return (
      (body === undefined || contains(entry.body, body)) &&
      (response === undefined || contains(entry.response, response))
    )
  }
}

function isAt({ path, route }: Readonly<Record<string, unknown>>, pattern: string): boolean {
  return [path, route].some((one) => typeof one === 'string' && matchesPath(one, pattern))
}

/** Segment by segment. */
export function matchesPath(path: string, pattern: string): boolean {
  const segments = path.split('/')
  const parts = pattern.split('/')
  const rest = parts.indexOf('**')
  if (rest === -1 ? segments.length !== parts.length : segments.length < rest) return false
  return parts.slice(0, rest === -1 ? parts.length : rest).every((part, i) => part === '*' || part === segments[i])
}

/** Whether everything in `wanted` is in `actual`: the fields of objects, and each item of an array among its items. */
function contains(actual: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) {
    return Array.isArray(actual) && wanted.every((item) => actual.some((one) => contains(one, item)))
  }
  if (typeof wanted !== 'object' || wanted === null) return Object.is(actual, wanted)
  if (typeof actual !== 'object' || actual === null) return false
  const fields: Readonly<Record<string, unknown>> = { ...actual }
  return Object.entries(wanted).every(([key, value]) => contains(fields[key], value))
}

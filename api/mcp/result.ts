/** The result of a tool call. */
export interface ToolResult {
  readonly [name: string]: unknown
  readonly content: ToolContent[]
  readonly isError?: boolean
}

type ToolContent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType: string }

/** Start of the rest of a truncated list: its name (empty if the answer is the list) and the entries before it. */
interface Cursor {
  readonly list: string
  readonly offset: number
}

/** A few thousand tokens: what an agent reads in a minute costs it as much as a page of a book. */
const MAX_CHARS = 12_000
const MAX_STRING_CHARS = 4000
/** Limit of every list except the one that a cursor pages through. */
const MAX_ITEMS = 20
const MAX_PROBLEMS = 20
export const NO_CURSOR = 'cursor: Send the unchanged cursor of an earlier result, or none.'

function text(...lines: readonly string[]): ToolResult {
  return { content: lines.filter(Boolean).map((line) => ({ type: 'text', text: line })) }
}

export function failure(...lines: readonly string[]): ToolResult {
  return { content: [{ type: 'text', text: lines.filter(Boolean).join('\n') }], isError: true }
}

/** Returns null if it is not a cursor. */
export function parseCursor(value: unknown): Cursor | null {
  const [, list = '', offset = ''] = /^([A-Za-z]{0,40}):(\d{1,7})$/.exec(typeof value === 'string' ? value : '') ?? []
  return offset === '' ? null : { list, offset: Number(offset) }
}

interface ShortenOptions {
  readonly cursor: Cursor | null
  /** Whether the tool takes a `cursor` of ours. */
  readonly hasCursor: boolean
  /** Whether the route has pages of its own, so that a smaller one is what fits. */
  readonly hasPages: boolean
}

/** The data of an answer as JSON of a bounded length, and what was left out. */
export function shorten(data: unknown, { cursor, hasCursor, hasPages }: ShortenOptions): ToolResult {
  const list = cursor?.list ?? longestListOf(data)
  const notes: string[] = []
  const items = list === null ? null : itemsOf(data, list)
  if (cursor && !items) return failure(NO_CURSOR)
  const rest = trim(items ? withItems(data, String(list), []) : data, notes)
  if (!items || list === null) return text(bounded(JSON.stringify(rest)), ...notes)
  const shown: unknown[] = []
  const offset = Math.min(cursor?.offset ?? 0, items.length)
  let chars = JSON.stringify(rest).length
  for (const item of items.slice(offset)) {
    const trimmed = trim(item, notes)
    chars += JSON.stringify(trimmed).length + 1
    if (shown.length > 0 && chars > MAX_CHARS) break
    shown.push(trimmed)
  }
  const end = offset + shown.length
  const span = `${list || 'Items'} ${offset + 1} to ${end} of ${items.length}.`
  if (end < items.length) {
    if (hasCursor) notes.push(`${span} Call again with cursor "${list}:${end}" for more.`)
    else notes.push(hasPages ? `${span} Set limit to ${end} for pages that fit.` : span)
  } else if (offset > 0) notes.push(`${span} No more items.`)
  return text(bounded(JSON.stringify(withItems(rest, list, shown))), ...notes.slice(0, MAX_PROBLEMS))
}

/** The name of the longest list, empty if the data is one itself; null if there is none. */
function longestListOf(data: unknown): string | null {
  if (Array.isArray(data)) return ''
  if (typeof data !== 'object' || data === null) return null
  const lists = Object.entries(data).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]))
  return lists.toSorted(([, a], [, b]) => b.length - a.length)[0]?.[0] ?? null
}

function itemsOf(data: unknown, list: string): readonly unknown[] | null {
  const items = list === '' ? data : Object.entries(data ?? {}).find(([name]) => name === list)?.[1]
  return Array.isArray(items) ? items : null
}

function withItems(data: unknown, list: string, items: readonly unknown[]): unknown {
  return list === '' ? items : { ...(data as object), [list]: items }
}

function trim(value: unknown, notes: string[], name = ''): unknown {
  if (typeof value === 'string' && value.length > MAX_STRING_CHARS) {
    return `${value.slice(0, MAX_STRING_CHARS)}… (${value.length} characters in total)`
  }
  if (Array.isArray(value)) {
    if (value.length > MAX_ITEMS) notes.push(`${name || 'A list'} shows ${MAX_ITEMS} of ${value.length}.`)
    return value.slice(0, MAX_ITEMS).map((item) => trim(item, notes, name))
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, trim(one, notes, key)]))
}

function bounded(json: string): string {
  return json.length <= 2 * MAX_CHARS
    ? json
    : `${json.slice(0, 2 * MAX_CHARS)}… (cut; ${json.length} characters in total)`
}

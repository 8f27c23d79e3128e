import { EventEmitter } from 'node:events'
import type { EntryFacts, RecordEntry } from './entries.ts'

const ENTRIES_MAX = 10_000
const CONTENT_CHARS = 32 * 1024 * 1024

/** A recorded entry: content stays text until it is read. */
export interface Kept {
  readonly id: number
  readonly atMs: number
  readonly facts: EntryFacts
  /** JSON of body and response. */
  readonly body: string | undefined
  readonly response: string | undefined
}

interface Content {
  /** JSON that was sent or received, written out already. */
  readonly text?: string
  readonly body?: unknown
  readonly response?: unknown
}

/** The last requests, gateway payloads and voice events of all bots. */
export interface Recorder {
  add(facts: EntryFacts, content?: Content): void
  /** Oldest first. */
  entries(): readonly Kept[]
  /** Number of entries dropped since the last clear because the record was full. */
  readonly forgotten: number
  readonly notices: EventEmitter<{ entry: [Kept] }>
  clear(): void
}

export function createRecorder(now: () => number): Recorder {
  const notices: Recorder['notices'] = new EventEmitter()
  // Each open page and each waiting test has one of its own.
  notices.setMaxListeners(0)
  const kept = new Map<number, Kept>()
  let chars = 0
  let lastId = 0
  let forgotten = 0

  function forgetOldest(): void {
    const [oldest] = kept.values()
    if (!oldest) return
    kept.delete(oldest.id)
    chars -= sizeOf(oldest)
    forgotten += 1
  }
  return {
    notices,
    get forgotten() {
      return forgotten
    },
    add(facts, { text, body, response } = {}) {
      lastId += 1
      // Written out now: what is in the world changes later.
      const entry = { id: lastId, atMs: now(), facts, body: text ?? toJson(body), response: toJson(response) }
      kept.set(entry.id, entry)
      chars += sizeOf(entry)
      while (kept.size > ENTRIES_MAX || chars > CONTENT_CHARS) forgetOldest()
      notices.emit('entry', entry)
    },
    entries: () => [...kept.values()],
    clear() {
      kept.clear()
      chars = 0
      forgotten = 0
    },
  }
}

const toJson = (value: unknown): string | undefined => (value === undefined ? undefined : JSON.stringify(value))

const sizeOf = ({ body, response }: Kept) => (body?.length ?? 0) + (response?.length ?? 0)

/** An entry with its content, without the tokens that are in it. */
export function readEntry({ id, atMs, facts, body, response }: Kept): RecordEntry {
  const content = { body: parse(body) }
  const whole = facts.kind === 'request' ? { ...content, response: parse(response) } : content
  return { id, atMs, ...facts, ...whole } as RecordEntry
}

function parse(text: string | undefined): unknown {
  if (text === undefined) return null
  return JSON.parse(text, (key, value: unknown) => (key === 'token' && typeof value === 'string' ? '…' : value))
}

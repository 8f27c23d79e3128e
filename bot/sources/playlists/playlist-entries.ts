import { normalizeTitle } from '../http/text.ts'

export interface Playlist {
  readonly title: string | null
  /** Entries in playlist order, http and https only. */
  readonly entries: readonly PlaylistEntry[]
}

export interface PlaylistEntry {
  readonly url: string
  readonly title: string | null
  /** 0 when the playlist does not say. */
  readonly lengthMs: number
}

const URL_MAX_CHARS = 2048

/** Entries read so far, up to a limit. */
export class Entries {
  readonly all: PlaylistEntry[] = []
  readonly #base: URL
  readonly #limit: number

  constructor(base: URL, limit: number) {
    this.#base = base
    this.#limit = limit
  }

  get isFull(): boolean {
    return this.all.length >= this.#limit
  }

  add(address: string, title: string | null | undefined, lengthMs: number): void {
    // `mms:` is what players of old say for a stream by HTTP; behind a bar Kodi has headers of its own.
    const bar = address.indexOf('|')
    const hasHeaders = bar > 0 && /^[\w-]{1,40}=/.test(address.slice(bar + 1))
    const plain = (hasHeaders ? address.slice(0, bar) : address).replace(/^mmsh?:/i, 'http:')
    const url = URL.parse(plain, this.#base.href)
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
    if (this.isFull || !isWeb || url.href.length > URL_MAX_CHARS) return
    this.all.push({ url: url.href, title: normalizeTitle(title), lengthMs })
  }
}

export function milliseconds(text: string | null | undefined, unit: number): number {
  const value = Number(text ?? 0) * unit
  return Number.isFinite(value) && value > 0 && value < Number.MAX_SAFE_INTEGER ? Math.round(value) : 0
}

/** A line is cut here. No address or tag that is played is longer. */
const LINE_MAX_CHARS = 4096

/** The lines of a playlist, trimmed and cut at 4,096 characters; empty lines are left out. Reads the text once. */
export function* playlistLines(text: string): Generator<string> {
  for (const [line] of text.matchAll(/[^\r\n]+/g)) {
    const kept = line.slice(0, LINE_MAX_CHARS).trim()
    if (kept !== '') yield kept
  }
}

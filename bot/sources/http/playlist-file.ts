import { SaxesParser } from 'saxes'
import { playlistLines } from './playlist-lines.ts'
import { normalizeTitle } from './text.ts'

export interface Playlist {
  readonly title: string | null
  /** In their order; only http and https. */
  readonly entries: readonly PlaylistEntry[]
}

export interface PlaylistEntry {
  readonly url: string
  readonly title: string | null
  /** 0 when the playlist does not say. */
  readonly lengthMs: number
}

const URL_MAX_CHARS = 2048
/** Text of one XSPF element. */
const TEXT_MAX_CHARS = 4096
/** Nesting and mistakes at which an XSPF playlist counts as read. */
const DEPTH_MAX = 32
const MISTAKES_MAX = 100
/** Parsed at once, before the bounds are checked. */
const PIECE_CHARS = 4096

/** What a playlist lists, at most `limit` entries. Relative addresses are those of `base`; what is no URL is left out. */
export function readPlaylist(format: 'm3u' | 'pls' | 'xspf', text: string, base: URL, limit = 100): Playlist {
  const found = new Entries(base, limit)
  const title = { m3u: readM3u, pls: readPls, xspf: readXspf }[format](text, found)
  return { title: normalizeTitle(title), entries: found.all }
}

/** What has been read so far. Takes no more than its bound. */
class Entries {
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
    const url = URL.parse(address, this.#base.href)
    const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
    if (this.isFull || !isWeb || url.href.length > URL_MAX_CHARS) return
    this.all.push({ url: url.href, title: normalizeTitle(title), lengthMs })
  }
}

/** Lines of addresses; `#EXTINF:seconds,title` may stand before each. @returns the playlist's title. */
function readM3u(text: string, found: Entries): string | null {
  let title: string | null = null
  let info: { readonly seconds: string | undefined; readonly title: string } | null = null
  for (const line of playlistLines(text)) {
    info = extinfOf(line) ?? info
    title = afterTag(line, '#PLAYLIST:') ?? title
    if (line.startsWith('#')) continue
    found.add(line, info?.title, milliseconds(info?.seconds, 1000))
    info = null
    if (found.isFull) break
  }
  return title
}

function extinfOf(line: string): { seconds: string | undefined; title: string } | null {
  const rest = afterTag(line, '#EXTINF:')
  if (rest === null) return null
  const comma = rest.indexOf(',')
  const seconds = /^-?[\d.]+/.exec(rest.trimStart())?.[0]
  return { seconds, title: comma < 0 ? '' : rest.slice(comma + 1) }
}

function afterTag(line: string, tag: string): string | null {
  return line.slice(0, tag.length).toUpperCase() === tag ? line.slice(tag.length) : null
}

/** `File1=…`, `Title1=…`, `Length1=seconds` in any order. */
function readPls(text: string, found: Entries): null {
  const values = new Map<string, string>()
  for (const line of playlistLines(text)) {
    const equals = line.indexOf('=')
    const name = equals < 0 ? '' : line.slice(0, equals).trim().toLowerCase()
    const value = line.slice(equals + 1).trim()
    if (/^(?:file|title|length)\d{1,24}$/.test(name) && value !== '') values.set(name, value)
  }
  const numbers = [...values.keys()].flatMap((name) => (name.startsWith('file') ? name.slice(4) : []))
  for (const n of numbers.toSorted((one, other) => Number(one) - Number(other))) {
    if (found.isFull) break
    found.add(values.get(`file${n}`) ?? '', values.get(`title${n}`), milliseconds(values.get(`length${n}`), 1000))
  }
  return null
}

/**
 * XML: `track` elements with `location`, `title`, `creator` and `duration`; a `title` outside them names the playlist.
 * Entities that the document defines itself are never expanded.
 */
function readXspf(text: string, found: Entries): string | null {
  let title: string | null = null
  let track: Map<string, string> | null = null
  let content = ''
  let depth = 0
  let mistakes = 0
  const parser = new SaxesParser()
  // Half of a playlist is better than none.
  parser.on('error', () => (mistakes += 1))
  parser.on('opentag', ({ name }) => {
    content = ''
    depth += 1
    if (name === 'track') track = new Map()
  })
  const onText = (part: string) => {
    if (content.length < TEXT_MAX_CHARS) content += part.slice(0, TEXT_MAX_CHARS)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', ({ name }) => {
    depth -= 1
    if (name === 'track' && track) {
      addTrack(track, found)
      track = null
    } else if (track && !track.has(name) && TRACK_PARTS.has(name)) track.set(name, content.trim())
    else if (!track && name === 'title') title ??= content
  })
  for (let at = 0; at < text.length; at += PIECE_CHARS) {
    parser.write(text.slice(at, at + PIECE_CHARS))
    if (found.isFull || depth > DEPTH_MAX || mistakes > MISTAKES_MAX) return title
  }
  parser.close()
  return title
}

const TRACK_PARTS: ReadonlySet<string> = new Set(['location', 'title', 'creator', 'duration'])

function addTrack(track: ReadonlyMap<string, string>, found: Entries): void {
  const title = track.get('title')
  const creator = track.get('creator')
  const name = creator && title ? `${creator} - ${title}` : title
  found.add(track.get('location') ?? '', name, milliseconds(track.get('duration'), 1))
}

function milliseconds(text: string | null | undefined, unit: number): number {
  const value = Number(text ?? 0) * unit
  return Number.isFinite(value) && value > 0 && value < Number.MAX_SAFE_INTEGER ? Math.round(value) : 0
}

import { SaxesParser } from 'saxes'
import { tidy } from './words.ts'

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

/** What a playlist lists, at most `limit` entries. Relative addresses are those of `base`; what is no URL is left out. */
export function readPlaylist(format: 'm3u' | 'pls' | 'xspf', text: string, base: URL, limit = 100): Playlist {
  const { title, entries } = { m3u: readM3u, pls: readPls, xspf: readXspf }[format](text)
  const usable = entries.flatMap(({ url, ...rest }) => {
    const absolute = URL.parse(url, base.href)
    const isWeb = absolute?.protocol === 'http:' || absolute?.protocol === 'https:'
    return isWeb && absolute.href.length <= 2048 ? [{ url: absolute.href, ...rest }] : []
  })
  return { title: tidy(title), entries: usable.slice(0, limit) }
}

/** Lines of addresses; `#EXTINF:seconds,title` may stand before each. */
function readM3u(text: string): Playlist {
  const entries: PlaylistEntry[] = []
  let title: string | null = null
  let info: RegExpExecArray | null = null
  for (const line of lines(text)) {
    info = /^#EXTINF:\s*(-?[\d.]+)?[^,]*,?(.*)$/i.exec(line) ?? info
    title = /^#PLAYLIST:(.*)$/i.exec(line)?.[1] ?? title
    if (line.startsWith('#')) continue
    entries.push({ url: line, title: tidy(info?.[2]), lengthMs: milliseconds(info?.[1], 1000) })
    info = null
  }
  return { title, entries }
}

/** `File1=…`, `Title1=…`, `Length1=seconds` in any order. */
function readPls(text: string): Playlist {
  const values = new Map<string, string>()
  for (const line of lines(text)) {
    const [, name, value] = /^([A-Za-z]+\d*)\s*=\s*(.*)$/.exec(line) ?? []
    if (name && value) values.set(name.toLowerCase(), value)
  }
  const numbers = [...values.keys()].flatMap((name) => /^file(\d+)$/.exec(name)?.[1] ?? [])
  const entries = numbers
    .toSorted((a, b) => Number(a) - Number(b))
    .map((n) => ({
      url: values.get(`file${n}`) ?? '',
      title: tidy(values.get(`title${n}`)),
      lengthMs: milliseconds(values.get(`length${n}`), 1000),
    }))
  return { title: null, entries }
}

/** XML: `track` elements with `location`, `title`, `creator` and `duration`; a `title` outside them names the playlist. */
function readXspf(text: string): Playlist {
  let title: string | null = null
  let track: Record<string, string> | null = null
  let content = ''
  const entries: PlaylistEntry[] = []
  const parser = new SaxesParser()
  // Half of a playlist is better than none.
  parser.on('error', () => {})
  parser.on('opentag', ({ name }) => {
    content = ''
    if (name === 'track') track = {}
  })
  parser.on('text', (part) => (content += part))
  parser.on('cdata', (part) => (content += part))
  parser.on('closetag', ({ name }) => {
    if (name === 'track' && track) {
      entries.push(toEntry(track))
      track = null
    } else if (track) track[name] ??= content.trim()
    else if (name === 'title') title ??= content
  })
  parser.write(text).close()
  return { title, entries }
}

function toEntry({ location = '', title, creator, duration }: Record<string, string>): PlaylistEntry {
  const name = creator && title ? `${creator} - ${title}` : title
  return { url: location, title: tidy(name), lengthMs: milliseconds(duration, 1) }
}

function milliseconds(text: string | null | undefined, unit: number): number {
  const value = Number(text ?? 0) * unit
  return Number.isFinite(value) && value > 0 && value < Number.MAX_SAFE_INTEGER ? Math.round(value) : 0
}

function lines(text: string): readonly string[] {
  return text
    .replace(/^\ufeff/, '')
    .split(/\r\n|\r|\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

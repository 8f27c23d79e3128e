import { playlistLines, Entries, milliseconds, type Playlist } from './playlist-entries.ts'
import { normalizeTitle } from '../http/text.ts'
import { readAsx, readXspf } from './xml-playlists.ts'

/** Reads at most `limit` entries of a playlist. Relative addresses resolve against `base`; invalid URLs are left out. */
export function readPlaylist(format: 'm3u' | 'pls' | 'xspf' | 'asx', text: string, base: URL, limit = 100): Playlist {
  const found = new Entries(base, limit)
  const title = { m3u: readM3u, pls: readPls, xspf: readXspf, asx: readAsx }[format](text, found)
  return { title: normalizeTitle(title), entries: found.all }
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

/** `File1=…`, `Title1=…`, `Length1=seconds` in any order; `Ref1=…` of Windows Media, and the `URL=…` of a link. */
function readPls(text: string, found: Entries): null {
  const values = new Map<string, string>()
  for (const line of playlistLines(text)) {
    const equals = line.indexOf('=')
    const key = equals < 0 ? '' : line.slice(0, equals).trim().toLowerCase()
    const name = key === 'url' ? 'file1' : key.replace(/^ref(?=\d)/, 'file')
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

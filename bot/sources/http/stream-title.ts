import { decodeText, endOfQuoted, normalizeTitle } from './text.ts'

const TITLE_START = "StreamTitle='"

/**
 * Title that an internet radio sends, in a block such as `StreamTitle='Artist - Title';StreamUrl='';`.
 * Null without one.
 */
export function streamTitleIn(block: Buffer): string | null {
  const end = block.indexOf(0)
  const text = decodeText(end < 0 ? block : block.subarray(0, end))
  const start = text.indexOf(TITLE_START)
  if (start < 0) return null
  const rest = text.slice(start + TITLE_START.length)
  // Titles hold apostrophes themselves, and some stations leave out the semicolon.
  const length = [rest.search(/';\s*(?:\w+=|$)/), rest.indexOf("';"), rest.lastIndexOf("'")].find((at) => at >= 0)
  return length === undefined ? null : normalizeTitle(withoutAttributes(rest.slice(0, length)))
}

/** `Artist - text="Title" song_spot="M" …`, and `title="…",artist="…",url="…"`, as stations with advertising send it. */
function withoutAttributes(title: string): string {
  const attributes = new Map<string, string>()
  let first = title.length
  for (let at = 0; ;) {
    const equals = title.indexOf('="', at)
    if (equals < 0) break
    const [name = ''] = /\w{1,40}$/.exec(title.slice(Math.max(at, equals - 40), equals)) ?? []
    first = Math.min(first, equals - name.length)
    const end = endOfQuoted(title, equals + 2)
    const value = title.slice(equals + 2, end).replaceAll(/\\(["\\])/g, '$1')
    if (!attributes.has(name.toLowerCase())) attributes.set(name.toLowerCase(), value.trim())
    at = end + 1
  }
  const song = attributes.get('text') ?? attributes.get('title')
  if (song === undefined) return title
  let before = title.slice(0, first).trim()
  while (before.endsWith('-')) before = before.slice(0, -1).trimEnd()
  const artist = before || (attributes.get('artist') ?? '')
  return [artist, song].filter((part) => part !== '').join(' - ')
}

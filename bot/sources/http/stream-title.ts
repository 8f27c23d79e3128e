import { decodeText } from './text.ts'

const TITLE_START = "StreamTitle='"

/**
 * What an internet radio says that it plays, in a block such as `StreamTitle='Artist - Title';StreamUrl='';`.
 * Null if it says nothing.
 */
export function streamTitleIn(block: Buffer): string | null {
  const end = block.indexOf(0)
  const text = decodeText(end < 0 ? block : block.subarray(0, end))
  const start = text.indexOf(TITLE_START)
  if (start < 0) return null
  const rest = text.slice(start + TITLE_START.length)
  // Titles hold apostrophes themselves, and some stations leave out the semicolon.
  const length = [rest.search(/';\s*(?:\w+=|$)/), rest.indexOf("';"), rest.lastIndexOf("'")].find((at) => at >= 0)
  return length === undefined ? null : withoutAttributes(rest.slice(0, length)).trim() || null
}

/** `Artist - text="Title" song_spot="M" …`, and `title="…",artist="…",url="…"`, as stations with advertising send it. */
function withoutAttributes(title: string): string {
  const first = /(?:^|[\s-])(\w+)="/.exec(title)
  const attributes = new Map<string, string>()
  for (const [, name = '', value = ''] of title.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)) {
    if (!attributes.has(name.toLowerCase()))
      attributes.set(name.toLowerCase(), value.replaceAll(/\\(["\\])/g, '$1').trim())
  }
  const song = attributes.get('text') ?? attributes.get('title')
  if (!first || song === undefined) return title
  const before = title
    .slice(0, first.index)
    .replace(/[\s-]+$/, '')
    .trim()
  const artist = before || (attributes.get('artist') ?? '')
  return [artist, song].filter((part) => part !== '').join(' - ')
}

import { SaxesParser } from 'saxes'
import { milliseconds, type Entries } from './playlist-entries.ts'

/** Text of one element. */
const TEXT_MAX_CHARS = 4096
/** Nesting and mistakes at which a playlist counts as read. */
const DEPTH_MAX = 32
const MISTAKES_MAX = 1000
/** Parsed at once, before the bounds are checked. */
const PIECE_CHARS = 4096

interface Listeners {
  readonly onOpen: (name: string, attributes: Readonly<Record<string, string>>) => void
  readonly onClose: (name: string, content: string) => void
}

/**
 * Reads XML as people write it: names in any case, mistakes. Names come in lower case and without a prefix. Entities that
 * the document defines itself are never expanded.
 */
function readXml(text: string, found: Entries, { onOpen, onClose }: Listeners): void {
  let content = ''
  let depth = 0
  let mistakes = 0
  const parser = new SaxesParser()
  // Half of a playlist is better than none.
  parser.on('error', () => (mistakes += 1))
  parser.on('opentag', ({ name, attributes }) => {
    content = ''
    depth += 1
    const named = Object.entries(attributes).map(([key, value]) => [key.toLowerCase(), value])
    onOpen(plainName(name), Object.fromEntries(named) as Record<string, string>)
  })
  const onText = (part: string) => {
    if (content.length < TEXT_MAX_CHARS) content += part.slice(0, TEXT_MAX_CHARS)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', ({ name }) => {
    depth -= 1
    onClose(plainName(name), content.trim())
  })
  const even = evenTags(text)
  for (let at = 0; at < even.length; at += PIECE_CHARS) {
    parser.write(even.slice(at, at + PIECE_CHARS))
    if (found.isFull || depth > DEPTH_MAX || mistakes > MISTAKES_MAX) return
  }
  parser.close()
}

/** Lowercases element names to match their ends, and escapes ampersands that begin no entity. */
function evenTags(text: string): string {
  const [start = '', ...rest] = text.split('<![CDATA[')
  const behind = rest.map((part) => {
    const end = part.indexOf(']]>')
    return end < 0 ? part : part.slice(0, end) + evenPart(part.slice(end))
  })
  return [evenPart(start), ...behind].join('<![CDATA[')
}

function evenPart(part: string): string {
  const named = part.replaceAll(/<\/?[A-Za-z][\w:.-]*/g, (tag) => tag.toLowerCase())
  return named.replaceAll(/&(?!#?\w{1,10};)/g, '&amp;')
}

function plainName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

const TRACK_PARTS: ReadonlySet<string> = new Set(['location', 'title', 'creator', 'duration'])

/** `track` elements with `location`, `title`, `creator` and `duration`; a `title` outside them names the playlist. */
export function readXspf(text: string, found: Entries): string | null {
  let title: string | null = null
  let track: Map<string, string> | null = null
  readXml(text, found, {
    onOpen: (name) => {
      if (name === 'track') track = new Map()
    },
    onClose: (name, content) => {
      if (name === 'track' && track) {
        addTrack(track, found)
        track = null
      } else if (track && !track.has(name) && TRACK_PARTS.has(name)) track.set(name, content)
      else if (!track && name === 'title') title ??= content
    },
  })
  return title
}

function addTrack(track: ReadonlyMap<string, string>, found: Entries): void {
  const title = track.get('title')
  const creator = track.get('creator')
  const name = creator && title ? `${creator} - ${title}` : title
  found.add(track.get('location') ?? '', name, milliseconds(track.get('duration'), 1))
}

/** Address attributes by element: ASX, SMIL with the WPL of Windows, and the B4S of Winamp. */
const ADDRESSES: Readonly<Record<string, string>> = {
  ref: 'href',
  entryref: 'href',
  media: 'src',
  audio: 'src',
  video: 'src',
  entry: 'playstring',
}

/** Elements with addresses, in an `entry` with a `title` or alone; a `title` outside names the playlist. */
export function readAsx(text: string, found: Entries): string | null {
  let title: string | null = null
  let entry: { addresses: string[]; title: string | null } | null = null
  const flush = () => {
    // Several are servers of the same: the next one is asked where the one before does not answer.
    for (const address of entry?.addresses ?? []) found.add(address, entry?.title, 0)
    entry = null
  }
  readXml(text, found, {
    onOpen: (name, attributes) => {
      if (name === 'entry') flush()
      if (name === 'entry') entry = { addresses: [], title: null }
      const address = attributes[ADDRESSES[name] ?? ''] ?? attributes['src'] ?? ''
      if (!(name in ADDRESSES) || address === '') return
      const plain = address.trim().replace(/^file:(?=https?:)/i, '')
      if (entry) entry.addresses.push(plain)
      else found.add(plain, attributes['title'], 0)
    },
    onClose: (name, content) => {
      if (name === 'entry') flush()
      if (name === 'title' && entry) entry.title ??= content
      else if (name === 'title') title ??= content
      if (name === 'name' && entry) entry.title ??= content
    },
  })
  flush()
  return title
}

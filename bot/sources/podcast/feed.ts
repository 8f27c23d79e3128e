import { SaxesParser, type SaxesTagPlain } from 'saxes'
import { normalizeTitle } from '../http/text.ts'
import { feedDate } from './feed-date.ts'

export interface FeedEpisode {
  readonly title: string | null
  readonly author: string | null
  readonly url: string
  /** 0 where the feed does not say. */
  readonly lengthMs: number
  /** Milliseconds since 1970; 0 where the feed does not say. */
  readonly publishedAtMs: number
  readonly artworkUrl: string | null
  /** A JSON file of Podcasting 2.0. */
  readonly chaptersUrl: string | null
}

export interface Feed {
  readonly title: string | null
  readonly author: string | null
  readonly artworkUrl: string | null
  /** The newest first. */
  readonly episodes: readonly FeedEpisode[]
}

/** Maximum episodes; the feed of a daily show has thousands. */
export const EPISODES_MAX = 200
/** Until this many, all are looked at, since some feeds begin with the oldest. */
const EPISODES_READ = 20_000
const DEPTH_MAX = 64
const MISTAKES_MAX = 1000
const TEXT_MAX_CHARS = 2000
/** Limit for one text, comment or tag, which the parser holds as a whole: the notes of an episode with pictures in them. */
const NODE_MAX_CHARS = 1024 * 1024
const URL_MAX_CHARS = 2048

type Parts = Map<string, string>

/**
 * Reads RSS 2.0 with the elements of Apple and of Podcasting 2.0, and Atom, piece by piece. Entities that the document
 * defines itself are never expanded, and what it has too much of is left out.
 * @param base what relative addresses are relative to.
 */
export function createFeedParser(base: URL) {
  const channel: Parts = new Map()
  let episodes: FeedEpisode[] = []
  let seen = 0
  let item: Parts | null = null
  let path: string[] = []
  let content = ''
  let mistakes = 0
  let isFeed = false
  let nodeChars = 0
  const parser = new SaxesParser()
  parser.on('comment', () => (nodeChars = 0))
  // Half of a feed is better than none.
  parser.on('error', () => (mistakes += 1))
  parser.on('opentag', (tag) => {
    const { name } = tag
    nodeChars = 0
    content = ''
    path.push(name)
    isFeed ||= path.length <= 2 && (name === 'rss' || name === 'feed')
    if (name === 'item' || name === 'entry') item = new Map()
    noteAttributes(tag, path.at(-2), item ?? channel)
  })
  const onText = (part: string) => {
    nodeChars = 0
    if (content.length < TEXT_MAX_CHARS) content += part.slice(0, TEXT_MAX_CHARS)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', ({ name }) => {
    nodeChars = 0
    path.pop()
    if (item && (name === 'item' || name === 'entry')) {
      const episode = toEpisode(item, base)
      seen += 1
      if (episode) episodes.push(episode)
      if (episodes.length >= 2 * EPISODES_MAX) episodes = newest(episodes)
      item = null
      return
    }
    noteText(item ?? channel, { name, parent: path.at(-1) ?? '', content })
  })
  return {
    /** Whether more of the file would change nothing. */
    get isFull(): boolean {
      return seen >= EPISODES_READ || path.length > DEPTH_MAX || mistakes > MISTAKES_MAX || nodeChars > NODE_MAX_CHARS
    },
    write: (text: string) => {
      nodeChars += text.length
      parser.write(text)
    },
    /** Returns the feed as read so far; null if the file is no feed. */
    end: (): Feed | null => {
      path = []
      if (!isFeed) return null
      const about = { title: normalizeTitle(channel.get('title')), author: authorIn(channel) }
      return { ...about, artworkUrl: pictureIn(channel, base), episodes: newest(episodes) }
    },
  }
}

const DATES = ['pubDate', 'published', 'dc:date', 'updated']

const TEXTS: ReadonlySet<string> = new Set([
  'title',
  ...DATES,
  'itunes:duration',
  'itunes:author',
  'author name',
  'image url',
])

function noteText(parts: Parts, { name, parent, content }: Readonly<Record<'name' | 'parent' | 'content', string>>) {
  const key = parent === 'image' || parent === 'author' ? `${parent} ${name}` : name
  const isDirect = ['item', 'entry', 'channel', 'feed', 'image', 'author'].includes(parent)
  if (isDirect && TEXTS.has(key) && !parts.has(key)) parts.set(key, content.trim())
}

/** Addresses stand in attributes. */
function noteAttributes({ name, attributes }: SaxesTagPlain, parent: string | undefined, parts: Parts): void {
  const set = (key: string, value: string | undefined) => {
    if (value !== undefined && !parts.has(key)) parts.set(key, value)
  }
  const isSound = !/^(?:image|text|application\/(?:pdf|epub))/i.test(attributes['type'] ?? '')
  if (name === 'enclosure' && isSound) set('enclosure', attributes['url'])
  if (name === 'link' && attributes['rel'] === 'enclosure' && isSound) set('enclosure', attributes['href'])
  if (name === 'itunes:image' && parent !== 'image') set('itunes:image', attributes['href'])
  if (name === 'podcast:chapters' && /json/i.test(attributes['type'] ?? 'json')) set('chapters', attributes['url'])
}

function toEpisode(parts: Parts, base: URL): FeedEpisode | null {
  const url = webAddress(parts.get('enclosure'), base)
  if (url === null) return null
  return {
    title: normalizeTitle(parts.get('title')),
    author: authorIn(parts),
    url,
    lengthMs: durationOf(parts.get('itunes:duration') ?? ''),
    publishedAtMs: feedDate(DATES.map((name) => parts.get(name)).find((text) => text !== undefined) ?? '') ?? 0,
    artworkUrl: pictureIn(parts, base),
    chaptersUrl: webAddress(parts.get('chapters'), base),
  }
}

/** Sorts by date, the newest first; episodes without a date follow in their order. */
function newest(episodes: readonly FeedEpisode[]): FeedEpisode[] {
  return episodes.toSorted((a, b) => b.publishedAtMs - a.publishedAtMs).slice(0, EPISODES_MAX)
}

function authorIn(parts: Parts): string | null {
  return normalizeTitle(parts.get('itunes:author') ?? parts.get('author name'))
}

function pictureIn(parts: Parts, base: URL): string | null {
  return webAddress(parts.get('itunes:image') ?? parts.get('image url'), base)
}

function webAddress(text: string | undefined, base: URL): string | null {
  const url = text === undefined || text.length > URL_MAX_CHARS ? null : URL.parse(text.trim(), base.href)
  const isWeb = url?.protocol === 'http:' || url?.protocol === 'https:'
  return isWeb && url.href.length <= URL_MAX_CHARS ? url.href : null
}

/** Seconds, or `1:02:45`. */
function durationOf(text: string): number {
  if (!/^\d{1,7}(?:\.\d{1,6})?$|^\d{1,3}(?::\d{1,2}){1,2}(?:\.\d{1,6})?$/.test(text.trim())) return 0
  return Math.round(text.split(':').reduce((seconds, part) => 60 * seconds + Number(part), 0) * 1000)
}

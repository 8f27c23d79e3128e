import { knownSource } from '../../../bot/sources/known-hosts.ts'
import { SOURCE_NAMES, type SourceName } from '../../../bot/sources/settings.ts'
import { plainQuery } from '../../../lib/music/plain-query.ts'

interface Search {
  readonly kind: 'search'
  /** Null: all of them in their order. */
  readonly source: SourceName | null
  readonly text: string
  /** Whether a search of YouTube is limited to YouTube Music. */
  readonly songsOnly: boolean
}

/** A parsed identifier of `loadtracks`. */
export type ParsedIdentifier =
  | Search
  /** A URL for `find` of the sources. `source`: the required one, where its prefix says so. */
  | { readonly kind: 'link'; readonly url: string; readonly source: SourceName | null }
  /** A list of YouTube, and the video of it that is meant. */
  | { readonly kind: 'list'; readonly list: string; readonly video: string }
  /** The endless mix that YouTube makes of a video. */
  | { readonly kind: 'mix'; readonly video: string }
  /** Recommendations for the track of this URL, which need not be of a source that recommends. */
  | { readonly kind: 'recommendations'; readonly seedUrl: string; readonly seedSource: SourceName }
  /** Nothing that a source could know. */
  | { readonly kind: 'nothing' }

/** Search prefixes of Lavalink, the plug-ins LavaSrc and Jellylink, and client libraries. */
const LAVALINK_PREFIXES: Readonly<Record<string, SourceName>> = {
  ytsearch: 'youtube',
  ytmsearch: 'youtube',
  scsearch: 'soundcloud',
  bcsearch: 'bandcamp',
  spsearch: 'spotify',
  dzsearch: 'deezer',
  amsearch: 'apple',
  jfsearch: 'jellyfin',
}

/** Every source that can be searched has one of its own name too: `radiosearch:`. */
const OWN_PREFIXES = SOURCE_NAMES.filter((name) => name !== 'http').map((name) => [`${name}search`, name] as const)

const SEARCH_PREFIXES: ReadonlyMap<string, SourceName | null> = new Map<string, SourceName | null>([
  ...Object.entries(LAVALINK_PREFIXES),
  ...OWN_PREFIXES,
  ['search', null],
])

const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
const PLAYLIST_ID = /^(?:PL|OLAK5uy_|UU|LL|FL)[A-Za-z0-9_-]{2,60}$/
const MIX_ID = /^RD[A-Za-z0-9_-]{2,60}$/
const NOTHING = { kind: 'nothing' } as const

/**
 * Reads an identifier as Lavalink does: a search with a prefix, a URL, the id of a video or playlist of YouTube, or else the
 * path of a file. Behind a search prefix a URL is a URL: clients put their default prefix before everything that they do
 * not know.
 */
export function readIdentifier(identifier: string, isOn: (source: SourceName) => boolean): ParsedIdentifier {
  const text = plainQuery(identifier)
  const { prefix, rest } = splitPrefix(text)
  const source = SEARCH_PREFIXES.get(prefix)
  if (source !== undefined) return readSearch({ source, text: plainQuery(rest), songsOnly: prefix === 'ytmsearch' })
  if (prefix === 'local') return inLibrary(rest)
  if (prefix === 'dzisrc') return ofDeezer(`isrc/${rest.replaceAll('-', '')}`)
  if (prefix === 'dzrec') return ofDeezer(`radio/${recommendationSeed(rest)}`)
  if (prefix === 'sprec') return ofSpotify(rest)
  return readUrl(text) ?? readBare(text, isOn)
}

function readSearch(search: Omit<Search, 'kind'>): ParsedIdentifier {
  const { text } = search
  if (text === '') return NOTHING
  return (isUrl(text) ? readUrl(text) : null) ?? { kind: 'search', ...search }
}

function readUrl(text: string): ParsedIdentifier | null {
  const url = isUrl(text) ? URL.parse(text) : withoutScheme(text)
  // Invalid URLs are refused with a message when they are requested.
  if (!url) return isUrl(text) ? { kind: 'link', url: text, source: null } : null
  if (url.protocol === 'file:') return inLibrary(decoded(url.pathname))
  return ofYouTube(url) ?? { kind: 'link', url: url.href, source: null }
}

/** A video in a list means the list, from that video on. */
function ofYouTube(url: URL): ParsedIdentifier | null {
  if (knownSource(url)?.name !== 'youtube') return null
  const list = url.searchParams.get('list') ?? ''
  const video = url.searchParams.get('v') ?? (url.hostname === 'youtu.be' ? url.pathname.slice(1) : '')
  if (!VIDEO_ID.test(video)) return null
  if (MIX_ID.test(list)) return { kind: 'mix', video }
  return PLAYLIST_ID.test(list) ? { kind: 'list', list, video } : null
}

function readBare(text: string, isOn: (source: SourceName) => boolean): ParsedIdentifier {
  if (text === '') return NOTHING
  const page = 'https://www.youtube.com'
  if (isOn('youtube') && VIDEO_ID.test(text)) return { kind: 'link', url: `${page}/watch?v=${text}`, source: null }
  if (isOn('youtube') && PLAYLIST_ID.test(text))
    return { kind: 'link', url: `${page}/playlist?list=${text}`, source: null }
  // Without a library there are no files: a path is then no more than words without a prefix.
  return isOn('library') ? inLibrary(text) : NOTHING
}

function inLibrary(path: string): ParsedIdentifier {
  const url = `library://file/${encodeURIComponent(path.toWellFormed())}`
  return path === '' ? NOTHING : { kind: 'link', url, source: 'library' }
}

function ofDeezer(path: string): ParsedIdentifier {
  return { kind: 'link', url: `deezer://${path}`, source: 'deezer' }
}

/** `seed_tracks=ID,…&…`, `mix:track:ID`, `mix:isrc:CODE` or the ID alone, as LavaSrc has them; of several seeds the first. */
function ofSpotify(text: string): ParsedIdentifier {
  const [, isrc] = /^mix:isrc:([A-Za-z0-9-]{12,15})$/.exec(text) ?? []
  if (isrc !== undefined) {
    return { kind: 'recommendations', seedUrl: `deezer://isrc/${isrc.replaceAll('-', '')}`, seedSource: 'deezer' }
  }
  const seeds = new URLSearchParams(text).get('seed_tracks') ?? text
  const [, id] = /^(?:mix:track:)?([A-Za-z0-9]{22})(?:,|$)/.exec(seeds) ?? []
  if (id === undefined) return NOTHING
  return { kind: 'recommendations', seedUrl: `https://open.spotify.com/track/${id}`, seedSource: 'spotify' }
}

/** `1090538082`, `track=1090538082` or `artist=27`. */
function recommendationSeed(text: string): string {
  const [kind, id] = text.includes('=') ? text.split('=', 2) : ['track', text]
  return `${kind}/${id}`
}

/** `www.youtube.com/watch?v=…` without a scheme, as people copy it, of hosts that are known. */
function withoutScheme(text: string): URL | null {
  const isAddress = /^[A-Za-z0-9.-]+\.[a-z]{2,4}\/\S+$/.test(text)
  const url = isAddress ? URL.parse(`https://${text}`) : null
  return url && knownSource(url) ? url : null
}

/** The words before the first colon, where they look like a prefix; never the scheme of a URL. */
function splitPrefix(text: string): { readonly prefix: string; readonly rest: string } {
  const end = text.indexOf(':')
  const isPrefix = end > 0 && end <= 32 && !text.startsWith('//', end + 1)
  if (!isPrefix) return { prefix: '', rest: text }
  return { prefix: text.slice(0, end).toLowerCase(), rest: text.slice(end + 1).trim() }
}

function isUrl(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

import { createLru } from '../../../lib/sharing/lru.ts'
import { unplayable } from '../../../lib/errors.ts'
import { isOutgoingSpent, outgoingBudget, TOO_MANY_OUTGOING } from '../../../lib/request-context.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import type { Playlist, PlaylistEntry } from '../playlists/playlist-entries.ts'
import type { Probed } from './probed.ts'
import type { Reader } from '../library/reader.ts'
import type { Uploads } from '../uploads/uploads.ts'
import type { Found, Playable, Source } from '../source.ts'
import { decodedPath, normalizeTitle, titleOfFile } from './text.ts'

type ProbedAudio = Extract<Probed, { kind: 'audio' }>

/** A playlist may name playlists, which may name others. */
const DEPTH_MAX = 3
/** The first entries of a playlist are looked at before they are queued, the others when their turn comes. */
const ENTRIES_PROBED = 20
const PROBES_AT_ONCE = 4
/** Maximum tracks of a playlist, nested playlists included. */
const TRACKS_MAX = 100
/** A URL that was just searched for is opened a moment later; what it leads to may change within the hour. */
const MEMORY_MS = 5 * 60_000
const MEMORY_MAX = 500

interface Search {
  readonly signal: AbortSignal
  /** Playlists that were read already: each is read once. */
  readonly playlists: Set<string>
}

interface HttpOptions {
  readonly reader: Reader
  /** Finds the episodes of a podcast's feed. @throws {Fault} if no source plays podcasts. */
  readonly findInFeed: (url: string, signal: AbortSignal) => Promise<Found>
  /** Files whose addresses expire. */
  readonly uploads: Pick<Uploads, 'find'> | null
}

/** Audio files and internet radios that callers name by URL, and playlists of them. */
export function createHttpSource({ reader, findInFeed, uploads }: HttpOptions): Source {
  const memory = createLru<string, Probed>(MEMORY_MAX, { ttl: MEMORY_MS })

  async function probe(url: string, signal: AbortSignal): Promise<Probed> {
    const known = memory.get(url)
    if (known) return known
    const probed = await reader.run('probe', { url, outgoing: outgoingBudget() }, signal)
    memory.set(url, probed)
    return probed
  }

  async function resolve(url: string, search: Search, depth = 0): Promise<Found> {
    const probed = await probe(url, search.signal)
    if (probed.kind === 'audio') return { tracks: [toTrackInfo(url, probed)], playlist: null }
    if (probed.kind === 'feed') return findInFeed(url, search.signal)
    if (search.playlists.has(url)) throw unplayable('This playlist refers to itself.')
    if (depth === DEPTH_MAX) throw unplayable('This playlist contains too many nested playlists.')
    search.playlists.add(url)
    return resolvePlaylist(url, probed.playlist, (entry) => resolve(entry, search, depth + 1))
  }

  /** Null if the address itself is to be asked. */
  async function openKept(url: string, signal: AbortSignal): Promise<Playable | null> {
    const kept = await uploads?.find(url)
    const facts = kept && (await reader.run('readFile', kept, signal))
    return facts ? { kind: 'file', path: kept.path, codec: facts.codec } : null
  }

  return {
    name: 'http',
    sourceName: 'http',
    claims: ({ protocol }) => protocol === 'http:' || protocol === 'https:',
    resolve: (url, signal) => resolve(url.href, { signal, playlists: new Set() }),
    search: async () => [],
    // Nothing in the token is believed but the address, and that is looked at like any other.
    open: async ({ identifier }, signal, isFresh): Promise<Playable> => {
      const kept = await openKept(identifier, signal)
      if (kept) return kept
      if (isFresh) memory.delete(identifier)
      const probed = await probe(identifier, signal)
      if (probed.kind === 'playlist') throw unplayable('This is a playlist, not a track.')
      if (probed.kind === 'feed') throw unplayable('This is a podcast feed, not an episode.')
      return toPlayable(identifier, probed)
    },
    chapters: async ({ identifier: url, isStream }, signal) =>
      isStream ? [] : reader.run('chapters', { url, outgoing: outgoingBudget() }, signal),
    close: () => memory.clear(),
  }
}

function toPlayable(url: string, { hlsUrl, hlsVariables: variables, facts, isStream }: ProbedAudio): Playable {
  if (hlsUrl !== null) return { kind: 'hls', url: hlsUrl, ...(variables && { variables }), codec: 'other', isStream }
  return { kind: 'http', url, codec: facts.codec, isStream }
}

/** A station's playlist names several servers of the same stream: one plays. Any other names tracks: all are found. */
async function resolvePlaylist(url: string, { title, entries }: Playlist, resolve: (url: string) => Promise<Found>) {
  const found: TrackInfo[] = []
  const first = entries.slice(0, ENTRIES_PROBED)
  const unread: PlaylistEntry[] = []
  let failure: unknown = unplayable('This playlist has nothing playable.')
  while (first.length > 0 && !isOutgoingSpent()) {
    // One at a time until something plays, since that may be the station.
    const some = first.splice(0, found.length === 0 ? 1 : PROBES_AT_ONCE)
    const outcomes = await Promise.allSettled(some.map((entry) => resolveEntry(entry, resolve)))
    for (const outcome of outcomes) {
      if (outcome.status === 'rejected') failure = outcome.reason
      else found.push(...outcome.value)
    }
    if (isOutgoingSpent()) unread.push(...some.filter((_, at) => outcomes[at]?.status === 'rejected'))
    if (found[0]?.isStream) return { tracks: found.slice(0, 1), playlist: null }
  }
  if (found.length === 0) throw isOutgoingSpent() ? unplayable(TOO_MANY_OUTGOING) : failure
  const later = [...unread, ...first, ...entries.slice(ENTRIES_PROBED)].map(unprobed)
  return { tracks: [...found, ...later].slice(0, TRACKS_MAX), playlist: title ?? titleOfUrl(url) }
}

async function resolveEntry(entry: PlaylistEntry, resolve: (url: string) => Promise<Found>) {
  const { tracks } = await resolve(entry.url)
  const [only, ...others] = tracks
  // A file without tags is better named by the playlist than by its file name.
  const isNamed = others.length > 0 || !entry.title || only?.title !== titleOfUrl(entry.url)
  return isNamed || !only ? tracks : [{ ...only, title: entry.title }]
}

function unprobed({ url, title, lengthMs }: PlaylistEntry): TrackInfo {
  const name = title ?? titleOfUrl(url)
  return { ...webTrack(url), title: name, lengthMs, isStream: false, isrc: null, probe: null }
}

function toTrackInfo(url: string, { facts, isStream, name }: ProbedAudio): TrackInfo {
  const base = webTrack(url)
  return {
    ...base,
    title: (isStream ? null : normalizeTitle(facts.title)) ?? normalizeTitle(name) ?? titleOfUrl(url),
    author: (isStream ? null : normalizeTitle(facts.artist)) ?? base.author,
    lengthMs: facts.lengthMs,
    isStream,
    isrc: normalizeTitle(facts.isrc),
    probe: facts.probe,
  }
}

function webTrack(url: string) {
  return { author: new URL(url).host, identifier: url, uri: url, artworkUrl: null, sourceName: 'http' }
}

function titleOfUrl(url: string): string {
  const { host, pathname } = new URL(url)
  const last = pathname.split('/').findLast((part) => part !== '' && !part.startsWith(';')) ?? ''
  return titleOfFile(decodedPath(last)) ?? host
}

import { abortable } from '../../../lib/deadline.ts'
import { runForProject } from '../../../lib/request-context.ts'
import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import type { FoundList, ListKind, Sources } from '../../../bot/sources/source.ts'
import type { SourceName } from '../../../bot/sources/settings.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import type { JsonObject, TrackObject } from '../protocol/track.ts'
import { readIdentifier } from '../tracks/identifier.ts'
import { lavalinkName } from '../tracks/source-names.ts'
import { toTrackObject } from '../tracks/track-object.ts'

/** A list without its tracks, as the plug-in LavaSearch answers it. Its `url` is for `loadtracks`. */
interface ListObject {
  readonly info: { readonly name: string; readonly selectedTrack: -1 }
  readonly pluginInfo: JsonObject
  readonly tracks: readonly []
}

export interface SearchObject {
  readonly tracks: readonly TrackObject[]
  readonly albums: readonly ListObject[]
  readonly artists: readonly ListObject[]
  readonly playlists: readonly ListObject[]
  /** Suggestions of words: no source of ours has any. */
  readonly texts: readonly []
  readonly plugin: JsonObject
}

export const SEARCH_TYPES = ['track', 'album', 'artist', 'playlist', 'text'] as const
export type SearchType = (typeof SEARCH_TYPES)[number]

interface LoadSearchOptions {
  readonly sources: Pick<Sources, 'names' | 'search' | 'lists'>
  /** Deadline of one search. Defaults to 9.5 s, since clients wait for ten. */
  readonly searchMs?: number
}

interface SearchRequest {
  /** Search text with the prefix of a source, or without one for all that play. */
  readonly query: string
  /** Empty for all. */
  readonly types: readonly SearchType[]
}

/** @returns null where nothing is found. @throws {Fault} where no source could be asked */
export type LoadSearch = (
  request: SearchRequest,
  caller: NodeCaller,
  signal: AbortSignal,
) => Promise<SearchObject | null>

const SEARCH_MS = 9500
const TRACKS_MAX = 20
const LISTS_MAX = 10
/** Each asks for several things at once. */
const SEARCHES = { what: 'searches of lists', total: 48, share: 12, maxWaiting: 24, maxWaitMs: 5000 }

/** Tracks, albums, artists and playlists of a source by words. */
export function createLoadSearch({ sources, searchMs = SEARCH_MS }: LoadSearchOptions): LoadSearch {
  const searches = createFairShare(SEARCHES)
  return (request, { projectId }, signal) => {
    const ending = AbortSignal.any([signal, AbortSignal.timeout(searchMs)])
    const work = () => abortable(search(request, sources, ending), ending)
    return searches.run(projectId, () => runForProject(projectId, work), ending)
  }
}

async function search(
  { query, types }: SearchRequest,
  sources: LoadSearchOptions['sources'],
  signal: AbortSignal,
): Promise<SearchObject | null> {
  const asked = searchIn(query)
  const isOff = asked === null || (asked.source !== null && !sources.names.includes(asked.source))
  if (isOff) return null
  const { text } = asked
  const of = asked.source === null ? {} : { source: asked.source }
  const failures: unknown[] = []
  const ask = async <T>(type: SearchType, find: () => Promise<readonly T[]>): Promise<readonly T[]> => {
    if (types.length > 0 && !types.includes(type)) return []
    return find().catch((error: unknown) => (failures.push(error), []))
  }
  const lists = async (kind: ListKind) =>
    (await sources.lists({ kind, text, limit: LISTS_MAX, offset: 0, signal, ...of })).map(toListObject)
  const [tracks, albums, artists, playlists] = await Promise.all([
    ask('track', async () => (await sources.search(text, { limit: TRACKS_MAX, signal, ...of })).map(toTrackObject)),
    ask('album', () => lists('album')),
    ask('artist', () => lists('artist')),
    ask('playlist', () => lists(asked.source === 'podcast' ? 'podcast' : 'playlist')),
  ])
  const isEmpty = [tracks, albums, artists, playlists].every(({ length }) => length === 0)
  // Partial results are worth more than the failures of other kinds.
  if (isEmpty && failures.length > 0) throw failures[0]
  if (isEmpty) return null
  return { tracks, albums, artists, playlists, texts: [], plugin: {} }
}

/** Without a prefix, words are looked for everywhere. Null for what is no search. */
function searchIn(query: string): { readonly source: SourceName | null; readonly text: string } | null {
  const parsed = readIdentifier(query, () => false)
  if (parsed.kind === 'search') return parsed
  const text = query.trim()
  return parsed.kind === 'nothing' && text !== '' && !/^[a-z]{2,20}:/i.test(text) ? { source: null, text } : null
}

function toListObject({
  kind,
  title,
  author,
  trackCount,
  uri,
  artworkUrl,
  source,
}: FoundList & { source: string }): ListObject {
  const type = kind === 'podcast' ? 'playlist' : kind
  const pluginInfo = {
    type,
    url: uri,
    artworkUrl,
    author,
    totalTracks: trackCount,
    sourceName: lavalinkName(source as SourceName),
  }
  return { info: { name: title, selectedTrack: -1 }, pluginInfo, tracks: [] }
}

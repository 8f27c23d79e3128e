import { Fault, unprocessable } from '../../../lib/errors.ts'
import type { Found, Sources } from '../../../bot/sources/source.ts'
import { SOURCE_FACTS, type SourceName } from '../../../bot/sources/settings.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import type { ParsedIdentifier } from './identifier.ts'
import { isSourceName } from './source-names.ts'

/** Tracks found for an identifier. */
export type FoundTracks =
  | { readonly kind: 'track'; readonly track: TrackInfo }
  | {
      readonly kind: 'playlist'
      readonly name: string
      readonly tracks: readonly TrackInfo[]
      readonly selected: number
      /** Number of tracks that the list has at its site; null where unknown. */
      readonly total: number | null
    }
  | { readonly kind: 'search'; readonly tracks: readonly TrackInfo[] }
  | { readonly kind: 'empty' }

type TrackSources = Pick<Sources, 'names' | 'find' | 'search' | 'related'>

/** Results on a page of YouTube. */
const SEARCH_MAX = 20
const MIX_MAX = 25
const EMPTY = { kind: 'empty' } as const

/**
 * Finds the tracks of an identifier in the enabled sources.
 * @throws {Fault} with the reason of the source; not for what is not there, which is empty
 */
export async function findTracks(
  parsed: ParsedIdentifier,
  sources: TrackSources,
  signal: AbortSignal,
): Promise<FoundTracks> {
  try {
    switch (parsed.kind) {
      case 'nothing':
        return EMPTY
      case 'search':
        return await search(parsed, sources, signal)
      case 'list':
        return await listFrom(parsed, sources, signal)
      case 'mix':
        return await mixOf(parsed.video, sources, signal)
      case 'recommendations':
        return await recommend(parsed, sources, signal)
      case 'link':
        if (parsed.source !== null) assertOn(parsed.source, sources)
        return toFound(await sources.find(parsed.url, signal))
    }
  } catch (error) {
    if (error instanceof Fault && error.reason === 'nothing_found') return EMPTY
    throw error
  }
}

export function isOn(source: SourceName, { names }: Pick<Sources, 'names'>): boolean {
  return names.includes(source)
}

async function search(
  { source, text, songsOnly }: Extract<ParsedIdentifier, { kind: 'search' }>,
  sources: TrackSources,
  signal: AbortSignal,
): Promise<FoundTracks> {
  if (source !== null) assertOn(source, sources)
  const options = { limit: SEARCH_MAX, songsOnly, signal }
  const own = await sources.search(text, source === null ? options : { ...options, source })
  // Spotify requires a key for searches of its catalogue: what plays is found by the same words.
  const tracks = own.length === 0 && source === 'spotify' ? await sources.search(text, options) : own
  return tracks.length === 0 ? EMPTY : { kind: 'search', tracks }
}

function assertOn(source: SourceName, { names }: TrackSources): void {
  if (names.includes(source)) return
  const on = names.filter(isSourceName).map((name) => SOURCE_FACTS[name].title)
  const message = `${SOURCE_FACTS[source].title} is turned off on this node. It plays ${on.join(', ')}.`
  throw unprocessable('source_off', message)
}

/** A list that is private, or too new, need not keep its video from playing. */
async function listFrom(
  { list, video }: Extract<ParsedIdentifier, { kind: 'list' }>,
  sources: TrackSources,
  signal: AbortSignal,
): Promise<FoundTracks> {
  try {
    const found = toFound(await sources.find(`https://www.youtube.com/playlist?list=${list}`, signal))
    if (found.kind !== 'playlist') return found
    return { ...found, selected: found.tracks.findIndex(({ identifier }) => identifier === video) }
  } catch (error) {
    if (!(error instanceof Fault) || error.code !== 'validation_error' || error.reason === 'source_off') throw error
    return toFound(await sources.find(videoUrl(video), signal))
  }
}

async function mixOf(video: string, sources: TrackSources, signal: AbortSignal): Promise<FoundTracks> {
  const { tracks } = await sources.find(videoUrl(video), signal)
  const [first] = tracks
  if (!first) return EMPTY
  const more = await sources.related(first, MIX_MAX - 1, signal)
  if (more.length === 0) return { kind: 'track', track: first }
  return { kind: 'playlist', name: `Mix - ${first.title}`, tracks: [first, ...more], selected: 0, total: null }
}

/**
 * Spotify recommends nothing without a key. Deezer does, to the song of the same name there; without Deezer, a source that
 * plays the song.
 */
async function recommend(
  { seedUrl, seedSource }: Extract<ParsedIdentifier, { kind: 'recommendations' }>,
  sources: TrackSources,
  signal: AbortSignal,
): Promise<FoundTracks> {
  assertOn(seedSource, sources)
  const [seed] = (await sources.find(seedUrl, signal)).tracks
  if (!seed) return EMPTY
  const words = `${seed.author} ${seed.title}`
  const hasDeezer = isOn('deezer', sources)
  const options = { limit: 1, signal, ...(hasDeezer && { source: 'deezer' as const }) }
  const [same] = seed.sourceName === 'deezer' ? [seed] : await sources.search(words, options)
  if (!same) return EMPTY
  if (hasDeezer) return toFound(await sources.find(`deezer://radio/track/${same.identifier}`, signal))
  const tracks = await sources.related(same, SEARCH_MAX, signal)
  return tracks.length === 0 ? EMPTY : { kind: 'playlist', name: 'Recommendations', tracks, selected: -1, total: null }
}

function toFound({ tracks, playlist, total = null }: Found): FoundTracks {
  const [track] = tracks
  if (playlist !== null) return { kind: 'playlist', name: playlist, tracks, selected: -1, total }
  return track ? { kind: 'track', track } : EMPTY
}

function videoUrl(video: string): string {
  return `https://www.youtube.com/watch?v=${video}`
}

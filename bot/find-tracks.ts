import { Fault, unplayable } from '../lib/errors.ts'
import type { QueuedTrack } from './player/player-parts.ts'
import type { ListRequest, Sources } from './sources/source.ts'
import { decodeToken, encodeToken } from './tracks/track-token.ts'
import { toTrack, type EncodedTrack, type TrackInfo } from './tracks/track.ts'

/** A source may take this long to find what a query means. */
const FIND_TIMEOUT_MS = 10_000

/** A track and the name of the source that found it. */
export type FoundEncodedTrack = EncodedTrack & { readonly source: string }

/** The tracks that are asked for: exactly one of `query`, `encoded` and `playlist` is given. */
export interface TrackRequest {
  readonly query?: string
  readonly encoded?: string
  /** Tokens; what cannot be played is passed over when its turn comes. */
  readonly playlist?: readonly string[]
  /** `query` is the address of a file that a member sent along, which expires. */
  readonly isUpload?: boolean
  /** The Discord user who asks; none for REST callers. */
  readonly requesterId?: string
}

/** At least one track, of which the first is played or queued first. */
export interface FoundTracks {
  readonly tracks: readonly QueuedTrack[]
  /** Number of tracks in the list that was asked for, found or not; null for a single track. */
  readonly total: number | null
}

export function findLists(sources: Sources, request: ListRequest & { readonly source?: string }) {
  const signal = AbortSignal.timeout(FIND_TIMEOUT_MS)
  return inTime(signal, sources.lists({ ...request, signal }))
}

export async function searchTracks(
  sources: Sources,
  { q, ...wish }: { readonly q: string; readonly limit: number; readonly source?: string },
): Promise<readonly FoundEncodedTrack[]> {
  const signal = AbortSignal.timeout(FIND_TIMEOUT_MS)
  const found = await inTime(signal, sources.search(q, { ...wish, signal }))
  return found.map((info) => Object.assign(toEncoded(info), { source: info.source }))
}

export async function findTracks(sources: Sources, projectId: string, wish: TrackRequest): Promise<FoundTracks> {
  const { query, encoded, playlist } = wish
  const requesterId = wish.requesterId ?? null
  const signal = AbortSignal.timeout(FIND_TIMEOUT_MS)
  if (encoded !== undefined) {
    const info = decodeToken(encoded)
    // A token is input: its source says now whether it can be played, not when its turn has come.
    await inTime(signal, sources.open(info, signal))
    return { tracks: [{ info, encoded: encodeToken(info), requesterId }], total: null }
  }
  if (playlist !== undefined) {
    const saved = playlist.map((token) => ({ info: decodeToken(token), encoded: token, requesterId }))
    return { tracks: saved, total: saved.length }
  }
  if (query === undefined) throw unplayable('Send either `query` or `track`.')
  const found = await inTime(signal, sources.find(query, signal))
  const { tracks } = found
  const [only, ...others] = tracks
  // A playlist names addresses of others.
  if (wish.isUpload && only && others.length === 0 && !only.isStream) sources.keep(only.identifier, projectId)
  return {
    tracks: tracks.map((info) => ({ info, encoded: encodeToken(info), requesterId })),
    total: found.playlist === null ? null : Math.max(found.total ?? 0, tracks.length),
  }
}

/** @throws {Fault} `service_unavailable` where a source is too slow. */
async function inTime<T>(signal: AbortSignal, task: Promise<T>): Promise<T> {
  try {
    return await task
  } catch (err) {
    if (!signal.aborted || err instanceof Fault) throw err
    const message = "The source didn't respond in time. Try again."
    throw new Fault('service_unavailable', message, { reason: 'unreachable', cause: err })
  }
}

function toEncoded(info: TrackInfo): EncodedTrack {
  return { ...toTrack(info), encoded: encodeToken(info) }
}

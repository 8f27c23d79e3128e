import type { Playable } from '../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import type { LoadResult } from '../protocol/load-result.ts'
import type { TrackObject } from '../protocol/track.ts'

/** Finds, reads and opens tracks for the bots of others. */
export interface TrackService {
  /** Loads an identifier: a search with a prefix, a URL, or a source's name of a track. Never throws a Fault. */
  load(identifier: string, caller: NodeCaller, signal: AbortSignal): Promise<LoadResult>
  /** Exactly one track, for `track.identifier` of a player. @throws {Fault} that becomes a 400 */
  resolve(identifier: string, caller: NodeCaller, signal: AbortSignal): Promise<TrackInfo>
  /** @throws {Fault} `bad_request` for what is no token of a track */
  decode(encoded: string): TrackObject
  /** The track behind a token, as `open` takes it. @throws {Fault} `bad_request` for what is no token of a track */
  read(encoded: string): TrackInfo
  encode(track: TrackInfo): TrackObject
  /** @param isFresh nothing remembered will do, since it did not play. @throws {Fault} when the track is not to be had */
  open(track: TrackInfo, signal: AbortSignal, isFresh?: boolean): Promise<Playable>
}

import { decodeToken, encodeToken } from '../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../bot/tracks/track.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { Fault } from '../../lib/errors.ts'
import { runForProject } from '../../lib/request-context.ts'
import { exceptionOf } from '../players/exceptions.ts'
import type { TrackObject } from '../protocol/track.ts'
import type { TrackService } from './track-service.ts'

/** What lavaplayer writes as the length of an endless stream, as near as a JSON number comes to it. */
const ENDLESS_MS = Number(0x7fff_ffff_ffff_ffffn)

/** Tracks of the service's own sources. */
export function createTrackService(sources: Pick<Sources, 'find' | 'open'>): TrackService {
  const find = (identifier: string, projectId: string, signal: AbortSignal) =>
    runForProject(projectId, () => sources.find(identifier, signal))
  return {
    async load(identifier, { projectId }, signal) {
      try {
        const { tracks, playlist } = await find(identifier, projectId, signal)
        const [first] = tracks
        if (!first) return { loadType: 'empty', data: null }
        if (playlist === null) return { loadType: 'track', data: encode(first) }
        const info = { name: playlist, selectedTrack: -1 }
        return { loadType: 'playlist', data: { info, pluginInfo: {}, tracks: tracks.map(encode) } }
      } catch (thrown) {
        if (thrown instanceof Fault && thrown.reason === 'nothing_found') return { loadType: 'empty', data: null }
        return { loadType: 'error', data: exceptionOf(thrown) }
      }
    },
    async resolve(identifier, { projectId }, signal) {
      const { tracks, playlist } = await find(identifier, projectId, signal)
      const [first] = tracks
      if (!first) throw new Fault('bad_request', 'No matches found for identifier')
      if (playlist !== null) throw new Fault('bad_request', 'Cannot play a playlist or search result')
      return first
    },
    decode: (encoded) => ({ ...encode(decodeToken(encoded)), encoded }),
    read: decodeToken,
    encode,
    open: (track, signal, isFresh) => sources.open(track, signal, isFresh),
  }
}

function encode(track: TrackInfo): TrackObject {
  const { identifier, author, title, uri, sourceName, artworkUrl, isrc, isStream, lengthMs } = track
  const length = isStream ? ENDLESS_MS : lengthMs
  const names = { identifier, author, title, uri, sourceName, artworkUrl, isrc }
  const info = { ...names, isSeekable: !isStream, isStream, length, position: 0 }
  return { encoded: encodeToken(track), info, pluginInfo: {}, userData: {} }
}

import { Fault } from '../../../lib/errors.ts'
import { decodeToken, encodeToken, ENDLESS, readToken } from '../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import { LONGEST } from '../protocol/json.ts'
import type { TrackObject } from '../protocol/track.ts'

/** A track of a source as it goes over the wire. */
export function toTrackObject(track: TrackInfo): TrackObject {
  const { identifier, author, title, isStream, lengthMs, sourceName, artworkUrl, isrc } = track
  const uri = track.uri ?? track.path ?? null
  // Clients bound their seeks by the length: one that is not known bounds none.
  const length = isStream || lengthMs <= 0 ? LONGEST : Math.round(lengthMs)
  const about = { identifier, author, length, isStream, title, uri, sourceName, artworkUrl, isrc }
  return wire(encodeToken({ ...track, uri }), { ...about, isSeekable: !isStream, position: 0 })
}

/**
 * Decodes a token of any writer, with the fields as the token states them.
 * @throws {Fault} `bad_request` for what is no token of a track
 */
export function decodeTrack(encoded: string): TrackObject {
  const token = asBadRequest(() => readToken(encoded))
  const { identifier, author, title, isStream, uri, sourceName, artworkUrl, isrc } = token
  const length = token.lengthMs < 0n || token.lengthMs === ENDLESS ? LONGEST : Number(token.lengthMs)
  const position = token.positionMs < 0n ? 0 : Number(token.positionMs)
  const about = { identifier, author, length, isStream, title, uri, sourceName, artworkUrl, isrc }
  return wire(encoded, { ...about, isSeekable: !isStream, position })
}

/** The track behind a token, as sources take it. @throws {Fault} `bad_request` for what is no token of a track */
export function readTrack(encoded: string): TrackInfo {
  return asBadRequest(() => decodeToken(encoded))
}

/** Clients search the address without a look whether there is one. */
function wire(encoded: string, info: TrackObject['info']): TrackObject {
  return { encoded, info: { ...info, uri: info.uri ?? info.identifier }, pluginInfo: {}, userData: {} }
}

function asBadRequest<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    throw cause instanceof Fault ? new Fault('bad_request', cause.message, { cause }) : cause
  }
}

import { badRequest, parseInput } from '../http/refusals.ts'
import { playerUpdateSchema, type PlayerUpdate, type VoiceState } from '../protocol/player.ts'
import type { JsonObject } from '../protocol/track.ts'

/** The requested track: another one, none, or the current one. */
export type WantedTrack =
  | { readonly is: 'encoded'; readonly encoded: string }
  | { readonly is: 'identifier'; readonly identifier: string }
  | { readonly is: 'none' }
  | { readonly is: 'unchanged' }

/** The changes to a player that a `PATCH` requests. Undefined fields stay unchanged. */
export interface PlayerIntent {
  readonly track: WantedTrack
  readonly userData: JsonObject | undefined
  readonly positionMs: number | undefined
  /** Null: the track's own end. */
  readonly endMs: number | null | undefined
  readonly volume: number | undefined
  readonly paused: boolean | undefined
  readonly filters: PlayerUpdate['filters']
  readonly voice: VoiceState | undefined
}

const MAX_VOLUME = 1000

/** @throws {Fault} `bad_request` for what Lavalink refuses. */
export function readIntent(body: unknown): PlayerIntent {
  const update = parseInput(playerUpdateSchema, body)
  const { position, endTime, volume, paused, filters } = update
  if (typeof endTime === 'number' && endTime <= 0) throw badRequest('End time must be greater than 0')
  return {
    track: wantedTrack(update),
    userData: update.track?.userData,
    positionMs: position === undefined ? undefined : Math.max(0, position),
    endMs: endTime,
    volume: volume === undefined ? undefined : Math.min(Math.max(volume, 0), MAX_VOLUME),
    paused,
    filters,
    voice: update.voice && wholeVoice(update.voice),
  }
}

function wantedTrack({ track, encodedTrack, identifier }: PlayerUpdate): WantedTrack {
  const isOlder = encodedTrack !== undefined || identifier !== undefined
  if (track && isOlder) throw badRequest('Cannot specify both track and encodedTrack/identifier')
  const wanted = track ?? { encoded: encodedTrack, identifier }
  if (wanted.encoded !== undefined && wanted.identifier !== undefined) {
    throw badRequest('Cannot specify both encodedTrack and identifier')
  }
  if (wanted.identifier !== undefined) return { is: 'identifier', identifier: wanted.identifier }
  if (wanted.encoded === undefined) return { is: 'unchanged' }
  return wanted.encoded === null ? { is: 'none' } : { is: 'encoded', encoded: wanted.encoded }
}

/** Discord sometimes names a voice server without an endpoint; a client that hands that on is told what is missing. */
function wholeVoice({ token, endpoint, sessionId, channelId }: NonNullable<PlayerUpdate['voice']>): VoiceState {
  if (!token?.trim() || !endpoint?.trim() || !sessionId?.trim() || !channelId?.trim()) {
    throw badRequest('token, endpoint, sessionId and channelId must be provided in voice state')
  }
  return { token, endpoint, sessionId, channelId }
}

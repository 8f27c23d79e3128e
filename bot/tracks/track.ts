/** A track as callers see it without its token. Shape: `api.md`, "Track". */
export interface Track {
  readonly title: string
  readonly author: string
  /** Milliseconds. 0 for a stream. */
  readonly lengthMs: number
  readonly uri: string | null
  readonly artworkUrl: string | null
  readonly isStream: boolean
}

/** The fields that identify a track in its token: all that Lavalink's track info version 3 holds. */
export interface TrackInfo extends Track {
  /** The source's own name for the track. Never a file path. */
  readonly identifier: string
  readonly isrc: string | null
  /** The source that can play it: `local`, `http`, … as in lavaplayer. */
  readonly sourceName: string
  /** Lavaplayer's container probe name (`mp3`, `flac`, `ogg`, `mp4`, `matroska/webm` …); only for `http` and `local`. */
  readonly probe: string | null
  /** Path of a file, from the folder of the library; only Lavalink clients see it. Tokens of theirs hold it as `uri`. */
  readonly path?: string
}

/** A track with the token that is accepted wherever a track is named. */
export interface EncodedTrack extends Track {
  readonly encoded: string
}

/** The Track shape of a fuller one. */
export function toTrack({ title, author, lengthMs, uri, artworkUrl, isStream }: Track): Track {
  return { title, author, lengthMs, uri, artworkUrl, isStream }
}

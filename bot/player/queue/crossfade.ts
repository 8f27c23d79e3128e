import type { AlbumPlace } from '../../sources/source.ts'
import type { TrackInfo } from '../../tracks/track.ts'

interface Side {
  readonly info: Pick<TrackInfo, 'isStream' | 'lengthMs'>
  /** Null if the tags say nothing. */
  readonly album: AlbumPlace | null
}

/**
 * Length of the overlap of a track and the next one; 0 joins them as they are. Each is heard alone for at least the length
 * of the overlap, or there is none. Consecutive tracks of an album are never mixed.
 * @param tempo a factor; of both.
 */
export function overlapOf(before: Side, next: Side, { crossfadeMs, tempo }: { crossfadeMs: number; tempo: number }) {
  const isTooShort = ({ info: { isStream, lengthMs } }: Side) =>
    isStream || (lengthMs > 0 && lengthMs / tempo < 2 * crossfadeMs)
  if (isTooShort(before) || isTooShort(next) || followsOnAlbum(before.album, next.album)) return 0
  return crossfadeMs
}

/** The next track of the disc, or the first one of the next disc. */
function followsOnAlbum(before: AlbumPlace | null, next: AlbumPlace | null): boolean {
  if (!before || !next || before.album !== next.album) return false
  const isNext = before.disc === next.disc && next.track === before.track + 1
  return isNext || (next.disc === before.disc + 1 && next.track === 1)
}

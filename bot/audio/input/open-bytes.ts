import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { ReadHlsWindow } from '../../sources/hls/hls-windows.ts'
import { openFileBytes, type Bytes } from './track-bytes.ts'
import { openHlsBytes } from './hls-bytes.ts'
import { openHttpBytes } from './http-bytes.ts'
import type { Audible } from '../node/protocol.ts'

/** How the audio thread reaches tracks that are elsewhere. */
export interface TrackAccess {
  readonly egress: Egress
  /** Fetches and parses playlists in another thread. */
  readonly readHlsWindow: ReadHlsWindow
}

/** Callbacks of a source while it is read. */
interface SourceNews {
  readonly onTitle: (title: string) => void
  /** A temporary failure, which is retried; a message for the player's trace. */
  readonly onTrouble: (text: string) => void
}

/** The bytes of a track; remote ones come through the egress guard. @throws {Fault} */
export function openTrackBytes(
  { egress, readHlsWindow }: TrackAccess,
  track: Audible,
  { onTitle = () => undefined, onTrouble = () => undefined }: Partial<SourceNews> = {},
): Promise<Bytes> {
  if (track.kind === 'file') return openFileBytes(track.path)
  if (track.kind === 'hls') return openHlsBytes({ egress, readHlsWindow, ...track, onTrouble })
  const guard = track.operatorHost === undefined ? egress : egress.allowing(track.operatorHost)
  return openHttpBytes({ ...track, egress: guard, onTitle, onTrouble })
}

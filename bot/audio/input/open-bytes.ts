import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { ReadHlsWindow } from '../../sources/http/hls-windows.ts'
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

/** What a source tells while it is read. */
interface SourceNews {
  readonly onTitle: (title: string) => void
  /** It failed for a moment, and is asked again. In plain words. */
  readonly onTrouble: (text: string) => void
}

/** The bytes of a track, fetched through the egress guard where it is elsewhere. @throws {Fault} */
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

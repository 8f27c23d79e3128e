import type { Egress } from '../../upstream/egress.ts'
import { openFileBytes, type Bytes } from './bytes.ts'
import { openHlsBytes } from './hls-bytes.ts'
import { openHttpBytes } from './http-bytes.ts'
import type { Audible } from './protocol.ts'

/** The bytes of a track, fetched through the egress guard where it is elsewhere. @throws {Fault} */
export function openTrackBytes(
  egress: Egress,
  track: Audible,
  onTitle: (title: string) => void = () => undefined,
): Promise<Bytes> {
  if (track.kind === 'file') return openFileBytes(track.path)
  if (track.kind === 'hls') return openHlsBytes({ egress, ...track })
  return openHttpBytes({ egress, ...track, onTitle })
}

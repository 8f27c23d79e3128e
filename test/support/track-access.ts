import type { TrackAccess } from '../../bot/audio/input/open-bytes.ts'
import { createHlsWindows } from '../../bot/sources/hls/hls-windows.ts'
import { createEgress, type Egress } from '../../upstream/egress/egress-guard.ts'

/** Access of an audio thread to tracks, with playlists read where the test runs. */
export function trackAccess(egress: Egress = createEgress({ allowHosts: ['127.0.0.1'] })): TrackAccess {
  return { egress, readHlsWindow: createHlsWindows(egress) }
}

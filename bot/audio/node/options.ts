import type { Quarantine } from '../../../lib/workers/quarantine.ts'
import type { Logger } from '../../../lib/log.ts'
import type { EgressOptions } from '../../../upstream/egress/egress-guard.ts'
import type { ReadHlsWindow } from '../../sources/hls/hls-windows.ts'
import type { Timings } from './timings.ts'
import type { SoundSettings, ThreadSetup } from './rpc.ts'

export interface AudioNodeOptions {
  readonly id: string
  readonly log: Logger
  /** False: no thread, everything happens in the caller's; then frames share it with all else. */
  readonly inThread: boolean
  /** A thread that has had no player for about so long ends, and starts with the next one. Defaults to never. */
  readonly idleMs?: number
  /** Further certificate authorities to trust, PEM. */
  readonly certificates: readonly string[]
  readonly egress: Pick<EgressOptions, 'allowHosts' | 'userAgent'>
  readonly sound?: SoundSettings
  readonly decoders?: ThreadSetup['decoders']
  /** Reads HLS playlists in a thread that plays nothing. Without it none can be played. */
  readonly readHlsWindow?: ReadHlsWindow
  /** Shared by all nodes: what ended one thread must not come to the next. */
  readonly quarantine?: Quarantine
  /** Node's own options for the thread; tests use it. */
  readonly execArgv?: readonly string[]
  /** Other timings than those of production; tests use it. */
  readonly timings?: Partial<Timings>
  /** Hosts, without ports, of voice servers that are not Discord's own, for players that get their voice from outside. */
  readonly voiceHosts?: readonly string[]
  readonly voiceTimings?: ThreadSetup['voice']
}

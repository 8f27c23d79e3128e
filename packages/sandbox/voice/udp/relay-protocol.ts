import type { MessagePort } from 'node:worker_threads'
import type { TransportMode } from './cipher.ts'
import type { UdpFaults } from './faults.ts'
import type { PacketReport } from './packet-meter.ts'

/** Messages between the voice server and its relay thread. */

/** One client's end of the UDP side, from op 0 until its session ends. */
export interface RelayPeer extends Audibility {
  readonly ssrc: number
  readonly guildId: string
  readonly channelId: string
  readonly userId: string
}

/** Whether a user is muted or deafened, by themselves or others. */
export interface Audibility {
  /** Whether the others of the channel are sent this client's packets. */
  readonly isHeard: boolean
  /** Whether this client is sent the packets of others. */
  readonly canHear: boolean
}

export type RelayOrder =
  | { readonly type: 'add'; readonly peer: RelayPeer }
  | { readonly type: 'remove'; readonly ssrc: number }
  | { readonly type: 'key'; readonly id: number; readonly key: RelayKey }
  | { readonly type: 'audibility'; readonly ssrc: number; readonly audibility: Audibility }
  | { readonly type: 'announced' | 'end-utterance'; readonly ssrc: number }
  | { readonly type: 'faults'; readonly guildId: string | null; readonly faults: UdpFaults }
  | { readonly type: 'ask'; readonly id: number; readonly question: RelayQuestion }
  | { readonly type: 'close' }

/** `report` is of one user and may begin it again, `counts` of all who ever spoke in a guild: packets by user. */
export type RelayQuestion =
  | { readonly about: 'report'; readonly guildId: string; readonly userId: string; readonly reset: boolean }
  | { readonly about: 'counts'; readonly guildId: string }

export interface RelayKey {
  readonly ssrc: number
  readonly mode: TransportMode
  readonly bytes: Uint8Array
}

/** `key`: it is in use. */
export interface RelayAnswers {
  readonly key: null
  readonly report: PacketReport
  readonly counts: ReadonlyMap<string, number>
}

export type RelayMessage =
  | { readonly type: 'listening'; readonly port: number }
  | { readonly type: 'answer'; readonly id: number; readonly answer: RelayAnswers[keyof RelayAnswers] }
  | { readonly type: 'closed' }

/** Opens one relay in the thread. */
export interface RelayOpening {
  readonly port: MessagePort
  /** Number of orders sent: packets that arrive after an order wait for it. */
  readonly sent: Int32Array
  /** Fixed result of each random draw of the network faults, 0 to 1; null for random ones. */
  readonly fixedChance: number | null
}

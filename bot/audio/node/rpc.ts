import { Fault, type FaultCode, type Problem } from '../../../lib/errors.ts'
import type { HlsRequest, HlsWindow } from '../../sources/http/hls-windows.ts'
import type { TrackStoreOptions } from '../cache/store.ts'
import type { DecoderSettings } from '../ffmpeg/decoder-sandbox.ts'
import type { Trace } from './flight-recorder.ts'
import type { Batch } from '../playback/frame-tee.ts'
import type { VoiceTimings } from '../voice/voice-session.ts'
import type {
  AudioEvent,
  JoinOptions,
  LayerPosition,
  LayerRequest,
  NextTrack,
  NodeStats,
  PlayerRef,
  PlayOptions,
  Sound,
} from './protocol.ts'

/** What can be asked of the thread: what goes in, what comes out. */
export interface Calls {
  join: { readonly input: JoinOptions; readonly output: void }
  leave: { readonly input: PlayerRef; readonly output: void }
  play: { readonly input: PlayOptions; readonly output: void }
  prepare: { readonly input: { readonly player: PlayerRef; readonly next: NextTrack | null }; readonly output: void }
  addLayer: { readonly input: { readonly player: PlayerRef; readonly layer: LayerRequest }; readonly output: void }
  setLayer: {
    readonly input: { readonly player: PlayerRef; readonly layerId: string; readonly volume: number }
    readonly output: void
  }
  removeLayer: { readonly input: { readonly player: PlayerRef; readonly layerId: string }; readonly output: void }
  layers: { readonly input: PlayerRef; readonly output: readonly LayerPosition[] }
  stop: { readonly input: PlayerRef; readonly output: void }
  setSound: { readonly input: { readonly player: PlayerRef; readonly sound: Sound }; readonly output: void }
  seek: { readonly input: { readonly player: PlayerRef; readonly positionMs: number }; readonly output: void }
  position: { readonly input: PlayerRef; readonly output: number }
  stats: { readonly input: null; readonly output: NodeStats }
  trace: { readonly input: PlayerRef; readonly output: Trace | null }
  /** Whether the player's frames are wanted as `sound`. */
  tap: { readonly input: { readonly player: PlayerRef; readonly isOpen: boolean }; readonly output: void }
  ping: { readonly input: null; readonly output: void }
  /** Leaves every channel and ends every child process. */
  close: { readonly input: null; readonly output: void }
}

export type CallName = keyof Calls

/** One of these for each call, so that its name and its input belong together. */
export type Call = { [Name in CallName]: { readonly name: Name; readonly input: Calls[Name]['input'] } }[CallName]

export type ToThread =
  | { readonly kind: 'call'; readonly id: number; readonly call: Call }
  | { readonly kind: 'voiceState'; readonly player: PlayerRef; readonly data: unknown }
  | { readonly kind: 'voiceServer'; readonly player: PlayerRef; readonly data: unknown }
  | { readonly kind: 'dropBot'; readonly botId: string }
  | HlsAnswer

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: PackedFault }
  /** What a player has sent; null: no more comes. */
  | { readonly kind: 'sound'; readonly player: PlayerRef; readonly batch: Batch | null }
  | { readonly kind: 'event'; readonly event: AudioEvent }
  | HlsQuestion
  | { readonly kind: 'log'; readonly level: LogLevel; readonly fields: object; readonly text: string }

/** Asks for a window of a playlist; null takes the question back. */
export interface HlsQuestion {
  readonly kind: 'hlsQuestion'
  readonly id: number
  readonly request: HlsRequest | null
}

export interface HlsAnswer {
  readonly kind: 'hlsAnswer'
  readonly id: number
  readonly answer: { readonly window: HlsWindow } | { readonly fault: PackedFault }
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error'

export interface SoundSettings {
  /** How loud every track is to be, in LUFS. */
  readonly targetLufs: number
  /** Where encoded tracks are kept, and how loud tracks are. */
  readonly cache: TrackStoreOptions
}

/** What the thread is told at its start. */
export interface ThreadSetup {
  /** PEM; trusted besides those that Node brings along. */
  readonly certificates: readonly string[]
  readonly egress: { readonly allowHosts: readonly string[] }
  /** Without it nothing is kept, and no track's loudness is known. */
  readonly sound?: SoundSettings | undefined
  /** Defaults to none. */
  readonly decoders?: DecoderSettings | undefined
  /** Other timings than those of production. */
  readonly voice?: Partial<VoiceTimings> | undefined
  /** Shared memory for the mark of the track that is worked on. */
  readonly marked: Int32Array
}

/** Either end of the line: a worker's port, or one of a MessageChannel. */
export interface Port {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/** A fault as it crosses; classes do not survive structured cloning. */
export interface PackedFault {
  readonly code: FaultCode
  readonly message: string
  readonly details?: readonly Problem[]
  readonly cause: string
}

/** Anything thrown, ready to cross. What is no fault is a bug of ours and tells callers nothing. */
export function packFault(error: unknown): PackedFault {
  if (!(error instanceof Fault)) {
    const message = 'The audio thread failed; this is a bug of ours.'
    return { code: 'internal_error', message, cause: describe(error) }
  }
  const { code, message, details, cause } = error
  return { code, message, cause: describe(cause), ...(details ? { details } : {}) }
}

export function unpackFault({ code, message, details, cause }: PackedFault): Fault {
  return new Fault(code, message, { cause, ...(details ? { details } : {}) })
}

/** An error as text for a log, its stack where it has one. */
export function describe(error: unknown): string {
  if (error instanceof Error) return error.stack ?? error.message
  return typeof error === 'string' ? error : JSON.stringify(error)
}

import type { EgressOptions } from '../../../upstream/egress/egress-guard.ts'
import { Fault, type FaultCode, type FaultReason, type Problem } from '../../../lib/errors.ts'
import type { HlsRequest, HlsWindow } from '../../sources/hls/hls-windows.ts'
import type { TrackStoreOptions } from '../cache/store.ts'
import type { DecoderSettings } from '../ffmpeg/decoder-sandbox.ts'
import type { Batch } from '../playback/frame-tee.ts'
import type { VoiceTimings } from '../voice/voice-timings.ts'
import type { AudioEvent, PlayerMethods, PlayerRef, SharedTime } from './protocol.ts'

/** Every method of an audio thread. The engine implements them; the main thread calls them by a proxy. */
export interface AudioMethods extends PlayerMethods {
  /** Whether the player's frames are wanted as `sound`. */
  tee(player: PlayerRef, isOpen: boolean): Promise<void>
  voiceStateUpdate(player: PlayerRef, data: unknown): Promise<void>
  voiceServerUpdate(player: PlayerRef, data: unknown): Promise<void>
  joinHeld(player: PlayerRef, isHeld: boolean): Promise<void>
  dropBot(botId: string): Promise<void>
  holdUntil(untilMs: number, orUntilMs: SharedTime | null): Promise<void>
  ping(): Promise<void>
  /** Leaves every channel and ends every child process. */
  close(): Promise<void>
}

/** The name of a method and its arguments; without an id nothing is answered. */
export interface Call {
  readonly kind: 'call'
  readonly id: number | null
  readonly name: string
  readonly args: readonly unknown[]
}

export type ToThread = Call | HlsAnswer

export type FromThread =
  | { readonly kind: 'answer'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'refusal'; readonly id: number; readonly fault: PackedFault }
  /** Frames sent by a player; null ends the stream. */
  | { readonly kind: 'sound'; readonly player: PlayerRef; readonly batch: Batch | null }
  | { readonly kind: 'events'; readonly events: readonly AudioEvent[] }
  | HlsQuestion
  | { readonly kind: 'log'; readonly level: LogLevel; readonly fields: object; readonly text: string }

/** Requests a window of a playlist; null cancels the request. */
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
  readonly targetLufs: number
  readonly cache: TrackStoreOptions
}

export interface ThreadSetup {
  /** PEM; trusted besides those that Node brings along. */
  readonly certificates: readonly string[]
  readonly egress: Pick<EgressOptions, 'allowHosts' | 'userAgent'>
  /** Without it nothing is kept, and no track's loudness is known. */
  readonly sound?: SoundSettings | undefined
  /** Defaults to none. */
  readonly decoders?: DecoderSettings | undefined
  /** Whether the packets of many players go out in one system call, where Linux allows it. Defaults to `auto`. */
  /** Other timings than those of production. */
  readonly voice?: Partial<VoiceTimings> | undefined
  /** Hosts of voice servers for `connectVoice`, besides Discord's own. */
  readonly voiceHosts?: readonly string[] | undefined
  /** Shared memory for the mark of the track that is worked on. */
  readonly marked: Int32Array
}

/** Either end of the line: a worker's port, or one of a MessageChannel. */
export interface Port {
  postMessage(message: unknown): void
  on(event: 'message', listener: (message: unknown) => void): unknown
}

/**
 * `own` with every method of `Methods` that it does not have itself: they go out as `call(name, args)`, so that a new
 * method needs its interface and its implementation alone.
 */
export function withRemoteMethods<Own extends object, Methods extends object>(
  own: Own,
  call: (name: keyof Methods & string, args: readonly unknown[]) => Promise<unknown>,
): Own & Omit<Methods, keyof Own> {
  const get = (target: Own, name: string | symbol): unknown => {
    const value: unknown = Reflect.get(target, name)
    if (typeof value === 'function') return value.bind(target) as unknown
    // `await` would otherwise take the proxy for a promise.
    if (name in target || typeof name === 'symbol' || name === 'then') return value
    return (...args: readonly unknown[]) => call(name as keyof Methods & string, args)
  }
  return new Proxy(own, { get }) as Own & Omit<Methods, keyof Own>
}

/** Calls a method by its name, on behalf of the other side. */
export async function callMethod(methods: object, { name, args }: Call): Promise<unknown> {
  const method: unknown = Reflect.get(methods, name)
  if (typeof method !== 'function') throw new Error(`Unknown method ${name}.`)
  return (await method.apply(methods, args)) as unknown
}

interface Pending {
  readonly resolve: (value: unknown) => void
  readonly reject: (fault: Fault) => void
  timer: NodeJS.Timeout
}

/** Calls to an audio thread that wait for their answers. */
export class PendingCalls {
  readonly #pending = new Map<number, Pending>()
  readonly #isSilent: () => boolean
  #lastId = 0

  /** `isSilent`: the thread says nothing at all, so that it either wakes up or is ended soon. */
  constructor(isSilent: () => boolean) {
    this.#isSilent = isSilent
  }

  /**
   * Gives the call a number, posts it, and waits for its answer.
   * @throws {Fault} when there is none in time, and at the end of a thread that is silent by then.
   */
  make(post: (id: number) => void, withinMs: number): Promise<unknown> {
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const onLate = () => {
        const pending = this.#pending.get(id)
        if (pending && this.#isSilent()) pending.timer = setTimeout(onLate, withinMs)
        else this.settle(id)?.reject(late())
      }
      this.#pending.set(id, { resolve, reject, timer: setTimeout(onLate, withinMs) })
      post(id)
    })
  }

  /** Takes the call out; undefined when it has been given up. */
  settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    clearTimeout(pending?.timer)
    return pending
  }

  rejectAll(fault: Fault): void {
    for (const id of this.#pending.keys()) this.settle(id)?.reject(fault)
  }
}

/** The thread has ended without being asked. */
export function gone(): Fault {
  const message = 'The audio thread restarts. Try again in a moment.'
  return new Fault('service_unavailable', message, { retryAfterMs: 1000 })
}

function late(): Fault {
  return new Fault('service_unavailable', "The audio thread didn't respond in time. Try again in a moment.")
}

/** A fault as it crosses; classes do not survive structured cloning. */
export interface PackedFault {
  readonly code: FaultCode
  readonly message: string
  readonly details?: readonly Problem[]
  readonly reason?: FaultReason
  readonly retryAfterMs?: number
  readonly cause: string
}

/** Serializes an error for the other thread. Errors other than `Fault` are bugs; callers see no details. */
export function packFault(error: unknown): PackedFault {
  if (!(error instanceof Fault)) {
    const message = 'The audio thread failed unexpectedly. Please report this.'
    return { code: 'internal_error', message, cause: describe(error) }
  }
  const { code, message, details, reason, retryAfterMs, cause } = error
  const wait = retryAfterMs !== undefined && { retryAfterMs }
  return { code, message, cause: describe(cause), ...(details && { details }), ...(reason && { reason }), ...wait }
}

export function unpackFault({ code, message, details, reason, retryAfterMs, cause }: PackedFault): Fault {
  const wait = retryAfterMs !== undefined && { retryAfterMs }
  return new Fault(code, message, { cause, reason, ...(details && { details }), ...wait })
}

/** An error as text for a log, with its stack if it has one. */
export function describe(error: unknown): string {
  if (error instanceof Error) return error.stack ?? error.message
  return typeof error === 'string' ? error : JSON.stringify(error)
}

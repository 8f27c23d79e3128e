import type { Fault } from '../../../lib/errors.ts'
import { FRAME_MS } from '../containers/opus.ts'
import { FrameStore } from './frame-store.ts'
import { FrameMemory } from './frame-memory.ts'

/**
 * 18 s ready to send; a source is asked for more when less than 14 s are left, so that its end is known before the
 * longest crossfade begins.
 */
const FULL_FRAMES = 18_000 / FRAME_MS
const LOW_FRAMES = 14_000 / FRAME_MS

/** Source of 20 ms Opus frames. */
export interface FrameSource {
  /** Position of the first frame, in 48 kHz samples from the start of the track. */
  readonly startSamples: number
  /** Distance between a frame's position and the earlier sound it decodes to. */
  readonly preSkip: number
  /** Track samples per sample of its frames; differs from 1 if the tempo is changed. */
  readonly tempo: number
  /** Gain applied to make it as loud as other tracks. */
  readonly gainDb: number
  /** End of the track's sound, in samples from its start; null while unknown. */
  readonly endSamples: number | null
  /** Frames that `take` gives at once. */
  readonly buffered: number
  /** Nothing follows what is buffered. */
  readonly isDone: boolean
  /** Why it ended early; null while it has not, or when it ended as it should. */
  readonly failure: Fault | null
  /** Set when passing through turned out to be impossible from here on: the rest has to be transcoded. */
  readonly needsTranscode: boolean
  /** The next frame, or null when none is ready. A caller that needs it for longer than half a second copies it. */
  take(): Buffer | null
  peek(): Buffer | null
  /** Resolves when that many frames are buffered, or no more will come. */
  ready(frames: number): Promise<void>
  close(): void
}

/** Frame memory for all tracks of a thread. */
const frameMemory = new FrameMemory()

interface FrameEnd {
  readonly endSamples?: number | null
  readonly failure?: Fault
  readonly needsTranscode?: boolean
}

interface FrameOrigin {
  readonly startSamples: number
  readonly preSkip: number
  readonly tempo?: number
  readonly gainDb?: number
  /** Called once, when the reader is done. */
  readonly onClose: () => void
  readonly memory?: FrameMemory
}

/** A bounded window of frames between one producer and the frame clock. */
export class FrameWindow implements FrameSource {
  readonly startSamples: number
  readonly preSkip: number
  readonly tempo: number
  readonly gainDb: number
  readonly #onClose: () => void
  readonly #frames: FrameStore
  #end: FrameEnd | null = null
  #isClosed = false
  #roomWaiter: (() => void) | null = null
  #frameWaiters: { frames: number; resolve: () => void }[] = []

  constructor({ startSamples, preSkip, tempo = 1, gainDb = 0, onClose, memory = frameMemory }: FrameOrigin) {
    this.startSamples = startSamples
    this.preSkip = preSkip
    this.tempo = tempo
    this.gainDb = gainDb
    this.#onClose = onClose
    this.#frames = new FrameStore(memory)
  }

  get buffered(): number {
    return this.#frames.size
  }

  get isDone(): boolean {
    return this.#end !== null || this.#isClosed
  }

  get isFull(): boolean {
    return this.buffered >= FULL_FRAMES
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  get failure(): Fault | null {
    return this.#end?.failure ?? null
  }

  get endSamples(): number | null {
    return this.#end?.endSamples ?? null
  }

  get needsTranscode(): boolean {
    return this.#end?.needsTranscode ?? false
  }

  /** Copies the frame. */
  push(frame: Buffer): void {
    if (this.isDone) return
    this.#frames.push(frame)
    if (this.#frameWaiters.length > 0) this.#notifyReady()
  }

  take(): Buffer | null {
    const frame = this.#frames.take()
    if (frame && this.#roomWaiter && this.buffered < LOW_FRAMES) this.#notifyRoom()
    return frame
  }

  peek(): Buffer | null {
    return this.#frames.peek()
  }

  /** Resolves at once while there is room, else when enough was taken or the reader is done. */
  room(): Promise<void> {
    if (!this.isFull || this.isDone) return Promise.resolve()
    return new Promise((resolve) => {
      this.#roomWaiter = resolve
    })
  }

  ready(frames: number): Promise<void> {
    if (this.buffered >= frames || this.isDone) return Promise.resolve()
    return new Promise((resolve) => {
      this.#frameWaiters.push({ frames, resolve })
    })
  }

  end(how: FrameEnd = {}): void {
    if (this.isDone) return
    this.#end = how
    this.#notifyReady()
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#frames.clear()
    this.#notifyRoom()
    this.#notifyReady()
    this.#onClose()
  }

  #notifyRoom(): void {
    this.#roomWaiter?.()
    this.#roomWaiter = null
  }

  #notifyReady(): void {
    const served = this.#frameWaiters.filter(({ frames }) => this.isDone || this.buffered >= frames)
    if (served.length === 0) return
    this.#frameWaiters = this.#frameWaiters.filter((want) => !served.includes(want))
    for (const { resolve } of served) resolve()
  }
}

import { LIBOPUS_PRE_SKIP, SAMPLES_PER_FRAME, SAMPLES_PER_MS, SILENCE } from '../containers/opus.ts'
import { CLIPPED_FROM_PERCENT } from '../ffmpeg/filter-graph.ts'
import type { FrameSource } from '../playback/frame-buffer.ts'
import { DecodedStream } from './decoded-stream.ts'
import { VALUES_PER_FRAME, type OpusCodec, type OpusCodecs } from './opus-codecs.ts'
import { RecentFrames } from './recent-frames.ts'
import { VolumeRamp } from './volume-ramp.ts'

/** So near to frames that are not its own (1.2 s), an encoder takes its time. */
const EDGE_FRAMES = 60
/** After this many frames, a new decoder has the same state as one that decoded all. */
const RECENT_FRAMES = 8
/** And an encoder after so many. */
const WARM_UP_FRAMES = 3

interface Session {
  readonly codec: OpusCodec
  stream: DecodedStream
  /** The codec's decoder that `stream` does not use. */
  other: 0 | 1
  outgoing: DecodedStream | null
}

/** The end of the previous track, under the start of the current one. */
interface Overlap {
  readonly source: FrameSource
  readonly frames: number
  /** Last frames sent of the previous track. */
  readonly recent: readonly Buffer[]
  /** Volume at which its frames were made. */
  readonly made: number
  doneFrames: number
}

/**
 * The last thing that frames go through. They pass untouched, but for a fade, where two tracks overlap, and while they
 * are made at another volume than the wanted one: those are decoded, mixed and encoded here, frame by frame, and start
 * with the next frame of any source.
 */
export class Fader {
  readonly #codecs: OpusCodecs | null
  /** Last frames sent of the current track. */
  readonly #recent = new RecentFrames(RECENT_FRAMES)
  #session: Session | null = null
  #overlap: Overlap | null = null
  /** 0 is silence, 1 as it is. */
  #phase = 1
  /** Gain change per sample; 0 while nothing fades. */
  #slope = 0
  readonly #volume = new VolumeRamp()
  /** Whether the fade-out is for a seek and is followed by a fade-in. */
  #isJumping = false
  #faded: PromiseWithResolvers<void> | null = null

  /** @param codecs null: nothing fades, and nothing overlaps. */
  constructor(codecs: OpusCodecs | null) {
    this.#codecs = codecs
  }

  /** Whether it has faded out and stays silent until it fades in. */
  get isSilent(): boolean {
    return this.#phase === 0 && this.#slope <= 0
  }

  get canOverlap(): boolean {
    return this.#codecs !== null && !this.#overlap
  }

  /**
   * Whether another volume is heard with the next frame, and on and on where no frames come that are made at it. Otherwise
   * it takes such frames.
   */
  get canScale(): boolean {
    return this.#session !== null || (this.#codecs?.isAvailable ?? false)
  }

  /** Sets the volume from the next frame on. @param volume percent. */
  follow({ volume, isMuted }: { readonly volume: number; readonly isMuted: boolean }): void {
    this.#volume.wanted = volume
    if (isMuted) this.#mute()
  }

  /** Sets the volume at which frames are made from the next one on, in percent. */
  set madeAt(percent: number) {
    this.#volume.made = percent
    if (this.isPlain) this.#release()
  }

  /** Resolves when it is silent. */
  fadeOut(ms: number): Promise<void> {
    // A fade-in that has not sounded yet ends at once, since frames that would end the fade never pass.
    if (this.#phase === 0) {
      this.#end(0)
      return Promise.resolve()
    }
    this.#slope = -1 / (ms * SAMPLES_PER_MS)
    this.#faded ??= Promise.withResolvers()
    return this.#faded.promise
  }

  /** Fades out before a jump to another position. @returns whether it is silent. */
  fadeOutForJump(ms: number): boolean {
    this.#isJumping = true
    if (!this.isSilent) void this.fadeOut(ms)
    return this.isSilent
  }

  /** Fades in after a jump, or after a cancelled one. No-op without `fadeOutForJump`. */
  fadeInAfterJump(ms: number): void {
    if (this.#isJumping) this.fadeIn(ms)
    this.#isJumping = false
  }

  /** Fades in from the current level, or from silence if `fromSilence`. */
  fadeIn(ms: number, fromSilence = false): void {
    if (fromSilence) {
      this.#phase = 0
      this.#volume.arrive()
    }
    this.#settle()
    if (this.#phase === 1 || ms === 0) this.#end(1)
    else this.#slope = 1 / (ms * SAMPLES_PER_MS)
  }

  /** Another track begins with the next frame; this one ends below it. Owns `source`: it is closed when it has. */
  overlap(source: FrameSource, frames: number): void {
    this.#dropOverlap()
    this.#overlap = { source, frames, recent: this.#recent.list(), made: this.#volume.made, doneFrames: 0 }
    this.#recent.clear()
    const session = this.#session
    if (!session) return
    session.outgoing = session.stream
    session.stream = new DecodedStream(session.codec.decoders[session.other])
    session.other = session.other === 0 ? 1 : 0
  }

  /** Called when the next frames do not continue the previous ones. */
  cut(): void {
    this.#dropOverlap()
    this.#recent.clear()
    if (this.#slope === 0) this.#release()
  }

  /** Nothing plays any more. */
  reset(): void {
    this.#isJumping = false
    this.cut()
    this.#volume.arrive()
    this.#end(1)
    this.#release()
  }

  /** No frame could be sent: it is silent as it is. */
  starve(): void {
    if (this.#slope < 0) this.#end(0)
    else if (this.#slope === 0 && !this.#overlap) this.#release()
  }

  /** No frame is heard until further notice. */
  #mute(): void {
    this.starve()
    this.cut()
    this.#volume.arrive()
  }

  /** @param source gives the frame behind it, as far as it is there. */
  pass(frame: Buffer, source: Pick<FrameSource, 'peek'>): Buffer {
    const out = this.isPlain ? frame : this.isSilent ? SILENCE : this.#mix(frame, source.peek())
    this.#recent.push(frame)
    return out
  }

  /** Frames pass through it as they are. */
  get isPlain(): boolean {
    return this.#phase === 1 && this.#slope === 0 && !this.#overlap && this.#volume.isPlain
  }

  #mix(frame: Buffer, following: Buffer | null): Buffer {
    const session = (this.#session ??= this.#begin(frame))
    if (!session) {
      this.#dropOverlap()
      this.#volume.fail()
      this.#end(this.#slope < 0 ? 0 : 1)
      return this.isSilent ? SILENCE : frame
    }
    const values = session.stream.take(frame, following)
    const outgoing = this.#takeOutgoing(session)
    const encoded = this.#encode(session, { values, outgoing, atFrame: 0 })
    this.#advance()
    return encoded
  }

  /** A decoder and an encoder, primed with the frames sent so far. Null if none is free. */
  #begin(frame: Buffer): Session | null {
    const codec = this.#codecs?.acquire() ?? null
    if (!codec) return null
    const overlap = this.#overlap
    const stream = new DecodedStream(codec.decoders[0])
    const outgoing = overlap && new DecodedStream(codec.decoders[1])
    const session: Session = { codec, stream, other: 1, outgoing }
    const isNew = overlap?.doneFrames === 0
    const recent = isNew ? overlap.recent : this.#recent.list()
    const next = isNew ? overlap.source.peek() : frame
    recent.forEach((sent, at) => {
      const atFrame = at - recent.length
      const heard = (isNew ? outgoing! : stream).take(sent, recent[at + 1] ?? next)
      if (atFrame < -WARM_UP_FRAMES) return
      const none = new Float32Array(VALUES_PER_FRAME)
      this.#encode(session, { values: isNew ? none : heard, outgoing: isNew ? heard : null, atFrame })
    })
    return session
  }

  #takeOutgoing(session: Session): Float32Array | null {
    const overlap = this.#overlap
    if (!overlap || !session.outgoing) return null
    const frame = overlap.source.take()
    return session.outgoing.take(frame, overlap.source.peek())
  }

  /** @param atFrame 0 for the frame of now. */
  #encode(
    { codec }: Session,
    { values, outgoing, atFrame }: { values: Float32Array; outgoing: Float32Array | null; atFrame: number },
  ): Buffer {
    const overlap = this.#overlap
    const gain = this.#volume.factors(this.#volume.made, atFrame === 0)
    const otherGain = overlap && this.#volume.factors(overlap.made, atFrame === 0)
    const from = atFrame * SAMPLES_PER_FRAME + LIBOPUS_PRE_SKIP
    for (let i = 0; i < SAMPLES_PER_FRAME; i++) {
      const fade = Math.sin((clamp(this.#phase + this.#slope * (from + i)) * Math.PI) / 2) ** 2
      const turn = overlap
        ? (clamp(overlap.doneFrames / overlap.frames + (from + i) / lengthOf(overlap)) * Math.PI) / 2
        : 0
      const own = fade * gain(i) * (overlap ? Math.sin(turn) : 1)
      const other = otherGain ? fade * otherGain(i) * Math.cos(turn) : 0
      for (const at of [2 * i, 2 * i + 1]) values[at] = own * values[at]! + (outgoing ? other * outgoing[at]! : 0)
    }
    if (this.#volume.loudest > CLIPPED_FROM_PERCENT)
      for (const [at, value] of values.entries()) values[at] = clip(value)
    return codec.encode(values, this.#isMidway ? 'quick' : 'thorough')
  }

  /** Far from the beginning and the end of an overlap. */
  get #isMidway(): boolean {
    if (!this.#overlap || this.#slope !== 0) return false
    const { doneFrames, frames } = this.#overlap
    return doneFrames >= EDGE_FRAMES && frames - doneFrames > EDGE_FRAMES
  }

  /** Past a frame that was sent. */
  #advance(): void {
    if (this.#overlap && ++this.#overlap.doneFrames >= this.#overlap.frames) this.#dropOverlap()
    this.#volume.arrive()
    this.#phase = clamp(this.#phase + this.#slope * SAMPLES_PER_FRAME)
    if (this.#slope > 0 && this.#phase === 1) this.#end(1)
    else if (this.#slope < 0 && this.#phase === 0) this.#end(0)
    else if (this.isPlain) this.#release()
  }

  /** The fade is over. */
  #end(phase: 0 | 1): void {
    this.#phase = phase
    this.#slope = 0
    this.#settle()
    if (phase === 0 || this.isPlain) this.#release()
  }

  #settle(): void {
    this.#faded?.resolve()
    this.#faded = null
  }

  #dropOverlap(): void {
    this.#overlap?.source.close()
    this.#overlap = null
    if (this.#session) this.#session.outgoing = null
  }

  #release(): void {
    if (this.#session) this.#codecs?.release(this.#session.codec)
    this.#session = null
  }
}

function lengthOf({ frames }: Overlap): number {
  return frames * SAMPLES_PER_FRAME
}

function clip(value: number): number {
  return Math.min(1, Math.max(-1, value))
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value))
}

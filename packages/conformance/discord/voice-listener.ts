import { createDecoder, type OpusDecoderHandle } from 'libopus-wasm'
import { Unmet } from '../suite/expect.ts'
import { RATE, type Sound } from '../sound/measure.ts'
import { OggReader } from './ogg.ts'
import type { Sandbox } from './sandbox.ts'

const KEPT_SECONDS = 30
/** OpusHead and OpusTags. */
const HEADERS = 2

export interface UntilOptions {
  /** The length of sound to test at a time. */
  readonly windowMs?: number
  readonly withinMs?: number
}

/** A listener in a voice channel: its sound is decrypted by the sandbox's listener, decoded here. */
export class VoiceListener {
  readonly #decoder: OpusDecoderHandle
  readonly #ending = new AbortController()
  readonly #frames: Float32Array[] = []
  #heardFrames = 0
  #keptFrames = 0
  #failure: Error | null = null
  readonly #watchers = new Set<() => void>()

  private constructor(decoder: OpusDecoderHandle) {
    this.#decoder = decoder
  }

  static async open(sandbox: Sandbox, guildId: string, channelId: string): Promise<VoiceListener> {
    const listener = new VoiceListener(await createDecoder())
    const stream = await sandbox.listen(guildId, channelId, listener.#ending.signal)
    void listener.#read(stream)
    return listener
  }

  /** The sound of the next milliseconds. */
  async hear(ms: number): Promise<Sound> {
    const from = this.#heardFrames
    const to = from + Math.round((ms * RATE) / 1000)
    while (this.#heardFrames < to) await this.#more()
    return this.#take(from, to)
  }

  /**
   * Listens until `fits` is true of the last window, and returns that.
   * @param what in words, for the report.
   */
  async until(
    what: string,
    fits: (sound: Sound) => boolean,
    { windowMs = 200, withinMs = 10_000 }: UntilOptions = {},
  ): Promise<Sound> {
    const window = Math.round((windowMs * RATE) / 1000)
    const begun = this.#heardFrames
    const end = begun + Math.round((withinMs * RATE) / 1000)
    let asked = begun
    while (this.#heardFrames < end) {
      await this.#more()
      if (this.#heardFrames < asked + window) continue
      asked = this.#heardFrames
      const sound = this.#take(asked - window, asked)
      if (fits(sound)) return sound
    }
    throw new Unmet(`Within ${withinMs} ms this is not heard: ${what}.`, what, 'something else')
  }

  close(): void {
    this.#ending.abort()
  }

  async #read(stream: ReadableStream<Uint8Array>): Promise<void> {
    const ogg = new OggReader()
    let packets = 0
    try {
      for await (const bytes of stream) {
        const come = ogg.push(bytes)
        for (const packet of come.slice(Math.max(0, HEADERS - packets))) this.#decode(packet)
        packets += come.length
        for (const watch of this.#watchers) watch()
      }
      this.#failure = new Error('The stream of the voice channel ended.')
    } catch (error) {
      this.#failure = error as Error
    } finally {
      this.#decoder.free()
      for (const watch of this.#watchers) watch()
    }
  }

  #decode(packet: Buffer): void {
    const values = this.#decoder.decodeFloat(packet, { maxFrameSize: 5760 })
    this.#frames.push(Float32Array.from(values))
    this.#heardFrames += values.length / 2
    this.#keptFrames += values.length / 2
    const [oldest] = this.#frames
    if (oldest && this.#keptFrames - oldest.length / 2 > KEPT_SECONDS * RATE) {
      this.#frames.shift()
      this.#keptFrames -= oldest.length / 2
    }
  }

  #more(): Promise<void> {
    if (this.#failure) throw this.#failure
    return new Promise((resolve, reject) => {
      const watch = () => {
        this.#watchers.delete(watch)
        if (this.#failure) reject(this.#failure)
        else resolve()
      }
      this.#watchers.add(watch)
    })
  }

  /** Copies the sound from one frame to another, counted from the beginning. */
  #take(from: number, to: number): Sound {
    const left = new Float32Array(to - from)
    const right = new Float32Array(to - from)
    let at = this.#heardFrames - this.#keptFrames
    for (const values of this.#frames) {
      const [begin, end] = [Math.max(from, at), Math.min(to, at + values.length / 2)]
      for (let frame = begin; frame < end; frame++) {
        left[frame - from] = values[2 * (frame - at)] ?? 0
        right[frame - from] = values[2 * (frame - at) + 1] ?? 0
      }
      at += values.length / 2
    }
    return { left, right }
  }
}

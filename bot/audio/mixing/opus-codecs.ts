import { createDecoder, createEncoder } from 'libopus-wasm'
import { SAMPLES_PER_FRAME, SILENCE } from '../containers/opus.ts'

/** A frame of it takes 0.13 ms of the audio thread: with this many players at once, a third of its time. */
const MOST = 48
/** Ready for players that begin at the same moment: one for every four. Each holds half a MiB. */
const PLAYERS_PER_SPARE = 4
const SPARE = { least: 2, most: 8 }
/** Bitrate of the tracks that ffmpeg encodes. */
const BITRATE = 128_000
/**
 * Encoder complexity, up to 10. A decoder predicts each frame from the previous one: at a transition to frames of another
 * encoder, both must have analysed the sound as thoroughly, or it is up to 3 dB too loud or too quiet for a tenth of a
 * second. Elsewhere half the CPU time suffices.
 */
const COMPLEXITY = { thorough: 7, quick: 4 }

/** Silent frames after which nothing of the previous sound is left. */
const FORGOTTEN_FRAMES = 4

/** Values of a frame: left and right in turns. */
export const VALUES_PER_FRAME = 2 * SAMPLES_PER_FRAME

/** Codec that mixes two streams of 20 ms frames into one. */
export type OpusCodec = Awaited<ReturnType<typeof createCodec>>

/** Codecs for the players of one thread, which borrow them for as long as they mix. */
export type OpusCodecs = Awaited<ReturnType<typeof openOpusCodecs>>

/** libopus as WebAssembly, which is compiled here: 10 ms once. @throws {Error} if the first cannot be made. */
export async function openOpusCodecs(most = MOST, make = createCodec) {
  const spare = await Promise.all(Array.from({ length: Math.min(SPARE.least, most) }, () => make()))
  let wanted = SPARE.least
  let created = spare.length
  let isRefilling = false
  let isClosed = false

  async function refill(): Promise<void> {
    if (isRefilling || isClosed || spare.length >= wanted || created >= most) return
    isRefilling = true
    created++
    // Without memory for one, players that would fade cut instead; the next that asks has it tried again.
    const codec = await make().catch(() => null)
    isRefilling = false
    if (!codec) return void created--
    if (isClosed) return codec.free()
    spare.push(codec)
    return refill()
  }

  return {
    get isAvailable(): boolean {
      return spare.length > 0
    },
    /** Returns a codec in its initial state; null while all are in use. */
    acquire(): OpusCodec | null {
      const codec = spare.pop() ?? null
      codec?.reset()
      void refill()
      return codec
    },
    release(codec: OpusCodec): void {
      if (!isClosed && spare.length < wanted) return void spare.push(codec)
      created--
      codec.free()
    },
    /** Has as many ready as so many players may want at once. */
    prepareFor(players: number) {
      wanted = Math.min(Math.max(Math.ceil(players / PLAYERS_PER_SPARE), SPARE.least), SPARE.most)
      void refill()
    },
    close() {
      isClosed = true
      for (const codec of spare.splice(0)) codec.free()
    },
  }
}

async function createCodec() {
  const decoders = await Promise.all([createDecoder(), createDecoder()])
  const encoder = await createEncoder({ bitrate: BITRATE, complexity: COMPLEXITY.thorough })
  return {
    decoders,
    /** @param how `thorough` where frames that are not its own come before or after it. */
    encode(values: Float32Array, how: keyof typeof COMPLEXITY): Buffer {
      encoder.setComplexity(COMPLEXITY[how])
      const encoded = encoder.encodeFloat(values)
      return Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength)
    },
    /** Forgets what it decoded and encoded. */
    reset() {
      for (let i = 0; i < FORGOTTEN_FRAMES; i++) {
        for (const decoder of decoders) decoder.decodeFloat(SILENCE)
        encoder.encodeFloat(new Float32Array(VALUES_PER_FRAME))
      }
    },
    free() {
      for (const handle of [...decoders, encoder]) handle.free()
    },
  }
}

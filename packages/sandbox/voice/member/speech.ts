import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { opusSamples, SILENCE_FRAME } from '../opus.ts'
import { SAMPLES_PER_MS, writeRtpHeader } from '../udp/rtp.ts'

/** So much silence ends every utterance, lest the listeners' decoders guess on. */
const TRAILING_SILENCE_FRAMES = 5

/** A client's voice: one utterance at a time, paced by the lengths of its packets. */
export function createSpeech(options: {
  readonly ssrc: () => number
  /** Encrypts and sends a packet; one that cannot go now is lost. */
  readonly send: (header: Buffer, opus: Buffer) => void
  readonly setSpeaking: (speaking: boolean) => void
}) {
  const place = { sequence: randomInt(0x1_0000), timestamp: randomInt(2 ** 32) }
  let current: AbortController | null = null

  function sendOne(opus: Buffer): number {
    const samples = opusSamples(opus) ?? 0
    options.send(writeRtpHeader({ ...place, ssrc: options.ssrc() }), opus)
    place.sequence = (place.sequence + 1) & 0xffff
    place.timestamp = (place.timestamp + samples) >>> 0
    return samples / SAMPLES_PER_MS
  }

  return {
    /** Resolves when all was sent or the signal fired. An utterance that is still going on is cut short. */
    async speak(packets: Iterable<Buffer> | AsyncIterable<Buffer>, outer?: AbortSignal) {
      current?.abort()
      const mine = new AbortController()
      current = mine
      const signal = outer ? AbortSignal.any([mine.signal, outer]) : mine.signal
      options.setSpeaking(true)
      const startedAtMs = performance.now()
      let sentMs = 0
      for await (const packet of withTrailingSilence(packets)) {
        const aheadMs = startedAtMs + sentMs - performance.now()
        if (aheadMs > 1) await sleep(aheadMs, undefined, { signal }).catch(() => undefined)
        if (signal.aborted) break
        sentMs += sendOne(packet)
      }
      if (current !== mine) return
      current = null
      options.setSpeaking(false)
    },
    stop: (): void => current?.abort(),
  }
}

async function* withTrailingSilence(packets: Iterable<Buffer> | AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* packets
  for (let frame = 0; frame < TRAILING_SILENCE_FRAMES; frame++) yield SILENCE_FRAME
}

import type { SabrSegment } from './progress.ts'
import { SabrTrouble } from './trouble.ts'

/** Reads segments from a time on. */
export type ReadSegments = (startMs: number) => AsyncGenerator<SabrSegment, void>

interface SabrFile {
  readonly sizeBytes: number
  readonly durationMs: number
}

/** Requests for finding a place in the file. */
const TRIES_MAX = 8
/** Segments last ten seconds at most. */
const SEGMENT_MS = 10_000
/** Forward, it is quicker to read on than to ask again. */
const NEAR_BYTES = 512 * 1024

/**
 * The bytes of an audio file from an offset on. SABR servers know times alone; each segment says where in the file it
 * stands, so that a guess from the average rate finds the place in a few requests.
 */
export async function* bytesFrom(
  offset: number,
  { sizeBytes, durationMs }: SabrFile,
  read: ReadSegments,
): AsyncGenerator<Buffer, void> {
  const msPerByte = durationMs / sizeBytes
  let at = offset
  let startMs = guess(offset * msPerByte, durationMs)
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    let missedBytes: number | null = null
    for await (const segment of read(startMs)) {
      const from = segment.startByte ?? at
      const isMissed = !segment.isInit && (from > at || at - (from + segment.content.length) > NEAR_BYTES)
      if (isMissed) {
        missedBytes = from - at
        break
      }
      const rest = segment.content.subarray(Math.max(0, at - from))
      if (from <= at && rest.length > 0) {
        at += rest.length
        yield rest
      }
      if (at >= sizeBytes) return
    }
    if (missedBytes === null) return
    startMs = guess(startMs - missedBytes * msPerByte - (missedBytes > 0 ? tries * SEGMENT_MS : 0), durationMs)
  }
  throw new SabrTrouble('refused', 'YouTube sends the audio with gaps')
}

function guess(ms: number, durationMs: number): number {
  return Math.round(Math.min(Math.max(0, ms), Math.max(0, durationMs - 1)))
}

/** The bytes of a live stream, from its newest segment on. */
export async function* liveBytes(read: ReadSegments): AsyncGenerator<Buffer, void> {
  for await (const { content } of read(0)) yield content
}

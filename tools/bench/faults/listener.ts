import { FRAME_MS, SILENCE } from '../../../bot/audio/containers/opus.ts'
import type { MemberVoice } from 'bandstand-sandbox/voice'
import type { Frames } from './music.ts'

/** A frame with sound in it. Times are those of `performance.now()`. */
interface Heard {
  readonly atMs: number
  /** The position in the noise track; null for every other sound. */
  readonly positionMs: number | null
}

/** Sound that a member of a voice channel hears, packet for packet. Silence does not count. */
export type Ear = ReturnType<typeof createHearing>

/** Frames that are sent apart come 5 ms apart at least. */
const BURST_MS = 2.5
const LOOK_EVERY_MS = 10
const NAP_MS = 30

export function createHearing(voice: MemberVoice, frames: Frames) {
  const heard: Heard[] = []
  // A busy machine holds this process up too: then frames are late in being heard that were not in being sent.
  const naps: { readonly fromMs: number; readonly toMs: number }[] = []
  let awakeMs = performance.now()
  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (nowMs - awakeMs > NAP_MS) naps.push({ fromMs: awakeMs, toMs: nowMs })
    awakeMs = nowMs
  }, LOOK_EVERY_MS)
  const sleptMs = (fromMs: number, toMs: number) =>
    naps.reduce((sum, nap) => sum + Math.max(0, Math.min(nap.toMs, toMs) - Math.max(nap.fromMs, fromMs)), 0)
  /** Whether a packet came while this process slept, or in the burst right after. */
  const isAfterNap = (atMs: number) => naps.some(({ fromMs, toMs }) => atMs >= fromMs && atMs < toMs + NAP_MS)
  const forget = voice.onOpus((_, opus) => {
    if (opus.equals(SILENCE)) return
    const frame = frames.get(opus.toString('base64'))
    heard.push({ atMs: performance.now(), positionMs: frame === undefined ? null : frame * FRAME_MS })
  })
  return {
    userId: voice.userId,
    get count(): number {
      return heard.length
    },
    /** The last frame of the noise track. */
    last: (): Heard | undefined => heard.findLast(({ positionMs }) => positionMs !== null),
    /** The first frame that was heard after a moment. */
    firstSince: (atMs: number): Heard | undefined => heard.find((one) => one.atMs > atMs),
    /** The longest time without a frame between two moments (until now by default), without what this process slept. */
    longestGapMs(fromMs: number, toMs: number = performance.now()): number {
      const times = heard.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs && atMs < toMs)
      const all = [fromMs, ...times, toMs]
      const gaps = all.slice(1).map((atMs, i) => atMs - (all[i] ?? 0) - sleptMs(all[i] ?? 0, atMs))
      return Math.round(Math.max(...gaps))
    },
    /** The most frames that came within 20 ms: more than 1 is catching up, many are a burst. */
    densest(fromMs: number): number {
      const times = heard.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs)
      let [most, first] = [0, 0]
      for (const [i, atMs] of times.entries()) {
        while (atMs - (times[first] ?? 0) > FRAME_MS) first++
        most = Math.max(most, i - first + 1)
      }
      return most
    },
    /** The longest row of frames that came less than 2.5 ms after one another. */
    largestBurst(sinceMs: number): number {
      let [largest, row, lastMs] = [0, 0, -Infinity]
      for (const { atMs } of heard) {
        if (atMs <= sinceMs) continue
        row = atMs - lastMs < BURST_MS && !isAfterNap(atMs) ? row + 1 : 1
        largest = Math.max(largest, row)
        lastMs = atMs
      }
      return largest
    },
    /** Missing and repeated frames of the noise. */
    order(sinceMs: number): { readonly missing: number; readonly repeated: number } {
      const places = heard.filter(({ atMs }) => atMs > sinceMs).map(({ positionMs }) => (positionMs ?? 0) / FRAME_MS)
      const steps = places.slice(1).map((place, i) => place - (places[i] ?? 0))
      const missing = steps.reduce((sum, step) => sum + Math.max(0, step - 1), 0)
      return { missing, repeated: steps.filter((step) => step < 1).length }
    },
    close() {
      clearInterval(timer)
      forget()
      voice.close()
    },
  }
}

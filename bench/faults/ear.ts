import { FRAME_MS, SILENCE } from '../../bot/audio/opus.ts'
import type { MemberVoice } from '../../sandbox/voice/member.ts'
import type { Frames } from './music.ts'

/** A frame with sound in it. Times are those of `performance.now()`. */
interface Heard {
  readonly atMs: number
  /** Its place in the noise track; null for every other sound. */
  readonly positionMs: number | null
}

/** What a member of a voice channel hears, packet for packet. Silence does not count as heard. */
export interface Ear {
  readonly userId: string
  readonly count: number
  /** The last frame of the noise track. */
  last(): Heard | undefined
  /** The first frame that was heard after a moment. */
  firstSince(atMs: number): Heard | undefined
  /** The longest time without a frame between two moments; until now unless told. */
  longestGapMs(fromMs: number, toMs?: number): number
  /** The most frames that came within 20 ms: more than 1 is catching up, many are a burst. */
  densest(fromMs: number): number
  close(): void
}

export function createHearing(voice: MemberVoice, frames: Frames): Ear {
  const heard: Heard[] = []
  const forget = voice.onOpus((_, opus) => {
    if (opus.equals(SILENCE)) return
    const frame = frames.get(opus.toString('base64'))
    heard.push({ atMs: performance.now(), positionMs: frame === undefined ? null : frame * FRAME_MS })
  })
  return {
    userId: voice.userId,
    get count() {
      return heard.length
    },
    last: () => heard.findLast(({ positionMs }) => positionMs !== null),
    firstSince: (atMs) => heard.find((one) => one.atMs > atMs),
    longestGapMs(fromMs, toMs = performance.now()) {
      const times = heard.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs && atMs < toMs)
      const all = [fromMs, ...times, toMs]
      return Math.round(Math.max(...all.slice(1).map((atMs, i) => atMs - (all[i] ?? 0))))
    },
    densest(fromMs) {
      const times = heard.map(({ atMs }) => atMs).filter((atMs) => atMs > fromMs)
      let [most, first] = [0, 0]
      for (const [i, atMs] of times.entries()) {
        while (atMs - (times[first] ?? 0) > FRAME_MS) first++
        most = Math.max(most, i - first + 1)
      }
      return most
    },
    close() {
      forget()
      voice.close()
    },
  }
}

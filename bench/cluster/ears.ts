import type { MemberVoice } from 'bandstand-sandbox/voice'
import type { Frames } from '../../test/support/hearing.ts'

const FRAME_MS = 20
const LOOK_EVERY_MS = 10
/** This process was held up for longer than a frame. */
const NAP_MS = 25
/** Below, nothing is said of the position: a few frames are lost, or late. */
const SILENCE_MS = 200

/** What was heard of one player since the last `begin`. */
export interface Hearing {
  /** The longest time without a frame of the track, without what this process slept. */
  readonly silenceMs: number
  /** By the clock of the wall, as in logs: when that time ended; 0 before the first. */
  readonly heardAgainAtMs: number
  /** How far the track went on in that time; it was to stand still. Negative: it went back. 0 after a short silence. */
  readonly positionErrorMs: number
  /** How often the sound went back in the track: two voices at a time would make it do so all the time. */
  readonly rewinds: number
  readonly isSounding: boolean
}

/** Listens to one player; keeps numbers only, so that a hundred can be heard for hours. */
export interface Ear {
  begin(): void
  /** Since `begin`. */
  hearing(): Hearing
  /** Whether a frame came in the last half second. */
  isSounding(): boolean
}

/** How long this process was held up since its start: what comes then is late in being heard, not in being sent. */
export interface Naps {
  totalMs(): number
  close(): void
}

export function watchNaps(): Naps {
  let [totalMs, awakeMs] = [0, performance.now()]
  const timer = setInterval(() => {
    const nowMs = performance.now()
    if (nowMs - awakeMs > NAP_MS) totalMs += nowMs - awakeMs
    awakeMs = nowMs
  }, LOOK_EVERY_MS)
  return { totalMs: () => totalMs, close: () => clearInterval(timer) }
}

interface Last {
  readonly frame: number
  readonly atMs: number
  readonly napsMs: number
}

const NOTHING = { silenceMs: 0, positionErrorMs: 0, rewinds: 0, heardAgainAtMs: 0 }

export function createEar(voice: MemberVoice, frames: Frames, naps: Naps): Ear {
  const length = frames.size
  let last: Last | null = null
  let found = { ...NOTHING }
  /** The shorter way around, since tracks repeat. */
  const stepTo = (frame: number, from: number) =>
    ((((frame - from + length / 2) % length) + length) % length) - length / 2
  const silenceSince = (since: Last, nowMs: number) => nowMs - since.atMs - (naps.totalMs() - since.napsMs)

  voice.onOpus((_, opus) => {
    const frame = frames.get(opus.toString('base64'))
    if (frame === undefined) return
    const atMs = performance.now()
    if (last) {
      const [step, silenceMs] = [stepTo(frame, last.frame), silenceSince(last, atMs)]
      if (step < 0) found.rewinds += 1
      if (silenceMs > found.silenceMs) {
        const positionErrorMs = silenceMs > SILENCE_MS ? (step - 1) * FRAME_MS : 0
        found = { ...found, silenceMs, positionErrorMs, heardAgainAtMs: Date.now() }
      }
    }
    last = { frame, atMs, napsMs: naps.totalMs() }
  })
  const isSounding = () => last !== null && performance.now() - last.atMs < 500
  return {
    begin: () => void (found = { ...NOTHING }),
    isSounding,
    hearing() {
      const openMs = last ? silenceSince(last, performance.now()) : Infinity
      return { ...found, silenceMs: Math.max(found.silenceMs, openMs), isSounding: isSounding() }
    },
  }
}

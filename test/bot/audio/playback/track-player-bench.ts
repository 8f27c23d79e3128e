import type { TrackPlayerEvent, TrackPlayerOptions } from '../../../../bot/audio/playback/track-player-options.ts'
import { TrackPlayer } from '../../../../bot/audio/playback/track-player.ts'
import { FrameClock } from '../../../../bot/audio/playback/frame-clock.ts'
import type { OpenFrames } from '../../../../bot/audio/input/open-frames.ts'
import { FlightRecorder } from '../../../../bot/audio/node/flight-recorder.ts'
import type { OpusCodecs } from '../../../../bot/audio/mixing/opus-codecs.ts'
import { createCounters } from '../../../../bot/audio/node/counters.ts'

/** A track player whose time passes when told: one frame each 20 ms. Without codecs nothing fades or overlaps. */
export function createBench(
  open: OpenFrames,
  codecs: OpusCodecs | null = null,
  more: Pick<TrackPlayerOptions, 'stuckMs'> = {},
) {
  const sent: Buffer[] = []
  const events: TrackPlayerEvent[] = []
  const counts = createCounters()
  const outlet = {
    isSendable: true,
    // Copied, since the memory is reused.
    send: (frame: Buffer) => void sent.push(Buffer.from(frame)),
    stopSpeaking: () => void stops++,
  }
  let nowMs = 0
  let stops = 0
  let timers: { atMs: number; run: () => void }[] = []
  const clock = new FrameClock({
    now: () => nowMs,
    wake: (delayMs, run) => {
      const timer = { atMs: nowMs + delayMs, run }
      timers.push(timer)
      return () => void (timers = timers.filter((other) => other !== timer))
    },
    onError: (error) => {
      throw error
    },
  })
  const recorder = new FlightRecorder(() => nowMs)
  const emit = (event: TrackPlayerEvent) => void events.push(event)
  const deck = new TrackPlayer({ outlet, clock, open, codecs, counts, recorder, emit, ...more })
  function tick(frames = 1): void {
    const untilMs = nowMs + frames * 20
    for (;;) {
      const next = timers.toSorted((a, b) => a.atMs - b.atMs)[0]
      if (!next || next.atMs >= untilMs) break
      timers = timers.filter((timer) => timer !== next)
      nowMs = Math.max(nowMs, next.atMs)
      next.run()
    }
    nowMs = untilMs
  }
  return {
    deck,
    sent,
    events,
    counts,
    outlet,
    recorder,
    tick,
    stops: () => stops,
    isResting: () => timers.length === 0,
    /**
     * Lets time pass until it is done; the frames it took.
     * @param pace how long each of them takes, more than 20 ms where a busy machine must be ready in time; or whether no
     *   time passes now.
     */
    async during(work: Promise<unknown>, pace: number | (() => boolean) = 20): Promise<number> {
      const before = sent.length
      const [frameMs, standsStill] = typeof pace === 'number' ? [pace, () => false] : [20, pace]
      const passing = setInterval(() => standsStill() || tick(), frameMs)
      await work.finally(() => clearInterval(passing))
      return sent.length - before
    },
  }
}

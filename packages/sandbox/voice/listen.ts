import { Readable } from 'node:stream'
import { createOggWriter, type OpusPacket } from './listen/ogg.ts'
import { Track } from './listen/track.ts'
import type { MemberVoice } from './member.ts'
import { padPacket, silencePacket } from './opus.ts'
import { SAMPLES_PER_MS } from './udp/rtp.ts'

export interface ListenOptions {
  /** Speakers to prefer where several speak; for the demo: bots. */
  readonly prefer?: (userId: string) => boolean
  /** Interval at which pages are written. */
  readonly flushMs?: number
  /** A reader that falls so far behind misses what comes until it has caught up. */
  readonly bufferBytesMax?: number
  /**
   * Lengthens every packet to this. Browsers read endless streams in blocks of 32 KiB: without it, silence would fill
   * none in a minute, and what follows would be heard that much late.
   */
  readonly packetBytesMin?: number
  /** A monotonic clock. */
  readonly nowMs?: () => number
}

/**
 * An endless Ogg Opus stream (RFC 7845) of what a member hears, in real time: silence continues where no one speaks, so
 * that a player's clock runs on, and a lost packet is as long as it would have been.
 *
 * Nothing is mixed, which would need a decoder: one speaker is heard at a time. A preferred one comes first, then
 * who has the floor, then the loudest.
 */
export type Listening = ReturnType<typeof createListening>

const FLUSH_MS = 100
const BUFFER_BYTES_MAX = 256 * 1024
const SILENCE_SAMPLES = 960
/** Speakers remembered; the one heard longest ago is forgotten. */
const TRACKS_MAX = 50

interface State {
  readonly options: ListenOptions
  readonly tracks: Map<string, Track>
  /** User ID of the speaker who has the floor. */
  floor: string | null
  /** End of the written timeline, in samples. */
  written: number
}

export function createListening(options: ListenOptions = {}) {
  const { flushMs = FLUSH_MS, bufferBytesMax = BUFFER_BYTES_MAX, nowMs = () => performance.now() } = options
  const state: State = { options, tracks: new Map(), floor: null, written: 0 }
  const ogg = createOggWriter()
  const startedAtMs = nowMs()
  const now = () => Math.round((nowMs() - startedAtMs) * SAMPLES_PER_MS)
  let untap: (() => void) | null = null

  const timer = setInterval(() => {
    const pages = ogg.pages(fill(state, now()))
    // The page numbers and granule positions continue: a reader sees that something is missing, and how much.
    if (stream.readableLength < bufferBytesMax) stream.push(pages)
  }, flushMs)
  /** Destroy it to stop listening. */
  const stream = new Readable({
    highWaterMark: bufferBytesMax,
    read: () => undefined,
    destroy(error, done) {
      clearInterval(timer)
      untap?.()
      done(error)
    },
  })
  stream.push(ogg.header())

  return {
    stream,
    /** Listens through a member's client, another one's instead, or none. */
    tap(member: Pick<MemberVoice, 'onOpus'> | null) {
      untap?.()
      untap = null
      if (!member || stream.destroyed) return
      untap = member.onOpus((userId, opus, { sequence, timestamp }) =>
        trackOf(state.tracks, userId).hear({ opus, sequence, timestamp }, now(), state.written),
      )
    },
  }
}

/** Moves the speaker to the end of the map, which is thereby in the order of hearing. */
function trackOf(tracks: Map<string, Track>, userId: string): Track {
  const track = tracks.get(userId) ?? new Track()
  tracks.delete(userId)
  tracks.set(userId, track)
  const oldest = tracks.keys().next()
  if (tracks.size > TRACKS_MAX && !oldest.done) tracks.delete(oldest.value)
  return track
}

/** Packets for the timeline up to `until`, without a hole. */
function fill(state: State, until: number): OpusPacket[] {
  const packets: OpusPacket[] = []
  while (state.written < until) {
    const track = chooseTrack(state)
    const packet = track?.take(state.written)
    const samples = packet?.samples ?? silenceSamples(track?.untilNext(state.written))
    const bytes = packet?.opus ?? silencePacket(samples)
    packets.push({ bytes: padPacket(bytes, state.options.packetBytesMin ?? 0), samples })
    state.written += samples
  }
  return packets
}

/** Length of the silence that fits before the next packet: 20, 10, 5 or 2.5 ms. */
function silenceSamples(untilNext = SILENCE_SAMPLES): number {
  let samples = SILENCE_SAMPLES
  while (samples > untilNext && samples > 120) samples /= 2
  return samples
}

function chooseTrack(state: State): Track | undefined {
  const { tracks, options, written, floor } = state
  const sounding = [...tracks].filter(([, track]) => track.isSounding(written))
  const rank = ([userId, track]: [string, Track]) =>
    (options.prefer?.(userId) ? 2_000_000 : 0) + (userId === floor ? 1_000_000 : 0) + track.loudness
  const best = sounding.toSorted((one, other) => rank(other) - rank(one))[0]
  state.floor = best?.[0] ?? null
  // Any track will do for silence, so take the last speaker's.
  return best?.[1] ?? [...tracks.values()].at(-1)
}

import { createHistogram, type Histogram } from './histogram.ts'
import { SAMPLES_PER_MS, type RtpHeader } from './rtp.ts'

/** A packet that arrives later than this behind the sender's own clock counts as late. */
const LATE_MS = 100
/** A client that plays sends every 20 ms. */
const SOUNDS_MS = 100

/** UDP traffic received from one user of one guild. Times come from the clock of the server's process. */
export interface PacketReport {
  readonly packets: number
  readonly bytes: number
  /** Sequence numbers that were left out and never came. */
  readonly lost: number
  /** Packets that came after one with a higher sequence number. */
  readonly reordered: number
  /** Times between arrivals while the user spoke; a pause that the user announced (op 5) is not one of them. */
  readonly gapMs: {
    readonly median: number
    readonly p95: number
    readonly p99: number
    readonly p999: number
    readonly longest: number
  }
  /** The longest time without a packet, announced pauses and new sessions included, up to the last packet. */
  readonly longestSilenceMs: number
  /**
   * Packets of an earlier session of the same user, while the present one sounded: two clients that play at once. What was
   * on its way when the earlier one ended is none of them.
   */
  readonly strays: number
  /**
   * Delay of packets behind the timeline of their RTP timestamps and the promptest packet of the same utterance; `late`
   * counts packets more than 100 ms behind.
   */
  readonly lateness: { readonly late: number; readonly longestMs: number }
  /** Milliseconds since the Unix epoch, null before the first packet. */
  readonly firstAtMs: number | null
  readonly lastAtMs: number | null
}

/** Kept for a user across their sessions, so that a rejoin shows as the silence that listeners heard. */
export type PacketMeter = ReturnType<typeof createPacketMeter>

interface Counts {
  packets: number
  bytes: number
  lost: number
  reordered: number
  strays: number
  late: number
  longestLatenessMs: number
  longestSilenceMs: number
  firstAtMs: number | null
  lastAtMs: number | null
}

/** Position of the sender; null between two streams (sequence) or utterances (timeline). */
interface Place {
  highestSequence: number | null
  timeline: { timestamp: number; promptestMs: number } | null
  arrivedAtMs: number | null
}

const NOTHING: Counts = {
  packets: 0,
  bytes: 0,
  lost: 0,
  reordered: 0,
  strays: 0,
  late: 0,
  longestLatenessMs: 0,
  longestSilenceMs: 0,
  firstAtMs: null,
  lastAtMs: null,
}

/** `toEpochMs` turns the monotonic times that packets are recorded with into times of day. */
export function createPacketMeter(toEpochMs: (nowMs: number) => number) {
  const gaps = createHistogram()
  const place: Place = { highestSequence: null, timeline: null, arrivedAtMs: null }
  let counts = { ...NOTHING }

  return {
    /** Packets since the last reset, without the work of a report. */
    get packets(): number {
      return counts.packets
    },
    record(header: RtpHeader, packetBytes: number, nowMs: number) {
      counts.packets += 1
      counts.bytes += packetBytes
      counts.firstAtMs ??= toEpochMs(nowMs)
      counts.lastAtMs = toEpochMs(nowMs)
      recordGap(counts, gaps, place, nowMs)
      recordSequence(counts, place, header.sequence)
      recordLateness(counts, place, header.timestamp, nowMs)
    },
    /** A packet of a session that has ended. */
    recordStray(nowMs: number) {
      if (place.arrivedAtMs !== null && nowMs - place.arrivedAtMs < SOUNDS_MS) counts.strays += 1
    },
    /** The user said that they stop speaking: the next packet begins a new utterance. */
    endUtterance() {
      place.timeline = null
    },
    /** A new session: sequence numbers and timestamps begin again. */
    endStream() {
      place.timeline = null
      place.highestSequence = null
    },
    report: () => toReport(counts, gaps),
    reset() {
      counts = { ...NOTHING }
      gaps.reset()
      place.arrivedAtMs = null
    },
  }
}

function recordGap(counts: Counts, gaps: Histogram, place: Place, nowMs: number): void {
  const previousMs = place.arrivedAtMs
  place.arrivedAtMs = nowMs
  if (previousMs === null) return
  counts.longestSilenceMs = Math.max(counts.longestSilenceMs, nowMs - previousMs)
  if (place.timeline) gaps.record(nowMs - previousMs)
}

/** Numbers that were passed over count as lost until they come after all. */
function recordSequence(counts: Counts, place: Place, sequence: number): void {
  const highest = place.highestSequence
  const ahead = highest === null ? 1 : signed16(sequence - highest)
  if (ahead > 0) {
    counts.lost += ahead - 1
    place.highestSequence = sequence
  } else if (ahead < 0) {
    counts.reordered += 1
    counts.lost = Math.max(0, counts.lost - 1)
  }
}

function recordLateness(counts: Counts, place: Place, timestamp: number, nowMs: number): void {
  place.timeline ??= { timestamp, promptestMs: nowMs }
  const { timeline } = place
  const offsetMs = nowMs - ((timestamp - timeline.timestamp) | 0) / SAMPLES_PER_MS
  if (offsetMs < timeline.promptestMs) timeline.promptestMs = offsetMs
  const latenessMs = offsetMs - timeline.promptestMs
  if (latenessMs > counts.longestLatenessMs) counts.longestLatenessMs = latenessMs
  if (latenessMs > LATE_MS) counts.late += 1
}

function signed16(difference: number): number {
  return (difference << 16) >> 16
}

function toReport(counts: Counts, gaps: Histogram): PacketReport {
  const { longestSilenceMs, late, longestLatenessMs, ...rest } = counts
  return {
    ...rest,
    gapMs: {
      median: round(gaps.percentileMs(0.5)),
      p95: round(gaps.percentileMs(0.95)),
      p99: round(gaps.percentileMs(0.99)),
      p999: round(gaps.percentileMs(0.999)),
      longest: round(gaps.longestMs),
    },
    longestSilenceMs: round(longestSilenceMs),
    lateness: { late, longestMs: round(longestLatenessMs) },
  }
}

/** To a hundredth of a millisecond; what is finer is noise. */
function round(ms: number): number {
  return Math.round(ms * 100) / 100
}

import { setImmediate as nextTurn } from 'node:timers/promises'
import { Fault } from '../../../lib/errors.ts'
import type { Playable } from '../../sources/source.ts'
import type { TrackBytes } from './bytes.ts'
import { MalformedError, type Demuxer, packetSamples, SAMPLES_PER_FRAME, type OpusHead } from '../containers/opus.ts'
import { FrameWindow, type FrameSource } from '../playback/frame-buffer.ts'
import { findOggStart } from '../containers/ogg-seek.ts'
import { OggOpusDemuxer } from '../containers/ogg.ts'
import type { FilterGraph } from '../ffmpeg/filter-graph.ts'
import { findWebmStart } from '../containers/webm-seek.ts'
import { WebmOpusDemuxer } from '../containers/webm.ts'

/** Packets may be as short as a byte, so that a chunk holds tens of thousands. */
const PACKETS_PER_TURN = 500

export interface PassthroughOptions {
  readonly bytes: TrackBytes
  readonly container: 'ogg-opus' | 'webm-opus'
  readonly startSamples: number
  /** Gain that was applied when it was encoded. */
  readonly gainDb?: number
  /** Bytes were lost or changed. From there on the packets are not to be trusted: they end as unfit. */
  readonly onDamaged?: () => void
}

/** Starting point of a read. */
interface Start {
  readonly demuxer: Demuxer
  readonly fromByte: number
  /** Demuxer position of the track's first sample; null means the first sample found. */
  readonly zeroSample: number | null
  /** Times in the container are rounded: packets lie at multiples of this. */
  readonly stepSamples?: number
}

type Batches = AsyncGenerator<readonly Packet[], void>

interface Packet {
  readonly data: Buffer
  readonly positionSamples: number
}

/**
 * The Opus packets of a file as they are, without decoding. Starting within a track sends no 80 ms of pre-roll
 * (RFC 7845, 4.6): a listener's decoder cannot be instructed to drop them, and it settles within as many frames.
 * @returns null when the packets cannot go out as they are: other than 20 ms, several streams, or a gain to apply.
 * Owns `bytes`: closes them with the source, or at once if there is none.
 * @throws {Fault} when the bytes cannot be had.
 */
export async function passThrough(options: PassthroughOptions): Promise<FrameSource | null> {
  const { bytes, container, startSamples, gainDb, onDamaged } = options
  try {
    const start = await findStart(bytes, container, startSamples)
    const batches = readPackets(start, bytes)
    const found = await findFirst(batches, startSamples)
    const [first] = found
    const { head, isDamaged } = start.demuxer
    if (onDamaged && (isDamaged || !first)) onDamaged()
    if (
      (onDamaged && isDamaged) ||
      !first ||
      !head ||
      !isFit(head) ||
      packetSamples(first.data) !== SAMPLES_PER_FRAME
    ) {
      await batches.return(undefined)
      bytes.close()
      return null
    }
    const window = new FrameWindow({
      startSamples: first.positionSamples,
      preSkip: head.preSkip,
      ...(gainDb !== undefined && { gainDb }),
      onClose: () => bytes.close(),
    })
    void pump({ found, batches, start, window, onDamaged })
    return window
  } catch (cause) {
    bytes.close()
    // Not what it was said to be; ffmpeg may know what it is.
    if (cause instanceof MalformedError) return null
    throw failed(cause)
  }
}

function isFit(head: OpusHead): boolean {
  return head.mapping === 0 && head.gain === 0
}

async function findStart(bytes: TrackBytes, container: 'ogg-opus' | 'webm-opus', startSamples: number): Promise<Start> {
  const canJump = startSamples > 0 && bytes.isSeekable
  if (container === 'webm-opus') {
    const found = canJump ? await findWebmStart(bytes, startSamples) : null
    if (found) return { ...found, stepSamples: SAMPLES_PER_FRAME }
    return { demuxer: new WebmOpusDemuxer(), fromByte: 0, zeroSample: null }
  }
  const found = canJump ? await findOggStart(bytes, startSamples) : null
  if (!found) return { demuxer: new OggOpusDemuxer(), fromByte: 0, zeroSample: null }
  return { demuxer: new OggOpusDemuxer({ head: found.head }), fromByte: found.fromByte, zeroSample: found.zeroSample }
}

/** Reads packets in batches: a promise per packet costs more than all other work on it. */
async function* readPackets(start: Start, bytes: TrackBytes): AsyncGenerator<readonly Packet[], void> {
  const { demuxer, fromByte, zeroSample, stepSamples = 1 } = start
  let positionSamples: number | null = null
  let count = 0
  for await (const chunk of bytes.read(fromByte, true)) {
    const found = demuxer.push(chunk)
    for (let at = 0; at < found.length; at += PACKETS_PER_TURN) {
      const packets: Packet[] = []
      for (const data of found.slice(at, at + PACKETS_PER_TURN)) {
        const sinceStart = zeroSample === null ? 0 : (demuxer.firstSample ?? 0) - zeroSample
        positionSamples ??= Math.round(sinceStart / stepSamples) * stepSamples
        packets.push({ data, positionSamples })
        positionSamples += packetSamples(data)
      }
      count += packets.length
      if (count >= PACKETS_PER_TURN) await nextTurn()
      count %= PACKETS_PER_TURN
      yield packets
    }
  }
}

/** The packet that begins nearest to the wanted sample, and those behind it in its batch; none if there is none. */
async function findFirst(batches: Batches, startSamples: number): Promise<readonly Packet[]> {
  for (;;) {
    const { value: packets, done } = await batches.next()
    if (done) return []
    const at = packets.findIndex(({ positionSamples }) => positionSamples >= startSamples - SAMPLES_PER_FRAME / 2)
    if (at !== -1) return packets.slice(at)
  }
}

interface Pumping {
  readonly found: readonly Packet[]
  readonly batches: Batches
  readonly start: Start
  readonly window: FrameWindow
  readonly onDamaged: PassthroughOptions['onDamaged']
}

async function pump({ found, batches, start, window, onDamaged }: Pumping): Promise<void> {
  const { demuxer } = start
  const { head } = demuxer
  let isOdd = false
  const pushAll = async (packets: readonly Packet[]): Promise<void> => {
    for (const { data } of packets) {
      // A shorter packet at the very end is left out; anywhere else it takes a decoder to continue.
      if (isOdd || (demuxer.head !== head && demuxer.head && !isFit(demuxer.head)))
        return window.end({ needsTranscode: true })
      isOdd = packetSamples(data) !== SAMPLES_PER_FRAME
      if (!isOdd) window.push(data)
      if (window.isFull) await window.room()
      if (window.isDone) return
    }
  }
  try {
    for await (const packets of following(found, batches)) {
      if (onDamaged && demuxer.isDamaged) {
        onDamaged()
        return window.end({ needsTranscode: true })
      }
      await pushAll(packets)
      if (window.isDone) return
    }
    if (onDamaged && demuxer.isDamaged) {
      onDamaged()
      return window.end({ needsTranscode: true })
    }
    window.end({ endSamples: endOf(start, window.preSkip) })
  } catch (cause) {
    window.end({ failure: failed(cause) })
  }
}

async function* following(first: readonly Packet[], rest: Batches): AsyncGenerator<readonly Packet[], void> {
  try {
    yield first
    yield* rest
  } finally {
    await rest.return(undefined)
  }
}

function endOf({ demuxer, zeroSample }: Start, preSkip: number): number | null {
  const { endSample, firstSample } = demuxer
  return endSample === null ? null : endSample - (zeroSample ?? firstSample ?? 0) - preSkip
}

function failed(cause: unknown): Fault {
  if (cause instanceof Fault) return cause
  const why = cause instanceof MalformedError ? cause.message : 'reading it failed'
  return new Fault('upstream_failed', `The service can't play this track: ${why}.`, { cause })
}

/** Whether the packets of a track can pass through, judged without opening it. */
export function canPassThrough(playable: Playable, filterGraph: FilterGraph): boolean {
  return playable.codec !== 'other' && filterGraph.graph === '' && !filterGraph.layers
}

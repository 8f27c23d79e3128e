import {
  HEADER_BYTES,
  lastPageHead,
  nextPageHead,
  PAGE_REACH_BYTES,
  type OggPageHead,
} from '../../audio/containers/ogg-page.ts'
import type { RandomAccessBytes } from '../http/random-access.ts'

/** Largest remote file that is read whole, to add up the links of a chain. */
const FETCH_MAX_BYTES = 4 * 1024 * 1024
/** Positions to check, as parts of a file: the time of its pages grows, unless another link begins. */
const LOOKED_AT = [0.25, 0.5, 0.75]

/** Sample rate and pre-skip of a stream. */
interface Clock {
  readonly rate: number
  /** Samples that are not heard. */
  readonly preSkip: number
}

/**
 * The seconds of an Ogg file by what its last page counts, since nothing at its beginning tells; 0 if that is not known. Files
 * may be chained (RFC 3533, 4): each link restarts its count, and they are added up where all of it is at hand.
 * @param isNear whether reading costs little: a file on disk.
 */
export async function oggSeconds(bytes: RandomAccessBytes, head: Buffer, isNear: boolean): Promise<number> {
  const { size } = bytes
  if (size === null || !bytes.isSeekable) return 0
  const tail = await bytes.read(Math.max(0, size - PAGE_REACH_BYTES), PAGE_REACH_BYTES).catch(() => Buffer.alloc(0))
  const last = lastPageHead(tail)
  const clocks = firstClocks(head)
  if (!last) return 0
  const isChained = !clocks.serials.has(last.serial) || (isNear && (await restartsCount(bytes, size, last)))
  if (!isChained) return secondsOf(clocks.sound, last.granule)
  if (!isNear && size > FETCH_MAX_BYTES) return 0
  return sumOfLinks(isNear ? bytes : { ...bytes, read: windowOf(await bytes.read(0, size)) }, size).catch(() => 0)
}

function windowOf(all: Buffer): RandomAccessBytes['read'] {
  return async (at, length) => all.subarray(at, at + length)
}

function secondsOf(clock: Clock | null, granule: number): number {
  return clock ? Math.max(0, granule - clock.preSkip) / clock.rate : 0
}

async function restartsCount(bytes: RandomAccessBytes, size: number, last: OggPageHead): Promise<boolean> {
  let before = 0
  for (const part of LOOKED_AT) {
    const piece = await bytes.read(Math.floor(size * part), PAGE_REACH_BYTES)
    const page = nextPageHead(piece, 0)
    if (!page || page.granule < 0) continue
    if (page.granule < before || page.granule > last.granule) return true
    before = page.granule
  }
  return false
}

/** The sound among the streams that begin there, and all of them. */
function firstClocks(head: Buffer): { sound: Clock | null; serials: ReadonlySet<number> } {
  const serials = new Set<number>()
  let sound: Clock | null = null
  for (let page = nextPageHead(head, 0); page?.isFirst; page = nextPageHead(head, page.bodyAt)) {
    serials.add(page.serial)
    sound ??= clockOf(head.subarray(page.bodyAt, page.bodyAt + 64))
  }
  return { sound, serials }
}

function clockOf(packet: Buffer): Clock | null {
  const mark = packet.toString('latin1', 0, 8)
  if (mark === 'OpusHead') return { rate: 48_000, preSkip: packet.readUInt16LE(10) }
  const rate = mark.startsWith('\u0001vorbis')
    ? packet.readUInt32LE(12)
    : mark.startsWith('\u007fFLAC')
      ? packet.readUIntBE(27, 3) >>> 4
      : mark === 'Speex   '
        ? packet.readUInt32LE(36)
        : 0
  return rate > 0 ? { rate, preSkip: 0 } : null
}

/** Goes from page to page. */
async function sumOfLinks(bytes: RandomAccessBytes, size: number): Promise<number> {
  let seconds = 0
  const link = { clock: null as Clock | null, serial: -1, granule: 0 }
  for (let at = 0; at < size;) {
    const piece = await bytes.read(at, PAGE_REACH_BYTES)
    const page = nextPageHead(piece, 0)
    if (!page) {
      at += Math.max(1, piece.length - HEADER_BYTES)
      continue
    }
    const clock = page.isFirst ? clockOf(piece.subarray(page.bodyAt, page.bodyAt + 64)) : null
    if (clock && (!link.clock || link.granule > 0)) {
      seconds += secondsOf(link.clock, link.granule)
      Object.assign(link, { clock, serial: page.serial, granule: 0 })
    } else if (link.serial === page.serial && page.granule > 0) link.granule = page.granule
    at += page.at + pageBytes(piece, page)
  }
  return seconds + secondsOf(link.clock, link.granule)
}

function pageBytes(piece: Buffer, { at, bodyAt }: OggPageHead): number {
  return piece.subarray(at + HEADER_BYTES, bodyAt).reduce((sum, length) => sum + length, bodyAt - at)
}

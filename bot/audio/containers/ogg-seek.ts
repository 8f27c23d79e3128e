import { setImmediate as nextTurn } from 'node:timers/promises'
import { readAt, type TrackBytes } from '../input/bytes.ts'
import { readPage, type OggPage } from './ogg.ts'
import { FIRST, lastPageHead, PAGE_REACH_BYTES, type OggPageHead } from './ogg-page.ts'
import { packetSamples, parseOpusHead, SAMPLES_PER_FRAME, type OpusHead } from './opus.ts'

/** Small enough to be read through, large enough to hold a page. */
const NEAR_BYTES = 128 * 1024
/** Comments with cover art may push the first sound far into the file. */
const BEGIN_BYTES = [64 * 1024, 1024 * 1024, 4 * 1024 * 1024]
/** Heads of all streams that begin together. */
const START_BYTES = 4096
/** Checksums per turn of the event loop. Each takes a fraction of a millisecond. */
const PAGES_PER_TURN = 16
/** Maximum number of false page headers to try. */
const MAX_TRIES = 16

interface OggStart {
  readonly head: OpusHead
  /** A page that begins at or before the wanted sample, and not long before. */
  readonly fromByte: number
  /** The granule at which the track begins: not always 0. */
  readonly zeroSample: number
}

/** Halves the file until the page is found. Null when the file is unlike any Ogg Opus: read it from the start then. */
export async function findOggStart(bytes: TrackBytes, startSamples: number): Promise<OggStart | null> {
  const beginning = await findBeginning(bytes)
  if (!beginning || bytes.sizeBytes === null) return null
  const { head, serial, zeroSample } = beginning
  const wanted = zeroSample + startSamples - SAMPLES_PER_FRAME / 2
  const last = await lastPage(bytes, bytes.sizeBytes)
  // Each link of a chain restarts its count: what lies behind the first one is found by counting from the start.
  if (last && (last.serial !== serial || last.granule < wanted)) return null
  let low = beginning.firstPageByte
  let high = bytes.sizeBytes
  while (high - low > NEAR_BYTES) {
    const middle = Math.floor((low + high) / 2)
    const found = firstPage(await readAt(bytes, middle, NEAR_BYTES), serial)
    if (found && found.page.granule <= wanted) low = middle + found.atByte
    else high = middle
  }
  return { head, fromByte: low, zeroSample }
}

/** Whether its last page belongs to another stream than those that begin it, as where files were joined. */
export async function isChainedOgg(bytes: TrackBytes): Promise<boolean> {
  if (!bytes.isSeekable || bytes.sizeBytes === null) return false
  const start = await readAt(bytes, 0, START_BYTES)
  const serials = new Set<number>()
  for (let at = 0, page = readPage(start, at); page && page !== 'more' && (page.flags & FIRST) !== 0;) {
    serials.add(page.serial)
    at += page.bytes
    page = readPage(start, at)
  }
  if (serials.size === 0) return false
  const last = await lastPage(bytes, bytes.sizeBytes)
  return last !== null && !serials.has(last.serial)
}

async function lastPage(bytes: TrackBytes, sizeBytes: number): Promise<OggPageHead | null> {
  return lastPageHead(await readAt(bytes, Math.max(0, sizeBytes - PAGE_REACH_BYTES), PAGE_REACH_BYTES))
}

async function findBeginning(bytes: TrackBytes) {
  for (const lengthBytes of BEGIN_BYTES) {
    const found = await parseBeginning(await readAt(bytes, 0, lengthBytes))
    if (found) return found
  }
  return null
}

async function parseBeginning(start: Buffer) {
  let head: OpusHead | null = null
  let serial: number | null = null
  let at = 0
  for (let pages = 1; ; pages++) {
    if (pages % PAGES_PER_TURN === 0) await nextTurn()
    const page = readPage(start, at)
    if (!page || page === 'more') return null
    if (serial === null) {
      head = parseOpusHead(page.body)
      if (head) serial = page.serial
    } else if (page.serial === serial && page.granule > 0n && head) {
      return { head, serial, firstPageByte: at, zeroSample: Math.max(0, Number(page.granule) - samplesOn(page)) }
    }
    at += page.bytes
  }
}

function samplesOn({ lacing, body }: OggPage): number {
  let samples = 0
  let from = 0
  let to = 0
  for (const length of lacing) {
    to += length
    if (length === 255) continue
    samples += packetSamples(body.subarray(from, to))
    from = to
  }
  return samples
}

/** The first page of that stream on which a packet ends; null if none is near. */
function firstPage(bytes: Buffer, serial: number): { page: OggPage; atByte: number } | null {
  let at = bytes.indexOf('OggS')
  for (let tries = 0; at !== -1 && tries < MAX_TRIES; tries++) {
    const page = readPage(bytes, at)
    if (page === 'more') return null
    if (page && page.serial === serial && page.granule >= 0n) return { page, atByte: at }
    at = bytes.indexOf('OggS', at + (page ? page.bytes : 1))
  }
  return null
}

import { finished } from 'node:stream/promises'
import type { Readable } from 'node:stream'
import { createPieceCount } from '../../../lib/buffers.ts'
import { unplayable } from '../../../lib/errors.ts'
import type { Egress, EgressResponse } from '../../../upstream/egress/egress-guard.ts'
import type { Bytes } from './random-access.ts'
import { readFacts } from '../library/audio-tags.ts'
import { readFileChapters } from '../chapters/file-chapters.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import { readPlaylist } from './playlist-file.ts'
import { probeHls } from './probe-hls.ts'
import { refuseStatus } from './http-status.ts'
import { icyIntervalOf } from './icy-interval.ts'
import { sniff } from './sniff.ts'
import { decodedPath, decodeText, fixMojibake, normalizeTitle, titleOfFile } from './text.ts'
import { withTimeout } from '../../../lib/deadline.ts'
import type { Probed, ProbeOptions } from './probed.ts'

const HEAD_BYTES = 65_536
/** How long the first bytes may take after the headers. A radio sends thousands at once. */
const HEAD_MS = 4000
const OPEN_MS = 8000
/** What reading tags and lengths behind the head may cost. */
const MORE_REQUESTS = 10
const MORE_BYTES = 6 * 1024 * 1024

/** Titles of QuickTime chapters stand all over the file. */
const CHAPTER_REQUESTS = 24

/**
 * Finds out what a URL leads to, from its first bytes and a few others.
 * @throws {Fault} `unplayable` when nothing playable is there or it may not be fetched.
 */
export async function probeUrl(url: string, { egress, signal }: ProbeOptions): Promise<Probed> {
  const { response, head, isAll } = await openHead(url, { egress, signal })
  const found = sniff(head)
  if (found.kind === 'other') throw unplayable(`${response.url.host} returned ${found.what}, not audio.`)
  if (found.kind === 'feed') return found
  if (found.kind === 'playlist') {
    if (found.format === 'hls') return probeHls({ url, at: response.url, head, egress, signal })
    return { kind: 'playlist', playlist: readPlaylist(found.format, decodeText(head), response.url) }
  }
  const size = totalBytes(response) ?? (isAll ? head.length : null)
  const isRadio = Object.keys(response.headers).some((name) => /^(?:icy-(?!metadata)|ice-)/.test(name))
  const bytes = isRadio ? headOnly(head, null) : createRemoteBytes({ egress, signal, response, head, size })
  const facts = await readFacts(bytes, found, false)
  if (!facts) throw unplayable(`The file from ${response.url.host} has no audio.`)
  const isStream = isRadio || (size === null && facts.lengthMs === 0)
  const name = nameOf(response)
  return { kind: 'audio', facts: isStream ? { ...facts, lengthMs: 0 } : facts, isStream, name, hlsUrl: null }
}

/** The chapters of the file at a URL. @throws {Fault} when it may not be fetched, or is away. */
export async function probeChapters(url: string, { egress, signal }: ProbeOptions): Promise<readonly FoundChapter[]> {
  const { response, head, isAll } = await openHead(url, { egress, signal })
  const found = sniff(head)
  if (found.kind !== 'audio') return []
  const size = totalBytes(response) ?? (isAll ? head.length : null)
  const bytes = createRemoteBytes({ egress, signal, response, head, size, requests: CHAPTER_REQUESTS })
  return readFileChapters(bytes, found)
}

async function openHead(url: string, { egress, signal }: ProbeOptions) {
  const headers = { 'icy-metadata': '1', range: `bytes=0-${HEAD_BYTES - 1}`, accept: 'audio/*,*/*;q=0.5' }
  const response = await egress.open(url, { headers, signal, timeoutMs: OPEN_MS })
  return { response, ...(await readHead(response)) }
}

/** The first bytes, and whether nothing followed them. Ends the request in any case. */
async function readHead(response: EgressResponse): Promise<{ head: Buffer; isAll: boolean }> {
  try {
    refuseStatus(response)
    icyIntervalOf(response)
    return await readStart(response.body, HEAD_BYTES)
  } finally {
    response.body.destroy()
  }
}

async function readStart(body: Readable, most: number): Promise<{ head: Buffer; isAll: boolean }> {
  const chunks: Buffer[] = []
  const pieces = createPieceCount()
  const enough = Promise.withResolvers<void>()
  body.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (!pieces.add(chunk) || pieces.bytes > most) enough.resolve()
  })
  const stop = new AbortController()
  const ended = finished(body, { signal: stop.signal }).then(
    () => true,
    () => false,
  )
  const isAll = await withTimeout(HEAD_MS, Promise.race([ended, enough.promise.then(() => false)]), () => false)
  stop.abort()
  return { head: Buffer.concat(chunks).subarray(0, most), isAll: isAll && pieces.bytes <= most }
}

function totalBytes({ status, headers }: EgressResponse): number | null {
  const text = status === 206 ? /\/(\d+)$/.exec(headers['content-range'] ?? '')?.[1] : headers['content-length']
  const total = Number(text)
  return text && Number.isSafeInteger(total) ? total : null
}

function nameOf({ headers, url }: EgressResponse): string | null {
  const station = normalizeTitle(fixMojibake(headers['icy-name'] ?? ''))
  if (station && !/^(?:no name|unspecified name|default)$/i.test(station)) return station
  const disposition = headers['content-disposition'] ?? ''
  // RFC 8187: a character set, a language and the name, with apostrophes between them.
  const [, , ...extended] = /filename\*\s*=([^;]+)/i.exec(disposition)?.[1]?.split("'") ?? []
  const plain = /filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(disposition)
  const given =
    extended.length > 0 ? decodedPath(extended.join("'").trim()) : fixMojibake(plain?.[1] ?? plain?.[2] ?? '')
  const last = url.pathname.split('/').findLast((part) => part !== '' && !part.startsWith(';')) ?? ''
  return titleOfFile(given.replace(/^.*[/\\]/, '')) ?? titleOfFile(decodedPath(last))
}

function headOnly(head: Buffer, size: number | null): Bytes {
  return { size, isSeekable: false, read: async (at, length) => head.subarray(at, at + length), close: async () => {} }
}

interface Remote {
  readonly egress: Egress
  readonly signal: AbortSignal
  readonly response: EgressResponse
  readonly head: Buffer
  readonly size: number | null
  readonly requests?: number
}

/** Reads the head, and more with range requests, within the limits of the server and the budget. */
function createRemoteBytes({ egress, signal, response, head, size, requests = MORE_REQUESTS }: Remote): Bytes {
  const answersRanges = response.status === 206 && size !== null
  if (!answersRanges && size !== head.length) return headOnly(head, size)
  const pieces = [{ at: 0, bytes: head }]
  let requestsLeft = requests
  let bytesLeft = MORE_BYTES

  async function load(at: number, length: number): Promise<Buffer> {
    if (requestsLeft === 0 || length > bytesLeft) throw new Error('Reading this file needs too many requests.')
    requestsLeft -= 1
    bytesLeft -= length
    const headers = { range: `bytes=${at}-${at + length - 1}` }
    const piece = await egress.open(response.url.href, { headers, signal, timeoutMs: OPEN_MS })
    try {
      if (piece.status !== 206) throw new Error(`The server returned the status ${piece.status} for a range.`)
      const { head: bytes } = await readStart(piece.body, length)
      pieces.push({ at, bytes })
      return bytes
    } finally {
      piece.body.destroy()
    }
  }

  return {
    size,
    isSeekable: true,
    read: async (at, length) => {
      const wanted = Math.max(0, Math.min(length, size - at))
      const piece = pieces.find((it) => it.at <= at && at + wanted <= it.at + it.bytes.length)
      if (piece) return piece.bytes.subarray(at - piece.at, at - piece.at + wanted)
      // A little more than asked: parsers continue where they were.
      return (await load(at, Math.min(size - at, Math.max(wanted, HEAD_BYTES)))).subarray(0, wanted)
    },
    close: async () => {},
  }
}

import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { BYTES_PER_SECOND, HEADER_BYTES } from '../sound/wave.ts'
import { MP3_BYTES_PER_SECOND, openLibrary, type Library } from './library.ts'

export interface MediaOptions {
  /** The address to listen on. */
  readonly host: string
  /** The host name for the server under test; `host` if null. */
  readonly publicHost: string | null
  readonly port: number
}

/** Addresses of sounds and broken files for checks. Each address is fresh, so that no cache of the server knows it. */
export type Media = Awaited<ReturnType<typeof openMedia>>

const BREAKING_SECONDS = 60
const STREAM_AHEAD_SECONDS = 4
const STREAM_STEP_MS = 250

const fresh = () => randomUUID().slice(0, 8)

interface Shelf {
  readonly library: Library
  readonly vanished: Set<string>
}

export async function openMedia({ host, publicHost, port }: MediaOptions) {
  const shelf: Shelf = { library: openLibrary(), vanished: new Set() }
  const server = createServer((request, response) => serve(shelf, request, response))
  server.listen(port, host)
  await once(server, 'listening')
  const url = `http://${publicHost ?? host}:${(server.address() as AddressInfo).port}`
  return {
    url,
    /** A WAV file: `tone-440`, `stereo`, `chord`, `stairs`. */
    wave: (shape: string, seconds: number) => `${url}/${fresh()}/wave/${shape}/${seconds}.wav`,
    /** A finite MP3 file, 440 Hz. */
    mp3: (seconds: number) => `${url}/${fresh()}/mp3/${seconds}.mp3`,
    /** An Icecast stream of 440 Hz without end. */
    stream: () => `${url}/${fresh()}/stream.mp3`,
    /** A stairs file whose transfer breaks off, or halts, after that many seconds of sound, each time. */
    broken: (how: 'cut' | 'stall', atSeconds: number) => `${url}/${fresh()}/${how}/${atSeconds}.wav`,
    /** A tone that answers 404 from the moment `vanish` is called. */
    vanishing(): { readonly url: string; readonly vanish: () => void } {
      const id = fresh()
      return { url: `${url}/${id}/wave/tone-440/20.wav`, vanish: () => void shelf.vanished.add(id) }
    },
    /** Answers any request with this status. */
    status: (code: number) => `${url}/${fresh()}/status/${code}.mp3`,
    page: () => `${url}/${fresh()}/page.html`,
    redirect: (to: string): string => `${url}/${fresh()}/redirect?to=${encodeURIComponent(to)}`,
    async close() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

function serve(shelf: Shelf, request: IncomingMessage, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://media')
  const [id = '', kind = '', name = '', length = ''] = url.pathname.slice(1).split('/')
  response.on('error', () => undefined)
  if (shelf.vanished.has(id)) return plain(response, 404)
  if (kind === 'wave')
    return sendFile(request, response, shelf.library.wave(name, Number.parseFloat(length)), 'audio/wav')
  if (kind === 'mp3') return sendFile(request, response, mp3Of(shelf.library, Number.parseFloat(name)), 'audio/mpeg')
  if (kind === 'stream.mp3') return sendStream(request, response, shelf.library.mp3())
  if (kind === 'cut' || kind === 'stall')
    return sendBroken(request, response, { shelf, kind, seconds: Number.parseFloat(name) })
  if (kind === 'status') return plain(response, Number.parseInt(name, 10))
  if (kind === 'redirect') return void response.writeHead(302, { location: url.searchParams.get('to') ?? '/' }).end()
  if (kind === 'page.html') return plain(response, 200, '<!doctype html><title>A page</title><p>No music here.')
  plain(response, 404)
}

function plain(response: ServerResponse, status: number, text = 'Nothing to hear.'): void {
  response.writeHead(status, { 'content-type': 'text/html', 'content-length': Buffer.byteLength(text) }).end(text)
}

const mp3Of = (library: Library, seconds: number): Buffer => {
  const bytes = library.mp3()
  const size = Math.round(seconds * MP3_BYTES_PER_SECOND)
  return Buffer.concat(Array.from({ length: Math.ceil(size / bytes.length) }, () => bytes)).subarray(0, size)
}

interface Range {
  readonly from: number
  /** Exclusive. */
  readonly to: number
  readonly headers: Record<string, string | number>
  readonly status: 200 | 206
}

/** Only what players ask for: one range with a beginning (RFC 9110 14.2). */
function rangeOf(request: IncomingMessage, size: number, type: string): Range | null {
  const headers = { 'content-type': type, 'accept-ranges': 'bytes' }
  const [, begin, end] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? '') ?? []
  if (begin === undefined) return { from: 0, to: size, status: 200, headers: { ...headers, 'content-length': size } }
  const from = Number(begin)
  const to = end === undefined || end === '' ? size : Math.min(size, Number(end) + 1)
  if (from >= to) return null
  const range = { 'content-length': to - from, 'content-range': `bytes ${from}-${to - 1}/${size}` }
  return { from, to, status: 206, headers: { ...headers, ...range } }
}

function sendFile(request: IncomingMessage, response: ServerResponse, file: Buffer | null, type: string): void {
  if (!file) return plain(response, 404)
  const range = rangeOf(request, file.length, type)
  if (!range) return void response.writeHead(416, { 'content-range': `bytes */${file.length}` }).end()
  response.writeHead(range.status, range.headers)
  response.end(request.method === 'HEAD' ? undefined : file.subarray(range.from, range.to))
}

interface Breaking {
  readonly shelf: Shelf
  readonly kind: 'cut' | 'stall'
  readonly seconds: number
}

/** Promises the whole file; hands out what lies before the break, then cuts the connection or falls silent. */
function sendBroken(request: IncomingMessage, response: ServerResponse, { shelf, kind, seconds }: Breaking): void {
  const file = shelf.library.wave('stairs', BREAKING_SECONDS) ?? Buffer.alloc(0)
  const range = rangeOf(request, file.length, 'audio/wav')
  if (!range || request.method === 'HEAD') return sendFile(request, response, file, 'audio/wav')
  const breakAt = HEADER_BYTES + Math.round(seconds * BYTES_PER_SECOND)
  const part = file.subarray(range.from, Math.max(range.from, Math.min(range.to, breakAt)))
  const isWhole = range.to <= breakAt
  response.writeHead(range.status, range.headers)
  if (isWhole) return void response.end(part)
  response.flushHeaders()
  response.write(part, () => {
    if (kind === 'cut') setTimeout(() => response.destroy(), 100)
  })
}

/** Streams as Icecast does: no length, no ranges, some seconds at once and then in real time. */
function sendStream(request: IncomingMessage, response: ServerResponse, loop: Buffer): void {
  const icy = { 'icy-name': 'Conformance', 'icy-br': '64', 'icy-pub': '0' }
  response.writeHead(200, { 'content-type': 'audio/mpeg', 'cache-control': 'no-cache', ...icy })
  if (request.method === 'HEAD') return void response.end()
  const begunMs = Date.now()
  let sent = 0
  const fill = () => {
    const due = ((Date.now() - begunMs) / 1000 + STREAM_AHEAD_SECONDS) * MP3_BYTES_PER_SECOND
    while (sent < due) {
      const from = sent % loop.length
      const bytes = loop.subarray(from, Math.min(loop.length, from + 4096))
      response.write(bytes)
      sent += bytes.length
    }
  }
  fill()
  const timer = setInterval(fill, STREAM_STEP_MS)
  response.on('close', () => clearInterval(timer))
}

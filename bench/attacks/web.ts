import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { listen } from '../../test/support/web.ts'
import { silentMp3 } from './audio.ts'

/** The attacker's web server. Everything it sends is wrong in a way of its own. */
export interface HostileWeb {
  /** `http://127.0.0.1:PORT` */
  readonly url: string
  /** Requests it got since the last call of this. */
  takeRequests(): number
  close(): Promise<void>
}

type Handler = (response: ServerResponse, request: IncomingMessage) => void

const KIB = 1024
const MIB = 1024 * KIB
const HLS = 'application/vnd.apple.mpegurl'
const M3U = 'audio/x-mpegurl'

/** @param handlers by the first part of the path; `origin` is the server's own address. */
export async function openHostileWeb(): Promise<HostileWeb> {
  let requests = 0
  const timers = new Set<NodeJS.Timeout>()
  let handlers: Readonly<Record<string, Handler>> = {}
  const server: Server = createServer((request, response) => {
    requests++
    response.on('error', () => undefined)
    const name = /^\/([\w-]+)/.exec(request.url ?? '')?.[1] ?? ''
    const handler = handlers[name]
    if (handler) handler(response, request)
    else response.writeHead(404).end()
  })
  const listening = await listen(server)
  handlers = handlersOf(listening.url, timers)
  return {
    url: listening.url,
    takeRequests() {
      const count = requests
      requests = 0
      return count
    },
    async close() {
      for (const timer of timers) clearInterval(timer)
      await listening.close()
    },
  }
}

function send(response: ServerResponse, type: string, body: string | Buffer): void {
  response.writeHead(200, { 'content-type': type }).end(body)
}

/** Sends a large body that is made once: making it again would take the time of the others, which is measured here. */
function large(type: string, make: () => string | Buffer): Handler {
  let body: Buffer | null = null
  return (response) => send(response, type, (body ??= Buffer.from(make())))
}

/** Calls `write` again and again until the other side is gone. */
function drip(response: ServerResponse, everyMs: number, write: () => void): (timers: Set<NodeJS.Timeout>) => void {
  return (timers) => {
    const timer = setInterval(write, everyMs)
    timers.add(timer)
    response.on('close', () => {
      clearInterval(timer)
      timers.delete(timer)
    })
  }
}

/** Writes as fast as the other side reads. */
function flood(response: ServerResponse, chunk: Buffer): void {
  const more = () => {
    while (!response.destroyed && response.write(chunk));
  }
  response.on('drain', more)
  more()
}

function handlersOf(origin: string, timers: Set<NodeJS.Timeout>): Readonly<Record<string, Handler>> {
  const song = silentMp3()
  const bytesOf = (path: string) => `${origin}/${path}`
  const liveHead = '#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:'
  const live = (sequence: number, more: string) =>
    `${liveHead}${sequence}\n${more}\n${[0, 1, 2].map((i) => `#EXTINF:1,\n${bytesOf(`song?s=${sequence + i}`)}`).join('\n')}\n`
  let sequence = 0
  const nest = (id3: Buffer) => Buffer.concat([id3, song])
  const bomb = gzipSync(Buffer.concat([Buffer.from('#EXTM3U\n'), Buffer.alloc(256 * MIB, '#')]))
  return {
    song: (response) => send(response, 'audio/mpeg', song),
    'hls-key': (response) => send(response, HLS, live(sequence++, `#EXT-X-KEY:${'-'.repeat(300 * KIB)}`)),
    'hls-variants': large(
      HLS,
      () =>
        `#EXTM3U\n${Array.from({ length: 60_000 }, (_, i) => `#EXT-X-STREAM-INF:BANDWIDTH=${i},CODECS="mp4a.40.2",AUDIO="a"\n${bytesOf(`x${i}`)}`).join('\n')}`,
    ),
    'hls-deep': (response, { url }) => {
      const depth = Number(/\d+/.exec(url ?? '')?.[0] ?? 0)
      send(response, HLS, `#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n${bytesOf(`hls-deep/${depth + 1}`)}\n`)
    },
    'hls-endless': (response) =>
      send(response, HLS, `${liveHead}0\n#EXTINF:6,\n${bytesOf('flood')}\n#EXTINF:6,\n${bytesOf('flood')}\n`),
    'hls-drip': (response) =>
      send(response, HLS, `${liveHead}0\n#EXTINF:6,\n${bytesOf('drip')}\n#EXTINF:6,\n${bytesOf('drip')}\n`),
    'm3u-cubic': (response) => send(response, M3U, `#EXTM3U\n#EXTINF:${'.'.repeat(30 * KIB)}${':'.repeat(3)}\u2028`),
    'm3u-nested': (response, { url }) =>
      send(
        response,
        M3U,
        Array.from({ length: 100 }, (_, i) => bytesOf(`m3u-nested/${url?.length}/${i}.m3u`)).join('\n'),
      ),
    'm3u-long': (response) =>
      send(response, M3U, Array.from({ length: 5000 }, (_, i) => `${origin}/song?${i}`).join('\n')),
    'picture-bytes': (response) => {
      response.writeHead(200, { 'content-type': 'image/png' })
      const drip = (): void => {
        for (let at = 0; at < 4096; at++) response.write('x')
        if (!response.destroyed) response.once('drain', drip)
      }
      drip()
    },
    'm3u-cycle': (response, { url }) => send(response, M3U, bytesOf(`m3u-cycle/${url?.endsWith('a') ? 'b' : 'a'}`)),
    'xspf-laughs': (response) => send(response, 'application/xspf+xml', billionLaughs()),
    'xspf-deep': large('application/xspf+xml', () => `<playlist>${'<track>'.repeat(300 * KIB)}`),
    'pls-many': large(
      'audio/x-scpls',
      () => `[playlist]\n${Array.from({ length: 200_000 }, (_, i) => `File${i}=${origin}/${i}`).join('\n')}`,
    ),
    'icy-titles': (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg', 'icy-metaint': '16', 'icy-name': 'x'.repeat(4000) })
      const title = Buffer.from(`StreamTitle='${"';StreamTitle='".repeat(290)}`.padEnd(4080, "'"))
      const block = (at: number) => Buffer.concat([song.subarray(at, at + 16), Buffer.from([255]), title])
      flood(response, Buffer.concat(Array.from({ length: 64 }, (_, i) => block(i * 16))))
    },
    'gzip-bomb': (response) => {
      response.writeHead(200, { 'content-type': M3U, 'content-encoding': 'gzip' }).end(bomb)
    },
    'one-byte': (response) => {
      response.writeHead(200, { 'content-type': M3U })
      let sent = 0
      const next = () => {
        if (response.destroyed || sent++ === 10_000) return void response.end()
        response.write('#')
        setImmediate(next)
      }
      next()
    },
    'id3-frames': large('audio/mpeg', () => nest(id3('TXXX', 11, 8 * MIB))),
    'id3-chapters': large('audio/mpeg', () => nest(id3('CHAP', 40, 8 * MIB))),
    'ogg-comments': large('audio/ogg', () => oggComments(8 * MIB)),
    'mp4-deep': large('audio/mp4', () => mp4Deep(8 * MIB)),
    'wav-rates': large('audio/wav', wav),
    redirects: (response, { url }) =>
      void response
        .writeHead(302, {
          location: `${origin}/redirects/${(url ?? '').length % 97}${'x'.repeat((url ?? '').length % 50)}`,
        })
        .end(),
    silent: () => undefined,
    'slow-headers': (response) => {
      const { socket } = response
      socket?.write('HTTP/1.1 200 OK\r\n')
      drip(response, 100, () => socket?.write(`X-Pad-${Math.random()}: ${'y'.repeat(200)}\r\n`))(timers)
    },
    flood: (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      flood(response, Buffer.alloc(64 * KIB, 0xff))
    },
    drip: (response) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' })
      let at = 0
      drip(response, 20, () => response.write(song.subarray(at, ++at)))(timers)
    },
  }
}

function billionLaughs(): string {
  const entities = Array.from({ length: 12 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')
  return `<?xml version="1.0"?><!DOCTYPE p [<!ENTITY l0 "lol">${entities}]><playlist><title>&l12;</title></playlist>`
}

/** An ID3v2.3 tag that is full of small frames. */
function id3(name: string, frameBytes: number, bytes: number): Buffer {
  const frame = Buffer.alloc(10 + frameBytes)
  frame.write(name, 'latin1')
  frame.writeUInt32BE(frameBytes, 4)
  const head = Buffer.from('ID3\x03\x00\x00\x00\x00\x00\x00', 'latin1')
  for (let i = 0; i < 4; i++) head[6 + i] = (bytes >> (7 * (3 - i))) & 0x7f
  return Buffer.concat([head, Buffer.alloc(bytes, frame)])
}

/** A full page of Ogg. */
function oggPage(sequence: number, flags: number, body: Buffer): Buffer {
  const head = Buffer.alloc(27 + 255)
  head.write('OggS', 'latin1')
  head[5] = flags
  head.writeUInt32LE(sequence, 18)
  head[26] = 255
  head.fill(255, 27)
  return Buffer.concat([head, body])
}

/** An Opus header whose comments are many and empty. */
function oggComments(bytes: number): Buffer {
  const first = Buffer.alloc(255 * 255)
  first.write('OpusHead\x01\x02', 'latin1')
  const tags = Buffer.alloc(255 * 255)
  tags.write('OpusTags', 'latin1')
  tags.writeUInt32LE(0xffffffff, 12)
  const pages = Math.ceil(bytes / tags.length)
  return Buffer.concat([
    oggPage(0, 2, first),
    ...Array.from({ length: pages }, (_, i) => oggPage(i + 1, i ? 1 : 0, tags)),
  ])
}

/** Boxes in boxes. */
function mp4Deep(bytes: number): Buffer {
  const ftyp = Buffer.from('\0\0\0\x14ftypM4A \0\0\0\0M4A ', 'latin1')
  const boxes = Buffer.alloc(bytes)
  for (let at = 0; at + 8 <= bytes; at += 8) {
    boxes.writeUInt32BE(bytes - at, at)
    boxes.write(at === 0 ? 'moov' : 'udta', at + 4, 'latin1')
  }
  return Buffer.concat([ftyp, boxes])
}

/** A header that promises four billion samples a second on 65,535 channels. */
function wav(): Buffer {
  const head = Buffer.from(
    'RIFF\xff\xff\xff\xffWAVEfmt \x10\0\0\0\x01\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x20\0data\xff\xff\xff\xff',
    'latin1',
  )
  return Buffer.concat([head, Buffer.alloc(4 * MIB, 1)])
}

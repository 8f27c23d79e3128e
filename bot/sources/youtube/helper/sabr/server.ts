import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createLru } from '../../../../../lib/sharing/lru.ts'
import { bytesFrom, liveBytes } from './bytes.ts'
import { readSabr, type SabrMeans, type SabrOffer } from './session.ts'

/** Videos that can be opened: some kilobytes each. */
const OFFERS_MAX = 512

export type SabrServer = Awaited<ReturnType<typeof startSabrServer>>

/**
 * Gives the audio thread the audio of SABR videos as files with ranges, on the loopback: this process can write none. Paths
 * are unguessable.
 * @param onStreams receives the number of responses in progress, at each change
 */
export async function startSabrServer(means: SabrMeans, onStreams: (count: number) => void) {
  const offers = createLru<string, SabrOffer>(OFFERS_MAX)
  let streams = 0
  const count = (change: 1 | -1) => onStreams((streams += change))
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?')
    const offer = offers.get(path ?? '')
    if (!offer || request.method !== 'GET') return void response.writeHead(404).end()
    count(1)
    response.once('close', () => count(-1))
    void serve(offer, request, response, means).then((isOver) => isOver && offers.delete(path ?? ''))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    /** @returns the address of an offer */
    add(offer: SabrOffer): string {
      const path = `/${randomBytes(24).toString('base64url')}`
      offers.set(path, offer)
      return `http://127.0.0.1:${port}${path}`
    },
    port,
  }
}

/** @returns whether the offer is of no use any more */
async function serve(
  offer: SabrOffer,
  request: IncomingMessage,
  response: ServerResponse,
  means: SabrMeans,
): Promise<boolean> {
  const sizeBytes = offer.isLive ? 0 : (offer.audio.contentLength ?? 0)
  const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  if (sizeBytes > 0 && from >= sizeBytes) {
    response.writeHead(416, { 'content-range': `bytes */${sizeBytes}` }).end()
    return false
  }
  const hungUp = new AbortController()
  response.once('close', () => hungUp.abort())
  const read = (startMs: number) => readSabr(offer, startMs, means, hungUp.signal)
  const bytes = sizeBytes > 0 ? bytesFrom(from, { sizeBytes, durationMs: offer.durationMs }, read) : liveBytes(read)
  try {
    const first = await bytes.next()
    if (first.done) throw new Error('the video has no audio')
    response.writeHead(sizeBytes > 0 ? 206 : 200, headersOf(offer, from, sizeBytes))
    await pipeline(Readable.from(following(first.value, bytes), { objectMode: false }), response)
    return false
  } catch {
    if (hungUp.signal.aborted) return false
    // A player that is told so at its next request opens the video in another way.
    if (response.headersSent) response.destroy()
    else response.writeHead(410).end()
    return true
  }
}

function headersOf({ audio }: SabrOffer, from: number, sizeBytes: number): Record<string, string> {
  const [type] = (audio.mimeType ?? 'application/octet-stream').split(';')
  const coding = { 'content-type': type ?? '', connection: 'close' }
  if (sizeBytes === 0) return coding
  const range = `bytes ${from}-${sizeBytes - 1}/${sizeBytes}`
  const length = { 'content-range': range, 'content-length': String(sizeBytes - from), 'accept-ranges': 'bytes' }
  return { ...coding, ...length, etag: `"${audio.itag}-${audio.lastModified}"` }
}

async function* following(first: Buffer, rest: AsyncGenerator<Buffer, void>): AsyncGenerator<Buffer, void> {
  yield first
  yield* rest
}

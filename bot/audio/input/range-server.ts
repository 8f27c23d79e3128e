import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type net from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Fault } from '../../../lib/errors.ts'
import type { TrackBytes } from './bytes.ts'
import type { RelayProgress } from '../ffmpeg/ffmpeg-process.ts'

/**
 * Lets ffmpeg read a remote track wherever it needs to (an MP4's index may stand at its end) without ever dialling
 * out itself: it asks this loopback server, and the bytes come through the guarded egress with every drop bridged.
 * Paths are unguessable, so that no other process reads along.
 */
export type RangeServer = ReturnType<typeof createRangeServer>

interface Offer {
  readonly bytes: TrackBytes
  sentBytes: number
  failure: Fault | null
  readonly responses: Set<ServerResponse>
}

/** @param listening where the decoders of a sandbox find it; else it listens on the loopback of this machine. */
export function createRangeServer(listening?: net.Server) {
  const offers = new Map<string, Offer>()
  let starting: Promise<Server> | null = null

  return {
    /** @returns the address to give to ffmpeg, and how to take it back. */
    offer: async (bytes: TrackBytes): Promise<{ url: string; progress: () => RelayProgress; withdraw: () => void }> => {
      starting ??= listen(listening, (request, response) => {
        void serve(offers, request, response)
      })
      const { port } = (await starting).address() as net.AddressInfo
      const path = `/${randomBytes(24).toString('base64url')}`
      const offer: Offer = { bytes, sentBytes: 0, failure: null, responses: new Set() }
      offers.set(path, offer)
      const url = `http://127.0.0.1:${port}${path}`
      return { url, progress: () => progressOf(offer), withdraw: () => offers.delete(path) }
    },
    close: async () => {
      offers.clear()
      const server = await starting
      listening?.close()
      if (!server) return
      server.closeAllConnections()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
}

async function listen(
  handle: net.Server | undefined,
  onRequest: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<Server> {
  const server = createServer(onRequest)
  if (handle) server.listen(handle)
  else server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

async function serve(offers: Map<string, Offer>, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const offer = offers.get(request.url ?? '')
  if (!offer || request.method !== 'GET') {
    response.writeHead(404).end()
    return
  }
  const from = Number(/^bytes=(\d+)-/.exec(request.headers.range ?? '')?.[1] ?? 0)
  const { sizeBytes } = offer.bytes
  if (sizeBytes !== null && from >= sizeBytes) {
    response.writeHead(416, { 'content-range': `bytes */${sizeBytes}` }).end()
    return
  }
  const range = sizeBytes === null ? {} : { 'content-range': `bytes ${from}-${sizeBytes - 1}/${sizeBytes}` }
  const length = sizeBytes === null ? {} : { 'content-length': String(sizeBytes - from) }
  response.writeHead(sizeBytes === null ? 200 : 206, { 'accept-ranges': 'bytes', ...range, ...length })
  // ffmpeg hangs up when it jumps; a source that breaks off cuts the answer short, which ffmpeg notices.
  offer.responses.add(response)
  await pipeline(Readable.from(counted(offer, from), { objectMode: false }), response).catch(() => undefined)
  offer.responses.delete(response)
}

async function* counted(offer: Offer, from: number): AsyncGenerator<Buffer> {
  offer.failure = null
  try {
    for await (const chunk of offer.bytes.read(from)) {
      offer.sentBytes += chunk.length
      yield chunk
    }
  } catch (error) {
    if (error instanceof Fault) offer.failure = error
    throw error
  }
}

function progressOf({ sentBytes, responses, failure }: Offer): RelayProgress {
  const isStarved = [...responses].some(({ writableLength, writableEnded }) => writableLength === 0 && !writableEnded)
  return { bytes: sentBytes, isStarved, failure }
}

import { IncomingMessage, type ServerResponse } from 'node:http'
import type { PeerLink, ServeForwarded } from '../../lib/sharing/forwarding.ts'
import type { Logger } from '../../lib/log.ts'
import { PEER_HEADER, type RequestSignature } from './request-signature.ts'

/** Requests that other services forward to this one. */
export type PeerRequests = Pick<PeerLink, 'isFromPeer' | 'receive'>

/** Answers a call of another service. @returns the answer, as JSON; undefined for a path that it does not know. */
export type PeerCalls = (path: string, body: string) => unknown

interface PeerRequestsOptions {
  readonly signature: Pick<RequestSignature, 'verify'>
  readonly calls: PeerCalls
  readonly log: Logger
}

/** Of the services' own calls; those of callers are shorter. */
export const CALLS_PATH = '/internal/cluster/'
const MOST_BYTES = 1024 * 1024

export function createPeerRequests({ signature, calls, log }: PeerRequestsOptions): PeerRequests {
  async function receive(req: IncomingMessage, res: ServerResponse, serve: ServeForwarded): Promise<void> {
    const { method = '', url: path = '', headers } = req
    const body = await readWhole(req)
    const verified = body && signature.verify(headers, { method, path, body })
    if (!verified || 'refused' in verified) {
      log.warn({ path: path.slice(0, 200), why: verified?.refused ?? 'body' }, 'request between services refused')
      return answer(res, 401, { error: 'refused' })
    }
    if (!path.startsWith(CALLS_PATH)) return serve(withBody(req, body), verified.identity)
    const result = await calls(path.slice(CALLS_PATH.length), body.toString())
    if (result === undefined) answer(res, 404, { error: 'unknown' })
    else answer(res, 200, result)
  }

  return {
    isFromPeer: ({ headers }) => headers[PEER_HEADER] !== undefined,
    async receive(req, res, serve) {
      try {
        await receive(req, res, serve)
      } catch (err) {
        log.warn({ err }, 'request between services failed')
        if (res.headersSent) res.destroy()
        else answer(res, 500, { error: 'failed' })
      }
    },
  }
}

function answer(res: ServerResponse, status: number, body: unknown): void {
  res.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

/** Null if it is too long or ended early. */
async function readWhole(req: IncomingMessage): Promise<Buffer | null> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of req as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MOST_BYTES) return null
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

/** The same request, whose body can be read once more. */
export function withBody(req: IncomingMessage, body: Buffer): IncomingMessage {
  const { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor } = req
  const again = new IncomingMessage(req.socket)
  Object.assign(again, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor })
  again.complete = true
  // As it would be after the parser: reading does not touch the connection, which belongs to the first one.
  again._read = () => undefined
  again._destroy = (error, done) => done(error)
  if (body.length > 0) again.push(body)
  again.push(null)
  return again
}

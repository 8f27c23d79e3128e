import { IncomingMessage, type ServerResponse } from 'node:http'
import type { PeerLink, ServeForwarded } from '../../../lib/sharing/forwarding.ts'
import type { Logger } from '../../../lib/log.ts'
import { bodyHash, PEER_HEADER, type RequestSignature, type SignedBody } from './request-signature.ts'

/** Requests that other services forward to this one. */
type PeerRequests = Pick<PeerLink, 'isFromPeer' | 'receive'>

/** Answers a call of another service. @returns the answer, as JSON; undefined for a path that it does not know. */
type PeerCalls = (path: string, body: string) => unknown

interface PeerRequestsOptions {
  readonly signature: Pick<RequestSignature, 'verify'>
  readonly calls: PeerCalls
  readonly log: Logger
}

/** Path of the services' own calls; those of callers are shorter. */
export const CALLS_PATH = '/internal/cluster/'
/** Header with the reason for a refusal, which is no answer to the request itself. */
export const REFUSED_HEADER = 'bandstand-refused'
/** Strangers can be refused without end. */
const WARN_EVERY_MS = 10_000
const MOST_BYTES = 1024 * 1024

export function createPeerRequests({ signature, calls, log }: PeerRequestsOptions): PeerRequests {
  let warnedAtMs = -Infinity
  function refuse(res: ServerResponse, path: string, why: string): void {
    if (performance.now() - warnedAtMs > WARN_EVERY_MS) {
      warnedAtMs = performance.now()
      log.warn({ path: path.slice(0, 200), why }, 'request between services refused')
    }
    // The request's body was not read.
    answer(res, 401, { error: 'refused' }, { [REFUSED_HEADER]: why, connection: 'close' })
  }

  async function receive(req: IncomingMessage, res: ServerResponse, serve: ServeForwarded): Promise<void> {
    const { method = '', url: path = '', headers } = req
    const verified = signature.verify(headers, { method, path })
    if ('refused' in verified) return refuse(res, path, verified.refused)
    const body = await readSigned(req, verified.body)
    if (!body) return refuse(res, path, 'body')
    if (!path.startsWith(CALLS_PATH)) return serve(asSigned(req, verified.headers, body), verified.identity)
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

function answer(res: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}

/** Null if it is another one. */
async function readSigned(req: IncomingMessage, signed: SignedBody): Promise<Buffer | null> {
  if (!(signed.bytes <= MOST_BYTES)) return null
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of req as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > signed.bytes) return null
    pieces.push(piece)
  }
  const body = Buffer.concat(pieces)
  return bodyHash(body) === signed.hash ? body : null
}

/** The same request with the headers that were signed alone, whose body can be read once more. */
function asSigned(req: IncomingMessage, signed: Readonly<Record<string, string>>, body: Buffer): IncomingMessage {
  const { method, url, httpVersion, httpVersionMajor, httpVersionMinor } = req
  const headers = { ...signed, ...(body.length > 0 && { 'content-length': String(body.length) }) }
  const rawHeaders = Object.entries(headers).flat()
  const again = new IncomingMessage(req.socket)
  Object.assign(again, { method, url, headers, rawHeaders, httpVersion, httpVersionMajor, httpVersionMinor })
  again.complete = true
  // Set as it would be after the parser: reading does not touch the connection, which belongs to the first one.
  again._read = () => undefined
  again._destroy = (error, done) => done(error)
  if (body.length > 0) again.push(body)
  again.push(null)
  return again
}

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** A request as the stand-in for an outside service received it. */
export interface Received {
  readonly method: string
  /** Decoded, without the query. */
  readonly path: string
  /** URL as it was on the wire. */
  readonly rawUrl: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The body as it came. */
  readonly bytes: Buffer
}

export interface Reply {
  readonly status?: number
  readonly json?: unknown
  readonly text?: string
  /** Instead of text, sent in chunks unless the headers say a length. */
  readonly bytes?: Buffer
  readonly headers?: Readonly<Record<string, string>>
}

/** The ways in which an outside service goes wrong, no matter what it is asked. */
export const MISBEHAVIOURS = [
  'hang',
  'drip',
  'status 500',
  'status 429 with Retry-After',
  'truncated JSON',
  'wrong shape',
  'HTML',
  'redirect',
  'wrong charset',
  '20 MB',
  'cut connection',
] as const
export type Misbehaviour = (typeof MISBEHAVIOURS)[number]

export interface StandIn {
  readonly url: string
  /** All that was asked, oldest first. */
  readonly received: Received[]
  /** Makes all requests fail like this from now on; null restores normal behaviour. */
  misbehave(how: Misbehaviour | null): void
  /** Answers all requests with this from now on; null restores the usual answers. */
  answerAll(reply: Reply | null): void
  close(): Promise<void>
}

/** A service on loopback that answers what `answer` says; 404 with an empty JSON object where it says nothing. */
export async function startStandIn(
  answer: (request: Received) => Reply | undefined | Promise<Reply | undefined>,
): Promise<StandIn> {
  const received: Received[] = []
  const timers = new Set<NodeJS.Timeout>()
  let misbehaviour: Misbehaviour | null = null
  let only: Reply | null = null

  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const bytes = await buffer(request)
    const seen: Received = {
      method: request.method ?? '',
      path: decodeURIComponent(url.pathname),
      rawUrl: request.url ?? '',
      query: url.searchParams,
      headers: request.headers,
      body: bytes.toString('utf8'),
      bytes,
    }
    received.push(seen)
    if (misbehaviour) goWrong(misbehaviour, response, timers)
    else send(response, only ?? (await answer(seen)) ?? { status: 404, json: {} })
  }
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy()
      throw error
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    misbehave: (how) => (misbehaviour = how),
    answerAll: (reply) => (only = reply),
    async close() {
      for (const timer of timers) clearInterval(timer)
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function send(response: ServerResponse, { status = 200, json, text: body, bytes, headers }: Reply): void {
  const payload = bytes ?? body ?? (json === undefined ? '' : JSON.stringify(json))
  const type = json === undefined ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  response.writeHead(status, { 'content-type': type, ...headers }).end(payload)
}

function goWrong(how: Misbehaviour, response: ServerResponse, timers: Set<NodeJS.Timeout>): void {
  const json = { 'content-type': 'application/json' }
  switch (how) {
    case 'hang':
      return
    case 'drip': {
      response.writeHead(200, json).write('[')
      const timer = setInterval(() => response.write(' '), 20)
      timers.add(timer)
      response.once('close', () => clearInterval(timer))
      return
    }
    case 'status 500':
      return send(response, { status: 500, json: { message: 'Internal details that no caller should see' } })
    case 'status 429 with Retry-After':
      return send(response, { status: 429, json: { message: 'slow down' }, headers: { 'retry-after': '30' } })
    case 'truncated JSON':
      return send(response, { text: '{"results": [{"name": "Mun', headers: json })
    case 'wrong shape':
      return send(response, { json: { surprise: [{ deep: null }] } })
    case 'HTML':
      return send(response, {
        text: '<html><body>Checking your browser</body></html>',
        headers: { 'content-type': 'text/html' },
      })
    case 'redirect':
      return send(response, { status: 302, headers: { location: 'http://127.0.0.1:1/elsewhere' } })
    case 'wrong charset':
      response.writeHead(200, { 'content-type': 'application/json; charset=klingon-8' })
      response.end(Buffer.from([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xff, 0xfe, 0x22, 0x7d]))
      return
    case '20 MB': {
      response.writeHead(200, json)
      response.end(Buffer.alloc(20 * 1024 * 1024, ' '))
      return
    }
    case 'cut connection':
      response.destroy()
  }
}

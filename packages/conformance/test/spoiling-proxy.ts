import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'

/** An answer on its way to the client, to be changed in place. */
interface Passing {
  readonly method: string
  readonly path: string
  status: number
  readonly headers: Record<string, string>
  body: any
}

/** A server's fault that the proxy imitates. */
export interface Spoiler {
  /** Changes the path or the body of a request. */
  readonly request?: (request: { path: string; body: any }) => void
  readonly answer?: (answer: Passing) => void
  /** Changes a message; null drops it, several are all sent. */
  readonly message?: (message: any) => unknown[]
  /** Changes the headers of the handshake that the server gets. */
  readonly handshake?: (headers: Record<string, string | undefined>) => void
  /** Changes what the handshake answers. */
  readonly resumed?: (value: string) => string
}

export interface Proxy {
  readonly url: string
  close(): Promise<void>
}

/** A proxy before a server that spoils its traffic. */
export async function spoil(target: string, spoiler: Spoiler): Promise<Proxy> {
  const server = createServer((request, response) => void pass(target, spoiler, request, response))
  const sockets = new WebSocketServer({ noServer: true })
  const open = new Set<WebSocket>()
  server.on('upgrade', (request, socket, head) => {
    void bridge({ target, spoiler, sockets, open }, request, socket, head)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      for (const socket of open) socket.terminate()
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function pass(target: string, spoiler: Spoiler, request: IncomingMessage, response: ServerResponse) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const sent = { path: request.url ?? '/', body: read(Buffer.concat(chunks).toString()) }
  spoiler.request?.(sent)
  const { authorization, 'content-type': type } = request.headers
  const answered = await fetch(target + sent.path, {
    method: request.method ?? 'GET',
    headers: {
      ...(authorization === undefined ? {} : { authorization }),
      ...(type === undefined ? {} : { 'content-type': type }),
    },
    ...(chunks.length === 0 ? {} : { body: typeof sent.body === 'string' ? sent.body : JSON.stringify(sent.body) }),
  })
  const text = await answered.text()
  const path = new URL(sent.path, target).pathname
  const headers = Object.fromEntries(
    [...answered.headers].filter(([name]) => name === 'content-type' || name.startsWith('lavalink')),
  )
  const passing: Passing = { method: request.method ?? 'GET', path, status: answered.status, headers, body: read(text) }
  spoiler.answer?.(passing)
  const body = typeof passing.body === 'string' ? passing.body : JSON.stringify(passing.body)
  response.writeHead(passing.status, passing.headers)
  response.end(passing.status === 204 ? undefined : body)
}

/** Parses JSON, else returns the text. */
function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}

const asText = (value: string | string[] | undefined) => (typeof value === 'string' ? value : undefined)

interface Bridge {
  readonly target: string
  readonly spoiler: Spoiler
  readonly sockets: WebSocketServer
  readonly open: Set<WebSocket>
}

async function bridge(
  { target, spoiler, sockets, open }: Bridge,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
) {
  const { authorization, 'user-id': userId, 'client-name': client, 'session-id': session } = request.headers
  const headers = {
    authorization,
    'user-id': asText(userId),
    'client-name': asText(client),
    'session-id': asText(session),
  }
  spoiler.handshake?.(headers)
  const given = Object.fromEntries(
    Object.entries(headers).filter((pair): pair is [string, string] => pair[1] !== undefined),
  )
  const behind = new WebSocket(`${target.replace('http', 'ws')}${request.url}`, { headers: given })
  const early: string[] = []
  let front: WebSocket | null = null
  const forward = (text: string) => {
    const messages = spoiler.message?.(JSON.parse(text)) ?? [JSON.parse(text)]
    for (const message of messages) front?.send(typeof message === 'string' ? message : JSON.stringify(message))
  }
  behind.on('message', (data: Buffer) => (front ? forward(data.toString()) : early.push(data.toString())))
  behind.on('error', () => socket.destroy())
  behind.once('unexpected-response', (_request, response) => {
    socket.end(`HTTP/1.1 ${response.statusCode} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
  })
  const [answer] = (await once(behind, 'upgrade').catch(() => [null])) as [IncomingMessage | null]
  if (!answer) return
  const resumed = String(answer.headers['session-resumed'])
  sockets.once('headers', (list: string[]) => list.push(`Session-Resumed: ${spoiler.resumed?.(resumed) ?? resumed}`))
  sockets.handleUpgrade(request, socket, head, (client_) => {
    front = client_
    open.add(client_)
    client_.on('message', (data: Buffer) => behind.send(data.toString()))
    client_.on('close', (code) => (code === 1000 ? behind.close(1000) : behind.terminate()))
    behind.on('close', () => client_.terminate())
    for (const text of early.splice(0)) forward(text)
  })
}

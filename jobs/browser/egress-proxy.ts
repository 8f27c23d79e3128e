import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type LookupFunction, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import type { Logger } from '../../lib/log.ts'
import type { Egress } from '../../upstream/egress/egress-guard.ts'
import { createGate, hostAndPort, type Gate, type EgressPassage, type PassageBounds } from './egress-grant.ts'
import { abortable } from '../../lib/deadline.ts'

const CONNECT_TIMEOUT_MS = 5000
const HEADERS_TIMEOUT_MS = 30_000
const MAX_CONNECTIONS = 1024
const DEFAULT_BOUNDS: PassageBounds = { maxBytes: 100e6, maxOpen: 128, maxRequests: 10_000 }

/** Headers that belong to one connection only, and `expect`, which the client behind us does not speak. */
const HOP_BY_HOP = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

interface EgressProxyOptions {
  /** Says which addresses may be reached. */
  readonly egress: Egress
  readonly log: Logger
}

/**
 * The browser's only way to the network: a forward proxy on the loopback, for plain requests and for tunnels (HTTPS and
 * WebSockets). It resolves names itself, lets egress check every address, and dials what was checked. A refused
 * connection is dropped without a word, so that no text of ours is ever seen in a picture; the passage knows why.
 */
export type EgressProxy = Awaited<ReturnType<typeof openEgressProxy>>

export async function openEgressProxy({ egress, log }: EgressProxyOptions) {
  const gates = new Map<string, Gate>()
  const sockets = new Set<Socket>()

  const gateOf = (asked: IncomingMessage): Gate | null => {
    const [, encoded = ''] = /^basic (.+)$/i.exec(asked.headers['proxy-authorization'] ?? '') ?? []
    const [username = '', password = ''] = Buffer.from(encoded, 'base64').toString().split(':')
    const gate = gates.get(username)
    return gate?.isOpenWith(password) ? gate : null
  }

  const server = createServer({ maxHeaderSize: 65_536, headersTimeout: 10_000, requestTimeout: 0 })
  server.maxConnections = MAX_CONNECTIONS
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.once('close', () => sockets.delete(socket))
  })
  server.on('request', (asked, answer) => {
    const gate = gateOf(asked)
    if (!gate) return void answer.writeHead(407, CHALLENGE).end()
    forward(egress, gate, asked, answer)
  })
  server.on('connect', (asked, client, head) => {
    const gate = gateOf(asked)
    if (!gate) return void client.end(RAW_CHALLENGE)
    void tunnel({ egress, gate, asked, client, head })
  })
  server.on('error', (err) => log.error({ err }, 'egress proxy failed'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  return {
    /** `http://127.0.0.1:PORT` */
    server: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** A credential, bounded and for one page: without one nothing goes through. */
    admit(bounds: Partial<PassageBounds> = {}): EgressPassage {
      const gate = createGate({ ...DEFAULT_BOUNDS, ...bounds }, (it) => gates.delete(it.username))
      gates.set(gate.username, gate)
      return gate
    },
    async close() {
      for (const gate of gates.values()) gate.close()
      for (const socket of sockets) socket.destroy()
      await new Promise((closed) => server.close(closed))
    },
  }
}

const CHALLENGE = { 'proxy-authenticate': 'Basic realm="bandstand"', 'content-length': '0' }
const RAW_CHALLENGE =
  'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic realm="bandstand"\r\n' +
  'content-length: 0\r\nconnection: close\r\n\r\n'

/** Passes one plain request on and its answer back. */
function forward(egress: Egress, gate: Gate, asked: IncomingMessage, answer: ServerResponse): void {
  const url = URL.parse(asked.url ?? '')
  if (url?.protocol !== 'http:') return void answer.destroy()
  const target = hostAndPort(url)
  let far: Dispatcher.DispatchController | null = null
  let isCut = false
  const cut = (): void => {
    isCut = true
    far?.abort(new Error('cut'))
    answer.destroy()
  }
  const closeTunnel = gate.openTunnel(target, cut)
  if (!closeTunnel) return void answer.destroy()
  answer.once('close', () => {
    closeTunnel()
    if (!answer.writableFinished) cut()
  })
  const headers = [...endToEnd(asked.rawHeaders, 'host'), 'host', url.host]
  const options = { origin: url.origin, path: url.pathname + url.search, method: asked.method ?? 'GET', headers }
  const body = hasBody(asked) ? asked : null
  egress.dispatcher.dispatch(
    { ...options, body, headersTimeout: HEADERS_TIMEOUT_MS },
    {
      onRequestStart(controller) {
        far = controller
        if (isCut) cut()
      },
      onResponseStart({ rawHeaders }, status) {
        if (status < 200 || isCut) return
        answer.sendDate = false
        answer.writeHead(status, endToEnd(textsOf(rawHeaders)))
      },
      onResponseData(controller, chunk) {
        gate.spend(chunk.length)
        if (isCut || answer.write(chunk)) return
        controller.pause()
        answer.once('drain', () => controller.resume())
      },
      onResponseEnd: () => void answer.end(),
      onResponseError(_, error) {
        // A request that the page cancelled says nothing about the host.
        if (!isCut) gate.note(target, error)
        answer.destroy()
      },
    },
  )
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0
}

/** Header fields as they came. Only a client made of other parts has them in another form. */
function textsOf(rawHeaders: Dispatcher.DispatchController['rawHeaders']): string[] {
  return Array.isArray(rawHeaders) ? rawHeaders.map((it) => (typeof it === 'string' ? it : it.toString('latin1'))) : []
}

function endToEnd(raw: readonly string[], without = ''): string[] {
  const kept: string[] = []
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = String(raw[i])
    if (!HOP_BY_HOP.has(name.toLowerCase()) && name.toLowerCase() !== without) kept.push(name, String(raw[i + 1]))
  }
  return kept
}

interface Tunnelling {
  readonly egress: Egress
  readonly gate: Gate
  readonly asked: IncomingMessage
  readonly client: Duplex
  readonly head: Buffer
}

/** Tunnels a client to the host it names (`CONNECT`). */
async function tunnel({ egress, gate, asked, client, head }: Tunnelling): Promise<void> {
  const url = URL.parse(`https://${asked.url}`)
  if (!url || url.pathname !== '/') return void client.destroy()
  const target = hostAndPort(url)
  const closeTunnel = gate.openTunnel(target, () => client.destroy())
  if (!closeTunnel) return void client.destroy()
  client.on('error', () => undefined)
  try {
    const far = await dial(egress, url)
    if (client.destroyed) return void far.destroy()
    client.write('HTTP/1.1 200 Connection established\r\n\r\n')
    if (head.length > 0) far.write(head)
    for (const side of [client, far]) side.on('data', (chunk: Buffer) => gate.spend(chunk.length))
    // Either end's failure ends both; how a tunnel ends tells nothing.
    await Promise.all([pipeline(client, far), pipeline(far, client)]).catch(() => undefined)
  } catch (error) {
    gate.note(target, error as Error)
    client.destroy()
  } finally {
    closeTunnel()
  }
}

async function dial(egress: Egress, url: URL): Promise<Socket> {
  const timeout = AbortSignal.timeout(CONNECT_TIMEOUT_MS)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port) || 443
  const addresses = await abortable(egress.admit(host.replace(/\.$/, ''), port), timeout).catch((error: unknown) => {
    throw timeout.aborted ? failure("the name server doesn't respond", 'EAI_AGAIN') : error
  })
  const pinned: LookupFunction = (_name, { all }, done) => {
    if (all) done(null, [...addresses])
    else done(null, addresses[0]?.address ?? '', addresses[0]?.family)
  }
  const socket = connect({ host, port, lookup: pinned, autoSelectFamily: true, noDelay: true })
  socket.on('error', () => undefined)
  try {
    await once(socket, 'connect', { signal: timeout })
  } catch (error) {
    socket.destroy()
    throw timeout.aborted ? failure('connecting timed out', 'ETIMEDOUT') : error
  }
  return socket
}

function failure(message: string, code: string): Error {
  return Object.assign(new Error(message), { code })
}

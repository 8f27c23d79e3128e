import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'

/** A message from a node: over its socket, or in response to a request. */
export interface Said {
  readonly kind: 'socket' | 'answer'
  /** Origin, in readable form. */
  readonly from: string
  readonly method?: string
  readonly path?: string
  readonly status?: number
  readonly body: unknown
  /** Body of the request, if any. */
  readonly asked?: unknown
}

/** Between a client and its node: passes everything on unchanged, and writes down what the node says. */
export interface Recorder {
  readonly port: number
  readonly said: Said[]
  /** Port of the node; null while it is down. */
  target: number | null
  /** Cuts the client's sockets as a network does, without a closing handshake. */
  cutSockets(): void
  close(): Promise<void>
}

const UNPACK: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
}

export async function startRecorder(target: number | null): Promise<Recorder> {
  const said: Said[] = []
  const sockets = new Set<Duplex>()
  // Keep-alive timeout of the node, which its responses announce to clients.
  const server = createServer({ keepAliveTimeout: 65_000 }, (incoming, outgoing) => pass(recorder, incoming, outgoing))
  server.on('upgrade', (incoming, socket, head) => upgrade(recorder, sockets, { incoming, socket, head }))
  const recorder: Recorder = {
    port: 0,
    said,
    target,
    cutSockets() {
      for (const socket of sockets) socket.destroy()
    },
    async close() {
      recorder.cutSockets()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(recorder, { port: (server.address() as AddressInfo).port })
}

function pass({ target, said }: Recorder, incoming: IncomingMessage, outgoing: ServerResponse): void {
  if (target === null) return void incoming.socket.destroy()
  const { method = 'GET', url = '/', headers } = incoming
  const asked: Buffer[] = []
  const onward = request({ host: '127.0.0.1', port: target, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
    const chunks: Buffer[] = []
    answer.on('data', (chunk: Buffer) => chunks.push(chunk))
    answer.on('end', () => {
      const path = url.split('?')[0] ?? url
      const status = answer.statusCode ?? 0
      const from = `${method} ${url} → ${status}`
      const unpack = UNPACK[answer.headers['content-encoding'] ?? '']
      const bytes = Buffer.concat(chunks)
      const [body, question] = [parse(unpack ? unpack(bytes) : bytes), parse(Buffer.concat(asked))]
      said.push({ kind: 'answer', from, method, path, status, body, asked: question })
    })
    answer.pipe(outgoing)
  })
  onward.on('error', () => incoming.socket.destroy())
  incoming.on('data', (chunk: Buffer) => asked.push(chunk))
  incoming.pipe(onward)
}

interface Upgrade {
  readonly incoming: IncomingMessage
  readonly socket: Duplex
  readonly head: Buffer
}

function upgrade({ target, said }: Recorder, sockets: Set<Duplex>, { incoming, socket, head }: Upgrade): void {
  if (target === null) return void socket.destroy()
  const onward: Socket = connect(target, '127.0.0.1')
  // Compressed messages could not be read here; no node has to compress.
  const lines = pairs(incoming.rawHeaders).filter(([name]) => name.toLowerCase() !== 'sec-websocket-extensions')
  const text = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  onward.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${text}\r\n`)
  onward.write(head)
  const read = createFrameReader((text) =>
    said.push({ kind: 'socket', from: 'socket', body: parse(Buffer.from(text)) }),
  )
  onward.on('data', read)
  socket.pipe(onward)
  onward.pipe(socket)
  sockets.add(socket)
  const end = () => {
    sockets.delete(socket)
    socket.destroy()
    onward.destroy()
  }
  for (const side of [socket, onward]) side.on('error', end).on('close', end)
}

function pairs(raw: readonly string[]): [string, string][] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[2 * i] ?? '', raw[2 * i + 1] ?? ''])
}

/** Reads the text messages of a server (RFC 6455: unmasked, and here never compressed) behind the answer's head. */
function createFrameReader(onText: (text: string) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0)
  let isUpgraded = false
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    if (!isUpgraded) {
      const end = rest.indexOf('\r\n\r\n')
      if (end < 0) return
      isUpgraded = true
      rest = rest.subarray(end + 4)
    }
    for (let frame = readFrame(rest); frame; frame = readFrame(rest)) {
      rest = rest.subarray(frame.bytes)
      if (frame.opcode === 1) onText(frame.payload.toString())
    }
  }
}

function readFrame(from: Buffer): { opcode: number; payload: Buffer; bytes: number } | null {
  if (from.length < 2) return null
  const short = from.readUInt8(1) & 0x7f
  const head = short === 126 ? 4 : short === 127 ? 10 : 2
  if (from.length < head) return null
  const length = short === 126 ? from.readUInt16BE(2) : short === 127 ? Number(from.readBigUInt64BE(2)) : short
  if (from.length < head + length) return null
  return { opcode: from.readUInt8(0) & 0x0f, payload: from.subarray(head, head + length), bytes: head + length }
}

function parse(bytes: Buffer): unknown {
  const text = bytes.toString()
  try {
    return text === '' ? null : JSON.parse(text)
  } catch {
    return text
  }
}

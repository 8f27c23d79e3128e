import { createDeflate, createZstdCompress, constants, type Deflate, type ZstdCompress } from 'node:zlib'
import { GatewayCloseCodes as Close, GatewayOpcodes as Op } from 'discord-api-types/v10'
import type { WebSocket } from 'ws'
import { ClientPayload, KNOWN_OPCODES } from './requests.ts'
import type { Carrier, Spoiled } from './session.ts'

/** A client may send this many payloads in a minute, heartbeats included; one more closes its connection. */
const SENDS_PER_MINUTE = 120
const PAYLOAD_BYTES = 4096
/** What may wait for a client that does not read; then it is cut. */
const UNREAD_BYTES = 16 * 1024 * 1024

export interface Connection extends Carrier {
  /** Sends a payload that is no event. */
  say(op: Op, d: unknown): void
}

export interface ConnectionOptions {
  readonly compress: string | null
  /** The client is told to beat this often, and closed when it is half as late again. */
  readonly heartbeatMs: number
  readonly now: () => number
  onPayload(payload: ClientPayload): void
  /** The sequence number a client says it has seen, for answers to heartbeats. */
  onClosed(code: number): void
}

/** One gateway socket: greeting, heartbeats, limits and compression. What payloads mean is the gateway's business. */
export function openConnection(socket: WebSocket, options: ConnectionOptions): Connection {
  const compressor = createCompressor(options.compress, (bytes) => socket.send(bytes))
  const sentAtMs: number[] = []
  let overdue: NodeJS.Timeout | undefined
  let spoiled: Spoiled | null = null

  const connection: Connection = {
    say: (op, d) => connection.send(JSON.stringify({ op, d, s: null, t: null })),
    send(text) {
      if (socket.readyState !== socket.OPEN || spoiled === 'frozen') return
      if (socket.bufferedAmount > UNREAD_BYTES) return socket.terminate()
      if (compressor) compressor.write(text)
      else socket.send(text)
    },
    close(code) {
      if (code === null) socket.terminate()
      // After a polite close a client that never answers is cut by ws itself.
      else socket.close(code, REASONS[code])
    },
    spoil(how) {
      spoiled = how
      clearTimeout(overdue)
    },
  }

  function expectHeartbeat(): void {
    clearTimeout(overdue)
    overdue = setTimeout(() => connection.close(Close.SessionTimedOut), options.heartbeatMs * 1.5)
  }

  function receive(data: Buffer): void {
    const nowMs = options.now()
    while (sentAtMs[0] !== undefined && sentAtMs[0] <= nowMs - 60_000) sentAtMs.shift()
    sentAtMs.push(nowMs)
    if (sentAtMs.length > SENDS_PER_MINUTE) return connection.close(Close.RateLimited)
    if (data.length > PAYLOAD_BYTES) return connection.close(Close.DecodeError)
    const payload = parse(data)
    if (typeof payload === 'number') return connection.close(payload)
    if (payload.op === Op.Heartbeat) {
      expectHeartbeat()
      return connection.say(Op.HeartbeatAck, undefined)
    }
    options.onPayload(payload)
  }

  socket.on('message', (data: Buffer) => {
    if (socket.readyState === socket.OPEN && !spoiled) receive(data)
  })
  // A broken frame also closes; there is nothing more to say about it.
  socket.on('error', () => socket.terminate())
  socket.on('close', (code) => {
    clearTimeout(overdue)
    compressor?.close()
    options.onClosed(code)
  })
  expectHeartbeat()
  connection.say(Op.Hello, { heartbeat_interval: options.heartbeatMs })
  return connection
}

const REASONS: Record<number, string> = {
  [Close.UnknownError]: 'Unknown error.',
  [Close.UnknownOpcode]: 'Unknown opcode.',
  [Close.DecodeError]: 'Error while decoding payload.',
  [Close.NotAuthenticated]: 'Not authenticated.',
  [Close.AuthenticationFailed]: 'Authentication failed.',
  [Close.AlreadyAuthenticated]: 'Already authenticated.',
  [Close.InvalidSeq]: 'Invalid seq.',
  [Close.RateLimited]: 'Rate limited.',
  [Close.SessionTimedOut]: 'Session timed out.',
  [Close.InvalidShard]: 'Invalid shard.',
  [Close.ShardingRequired]: 'Sharding required.',
  [Close.InvalidAPIVersion]: 'Invalid API version.',
  [Close.InvalidIntents]: 'Invalid intent(s).',
  [Close.DisallowedIntents]: 'Disallowed intent(s).',
}

/** The payload, or the code to close with. */
function parse(data: Buffer): ClientPayload | number {
  let raw: unknown
  try {
    raw = JSON.parse(data.toString('utf8'))
  } catch {
    return Close.DecodeError
  }
  const op = typeof raw === 'object' && raw !== null && 'op' in raw ? raw.op : undefined
  if (typeof op === 'number' && !KNOWN_OPCODES.has(op)) return Close.UnknownOpcode
  const parsed = ClientPayload.safeParse(raw)
  return parsed.success ? parsed.data : Close.DecodeError
}

/** One compressed stream for the whole connection; each payload ends with a flush, so that it can be read at once. */
function createCompressor(
  kind: string | null,
  deliver: (bytes: Buffer) => void,
): { write(text: string): void; close(): void } | null {
  const stream: Deflate | ZstdCompress | null =
    kind === 'zlib-stream'
      ? createDeflate({ flush: constants.Z_SYNC_FLUSH })
      : kind === 'zstd-stream'
        ? createZstdCompress()
        : null
  if (!stream) return null
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  stream.on('error', () => stream.destroy())
  const flush = stream instanceof Object && kind === 'zlib-stream' ? constants.Z_SYNC_FLUSH : constants.ZSTD_e_flush
  return {
    write(text) {
      if (stream.destroyed) return
      stream.write(text)
      stream.flush(flush, () => {
        const bytes = Buffer.concat(chunks.splice(0))
        if (bytes.length > 0) deliver(bytes)
      })
    },
    close: () => stream.destroy(),
  }
}

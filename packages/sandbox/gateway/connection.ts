import { createDeflate, createZstdCompress, constants, type Deflate, type ZstdCompress } from 'node:zlib'
import { GatewayCloseCodes as Close, GatewayOpcodes as Op } from 'discord-api-types/v10'
import type { WebSocket } from 'ws'
import { rewriteFor } from '../http/versions.ts'
import { ENCODINGS, type Encoding } from './encoding.ts'
import { ClientPayload, KNOWN_OPCODES } from './requests.ts'
import { createLane } from './lane.ts'
import { createFrame, type Carrier, type Frame, type Spoiled } from './session.ts'
import type { GatewayTap, TapFrame, TapSubject } from './tap.ts'

/** A client may send this many payloads in a minute, heartbeats included; one more closes its connection. */
const SENDS_PER_MINUTE = 120
const PAYLOAD_BYTES = 4096
/** Limit of unsent bytes for a client that does not read; beyond it the connection is cut. */
const UNREAD_BYTES = 16 * 1024 * 1024

export interface Connection extends Carrier {
  /** Sends a payload that is no event. */
  say(op: Op, d: unknown): void
}

export interface ConnectionOptions {
  readonly encoding: Encoding
  readonly compress: string | null
  /** Gateway version from the address of the socket. */
  readonly version: number
  /** The client is told to beat this often, and closed when it is half as late again. */
  readonly heartbeatMs: number
  readonly now: () => number
  readonly tap: GatewayTap
  /** The current owner of the connection. */
  readonly subject: () => TapSubject
  /** Called with each payload first, before anyone is told of it: a bot shows who it is. */
  meet(payload: ClientPayload): void
  onPayload(payload: ClientPayload): void
  /** The sequence number a client says it has seen, for answers to heartbeats. */
  onClosed(code: number): void
}

/** One gateway socket: greeting, heartbeats, limits and compression. What payloads mean is the gateway's business. */
export function openConnection(socket: WebSocket, options: ConnectionOptions): Connection {
  const compressor = createCompressor(options.compress, (bytes) => socket.send(bytes))
  const pulse = createPulse(options.heartbeatMs, () => connection.close(Close.SessionTimedOut))
  let spoiled: Spoiled | null = null

  const connection: Connection = {
    say: (op, d) => connection.send(createFrame(op, JSON.stringify(d ?? null))),
    send: (frame) => watch.let(frame, 'sent', (delayMs) => outgoing.pass(frame, delayMs)),
    close(code) {
      if (code === null) socket.terminate()
      // After a polite close a client that never answers is cut by ws itself.
      else socket.close(code, REASONS[code])
    },
    spoil(how) {
      spoiled = how
      pulse.stop()
    },
  }
  const watch = createWatch(options, connection)
  const outgoing = createLane(transmit)
  const incoming = createLane(take)

  function transmit(frame: Frame): void {
    if (socket.readyState !== socket.OPEN || spoiled === 'frozen') return
    if (socket.bufferedAmount > UNREAD_BYTES) return socket.terminate()
    watch.saw(frame, 'sent', { text: frame.text.slice(frame.dataAt, -1) })
    const content = ENCODINGS[options.encoding].encode(rewriteFor(options.version, frame.text))
    if (compressor) compressor.write(content)
    else socket.send(content)
  }

  function take(payload: ClientPayload): void {
    if (socket.readyState !== socket.OPEN) return
    options.meet(payload)
    watch.saw({ op: payload.op, event: null }, 'received', { body: payload.d })
    if (payload.op !== Op.Heartbeat) return obey(payload, options, connection)
    pulse.beat()
    connection.say(Op.HeartbeatAck, undefined)
  }

  const readPayload = createReader(options)
  socket.on('message', (data: Buffer) => {
    if (socket.readyState !== socket.OPEN || spoiled) return
    const payload = readPayload(data)
    if (typeof payload === 'number') connection.close(payload)
    else watch.let({ op: payload.op, event: null }, 'received', (delayMs) => incoming.pass(payload, delayMs))
  })
  // A broken frame also closes; there is nothing more to say about it.
  socket.on('error', () => socket.terminate())
  socket.on('close', (code) => {
    pulse.stop()
    compressor?.close()
    outgoing.close()
    incoming.close()
    options.tap.closed(options.subject(), code)
    options.onClosed(code)
  })
  connection.say(Op.Hello, { heartbeat_interval: options.heartbeatMs })
  return connection
}

/** One client's payload must not end the server of all others. */
function obey(payload: ClientPayload, options: ConnectionOptions, connection: Connection): void {
  try {
    options.onPayload(payload)
  } catch {
    connection.close(Close.DecodeError)
  }
}

/** Expects a beat every so often, with half an interval to spare. */
function createPulse(intervalMs: number, onMissed: () => void) {
  let overdue: NodeJS.Timeout | undefined
  const stop = () => clearTimeout(overdue)
  const pulse = {
    stop,
    beat() {
      stop()
      overdue = setTimeout(onMissed, intervalMs * 1.5)
    },
  }
  pulse.beat()
  return pulse
}

/** Payloads, or the code to close with: for too many of them, for long ones and for those that are not valid. */
function createReader({ now, encoding }: ConnectionOptions): (data: Buffer) => ClientPayload | number {
  const { decode } = ENCODINGS[encoding]
  const sentAtMs: number[] = []
  return (data) => {
    const nowMs = now()
    while (sentAtMs[0] !== undefined && sentAtMs[0] <= nowMs - 60_000) sentAtMs.shift()
    sentAtMs.push(nowMs)
    if (sentAtMs.length > SENDS_PER_MINUTE) return Close.RateLimited
    return data.length > PAYLOAD_BYTES ? Close.DecodeError : parse(data, decode)
  }
}

type Seen = Pick<TapFrame, 'op' | 'event'>

/** Asks the tap about each payload, and tells it of those that arrive. */
function createWatch({ tap, subject }: ConnectionOptions, connection: Connection) {
  return {
    let(seen: Seen, direction: TapFrame['direction'], go: (delayMs: number) => void): void {
      const { op, event } = seen
      const { delayMs, end } = tap.passage({ ...subject(), direction, op, event })
      if (end?.type === 'close') connection.close(end.code)
      else if (end?.type === 'cut') connection.close(null)
      else if (!end) go(delayMs)
    },
    saw({ op, event }: Seen, direction: TapFrame['direction'], content: Parameters<GatewayTap['arrived']>[1]): void {
      tap.arrived({ ...subject(), direction, op, event }, content)
    },
  }
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
function parse(data: Buffer, decode: (data: Buffer) => unknown): ClientPayload | number {
  let raw: unknown
  try {
    raw = decode(data)
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
): { write(content: string | Buffer): void; close(): void } | null {
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
    write(content) {
      if (stream.destroyed) return
      stream.write(content)
      stream.flush(flush, () => {
        const bytes = Buffer.concat(chunks.splice(0))
        if (bytes.length > 0) deliver(bytes)
      })
    },
    close: () => stream.destroy(),
  }
}

import { once } from 'node:events'
import { connect } from 'node:net'
import { WebSocket } from 'ws'
import { z } from 'zod'
import { boundMessage, readBounded } from '../../../../lib/buffers.ts'
import { Fault } from '../../../../lib/errors.ts'
import { userAgent } from '../../../../lib/identity.ts'
import type { Logger } from '../../../../lib/log.ts'

const REQUEST_MS = 8000
const HANDSHAKE_MS = 3000
const MAX_MESSAGE_BYTES = 1024 * 1024

const track = z.object({ encoded: z.string(), userData: z.object({ playId: z.number() }).partial().optional() })
const guildId = z.string()

/** What a node sends, as far as it is used here. */
const Message = z.union([
  z.object({ op: z.literal('ready'), sessionId: z.string() }),
  z.object({
    op: z.literal('playerUpdate'),
    guildId,
    state: z.object({ position: z.number(), connected: z.boolean(), ping: z.number() }),
  }),
  z.object({ op: z.literal('event'), type: z.literal('TrackStartEvent'), guildId, track }),
  z.object({ op: z.literal('event'), type: z.literal('TrackEndEvent'), guildId, track, reason: z.string() }),
  z.object({
    op: z.literal('event'),
    type: z.literal('TrackExceptionEvent'),
    guildId,
    exception: z.object({
      message: z.string().nullish(),
      severity: z.enum(['common', 'suspicious', 'fault']),
      cause: z.string(),
    }),
  }),
  z.object({ op: z.literal('event'), type: z.literal('TrackStuckEvent'), guildId, thresholdMs: z.number() }),
  z.object({ op: z.literal('event'), type: z.literal('WebSocketClosedEvent'), guildId, code: z.number() }),
])

export type PlainMessage = Exclude<z.output<typeof Message>, { op: 'ready' }>

export interface PlainAddress {
  readonly url: string
  readonly password: string
}

/** Calls a route of a Lavalink node. @throws {Fault} `service_unavailable` without an answer, else what it answered. */
export async function callNode(
  { url, password }: PlainAddress,
  method: string,
  path: string,
  { body, withinMs = REQUEST_MS }: { readonly body?: unknown; readonly withinMs?: number } = {},
): Promise<unknown> {
  const response = await fetch(new URL(path, url), {
    method,
    headers: { authorization: password, 'user-agent': userAgent(), 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.timeout(withinMs),
  }).catch((cause: unknown) => {
    throw new Fault('service_unavailable', 'The audio node does not answer. Try again in a moment.', { cause })
  })
  const text = await textOf(response)
  if (!response.ok) {
    const cause = `${method} ${path.split('?', 1)[0]} answered ${response.status}: ${text.slice(0, 300)}`
    throw new Fault('upstream_failed', 'The audio node refused the request.', { cause })
  }
  return text === '' ? null : parse(text)
}

/** @throws {Fault} `upstream_failed` for more than a node has to say. */
async function textOf({ body }: Response): Promise<string> {
  if (!body) return ''
  return (await readBounded(body, MAX_MESSAGE_BYTES, () => malformed('too long'))).toString()
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw malformed(error)
  }
}

function malformed(cause: unknown): Fault {
  return new Fault('upstream_failed', 'The audio node sent a malformed answer.', { cause })
}

/** The address of this machine on the way to the node. */
export async function localAddressTo(url: string): Promise<string> {
  const { hostname, port, protocol } = new URL(url)
  const socket = connect(Number(port || (protocol === 'https:' ? 443 : 80)), hostname.replace(/^\[|\]$/g, ''))
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(HANDSHAKE_MS) })
    return socket.localAddress ?? '127.0.0.1'
  } finally {
    socket.destroy()
  }
}

interface PlainListener {
  readonly message: (message: PlainMessage) => void
  readonly close: () => void
  readonly log: Logger
}

/** The session of one bot: its socket, and its ID once the node is ready. */
export class PlainSession {
  readonly ready: Promise<string>
  readonly #socket: WebSocket

  constructor({ url, password }: PlainAddress, botId: string, { log, ...on }: PlainListener) {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    this.ready = promise
    promise.catch(() => undefined)
    this.#socket = new WebSocket(new URL('/v4/websocket', url.replace(/^http/, 'ws')), {
      headers: { authorization: password, 'user-id': botId, 'client-name': userAgent().split(' ')[0] },
      handshakeTimeout: HANDSHAKE_MS,
      ...boundMessage(MAX_MESSAGE_BYTES),
    })
    const receive = (text: string) => {
      const message = Message.safeParse(parse(text))
      if (!message.success) return
      if (message.data.op === 'ready') resolve(message.data.sessionId)
      else on.message(message.data)
    }
    this.#socket.on('message', (data: Buffer) => {
      try {
        receive(data.toString())
      } catch (err) {
        log.warn({ err }, 'audio node sent a malformed message')
        this.#socket.terminate()
      }
    })
    this.#socket.on('error', () => undefined)
    this.#socket.on('close', () => {
      reject(new Fault('service_unavailable', 'The audio node closed the session.', { retryAfterMs: 1000 }))
      on.close()
    })
  }

  close(): void {
    this.#socket.close(1000)
  }
}

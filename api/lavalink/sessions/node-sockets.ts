import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import { createSocketMemory } from '../../events/socket-memory.ts'
import { createSocketShares } from '../../events/socket-shares.ts'
import { closeSocket, createUpgrades } from '../../events/upgrades.ts'
import { frameOf } from '../../events/websocket-frame.ts'
import { clientAddress } from '../../http/client-address.ts'
import type { ApiContext } from '../../http/request-state.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import type { NodeCaller, NodeKeys } from '../http/node-keys.ts'
import type { LavalinkSession, SessionSocket } from './session.ts'
import type { LavalinkSessions } from './sessions.ts'

const PATH = '/v4/websocket'
const SLOW_READER_BYTES = 4 * 1024 * 1024
/** Lavalink takes no messages over the socket; up to these bounds they are ignored. */
const MAX_MESSAGE_BYTES = 64 * 1024
const MAX_MESSAGES = 1000
const MESSAGE_WINDOW_MS = 10_000
const RETRY_AFTER_MS = 30_000
const KEY_CHECK_EVERY_MS = 1000
/**
 * Lavalink sends no pings, so that some clients never learned to answer them (rainlink 1.2.9 breaks its connection with an
 * unmasked pong). The kernel asks instead whether an idle peer is still there.
 */
const TCP_KEEPALIVE_MS = 30_000
const SNOWFLAKE = /^[1-9]\d{0,19}$/
const MAX_CLIENT_NAME_CHARS = 200

const SHARES = { perProcess: 2000, perProject: 100, perAddress: 500 }

interface OpenSocket extends SessionSocket {
  readonly session: LavalinkSession
  readonly socket: WebSocket
  readonly wire: Duplex
  /** To be called after each write to the wire. */
  readonly onWritten: () => void
  /** Messages of the client in the current window. */
  messages: number
  gone: Promise<void> | null
}

export interface NodeSocketsOptions {
  readonly sessions: LavalinkSessions
  readonly keys: NodeKeys
  readonly log: Logger
  readonly trustedProxies: readonly string[]
}

/** `GET /v4/websocket`: a socket for each session. */
export class NodeSockets {
  readonly #options: NodeSocketsOptions
  readonly #upgrades = createUpgrades(MAX_MESSAGE_BYTES)
  readonly #memory = createSocketMemory()
  readonly #shares = createSocketShares(SHARES, RETRY_AFTER_MS)
  readonly #open = new Set<OpenSocket>()
  readonly #timers: readonly NodeJS.Timeout[]

  constructor(options: NodeSocketsOptions) {
    this.#options = options
    this.#timers = [
      setInterval(() => this.#startWindow(), MESSAGE_WINDOW_MS),
      setInterval(() => void this.#checkKeys(), KEY_CHECK_EVERY_MS),
    ]
    for (const timer of this.#timers) timer.unref()
  }

  static wants({ method, headers, url = '' }: IncomingMessage): boolean {
    return method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === PATH
  }

  /**
   * Answers the handshake of a caller whose password was right.
   * @throws {Fault} where a header is missing or wrong, or the caller has as many sockets or sessions as it may
   */
  async open(ctx: ApiContext, caller: NodeCaller): Promise<void> {
    const { headers } = ctx.req
    const userId = headerOf(headers['user-id'])
    if (!userId || !SNOWFLAKE.test(userId)) {
      throw new Fault('bad_request', 'The header User-Id must hold the user ID of the bot.')
    }
    const clientName = headerOf(headers['client-name'])?.slice(0, MAX_CLIENT_NAME_CHARS) ?? null
    const arrival = { caller, userId, clientName, sessionId: headerOf(headers['session-id']) }
    const release = this.#acquire(ctx, caller)
    const { sessions } = this.#options
    try {
      const resumed = await sessions.findResumable(arrival)
      if (ctx.req.socket.destroyed) return
      ctx.set('Session-Resumed', String(resumed !== null))
      this.#upgrade(ctx, resumed ?? sessions.create(arrival))
    } catch (thrown) {
      release()
      throw thrown
    }
  }

  #upgrade(ctx: ApiContext, session: LavalinkSession): void {
    try {
      this.#upgrades.open(ctx, (socket, wire) => this.#welcome(session, socket, wire))
    } catch (thrown) {
      // A session without a socket that is not kept would stay for ever.
      if (!session.isResuming) void this.#options.sessions.end(session, 1002, 'The handshake failed.')
      throw thrown
    }
  }

  close(): void {
    for (const timer of this.#timers) clearInterval(timer)
    this.#upgrades.close()
  }

  /** Takes one of the open sockets that the caller may have, until its connection closes. */
  #acquire({ req }: ApiContext, { projectId }: NodeCaller) {
    const address = clientAddress(req, this.#options.trustedProxies)
    const release = this.#shares.acquire({ projectId, address })
    if (req.socket.destroyed) release()
    else req.socket.once('close', release)
    return release
  }

  #welcome(session: LavalinkSession, socket: WebSocket, wire: Duplex): void {
    const { log } = this.#options
    const { projectId, keyId } = session.caller
    const facts = { projectId, keyId, userId: session.userId, clientName: session.clientName }
    const onCut = () => log.warn(facts, 'lavalink socket cut: the sockets of its project hold too much')
    const open: OpenSocket = {
      session,
      socket,
      wire,
      onWritten: this.#memory.follow({ projectId, socket, wire, onCut }),
      messages: 0,
      gone: null,
      send: (text) => deliver(open, text),
      isAlive: (withinMs) => answersPing(socket, withinMs),
      close: (code, reason) => (open.gone ??= closeSocket(socket, code, reason)),
    }
    socket.on('error', () => socket.terminate())
    socket.on('close', (code) => {
      this.#open.delete(open)
      log.info({ ...facts, code }, 'lavalink socket closed')
      session.detach(open)
    })
    const onMessage = () => {
      open.messages += 1
      if (open.messages > MAX_MESSAGES) void open.close(1008, 'Too many messages.')
    }
    for (const type of ['message', 'ping', 'pong']) socket.on(type, onMessage)
    ;(wire as Socket).setKeepAlive(true, TCP_KEEPALIVE_MS)
    this.#open.add(open)
    log.info(facts, 'lavalink socket opened')
    session.attach(open)
  }

  #startWindow(): void {
    for (const open of this.#open) open.messages = 0
  }

  async #checkKeys(): Promise<void> {
    const { sessions, keys, log } = this.#options
    for (const { session } of this.#open) {
      try {
        if (await keys.isAccepted(session.caller)) continue
      } catch (err) {
        // The database being away is no reason to send anyone home.
        log.warn({ err }, 'keys of lavalink sessions not checked')
        return
      }
      void sessions.end(session, 4001, 'The key no longer works.')
    }
  }
}

function headerOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value
}

function deliver(open: OpenSocket, text: string): void {
  const { socket, wire } = open
  if (open.gone || socket.readyState !== socket.OPEN || wire.destroyed) return
  wire.write(frameOf(text))
  open.onWritten()
  if (wire.writableLength > SLOW_READER_BYTES) void open.close(4008, 'The socket reads too slowly.')
}

/** Whether a ping is answered in time. */
async function answersPing(socket: WebSocket, withinMs: number): Promise<boolean> {
  if (socket.readyState !== socket.OPEN) return false
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const onPong = () => resolve(true)
  const onClose = () => resolve(false)
  const late = setTimeout(onClose, withinMs)
  socket.once('pong', onPong).once('close', onClose)
  socket.ping()
  const isAlive = await promise
  clearTimeout(late)
  socket.off('pong', onPong).off('close', onClose)
  return isAlive
}

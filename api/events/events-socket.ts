import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocketServer, type WebSocket } from 'ws'
import type { ProjectEvent } from '../../bot/events.ts'
import { Fault } from '../../lib/errors.ts'
import { findWorkingKey } from '../http/auth.ts'
import { HttpRefusal, toFault } from '../http/errors.ts'
import { Exchange } from '../http/exchange.ts'
import { createFanOut, type FanOut } from './fan-out.ts'
import { frameOf } from './websocket-frame.ts'
import { createListeners, type Listener, type Listeners } from './subscriptions.ts'
import { addressOf } from '../http/client-address.ts'
import { admit, finish, refuse, type Pipeline } from '../http/pipeline.ts'
import { sendRaw } from '../http/raw-response.ts'
import { createSocketShares, type SocketBounds, type SocketShares } from './socket-shares.ts'
import { CHOSEN_EVENTS, type ChosenEvent } from '../schemas/events.ts'

const PATH = '/v1/events'
const PING = frameOf('{"type":"ping"}')
const SLOW_READER_BYTES = 1024 * 1024
/** Text from clients is ignored up to these bounds. */
const MAX_MESSAGE_BYTES = 64 * 1024
const MAX_MESSAGES = 1000
const MESSAGE_WINDOW_MS = 10_000
/** How long a peer may take to answer a close before its connection is cut. */
const CLOSE_GRACE_MS = 5000
const FIRST_PINGS_SPREAD_MS = 5000
const TOO_MANY_MESSAGES = `More than ${MAX_MESSAGES} messages in ${MESSAGE_WINDOW_MS / 1000} s.`

export interface EventRules extends SocketBounds {
  readonly pingEveryMs: number
  /** How often the key of each open socket is looked at again. */
  readonly keyCheckEveryMs: number
  /** The clock's tick; each socket has its own in the round of `pingEveryMs`, so that pings do not come all at once. */
  readonly tickMs: number
}

export const EVENT_RULES: Omit<EventRules, 'perAddress'> = {
  perProcess: 10_000,
  perProject: 5000,
  pingEveryMs: 30_000,
  keyCheckEveryMs: 500,
  tickMs: 250,
}

export interface EventSockets {
  readonly size: number
  /** Whether a request is the handshake of an event socket; any other upgrade is answered as an ordinary request. */
  wants(req: IncomingMessage): boolean
  open(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void>
  /** Says 1001 to every socket and waits until they are gone. */
  close(): Promise<void>
}

function listenersFor({ pingEveryMs, tickMs }: EventRules): Listeners {
  const spreadMs = Math.min(FIRST_PINGS_SPREAD_MS, pingEveryMs / 2)
  return createListeners(Math.round(pingEveryMs / tickMs), Math.floor(spreadMs / tickMs))
}

/** `GET /v1/events`: carries what happens to players and bots to the sockets that may hear it. */
export function createEventSockets(pipeline: Pipeline, rules: EventRules): EventSockets {
  const listeners = listenersFor(rules)
  const shares = createSocketShares(rules, rules.pingEveryMs)
  const fanOut = createFanOut<Listener>(deliver)
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
  })
  const ids = new WeakMap<IncomingMessage, string>()
  server.on('headers', (headers: string[], req: IncomingMessage) => headers.push(`X-Request-Id: ${ids.get(req)}`))
  server.on('wsClientError', (error: Error, socket: Duplex, req: IncomingMessage) => {
    // ws would answer by itself, without a request id and a body.
    const exchange = new Exchange(req, null, pipeline)
    refuseHandshake(pipeline, exchange, socket, new HttpRefusal(400, `The handshake is not valid: ${error.message}.`))
  })
  const unsubscribe = pipeline.app.events.subscribe((event) => publish(event))
  const clock = createClock(pipeline, listeners, fanOut, rules)

  function publish(event: ProjectEvent): void {
    const audience = listeners.audience(event)
    if (audience.length > 0) fanOut.push(frameOf(JSON.stringify(event.event)), audience)
  }

  async function open(req: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const exchange = new Exchange(req, null, pipeline)
    // Until ws takes the socket over nobody else listens for its errors.
    const ignore = () => socket.destroy()
    socket.on('error', ignore)
    try {
      const events = await admitListener(pipeline, shares, exchange)
      ids.set(req, exchange.requestId)
      server.handleUpgrade(req, socket, head, (opened) => {
        finish(pipeline, exchange, 101)
        welcome(pipeline, listeners, exchange, { socket: opened, wire: socket, events })
      })
      socket.off('error', ignore)
    } catch (thrown) {
      refuseHandshake(pipeline, exchange, socket, thrown)
    }
  }

  return {
    get size() {
      return listeners.size
    },
    wants: ({ method, headers, url = '' }) =>
      method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === PATH,
    open,
    async close() {
      clearInterval(clock)
      unsubscribe()
      await Promise.all([...listeners.all()].map((listener) => goodbye(listener, 1001, 'The service is stopping.')))
      server.close()
    },
  }
}

function refuseHandshake(pipeline: Pipeline, exchange: Exchange, socket: Duplex, thrown: unknown): void {
  const answer = refuse(pipeline, exchange, thrown)
  sendRaw(socket, exchange.requestId, answer)
  finish(pipeline, exchange, answer.status)
}

/** The same gates as every request's, then the share of open sockets, held until the connection closes. */
async function admitListener(
  pipeline: Pipeline,
  shares: SocketShares,
  exchange: Exchange,
): Promise<readonly ChosenEvent[]> {
  const route = await admit(pipeline, exchange)
  const { events } = route.parse(exchange).query as { events: readonly ChosenEvent[] }
  if (pipeline.stopping.aborted) throw new Fault('service_unavailable', 'The service is stopping.')
  const { caller, req } = exchange
  if (!caller) throw new Error('A socket was admitted without a caller.')
  const release = shares.acquire({ projectId: caller.projectId, address: addressOf(req, pipeline.trustedProxies) })
  if (req.socket.destroyed) release()
  else req.socket.once('close', release)
  return events
}

function welcome(
  { app }: Pipeline,
  listeners: Listeners,
  { caller, keyDigest, requestId, startedAtMs }: Exchange,
  { socket, wire, events }: { socket: WebSocket; wire: Duplex; events: readonly ChosenEvent[] },
): void {
  if (!caller || !keyDigest) throw new Error('A socket was opened without a caller.')
  const listener: Listener = {
    socket,
    wire,
    caller,
    keyDigest,
    events: new Set(events),
    unanswered: 0,
    messages: 0,
    gone: null,
  }
  socket.on('error', () => socket.terminate())
  const unwant = app.events.want(caller.projectId)
  socket.on('close', (code) => {
    unwant()
    listeners.remove(listener)
    const openMs = Math.round(performance.now() - startedAtMs)
    app.log.info({ requestId, code, openMs, projectId: caller.projectId, keyId: caller.keyId }, 'event socket closed')
  })
  const onMessage = () => {
    listener.unanswered = 0
    listener.messages += 1
    if (listener.messages > MAX_MESSAGES) void goodbye(listener, 1008, TOO_MANY_MESSAGES)
  }
  for (const type of ['message', 'ping', 'pong']) socket.on(type, onMessage)
  const types = CHOSEN_EVENTS.filter((type) => listener.events.has(type))
  deliver(listener, frameOf(JSON.stringify({ type: 'ready', botId: caller.botId, events: types })))
  listeners.add(listener)
}

function deliver(listener: Listener, frame: Buffer): void {
  const { socket, wire } = listener
  if (listener.gone || socket.readyState !== socket.OPEN || wire.destroyed) return
  wire.write(frame)
  if (wire.writableLength > SLOW_READER_BYTES) void goodbye(listener, 4008, 'The socket reads too slowly.')
}

/** Closes in good manners, and cuts the connection of a peer that does not answer. */
function goodbye(listener: Listener, code: number, reason: string): Promise<void> {
  const { socket } = listener
  if (listener.gone) return listener.gone
  if (socket.readyState === socket.CLOSED) return Promise.resolve()
  const cut = setTimeout(() => socket.terminate(), CLOSE_GRACE_MS)
  listener.gone = new Promise((resolve) => {
    socket.once('close', () => {
      clearTimeout(cut)
      resolve()
    })
  })
  socket.close(code, reason)
  return listener.gone
}

/** Pings, dead peers, keys that no longer work, and the count of what was said: all by one timer. */
function createClock(
  pipeline: Pipeline,
  listeners: Listeners,
  fanOut: FanOut<Listener>,
  rules: EventRules,
): NodeJS.Timeout {
  const ticksPerWindow = Math.max(1, Math.round(MESSAGE_WINDOW_MS / rules.tickMs))
  const ticksPerCheck = Math.max(1, Math.round(rules.keyCheckEveryMs / rules.tickMs))
  let ticks = 0
  return setInterval(() => {
    ticks += 1
    const due = [...listeners.turn()]
    for (const listener of due) probe(listener)
    fanOut.push(PING, due)
    if (ticks % ticksPerWindow === 0) for (const listener of listeners.all()) listener.messages = 0
    if (ticks % ticksPerCheck === 0) checkKeys(pipeline, listeners)
  }, rules.tickMs)
}

/** A peer that left three pings of the protocol unanswered is gone, whatever TCP believes. */
function probe(listener: Listener): void {
  if (listener.unanswered >= 3) {
    listener.socket.terminate()
    return
  }
  listener.unanswered += 1
  if (listener.socket.readyState === listener.socket.OPEN) listener.socket.ping()
}

/** One look-up per key, however many sockets it has open. */
function checkKeys({ app }: Pipeline, listeners: Listeners): void {
  const verdicts = new Map<string, Fault | null>()
  for (const listener of listeners.all()) {
    const { keyId } = listener.caller
    if (!verdicts.has(keyId)) verdicts.set(keyId, verdictOn(app, listener.keyDigest))
    const fault = verdicts.get(keyId)
    // The database being away is no reason to send anyone home.
    if (fault && fault.code !== 'internal_error') void goodbye(listener, 4001, fault.message)
  }
}

function verdictOn(app: Pipeline['app'], digest: Buffer): Fault | null {
  try {
    findWorkingKey(app.keys, digest, app.now())
    return null
  } catch (thrown) {
    return toFault(thrown)
  }
}

import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { isDeepStrictEqual } from 'node:util'
import type { WebSocket } from 'ws'
import type { ProjectEvent } from '../../bot/events.ts'
import { Fault } from '../../lib/errors.ts'
import { callerOf, findWorkingKey } from '../http/auth.ts'
import type { App, Caller } from '../http/app-context.ts'
import { toApiFault } from '../http/errors.ts'
import type { ApiContext } from '../http/request-state.ts'
import { createFanOut, type FanOut } from './fan-out.ts'
import { frameOf } from './websocket-frame.ts'
import { closeSocket, createUpgrades } from './upgrades.ts'
import { createListeners, type EventSocket, type Listeners } from './subscriptions.ts'
import { clientAddress } from '../http/client-address.ts'
import { createSocketMemory, type SocketMemory } from './socket-memory.ts'
import { createSocketShares, type SocketBounds, type SocketShares } from './socket-shares.ts'
import { EVENT_TYPES, type EventType } from '../../lib/event-types.ts'

const PATH = '/v1/events'
const PING = frameOf('{"type":"ping"}')
const SLOW_READER_BYTES = 1024 * 1024
/** Text from clients is ignored up to these bounds. */
const MAX_MESSAGE_BYTES = 64 * 1024
const MAX_MESSAGES = 1000
const MESSAGE_WINDOW_MS = 10_000
const FIRST_PINGS_SPREAD_MS = 5000
const TOO_MANY_MESSAGES = `More than ${MAX_MESSAGES} messages in ${MESSAGE_WINDOW_MS / 1000} s.`

export interface EventRules extends SocketBounds {
  readonly pingEveryMs: number
  /** Interval at which the key of each open socket is checked again. */
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

export type EventSockets = ReturnType<typeof createEventSockets>

interface EventContext {
  readonly app: App
  /** Address ranges (CIDR) of proxies whose word on a caller's address is taken. */
  readonly trustedProxies: readonly string[]
  readonly stopping: AbortSignal
  /** Other services go on, where clients can connect again at once. */
  readonly hasPeers: boolean
}

/** WebSocket close codes. */
const GOING_AWAY = 1001
const SERVICE_RESTART = 1012

function listenersFor({ pingEveryMs, tickMs }: EventRules): Listeners {
  const spreadMs = Math.min(FIRST_PINGS_SPREAD_MS, pingEveryMs / 2)
  return createListeners(Math.round(pingEveryMs / tickMs), Math.floor(spreadMs / tickMs))
}

const SHUTDOWN = 'The service is shutting down.'

/** `GET /v1/events`: sends the events of players and bots to authorized sockets. */
export function createEventSockets(context: EventContext, rules: EventRules) {
  const listeners = listenersFor(rules)
  const shares = createSocketShares(rules, rules.pingEveryMs)
  const fanOut = createFanOut<EventSocket>(deliver)
  const upgrades = createUpgrades(MAX_MESSAGE_BYTES)
  const memory = createSocketMemory()
  const unsubscribe = context.app.events.subscribe((event) => publish(event))
  const clock = createClock(context.app, listeners, fanOut, rules)

  function publish(event: ProjectEvent): void {
    const audience = listeners.audience(event)
    if (audience.length > 0) fanOut.push(frameOf(JSON.stringify(event.event)), audience)
  }

  /**
   * Answers an admitted handshake: the socket takes the place of a response.
   * @param inputs as the route has parsed them
   * @throws {Fault} if it is not valid, or the caller has as many sockets as it may.
   */
  function open(ctx: ApiContext, { query }: { readonly query: unknown }): void {
    const { events } = query as { events: readonly EventType[] }
    acquireShare(context, shares, ctx)
    upgrades.open(ctx, (socket, wire) => welcome({ ...context, listeners, memory }, ctx, { socket, wire, events }))
  }

  return {
    get size(): number {
      return listeners.size
    },
    /** Whether a request is the handshake of an event socket; any other upgrade is answered as an ordinary request. */
    wants: ({ method, headers, url = '' }: IncomingMessage): boolean =>
      method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket' && url.split('?', 1)[0] === PATH,
    open,
    /** Says goodbye to every socket and waits until they are gone. */
    async close() {
      clearInterval(clock)
      unsubscribe()
      await fanOut.delivered()
      await Promise.all(
        [...listeners.all()].map((listener) =>
          context.hasPeers
            ? goodbye(listener, SERVICE_RESTART, 'Another service takes over. Connect again.')
            : goodbye(listener, GOING_AWAY, SHUTDOWN),
        ),
      )
      upgrades.close()
    },
  }
}

/** Takes one of the open sockets that the caller may have, until its connection closes. */
function acquireShare({ stopping, trustedProxies }: EventContext, shares: SocketShares, ctx: ApiContext): void {
  if (stopping.aborted) throw new Fault('service_unavailable', SHUTDOWN)
  const { req, state } = ctx
  if (!state.caller) throw new Error('A socket was admitted without a caller.')
  const address = clientAddress(req, trustedProxies)
  const release = shares.acquire({ projectId: state.caller.projectId, address })
  if (req.socket.destroyed) release()
  else req.socket.once('close', release)
}

function welcome(
  { app, listeners, memory }: { readonly app: App; readonly listeners: Listeners; readonly memory: SocketMemory },
  { state: { caller, keyDigest, requestId, startedAtMs } }: ApiContext,
  { socket, wire, events }: { socket: WebSocket; wire: Duplex; events: readonly EventType[] },
): void {
  if (!caller || !keyDigest) throw new Error('A socket was opened without a caller.')
  const facts = { requestId, projectId: caller.projectId, keyId: caller.keyId }
  const onCut = () => app.log.warn(facts, 'event socket cut: the sockets of its project hold too much')
  const listener: EventSocket = {
    socket,
    wire,
    onWritten: memory.follow({ projectId: caller.projectId, socket, wire, onCut }),
    caller,
    keyDigest,
    events: new Set(events),
    unanswered: 0,
    messages: 0,
    gone: null,
  }
  socket.on('error', () => socket.terminate())
  socket.on('close', (code) => {
    listeners.remove(listener)
    const openMs = Math.round(performance.now() - startedAtMs)
    app.log.info({ ...facts, code, openMs }, 'event socket closed')
  })
  const onMessage = () => {
    listener.unanswered = 0
    listener.messages += 1
    if (listener.messages > MAX_MESSAGES) void goodbye(listener, 1008, TOO_MANY_MESSAGES)
  }
  for (const type of ['message', 'ping', 'pong']) socket.on(type, onMessage)
  const types = EVENT_TYPES.filter((type) => listener.events.has(type))
  deliver(listener, frameOf(JSON.stringify(readyEvent(caller, types))))
  listeners.add(listener)
}

function deliver(listener: EventSocket, frame: Buffer): void {
  const { socket, wire } = listener
  if (listener.gone || socket.readyState !== socket.OPEN || wire.destroyed) return
  wire.write(frame)
  listener.onWritten()
  if (wire.writableLength > SLOW_READER_BYTES) void goodbye(listener, 4008, 'The client reads too slowly.')
}

function goodbye(listener: EventSocket, code: number, reason: string): Promise<void> {
  listener.gone ??= closeSocket(listener.socket, code, reason)
  return listener.gone
}

/** Pings, dead peers, keys that no longer work, and the count of what was said: all by one timer. */
function createClock(app: App, listeners: Listeners, fanOut: FanOut<EventSocket>, rules: EventRules): NodeJS.Timeout {
  const ticksPerWindow = Math.max(1, Math.round(MESSAGE_WINDOW_MS / rules.tickMs))
  const ticksPerCheck = Math.max(1, Math.round(rules.keyCheckEveryMs / rules.tickMs))
  let ticks = 0
  return setInterval(() => {
    ticks += 1
    const due = [...listeners.turn()]
    for (const listener of due) probe(listener)
    fanOut.push(PING, due)
    if (ticks % ticksPerWindow === 0) for (const listener of listeners.all()) listener.messages = 0
    if (ticks % ticksPerCheck === 0) void checkKeys(app, listeners)
  }, rules.tickMs)
}

/** A peer that missed three pings is gone, even if its TCP connection looks open. */
function probe(listener: EventSocket): void {
  if (listener.unanswered >= 3) {
    listener.socket.terminate()
    return
  }
  listener.unanswered += 1
  if (listener.socket.readyState === listener.socket.OPEN) listener.socket.ping()
}

function readyEvent({ botId, poolId, botIds }: Caller, events: readonly EventType[]) {
  return { type: 'ready', botId, ...(poolId !== null && { botIds }), events }
}

/** One look-up per key, however many sockets it has open. */
async function checkKeys(app: App, listeners: Listeners): Promise<void> {
  const found = new Map<string, Caller | Fault>()
  for (const listener of listeners.all()) {
    const { keyId, botIds } = listener.caller
    const now = found.get(keyId) ?? (await lookUp(app, listener.keyDigest))
    found.set(keyId, now)
    if (!(now instanceof Fault)) {
      if (!isDeepStrictEqual(now.botIds, botIds)) listeners.change(listener, now)
    } else if (now.code === 'invalid_api_key' || now.code === 'api_key_revoked') {
      // An unavailable database does not close sockets.
      void goodbye(listener, 4001, now.message)
    }
  }
}

async function lookUp(app: App, digest: Buffer): Promise<Caller | Fault> {
  try {
    return callerOf(await findWorkingKey(app.keys, digest, app.now()))
  } catch (thrown) {
    return toApiFault(thrown)
  }
}

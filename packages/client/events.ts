import { ApiError } from './errors.ts'
import type { components } from './schema.d.ts'
import { linkedController, pause } from './signals.ts'

type SocketEvent = components['schemas']['SocketEvent']
/** Events of the stream: `ready` after each connection, then those of the server. */
export type BandstandEvent = Exclude<SocketEvent, { type: 'ping' }>

export interface EventsOptions {
  readonly baseUrl: string
  readonly key: string
  /** Types to hear; left out: all. `ready` always comes. */
  readonly events?: readonly string[]
  /** Ends the stream. */
  readonly signal?: AbortSignal
  /** A WebSocket for runtimes without their own, such as Node 20: that of the package `ws`. */
  readonly WebSocket?: SocketClass
  /** Asks why a socket was refused. Defaults to that of the runtime. */
  readonly fetch?: typeof fetch
}

/**
 * Iterate over it once. It reconnects automatically; missed events are not replayed, so read the players again
 * whenever another `ready` comes. It throws `ApiError` when the server will not have this key or these types.
 */
export interface EventStream extends AsyncIterable<BandstandEvent> {
  close(): void
}

const FIRST_WAIT_MS = 500
const LONGEST_WAIT_MS = 30_000
/** Two pings that did not come, and a bit. */
const SILENCE_MS = 75_000
/** A reader slower than this gets an error instead of an ever larger buffer. */
const MAX_UNREAD = 10_000
const KEY_REVOKED = 4001
const REFUSED: ReadonlySet<number> = new Set([401, 403, 404, 422])

/** The events of one key's bot, or of all bots of its project, for as long as the process cares to listen. */
export function openEvents({ WebSocket = ownSocket(), fetch: send = fetch, ...options }: EventsOptions): EventStream {
  const { baseUrl, key, events, signal } = options
  const closing = linkedController(signal)
  const stopped = closing.signal
  const url = new URL('/v1/events', baseUrl)
  if (events) url.searchParams.set('events', events.join(','))

  async function* listen(): AsyncGenerator<BandstandEvent> {
    let waitMs = FIRST_WAIT_MS
    while (!stopped.aborted) {
      const connection = connect(url, { key, WebSocket }, stopped)
      for await (const event of connection.events()) {
        waitMs = FIRST_WAIT_MS
        if (event.type !== 'ping') yield event
      }
      if (stopped.aborted) return
      // A socket that was refused or closed for its key does not say why; an ordinary request to the same place does.
      if (!connection.wasOpen() || connection.code() === KEY_REVOKED) await assertWelcome(send, url, { key, stopped })
      await pause(waitMs * (0.5 + Math.random() / 2), stopped)
      waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)
    }
  }

  async function* untilClosed(): AsyncGenerator<BandstandEvent> {
    try {
      yield* listen()
    } finally {
      closing.unlink()
    }
  }

  return { [Symbol.asyncIterator]: untilClosed, close: () => closing.abort() }
}

/** The part of a WebSocket that is needed. */
export type SocketClass = new (url: URL) => {
  addEventListener(type: 'open' | 'close' | 'error' | 'message', listener: (event: unknown) => void): void
  close(): void
}

function ownSocket(): SocketClass {
  if (typeof WebSocket === 'undefined') {
    throw new Error('This runtime has no WebSocket. Hand one in as `WebSocket`, such as that of the package ws.')
  }
  return WebSocket
}

/** One socket from its handshake to its end. */
function connect(
  url: URL,
  { key, WebSocket }: { readonly key: string; readonly WebSocket: SocketClass },
  stopped: AbortSignal,
) {
  const address = new URL(url)
  address.protocol = url.protocol.replace('http', 'ws')
  // A WebSocket of browsers can send no header.
  address.searchParams.set('key', key)
  const socket = new WebSocket(address)
  const unread: SocketEvent[] = []
  let wake: (() => void) | null = null
  let code: number | null = null
  let wasOpen = false
  let silence = setTimeout(cut, SILENCE_MS)

  function cut(): void {
    socket.close()
    end(1006)
  }
  function end(with_: number): void {
    code ??= with_
    clearTimeout(silence)
    stopped.removeEventListener('abort', cut)
    wake?.()
  }
  stopped.addEventListener('abort', cut, { once: true })
  socket.addEventListener('open', () => (wasOpen = true))
  socket.addEventListener('close', (event) => end((event as { readonly code: number }).code))
  socket.addEventListener('error', () => undefined)
  socket.addEventListener('message', (event) => {
    const { data } = event as { readonly data: unknown }
    clearTimeout(silence)
    if (code === null) silence = setTimeout(cut, SILENCE_MS)
    const read = unread.length < MAX_UNREAD ? parse(data) : null
    if (read) unread.push(read)
    else cut()
    wake?.()
  })
  if (stopped.aborted) cut()

  async function* events(): AsyncGenerator<SocketEvent> {
    try {
      for (;;) {
        const next = unread.shift()
        if (next) yield next
        else if (code !== null) return
        else await new Promise<void>((resolve) => (wake = resolve))
      }
    } finally {
      cut()
    }
  }
  return { events, code: () => code, wasOpen: () => wasOpen }
}

/** @throws {ApiError} when the server would refuse a socket, too. */
async function assertWelcome(
  send: typeof fetch,
  url: URL,
  { key, stopped }: { readonly key: string; readonly stopped: AbortSignal },
): Promise<void> {
  const headers = { Authorization: `Bearer ${key}` }
  const answer = await send(url, { headers, signal: stopped }).catch(() => null)
  if (!answer) return
  if (REFUSED.has(answer.status)) throw new ApiError(answer, await answer.json().catch(() => null))
  await answer.body?.cancel()
}

/** Null for what no service of ours sends. */
function parse(data: unknown): SocketEvent | null {
  try {
    return JSON.parse(String(data)) as SocketEvent | null
  } catch {
    return null
  }
}

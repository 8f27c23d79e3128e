import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import type { z } from 'zod'
import { holds, shaped, Unmet } from '../suite/expect.ts'
import { VERSION } from '../suite/version.ts'
import { judge, type Verdict } from './protocol.ts'
import { EVENT_TYPES } from './schemas.ts'
import type { Answer, Call, Rest, ServerAddress } from './rest.ts'
import { EventView, MessageView, PlayerView, ReadyView, StatsView, UpdateView, type StateView } from './views.ts'

/** A message of the socket, with the time of its arrival. */
export interface Arrival {
  readonly atMs: number
  readonly value: unknown
}

/** The handshake was answered by a status instead of a socket. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly status: number

  constructor(status: number) {
    super(`The server refused the socket with ${status}.`)
    this.status = status
  }
}

export interface SessionOptions {
  readonly userId: string
  /** Instead of the usual ones; null leaves one out. */
  readonly headers?: Readonly<Record<string, string | null>>
}

export interface SessionTools {
  readonly server: ServerAddress
  readonly rest: Rest
  readonly record: (line: string) => void
  readonly onVerdict: (message: unknown, verdict: Verdict) => void
}

const OPEN_TIMEOUT_MS = 10_000
const WAIT_MS = 10_000
const CLIENT_NAME = `lavalink-conformance/${VERSION}`

export interface FindOptions {
  /** Only messages from this index on. */
  readonly from?: number
  readonly withinMs?: number
}

/** A message as checks read it; null where it is another one. */
function viewOf<S extends z.ZodType>(schema: S, op: string, value: unknown): z.output<S> | null {
  if (MessageView.safeParse(value).data?.op !== op) return null
  return schema.safeParse(value).data ?? null
}

/** One socket of a client, and the requests that belong to its session. */
export class Session {
  /** Everything that came, in order. */
  readonly arrivals: Arrival[] = []
  /** `Session-Resumed` of the handshake. */
  readonly resumedHeader: string | null
  readonly #tools: SessionTools
  readonly #socket: WebSocket
  readonly #watchers = new Set<() => void>()
  #id: string | null = null

  private constructor(socket: WebSocket, tools: SessionTools, resumedHeader: string | null) {
    this.#socket = socket
    this.#tools = tools
    this.resumedHeader = resumedHeader
    socket.on('message', (data: Buffer) => this.#onMessage(data.toString()))
    const wake = () => this.#watchers.forEach((watch) => watch())
    socket.on('close', wake)
    socket.on('error', wake)
  }

  /** @throws {Refused} */
  static async open(options: SessionOptions, tools: SessionTools): Promise<Session> {
    const { server, record } = tools
    const usual = { authorization: server.password, 'user-id': options.userId, 'client-name': CLIENT_NAME }
    const wanted: Record<string, string | null> = { ...usual, ...options.headers }
    const headers = Object.fromEntries(
      Object.entries(wanted).filter((pair): pair is [string, string] => pair[1] !== null),
    )
    record(`→ socket ${JSON.stringify({ ...headers, authorization: '…' })}`)
    const socket = new WebSocket(`${server.url.replace(/^http/, 'ws')}/v4/websocket`, {
      headers,
      handshakeTimeout: OPEN_TIMEOUT_MS,
      maxPayload: 16 * 1024 * 1024,
    })
    return new Promise((resolve, reject) => {
      // Made at the handshake, since the first message may come with it.
      socket.once('upgrade', ({ headers: answered }: IncomingMessage) => {
        const resumed = answered['session-resumed']
        const session = new Session(socket, tools, typeof resumed === 'string' ? resumed : null)
        socket.once('open', () => resolve(session))
      })
      socket.once('unexpected-response', (request, response) => {
        record(`← socket refused with ${response.statusCode}`)
        response.resume()
        request.destroy()
        reject(new Refused(response.statusCode ?? 0))
      })
      socket.once('error', reject)
    })
  }

  /** Known once `ready` has come. */
  get id(): string {
    if (this.#id === null) throw new Error('The session has no id before its ready.')
    return this.#id
  }

  /** The op of the first message. */
  get firstOp(): string | undefined {
    return MessageView.safeParse(this.arrivals[0]?.value).data?.op
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN
  }

  async ready(): Promise<{ sessionId: string; resumed: boolean | null }> {
    const message = await this.find('ready', (one) => viewOf(ReadyView, 'ready', one))
    this.#id = message.sessionId
    return message
  }

  /** The index that the next message will have. */
  mark(): number {
    return this.arrivals.length
  }

  /** The first message from `from` on that fits. */
  async find<T>(
    what: string,
    fits: (value: unknown) => T | null | undefined,
    { from = 0, withinMs = WAIT_MS }: FindOptions = {},
  ): Promise<T> {
    const deadline = Date.now() + withinMs
    for (let at = from; ;) {
      for (; at < this.arrivals.length; at++) {
        const found = fits(this.arrivals[at]?.value)
        if (found !== null && found !== undefined) return found
      }
      const leftMs = deadline - Date.now()
      if (leftMs <= 0) throw new Unmet(`No ${what} came within ${withinMs} ms.`, what, this.#summary(from))
      if (!this.isOpen) throw new Unmet(`The server closed the socket before ${what}.`, what, this.#summary(from))
      await this.#change(leftMs)
    }
  }

  stats(options?: FindOptions): Promise<StatsView> {
    return this.find('stats', (one) => viewOf(StatsView, 'stats', one), options)
  }

  event(type: string, guildId: string, options?: FindOptions): Promise<EventView> {
    const pick = (one: unknown) => {
      const event = viewOf(EventView, 'event', one)
      return event?.type === type && event.guildId === guildId ? event : null
    }
    return this.find(type, pick, options)
  }

  playerUpdate(guildId: string, fits: (state: StateView) => boolean, options?: FindOptions): Promise<StateView> {
    const pick = (one: unknown) => {
      const update = viewOf(UpdateView, 'playerUpdate', one)
      return update?.guildId === guildId && fits(update.state) ? update.state : null
    }
    return this.find('fitting playerUpdate', pick, options)
  }

  /** The documented events of a guild from `from` on, as `TrackEndEvent:finished` and the like. */
  events(guildId: string, from = 0): readonly string[] {
    return this.arrivals.slice(from).flatMap(({ value }) => {
      const event = viewOf(EventView, 'event', value)
      if (event?.guildId !== guildId || !EVENT_TYPES.has(event.type)) return []
      return [event.type === 'TrackEndEvent' ? `${event.type}:${event.reason}` : event.type]
    })
  }

  path(guildId?: string): string {
    const players = `/v4/sessions/${this.id}/players`
    return guildId === undefined ? players : `${players}/${guildId}`
  }

  /** Sends a PATCH of a player and returns any answer. */
  patch(guildId: string, body: unknown, call: Call = {}): Promise<Answer> {
    return this.#tools.rest('PATCH', this.path(guildId), { ...call, body })
  }

  /** A PATCH that the server must take. */
  async update(guildId: string, body: unknown, call: Call = {}): Promise<PlayerView> {
    const answer = await this.patch(guildId, body, call)
    holds('The server takes the update of the player.', answer.status === 200, 'status 200', answer.text)
    return shaped('The answer is a player.', PlayerView, answer.body)
  }

  async player(guildId: string): Promise<PlayerView> {
    const answer = await this.#tools.rest('GET', this.path(guildId))
    holds('The server knows the player.', answer.status === 200, 'status 200', `${answer.status} ${answer.text}`)
    return shaped('The answer is a player.', PlayerView, answer.body)
  }

  send(text: string): void {
    this.#socket.send(text)
  }

  /** Ends the socket: with a close frame, or by cutting TCP. */
  async close(how: 'close' | 'cut' = 'close'): Promise<void> {
    if (this.#socket.readyState === WebSocket.CLOSED) return
    const closed = new Promise((resolve) => this.#socket.once('close', resolve))
    if (how === 'cut') this.#socket.terminate()
    else this.#socket.close(1000)
    const patience = setTimeout(() => this.#socket.terminate(), 1000)
    await closed
    clearTimeout(patience)
  }

  #onMessage(text: string): void {
    this.#tools.record(`⇐ ${text}`)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      value = undefined
    }
    this.#tools.onVerdict(value ?? text, judge(value))
    this.arrivals.push({ atMs: Date.now(), value })
    for (const watch of this.#watchers) watch()
  }

  #change(leftMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        this.#watchers.delete(done)
        resolve()
      }
      const timer = setTimeout(done, leftMs)
      this.#watchers.add(done)
    })
  }

  #summary(from: number): string {
    const seen = this.arrivals.slice(from).map(({ value }) => {
      const event = viewOf(EventView, 'event', value)
      return event ? `${event.type} ${event.reason}`.trim() : (MessageView.safeParse(value).data?.op ?? 'no message')
    })
    return seen.length === 0 ? 'nothing' : seen.join(', ')
  }
}

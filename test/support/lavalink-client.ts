import type { WebSocket } from 'ws'
import { LavalinkMessage } from './lavalink-messages.ts'
import { eventually } from './service.ts'

export interface LavalinkAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

export type LavalinkCall = (
  method: string,
  path: string,
  options?: { readonly password?: string | null; readonly body?: unknown },
) => Promise<LavalinkAnswer>

/** A session as its client has it. */
export interface ClientSession {
  readonly id: string
  readonly resumed: boolean
  /** The headers of the handshake's answer. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly socket: WebSocket
  /** Every message so far, each of them held against the documentation. */
  readonly messages: readonly any[]
  /** The events of a guild, in a word or two: `TrackStartEvent A`, `TrackEndEvent A replaced`. */
  events(guildId?: string): readonly string[]
  /** Waits until the events of a guild are these and no others. */
  told(events: readonly string[], guildId?: string): Promise<void>
  /** Waits for a message. */
  message(isIt: (message: any) => boolean): Promise<any>
  /** Path of a player; in the first guild by default. */
  player(guildId?: string): string
  patch(body: unknown, options?: { readonly guildId?: string; readonly query?: string }): Promise<LavalinkAnswer>
  /** Waits until the socket is closed. */
  closed(): Promise<{ readonly code: number; readonly reason: string }>
}

interface Following {
  readonly call: LavalinkCall
  readonly password: string
  readonly guildId: string
  readonly faults: string[]
}

/** Waits until the session of a new socket is ready. @throws {Refusal} when the handshake is refused */
export async function followSession(
  socket: WebSocket,
  { call, password, guildId, faults }: Following,
): Promise<ClientSession> {
  const messages: any[] = []
  let headers = {}
  let end: { code: number; reason: string } | null = null
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString())
    messages.push(message)
    const parsed = LavalinkMessage.safeParse(message)
    if (!parsed.success) faults.push(`${data.toString()}: ${parsed.error.message}`)
  })
  socket.on('close', (code, reason) => (end = { code, reason: reason.toString() }))
  const { promise: answered, resolve, reject } = Promise.withResolvers<void>()
  socket.on('error', reject)
  socket.on('upgrade', (response) => {
    ;({ headers } = response)
    resolve()
  })
  socket.on('unexpected-response', (_, response) => reject(new Refusal(response.statusCode ?? 0, response.headers)))
  await answered
  const ready = await eventually(
    () => messages[0],
    (message) => message !== undefined,
  )
  const events = (id = guildId) => messages.filter((one) => one.op === 'event' && one.guildId === id).map(inWords)
  const session: ClientSession = {
    id: ready.sessionId,
    resumed: ready.resumed,
    headers,
    socket,
    messages,
    events,
    async told(wanted, id) {
      await eventually(
        () => events(id),
        (told) => told.length >= wanted.length,
      )
      const told = events(id)
      if (told.join() !== wanted.join()) throw new Error(`Told ${told.join(', ')} instead of ${wanted.join(', ')}.`)
    },
    message: async (isIt) =>
      eventually(
        () => messages.find(isIt),
        (message) => message !== undefined,
      ),
    player: (id = guildId) => `/v4/sessions/${ready.sessionId}/players/${id}`,
    patch: (body, { guildId: id, query = '' } = {}) =>
      call('PATCH', `${session.player(id)}${query}`, { password, body }),
    closed: () =>
      eventually(
        () => end,
        (found) => found !== null,
      ).then((found) => found!),
  }
  return session
}

/** The handshake was answered otherwise. */
export class Refusal extends Error {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>

  constructor(status: number, headers: Refusal['headers']) {
    super(`The handshake was refused with ${status}.`)
    this.status = status
    this.headers = headers
  }
}

function inWords({ type, track, reason, code }: any): string {
  return [type, track?.info.title, reason, code].filter((word) => word !== undefined && word !== '').join(' ')
}

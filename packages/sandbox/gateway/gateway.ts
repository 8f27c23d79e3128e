import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { GatewayCloseCodes as Close, GatewayOpcodes as Op } from 'discord-api-types/v10'
import { WebSocketServer, type WebSocket } from 'ws'
import { findByToken } from '../world/applications.ts'
import { getApplication, type Happening } from '../world/world.ts'
import { answer } from './answers.ts'
import { isEncoding } from './encoding.ts'
import { openConnection, type ConnectionOptions } from './connection.ts'
import { detach, endSession, identify, resume, startLimit, type Hub } from './hub.ts'
import type { ClientPayload } from './requests.ts'
import type { TapSubject } from './tap.ts'
import { createFrame, hear, type Session, type Spoiled } from './session.ts'

/** Larger than a payload may be, so that a client is told what is wrong before it is cut. */
const FRAME_BYTES = 64 * 1024
/** Each piece costs memory beside its bytes. */
const PIECES = { maxFragments: 64, maxBufferedChunks: 256 }
/** Codes after which no one comes back: the client's own good-byes, and those that say the session is invalid. */
const ENDING = new Set<number>([1000, 1001, Close.InvalidSeq, Close.SessionTimedOut])

const NEWEST_VERSION = 10
const VERSIONS: ReadonlySet<number> = new Set([6, 7, 8, 9, NEWEST_VERSION])

export type GatewayOptions = Omit<Hub, 'sessions' | 'starts' | 'identifiedAtMs'>

export type Gateway = ReturnType<typeof createGateway>

/** Discord's gateway for any number of bots: versions 9 and 10, and the deprecated ones that it still takes. */
export function createGateway(options: GatewayOptions) {
  const hub: Hub = { ...options, sessions: new Map(), starts: new Map(), identifiedAtMs: new Map() }
  const { world, sessions } = hub
  const server = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES, ...PIECES })

  function onHappening(happening: Happening): void {
    const guild = world.guilds.get(happening.guildId ?? '')
    for (const session of sessions.values()) hear(session, happening, guild)
  }

  world.notices.on('happening', onHappening)
  return {
    sessions,
    /** Takes over an HTTP upgrade. */
    accept: (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      const refused = hub.tap.refusal()
      if (refused === null) server.handleUpgrade(request, socket, head, (client) => greetClient(hub, client, request))
      else socket.end(`HTTP/1.1 ${refused} Outage\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`)
    },
    startLimit: (applicationId: string) => startLimit(hub, getApplication(world, applicationId)),
    /** Op 7 to every socket of this bot: it reconnects and resumes. How many were told. */
    askToReconnect: (applicationId: string) => each(hub, applicationId, (session) => say(session, Op.Reconnect, null)),
    /** Op 9. Unless it is resumable, the session is over and the bot logs in again. */
    invalidate: (applicationId: string, resumable: boolean, shard?: number) =>
      each(hub, applicationId, (session) => {
        if (shard !== undefined && session.shard[0] !== shard) return
        say(session, Op.InvalidSession, resumable)
        if (!resumable) endSession(hub, session)
      }),
    /** Closes this bot's sockets with a code, or cuts them. */
    closeSockets: (applicationId: string, how: number | 'drop') =>
      each(hub, applicationId, (session) => session.carrier?.close(how === 'drop' ? null : how)),
    /** Half-open connections, which each side has to notice on its own. */
    spoilSockets: (applicationId: string, how: Spoiled) =>
      each(hub, applicationId, (session) => session.carrier?.spoil(how)),
    /** Forgets all identifies of today. */
    forgetStarts() {
      hub.starts.clear()
      hub.identifiedAtMs.clear()
    },
    /** Ends the sessions of bots that are no more, or whose token changed (4004). */
    logOutUnknown() {
      for (const session of sessions.values()) {
        const { id } = session.application
        if (world.applications.get(id) !== session.application) logOut(hub, session, Close.AuthenticationFailed)
      }
    },
    /** Ends all sessions: clients log in again (4009). */
    logOutAll() {
      for (const session of sessions.values()) logOut(hub, session, Close.SessionTimedOut)
    },
    async close() {
      world.notices.off('happening', onHappening)
      for (const session of sessions.values()) session.stay()
      sessions.clear()
      for (const client of server.clients) client.terminate()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

/** Does something to every connected session of a bot, and counts them. */
function each({ sessions }: Hub, applicationId: string, act: (session: Session) => void): number {
  const found = [...sessions.values()].filter((one) => one.application.id === applicationId && one.carrier)
  for (const session of found) act(session)
  return found.length
}

function logOut(hub: Hub, session: Session, code: number): void {
  session.carrier?.close(code)
  endSession(hub, session)
}

/** The bot that a client identifies as, if its token is valid. */
function subjectOf({ world, sessions }: Hub, payload: ClientPayload): TapSubject | null {
  if (payload.op !== Op.Identify && payload.op !== Op.Resume) return null
  const application = findByToken(world, payload.d.token)
  if (!application) return null
  const shard = payload.op === Op.Identify ? payload.d.shard?.[0] : sessions.get(payload.d.session_id)?.shard[0]
  return { applicationId: application.id, shard: shard ?? 0 }
}

function say(session: Session, op: Op, d: unknown): void {
  session.carrier?.send(createFrame(op, JSON.stringify(d ?? null)))
}

function greetClient(hub: Hub, client: WebSocket, request: IncomingMessage): void {
  const { searchParams } = new URL(request.url ?? '/', 'ws://localhost')
  const version = Number(searchParams.get('v') ?? NEWEST_VERSION)
  const encoding = searchParams.get('encoding') ?? 'json'
  if (!VERSIONS.has(version)) client.close(Close.InvalidAPIVersion, 'Invalid API version.')
  else if (!isEncoding(encoding)) client.close(Close.DecodeError, 'The encodings are JSON and ETF.')
  else serve(hub, client, { encoding, compress: searchParams.get('compress'), version })
}

/** Encoding, compression and version that the address of the socket requests. */
type Form = Pick<ConnectionOptions, 'encoding' | 'compress' | 'version'>

/** One client from its first payload to its last: it logs in or resumes, then asks for things. */
function serve(hub: Hub, client: WebSocket, form: Form): void {
  let session: Session | null = null
  let subject: TapSubject = { applicationId: null, shard: null }
  const connection = openConnection(client, {
    ...form,
    heartbeatMs: hub.heartbeatMs,
    now: hub.world.now,
    tap: hub.tap,
    subject: () => subject,
    meet: (payload) => (subject = subjectOf(hub, payload) ?? subject),
    onPayload,
    onClosed(code) {
      if (session?.carrier !== connection) return
      detach(hub, session)
      // A client that says good-bye is gone; one that is merely cut off may come back.
      if (ENDING.has(code)) endSession(hub, session)
    },
  })

  function onPayload(payload: ClientPayload): void {
    if (session && !hub.sessions.has(session.id)) session = null
    if (payload.op !== Op.Identify && payload.op !== Op.Resume) {
      if (session) answer(hub.world, session, payload)
      else connection.close(Close.NotAuthenticated)
      return
    }
    if (session) return connection.close(Close.AlreadyAuthenticated)
    const result =
      payload.op === Op.Identify
        ? identify(hub, connection, { ...payload.d, version: form.version })
        : resume(hub, connection, payload.d)
    if (typeof result === 'number') return connection.close(result)
    if (result === null) return connection.say(Op.InvalidSession, false)
    session = result
  }
}

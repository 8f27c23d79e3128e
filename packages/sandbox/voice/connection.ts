import { VoiceCloseCodes, VoiceOpcodes } from 'discord-api-types/voice/v8'
import type { Logger } from 'pino'
import type { RawData, WebSocket } from 'ws'
import type { z } from 'zod'
import { parseJson } from '../http/json.ts'
import type { Channel } from './channel.ts'
import type { DaveRule } from './dave/encryption.ts'
import { MalformedMessage } from './mls/reader.ts'
import * as payloads from './payloads.ts'
import type { Registry } from './registry.ts'
import type { Session } from './session.ts'
import type { VoiceTiming } from './timing.ts'
import type { TransportMode } from './udp/cipher.ts'

/**
 * The gateway side's answer to op 0: the channel that the user was told to join, or a close code. A channel `inClear` has
 * no end-to-end encryption, no matter who comes: Discord's stages.
 */
export type Admission = { readonly channelId: string; readonly inClear?: boolean } | { readonly refuse: number }

/** A client that asks to be admitted. */
export interface Applicant {
  readonly guildId: string
  readonly userId: string
  readonly sessionId: string
  readonly token: string
}

/** State that all connections share. */
export interface GatewayContext {
  readonly registry: Registry
  readonly udp: { readonly ip: string; readonly port: number }
  readonly modes: readonly TransportMode[]
  readonly timing: VoiceTiming
  readonly log: Logger
  readonly rule: () => DaveRule
  readonly admit: (applicant: Applicant) => Admission
}

/** Ends the connection with a close code of the voice gateway. */
class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: number

  constructor(code: number, reason: string) {
    super(reason)
    this.code = code
  }
}

/** One websocket, from Hello to its end. */
interface Connection {
  readonly context: GatewayContext
  readonly socket: WebSocket
  /** Set by op 0 or 7. */
  session: Session | null
  /** Runs out where the client falls silent. */
  watchdog: NodeJS.Timeout
}

/** A client may be late with its heartbeat by half an interval. */
const HEARTBEAT_SLACK = 1.5
const NORMAL_CLOSURE = 1000
const CRASHED: number = VoiceCloseCodes.VoiceServerCrashed

/** Whether a session outlives a socket that closed so: no one said goodbye, or the server asked to come again. */
export function isResumable(code: number): boolean {
  return code === CRASHED || (code < 4000 && code !== NORMAL_CLOSURE)
}

export function serveConnection(context: GatewayContext, socket: WebSocket): void {
  const { timing } = context
  const watchdog = setTimeout(
    () => socket.close(VoiceCloseCodes.SessionTimeout, 'No identify'),
    timing.identifyTimeoutMs,
  )
  const connection: Connection = { context, socket, session: null, watchdog }
  socket.on('message', (data, isBinary) => onMessage(connection, data, isBinary))
  // Broken frames and resets; 'close' follows.
  socket.on('error', (err) => context.log.debug({ err }, 'voice socket failed'))
  socket.on('close', (code) => onClose(connection, code))
  const hello = { v: 8, heartbeat_interval: timing.heartbeatIntervalMs }
  socket.send(JSON.stringify({ op: VoiceOpcodes.Hello, d: hello }))
}

function onMessage(connection: Connection, data: RawData, isBinary: boolean): void {
  // A session that moved on to another socket is deaf on this one.
  if (connection.session && connection.session.socket !== connection.socket) return
  const bytes = Array.isArray(data) ? Buffer.concat(data) : Buffer.from(data as Buffer)
  try {
    if (isBinary) onBinary(connection, bytes)
    else onJson(connection, bytes)
  } catch (err) {
    const refusal = toRefusal(err)
    if (!refusal) connection.context.log.error({ err }, 'voice message failed')
    const { code, message } = refusal ?? UNREADABLE
    close(connection, code, message)
  }
}

/** Answer to an unforeseen error: a message of one client must not end the server of the others. */
const UNREADABLE = { code: VoiceCloseCodes.FailedToDecode, message: 'Failed to decode payload' }

function toRefusal(err: unknown): Refusal | null {
  if (err instanceof Refusal) return err
  return err instanceof MalformedMessage ? new Refusal(VoiceCloseCodes.BadRequest, err.message) : null
}

/** Closes the socket, and ends its session, which no goodbye of ours lets the client resume. */
function close({ session, socket, context }: Connection, code: number, reason: string): void {
  context.log.debug({ code, reason, userId: session?.userId }, 'voice client refused')
  socket.close(code, reason)
  if (session) context.registry.end(session, 'gone')
}

function onJson(connection: Connection, bytes: Buffer): void {
  const message = parse(payloads.Message, decode(bytes))
  const op = knownOpcode(message.op)
  const { session } = connection
  if (op === VoiceOpcodes.Heartbeat) return onHeartbeat(connection, message.d)
  const isGreeting = op === VoiceOpcodes.Identify || op === VoiceOpcodes.Resume
  if (isGreeting && session) throw new Refusal(VoiceCloseCodes.AlreadyAuthenticated, 'Already authenticated')
  if (op === VoiceOpcodes.Identify) return onIdentify(connection, message.d)
  if (op === VoiceOpcodes.Resume) return onResume(connection, message.d)
  if (!session) throw new Refusal(VoiceCloseCodes.NotAuthenticated, 'Not authenticated')
  const handle = JSON_HANDLERS[op]
  if (!handle) throw new Refusal(VoiceCloseCodes.UnknownOpcode, `Opcode ${op} isn't for clients`)
  handle(connection.context.registry.channelOf(session), session, message.d)
}

/** Handler of a message of a known client; the channel is the session's. */
type Handler<T> = (channel: Channel, session: Session, payload: T) => void

const JSON_HANDLERS: Partial<Record<VoiceOpcodes, Handler<unknown>>> = {
  [VoiceOpcodes.SelectProtocol](channel, session, d) {
    const mode = selectMode(d)
    void session.chooseMode(mode).then((key) => channel.describe(session, key))
  },
  [VoiceOpcodes.Speaking](channel, session, d) {
    const { speaking } = parse(payloads.Speaking, d)
    if (speaking === 0) session.endUtterance()
    channel.speak(session, speaking)
  },
  [VoiceOpcodes.DaveTransitionReady](channel, session, d) {
    channel.encryption.confirm(session, parse(payloads.TransitionReady, d).transition_id)
  },
  [VoiceOpcodes.DaveMlsInvalidCommitWelcome](channel, session, d) {
    parse(payloads.InvalidCommitWelcome, d)
    channel.encryption.flagInvalid(session)
  },
}

const BINARY_HANDLERS: Partial<Record<VoiceOpcodes, Handler<Buffer>>> = {
  [VoiceOpcodes.DaveMlsKeyPackage]: (channel, session, it) => channel.encryption.offerKeyPackage(session, it),
  [VoiceOpcodes.DaveMlsCommitWelcome]: (channel, session, it) => channel.encryption.commit(session, it),
}

/** Binary messages of a client carry no sequence number: `u8 op ‖ payload`. */
function onBinary({ session, context }: Connection, bytes: Buffer): void {
  if (!session) throw new Refusal(VoiceCloseCodes.NotAuthenticated, 'Not authenticated')
  const handle = BINARY_HANDLERS[knownOpcode(bytes[0])]
  if (!handle) throw new Refusal(VoiceCloseCodes.UnknownOpcode, `Opcode ${bytes[0]} isn't for clients`)
  handle(context.registry.channelOf(session), session, bytes.subarray(1))
}

function knownOpcode(op: number | undefined): VoiceOpcodes {
  const known = payloads.Opcode.safeParse(op)
  if (!known.success) throw new Refusal(VoiceCloseCodes.UnknownOpcode, `Unknown opcode ${op}`)
  return known.data
}

function onIdentify(connection: Connection, d: unknown): void {
  const { registry, udp, modes, admit, rule } = connection.context
  const identify = parse(payloads.Identify, d)
  const applicant = {
    guildId: identify.server_id,
    userId: identify.user_id,
    sessionId: identify.session_id,
    token: identify.token,
  }
  const admission = admit(applicant)
  if ('refuse' in admission) throw new Refusal(admission.refuse, 'Not admitted')
  const { channelId, inClear = false } = admission
  if (!inClear && rule().required && identify.max_dave_protocol_version === 0)
    throw new Refusal(VoiceCloseCodes.EndToEndEncryptionDAVEProtocolRequired, 'E2EE/DAVE protocol required')

  const maxDaveVersion = inClear ? 0 : identify.max_dave_protocol_version
  const session = registry.open({ ...applicant, channelId, maxDaveVersion })
  attach(connection, session)
  session.send(VoiceOpcodes.Ready, { ssrc: session.ssrc, ip: udp.ip, port: udp.port, modes, experiments: [] })
  registry.join(session)
}

function onResume(connection: Connection, d: unknown): void {
  const resume = parse(payloads.Resume, d)
  const wanted = { guildId: resume.server_id, sessionId: resume.session_id, token: resume.token }
  const session = connection.context.registry.findResumable(wanted)
  const missed = session?.missedSince(resume.seq_ack)
  if (!session || !missed) throw new Refusal(VoiceCloseCodes.SessionNoLongerValid, 'Session is no longer valid')
  attach(connection, session)
  session.sendUnnumbered(VoiceOpcodes.Resumed, null)
  session.replay(missed)
}

/** The session speaks through this socket from now on; the previous one, if it is still open, is cut. */
function attach(connection: Connection, session: Session): void {
  clearTimeout(session.resumeTimer)
  const previous = session.socket
  session.socket = connection.socket
  previous?.terminate()
  connection.session = session
  expectHeartbeat(connection)
}

function selectMode(d: unknown): TransportMode {
  const { protocol, data } = parse(payloads.SelectProtocol, d)
  if (protocol !== 'udp') throw new Refusal(VoiceCloseCodes.UnknownProtocol, `Unknown protocol ${protocol}`)
  const mode = payloads.TransportModeName.safeParse(data.mode)
  if (!mode.success) throw new Refusal(VoiceCloseCodes.UnknownEncryptionMode, `Unknown encryption mode ${data.mode}`)
  return mode.data
}

function onHeartbeat(connection: Connection, d: unknown): void {
  const { t, seq_ack } = parse(payloads.Heartbeat, d)
  connection.session?.acknowledge(seq_ack)
  if (connection.session) expectHeartbeat(connection)
  connection.socket.send(JSON.stringify({ op: VoiceOpcodes.HeartbeatAck, d: { t } }))
}

function expectHeartbeat(connection: Connection): void {
  clearTimeout(connection.watchdog)
  connection.watchdog = setTimeout(
    () => close(connection, VoiceCloseCodes.SessionTimeout, 'Session timed out'),
    connection.context.timing.heartbeatIntervalMs * HEARTBEAT_SLACK,
  )
}

/** A lost socket leaves its session waiting for op 7; any goodbye ends it. */
function onClose({ session, socket, watchdog, context }: Connection, code: number): void {
  clearTimeout(watchdog)
  if (!session || session.socket !== socket) return
  session.socket = null
  if (!isResumable(code)) return context.registry.end(session, 'gone')
  session.resumeTimer = setTimeout(() => context.registry.end(session, 'gone'), context.timing.resumeGraceMs)
}

function decode(bytes: Buffer): unknown {
  try {
    return parseJson(bytes.toString())
  } catch {
    throw new Refusal(VoiceCloseCodes.FailedToDecode, 'Failed to decode payload')
  }
}

function parse<T extends z.ZodType>(schema: T, value: unknown): z.output<T> {
  const parsed = schema.safeParse(value)
  if (!parsed.success) throw new Refusal(VoiceCloseCodes.FailedToDecode, 'Failed to decode payload')
  return parsed.data
}

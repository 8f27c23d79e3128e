import type { Identity } from '../session.ts'
import { VoiceCloseCodes, VoiceOpcodes } from 'discord-api-types/voice/v8'
import type { Logger } from 'pino'
import { WebSocket, type RawData } from 'ws'
import { uint8 } from '../mls/writer.ts'

const RESUMES_MAX = 5
const RESUME_DELAY_MS = 200
const CRASHED: number = VoiceCloseCodes.VoiceServerCrashed

export interface MemberGatewayOptions extends Omit<Identity, 'channelId'> {
  readonly endpoint: string
  /** PEM; the one certificate that is trusted. */
  readonly certificate: string
  readonly log: Logger
  readonly onMessage: (op: VoiceOpcodes, d: unknown) => void
  readonly onBinary: (op: VoiceOpcodes, payload: Buffer) => void
  /** The session is over, with this close code. */
  readonly onEnd: (code: number) => void
}

/** A client's websocket to the voice gateway: identifies, keeps the heart beating, resumes after a lost socket. */
export type MemberGateway = ReturnType<typeof connectMemberGateway>

interface State {
  readonly options: MemberGatewayOptions
  socket: WebSocket
  /** The number of the last message, -1 before the first. */
  sequence: number
  isIdentified: boolean
  isClosed: boolean
  /** Since the last message. */
  resumes: number
  heartbeat: NodeJS.Timeout | undefined
  resumeTimer: NodeJS.Timeout | undefined
}

export function connectMemberGateway(options: MemberGatewayOptions) {
  const state: State = {
    options,
    socket: openSocket(options),
    sequence: -1,
    isIdentified: false,
    isClosed: false,
    resumes: 0,
    heartbeat: undefined,
    resumeTimer: undefined,
  }
  listen(state)
  return {
    send: (op: VoiceOpcodes, d: unknown) => send(state, op, d),
    sendBinary(op: VoiceOpcodes, payload: Buffer) {
      if (state.socket.readyState === WebSocket.OPEN) state.socket.send(Buffer.concat([uint8(op), payload]))
    },
    close() {
      state.isClosed = true
      clearInterval(state.heartbeat)
      clearTimeout(state.resumeTimer)
      state.socket.close(1000)
    },
  }
}

function openSocket({ endpoint, certificate }: MemberGatewayOptions): WebSocket {
  return new WebSocket(`wss://${endpoint}/?v=8`, { ca: certificate })
}

function listen(state: State): void {
  const { socket } = state
  socket.on('open', () => greet(state))
  socket.on('message', (data, isBinary) => onMessage(state, data, isBinary))
  socket.on('error', (err) => state.options.log.debug({ err }, 'member socket failed'))
  socket.on('close', (code) => onClose(state, code))
}

function greet(state: State): void {
  const { guildId, userId, sessionId, token, maxDaveVersion } = state.options
  if (state.isIdentified)
    send(state, VoiceOpcodes.Resume, { server_id: guildId, session_id: sessionId, token, seq_ack: state.sequence })
  else
    send(state, VoiceOpcodes.Identify, {
      server_id: guildId,
      user_id: userId,
      session_id: sessionId,
      token,
      max_dave_protocol_version: maxDaveVersion,
    })
}

/** A message that makes no sense is passed over: a client must not end with its server's mistake. */
function onMessage(state: State, data: RawData, isBinary: boolean): void {
  if (state.isClosed) return
  try {
    takeMessage(state, data, isBinary)
  } catch (err) {
    state.options.log.warn({ err, userId: state.options.userId }, 'unknown voice message')
  }
}

function takeMessage(state: State, data: RawData, isBinary: boolean): void {
  const bytes = data as Buffer
  state.resumes = 0
  if (isBinary) {
    state.sequence = bytes.readUInt16BE(0)
    state.options.onBinary(bytes.readUInt8(2), bytes.subarray(3))
    return
  }
  const { op, d, seq } = JSON.parse(bytes.toString()) as { op: VoiceOpcodes; d: unknown; seq?: number }
  if (seq !== undefined) state.sequence = seq
  if (op === VoiceOpcodes.Hello) beat(state, (d as { heartbeat_interval: number }).heartbeat_interval)
  if (op === VoiceOpcodes.Ready) state.isIdentified = true
  state.options.onMessage(op, d)
}

function beat(state: State, intervalMs: number): void {
  clearInterval(state.heartbeat)
  state.heartbeat = setInterval(
    () => send(state, VoiceOpcodes.Heartbeat, { t: Date.now(), seq_ack: state.sequence }),
    intervalMs,
  )
}

function onClose(state: State, code: number): void {
  clearInterval(state.heartbeat)
  if (state.isClosed) return
  const isResumable = code === CRASHED || code < 4000
  if (!isResumable || !state.isIdentified || state.resumes >= RESUMES_MAX) {
    state.isClosed = true
    state.options.onEnd(code)
    return
  }
  state.resumes += 1
  state.resumeTimer = setTimeout(() => {
    state.socket = openSocket(state.options)
    listen(state)
  }, RESUME_DELAY_MS)
}

function send({ socket }: State, op: VoiceOpcodes, d: unknown): void {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ op, d }))
}

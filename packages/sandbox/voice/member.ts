import type { Identity } from './session.ts'
import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { pino, type Logger } from 'pino'
import { z } from 'zod'
import { createMemberEncryption, type MemberEncryption } from './member/encryption.ts'
import { connectMemberGateway, type MemberGateway } from './member/gateway.ts'
import { createHearing, type Hearing, type HearingReport, type OpusListener } from './member/hearing.ts'
import { createSpeech } from './member/speech.ts'
import { openUdp, type MemberUdp } from './member/udp.ts'
import { createTransportCipher, TRANSPORT_MODES, type TransportCipher, type TransportMode } from './udp/cipher.ts'

export type { OpusListener } from './member/hearing.ts'

export interface MemberOptions extends Omit<Identity, 'maxDaveVersion'> {
  /** `localhost:PORT`, from VOICE_SERVER_UPDATE. */
  readonly endpoint: string
  /** The voice server's certificate, PEM. */
  readonly certificate: string
  readonly log?: Logger
  /** The first of the server's modes by default. */
  readonly mode?: TransportMode
  /** 1 by default; 0 is a client without end-to-end encryption. */
  readonly maxDaveVersion?: number
  /** Hook of server tests: it may send an answer to end-to-end encryption late or never. */
  readonly onAnswer?: (op: VoiceOpcodes, send: () => void) => void
}

interface MemberReport extends HearingReport {
  readonly daveVersion: number
  /** Thirty digits that all members of the encrypted group see alike; null without one. */
  readonly privacyCode: string | null
  /** Users in the encrypted group. */
  readonly groupUserIds: readonly string[]
}

/** A member's own voice client: real sockets, real end-to-end encryption. */
export interface MemberVoice {
  readonly userId: string
  readonly report: MemberReport
  resetReport(): void
  /** Every packet that could be opened, silence included. Returns the end of the subscription. */
  onOpus(listener: OpusListener): () => void
  /** Sends packets in real time; resolves when all are sent or the signal fires. A new utterance ends the previous one. */
  speak(packets: Iterable<Buffer> | AsyncIterable<Buffer>, signal?: AbortSignal): Promise<void>
  /** Called once when the server ended the session, with the close code. Not called after `close`. */
  onEnd(listener: (code: number) => void): void
  close(): void
}

const CONNECT_TIMEOUT_MS = 10_000

const Ready = z.object({ ssrc: z.int(), ip: z.string(), port: z.int(), modes: z.array(z.string()) })
const Description = z.object({
  mode: z.enum(TRANSPORT_MODES),
  secret_key: z.array(z.int()),
  dave_protocol_version: z.int(),
})
const Speaking = z.object({ user_id: z.string(), ssrc: z.int(), speaking: z.int() })
const ClientsConnect = z.object({ user_ids: z.array(z.string()) })
const ClientDisconnect = z.object({ user_id: z.string() })
const Transition = z.object({ transition_id: z.int(), protocol_version: z.int().default(0) })
const Epoch = z.object({ epoch: z.int(), protocol_version: z.int() })

interface State {
  readonly options: MemberOptions
  readonly log: Logger
  readonly gateway: MemberGateway
  readonly encryption: MemberEncryption
  readonly hearing: Hearing
  readonly present: Set<string>
  /** Settles when op 4 came, or the session ended before. */
  readonly connected: PromiseWithResolvers<void>
  readonly endListeners: Set<(code: number) => void>
  ssrc: number
  udp: MemberUdp | null
  cipher: TransportCipher | null
  isClosed: boolean
}

/** Resolves when the member can hear and speak; throws where the server refuses or does not answer within 10 s. */
export async function connectMember(options: MemberOptions): Promise<MemberVoice> {
  const state = createState(options)
  const timer = setTimeout(
    () => state.connected.reject(new Error("The voice server didn't respond in time.")),
    CONNECT_TIMEOUT_MS,
  )
  try {
    await state.connected.promise
  } catch (error) {
    close(state)
    throw error
  } finally {
    clearTimeout(timer)
  }
  return createVoice(state)
}

function createState(options: MemberOptions): State {
  const log = options.log ?? pino({ level: 'silent' })
  const present = new Set<string>()
  const { onAnswer = (_op, send) => send() } = options
  const gateway = connectMemberGateway({
    ...options,
    maxDaveVersion: options.maxDaveVersion ?? 1,
    log,
    onMessage: (op, d) => MESSAGE_HANDLERS[op]?.(state, d),
    onBinary: (op, payload) => state.encryption.onBinary(op, payload),
    onEnd: (code) => onEnd(state, code),
  })
  const encryption = createMemberEncryption({
    ...options,
    log,
    present: () => [...present],
    send: (op, d) => onAnswer(op, () => gateway.send(op, d)),
    sendBinary: (op, payload) => onAnswer(op, () => gateway.sendBinary(op, payload)),
  })
  const state: State = {
    options,
    log,
    gateway,
    encryption,
    hearing: createHearing(encryption),
    present,
    connected: Promise.withResolvers(),
    endListeners: new Set(),
    ssrc: 0,
    udp: null,
    cipher: null,
    isClosed: false,
  }
  return state
}

function createVoice(state: State): MemberVoice {
  const { encryption, hearing } = state
  const speech = createSpeech({
    ssrc: () => state.ssrc,
    send(header, opus) {
      const packet = state.cipher?.seal(header, encryption.seal(opus))
      if (packet) state.udp?.send(packet)
    },
    setSpeaking: (isSpeaking) =>
      state.gateway.send(VoiceOpcodes.Speaking, { speaking: isSpeaking ? 1 : 0, delay: 0, ssrc: state.ssrc }),
  })
  return {
    userId: state.options.userId,
    get report() {
      const { version: daveVersion, privacyCode, userIds: groupUserIds } = encryption
      return { ...hearing.report(), daveVersion, privacyCode, groupUserIds }
    },
    resetReport: () => hearing.reset(),
    onOpus: (listener) => hearing.subscribe(listener),
    speak: (packets, signal) => speech.speak(packets, signal),
    onEnd: (listener) => void state.endListeners.add(listener),
    close() {
      speech.stop()
      close(state)
    },
  }
}

const MESSAGE_HANDLERS: Partial<Record<VoiceOpcodes, (state: State, d: unknown) => void>> = {
  [VoiceOpcodes.Ready](state, d) {
    selectProtocol(state, Ready.parse(d)).catch((error: unknown) => state.connected.reject(error))
  },
  [VoiceOpcodes.SessionDescription](state, d) {
    const { mode, secret_key, dave_protocol_version } = Description.parse(d)
    state.cipher = createTransportCipher(mode, Buffer.from(secret_key))
    state.encryption.start(dave_protocol_version)
    state.connected.resolve()
  },
  [VoiceOpcodes.Speaking](state, d) {
    const { ssrc, user_id } = Speaking.parse(d)
    state.hearing.attribute(ssrc, user_id, state.cipher)
  },
  [VoiceOpcodes.ClientsConnect](state, d) {
    for (const userId of ClientsConnect.parse(d).user_ids) state.present.add(userId)
  },
  [VoiceOpcodes.ClientDisconnect](state, d) {
    const { user_id } = ClientDisconnect.parse(d)
    state.present.delete(user_id)
    state.hearing.forget(user_id)
  },
  [VoiceOpcodes.DavePrepareTransition](state, d) {
    const { transition_id, protocol_version } = Transition.parse(d)
    state.encryption.onPrepareTransition(transition_id, protocol_version)
  },
  [VoiceOpcodes.DaveExecuteTransition](state, d) {
    state.encryption.onExecuteTransition(Transition.parse(d).transition_id)
  },
  [VoiceOpcodes.DavePrepareEpoch](state, d) {
    const { epoch, protocol_version } = Epoch.parse(d)
    state.encryption.onPrepareEpoch(epoch, protocol_version)
  },
}

async function selectProtocol(state: State, ready: z.output<typeof Ready>): Promise<void> {
  state.ssrc = ready.ssrc
  const udp = await openUdp(ready, (packet) => state.cipher && state.hearing.onPacket(packet, state.cipher))
  if (state.isClosed) return udp.close()
  state.udp = udp
  state.gateway.send(VoiceOpcodes.SelectProtocol, {
    protocol: 'udp',
    data: { address: udp.address, port: udp.port, mode: state.options.mode ?? ready.modes[0] },
  })
}

function onEnd(state: State, code: number): void {
  state.connected.reject(new Error(`The voice server closed the connection with ${code}.`))
  close(state)
  for (const listener of state.endListeners) listener(code)
}

function close(state: State): void {
  state.isClosed = true
  state.gateway.close()
  state.udp?.close()
  state.udp = null
}

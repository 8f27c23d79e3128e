import { DAVESession, type MediaType, type ProposalsOperationType } from '@snazzah/davey'
import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import type { Logger } from 'pino'
import { uint16 } from '../mls/writer.ts'
import { SILENCE_FRAME } from '../opus.ts'

// davey's enums exist in its types alone.
const AUDIO = 0 as MediaType

/** The end of every end-to-end encrypted frame. */
const MAGIC_MARKER = 0xfafa
/** Time in which clear frames still pass after an upgrade, in seconds. */
const PASSTHROUGH_SECONDS = 10

/** Result of opening a packet. */
type Opened =
  | { readonly kind: 'decrypted' | 'clear' | 'silence'; readonly opus: Buffer }
  | { readonly kind: 'failed'; readonly reason: string }

/** A client's part of DAVE on top of one davey session. */
export type MemberEncryption = ReturnType<typeof createMemberEncryption>

export interface MemberEncryptionOptions {
  readonly userId: string
  readonly channelId: string
  readonly log: Logger
  /** Users in the channel (op 11 and 13): only they may be added to the group. */
  readonly present: () => readonly string[]
  readonly send: (op: VoiceOpcodes, d: unknown) => void
  readonly sendBinary: (op: VoiceOpcodes, payload: Buffer) => void
}

interface State {
  readonly options: MemberEncryptionOptions
  /** Versions by transition id, from the announcement to op 22. */
  readonly pending: Map<number, number>
  session: DAVESession | null
  version: number
}

export function createMemberEncryption(options: MemberEncryptionOptions) {
  const state: State = { options, pending: new Map(), session: null, version: 0 }
  return {
    get version(): number {
      return state.version
    },
    get privacyCode(): string | null {
      return (state.version > 0 && state.session?.voicePrivacyCode) || null
    },
    get userIds(): readonly string[] {
      return state.session?.getUserIds() ?? []
    },
    /** Op 4 named the version. */
    start: (version: number): void => begin(state, version),
    onBinary: (op: VoiceOpcodes, payload: Buffer): void => onBinary(state, op, payload),
    onPrepareTransition: (transitionId: number, version: number): void => prepare(state, transitionId, version),
    onExecuteTransition: (transitionId: number): void => execute(state, transitionId),
    onPrepareEpoch(epoch: number, version: number) {
      if (epoch === 1) begin(state, version)
    },
    seal(opus: Buffer): Buffer {
      const { version, session } = state
      return version > 0 && session?.ready && !opus.equals(SILENCE_FRAME) ? session.encryptOpus(opus) : opus
    },
    open: (fromUserId: string, payload: Buffer) => open(state, fromUserId, payload),
  }
}

/** A fresh session and, where there is encryption, a new key package for the server. */
function begin(state: State, version: number): void {
  const { userId, channelId, sendBinary } = state.options
  state.version = version
  state.pending.clear()
  if (version === 0) {
    state.session?.reset()
    return
  }
  if (state.session) state.session.reinit(version, userId, channelId)
  else state.session = new DAVESession(version, userId, channelId)
  sendBinary(VoiceOpcodes.DaveMlsKeyPackage, state.session.getSerializedKeyPackage())
}

function onBinary(state: State, op: VoiceOpcodes, payload: Buffer): void {
  const { session } = state
  if (!session) return
  if (op === VoiceOpcodes.DaveMlsExternalSender) session.setExternalSender(payload)
  else if (op === VoiceOpcodes.DaveMlsProposals) answerProposals(state, session, payload)
  else if (op === VoiceOpcodes.DaveMlsAnnounceCommitTransition)
    join(state, payload, (commit) => session.processCommit(commit))
  else if (op === VoiceOpcodes.DaveMlsWelcome) join(state, payload, (welcome) => session.processWelcome(welcome))
}

function answerProposals(state: State, session: DAVESession, payload: Buffer): void {
  const { present, sendBinary, log } = state.options
  try {
    const operation = payload.readUInt8(0) as ProposalsOperationType
    const { commit, welcome } = session.processProposals(operation, payload.subarray(1), [...present()])
    if (commit) sendBinary(VoiceOpcodes.DaveMlsCommitWelcome, welcome ? Buffer.concat([commit, welcome]) : commit)
  } catch (err) {
    log.debug({ err, userId: state.options.userId }, 'proposals failed')
    recover(state, 0)
  }
}

/** A new epoch, by a commit or a welcome: confirmed with op 23, in force with op 22. */
function join(state: State, payload: Buffer, process: (message: Buffer) => void): void {
  const transitionId = payload.readUInt16BE(0)
  try {
    process(payload.subarray(2))
  } catch (err) {
    state.options.log.debug({ err, userId: state.options.userId, transitionId }, 'epoch failed')
    recover(state, transitionId)
    return
  }
  confirm(state, transitionId, state.version)
}

function recover(state: State, transitionId: number): void {
  state.options.send(VoiceOpcodes.DaveMlsInvalidCommitWelcome, { transition_id: transitionId })
  begin(state, state.version)
}

/** Transition 0 needs no confirmation: it is in force at once. */
function confirm(state: State, transitionId: number, version: number): void {
  state.pending.set(transitionId, version)
  if (transitionId === 0) execute(state, 0)
  else state.options.send(VoiceOpcodes.DaveTransitionReady, { transition_id: transitionId })
}

function prepare(state: State, transitionId: number, version: number): void {
  if (version === 0) state.session?.setPassthroughMode(true, PASSTHROUGH_SECONDS)
  confirm(state, transitionId, version)
}

function execute(state: State, transitionId: number): void {
  const version = state.pending.get(transitionId)
  state.pending.delete(transitionId)
  state.version = version ?? state.version
}

/** Frames without the marker were never encrypted; whether that was right is for the caller to say. */
function open({ session }: State, fromUserId: string, payload: Buffer): Opened {
  if (payload.equals(SILENCE_FRAME)) return { kind: 'silence', opus: payload }
  if (payload.length < 3 || !payload.subarray(-2).equals(uint16(MAGIC_MARKER))) return { kind: 'clear', opus: payload }
  try {
    if (!session?.ready) return { kind: 'failed', reason: 'no group' }
    return { kind: 'decrypted', opus: session.decrypt(fromUserId, AUDIO, payload) }
  } catch (err) {
    return { kind: 'failed', reason: err instanceof Error ? err.message : String(err) }
  }
}

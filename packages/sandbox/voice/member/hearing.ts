import { readRtpHeader, stripPayload } from '../udp/rtp.ts'
import type { TransportCipher } from '../udp/cipher.ts'
import type { MemberEncryption } from './encryption.ts'

/** About one packet of Opus. */
interface HeardInfo {
  /** End-to-end; the transport encryption is always there. */
  readonly encrypted: boolean
  readonly sequence: number
  /** In samples. */
  readonly timestamp: number
}

export type OpusListener = (fromUserId: string, opus: Buffer, info: HeardInfo) => void

interface Failure {
  readonly atMs: number
  readonly fromUserId: string
  readonly reason: string
}

/** Audio that a member received since the last reset. Times are milliseconds since the Unix epoch. */
export interface HearingReport {
  readonly decrypted: number
  readonly failed: number
  /** Sound without end-to-end encryption. */
  readonly clear: number
  /** Silence frames; those are never encrypted. */
  readonly silence: number
  readonly firstHeardAtMs: number | null
  readonly lastHeardAtMs: number | null
  readonly lastFailedAtMs: number | null
  /** The last 200. */
  readonly failures: readonly Failure[]
}

/** Turns UDP packets into Opus: transport decryption, RTP, end-to-end decryption; counts the results. */
export type Hearing = ReturnType<typeof createHearing>

const FAILURES_MAX = 200
/** Packets of speakers whom op 5 has not named yet: it goes by TCP and may come a little later. */
const UNATTRIBUTED_MAX = 50

interface Tally extends Record<'decrypted' | 'failed' | 'clear' | 'silence', number> {
  firstHeardAtMs: number | null
  lastHeardAtMs: number | null
  lastFailedAtMs: number | null
  failures: Failure[]
}

interface State {
  readonly encryption: MemberEncryption
  readonly userIds: Map<number, string>
  readonly listeners: Set<OpusListener>
  unattributed: Buffer[]
  tally: Tally
}

export function createHearing(encryption: MemberEncryption) {
  const state: State = {
    encryption,
    userIds: new Map(),
    listeners: new Set(),
    unattributed: [],
    tally: newTally(),
  }
  return {
    onPacket: (packet: Buffer, cipher: TransportCipher): void => hear(state, packet, cipher),
    /** Op 5 says who stands behind an SSRC. Packets that came before it are heard now. */
    attribute(ssrc: number, userId: string, cipher: TransportCipher | null) {
      state.userIds.set(ssrc, userId)
      const waiting = state.unattributed
      state.unattributed = []
      if (cipher) for (const packet of waiting) hear(state, packet, cipher)
    },
    forget(userId: string) {
      for (const [ssrc, owner] of state.userIds) if (owner === userId) state.userIds.delete(ssrc)
    },
    subscribe(listener: OpusListener): () => void {
      state.listeners.add(listener)
      return () => void state.listeners.delete(listener)
    },
    report: (): HearingReport => ({ ...state.tally, failures: [...state.tally.failures] }),
    reset() {
      state.tally = newTally()
    },
  }
}

function newTally(): Tally {
  return {
    decrypted: 0,
    failed: 0,
    clear: 0,
    silence: 0,
    firstHeardAtMs: null,
    lastHeardAtMs: null,
    lastFailedAtMs: null,
    failures: [],
  }
}

function hear(state: State, packet: Buffer, cipher: TransportCipher): void {
  const header = readRtpHeader(packet)
  if (!header) return
  const fromUserId = state.userIds.get(header.ssrc)
  if (fromUserId === undefined) {
    if (state.unattributed.length < UNATTRIBUTED_MAX) state.unattributed.push(packet)
    return
  }
  const decrypted = cipher.open(packet, header.clearBytes)
  const payload = decrypted && stripPayload(header, decrypted)
  if (!payload) return
  const opened = state.encryption.open(fromUserId, payload)
  count(state.tally, opened.kind, fromUserId, opened.kind === 'failed' ? opened.reason : '')
  if (opened.kind === 'failed') return
  const info = { encrypted: opened.kind === 'decrypted', sequence: header.sequence, timestamp: header.timestamp }
  for (const listener of state.listeners) listener(fromUserId, opened.opus, info)
}

function count(
  tally: Tally,
  kind: 'decrypted' | 'failed' | 'clear' | 'silence',
  fromUserId: string,
  reason: string,
): void {
  const atMs = Date.now()
  tally[kind] += 1
  tally.firstHeardAtMs ??= atMs
  tally.lastHeardAtMs = atMs
  if (kind !== 'failed') return
  tally.lastFailedAtMs = atMs
  tally.failures.push({ atMs, fromUserId, reason })
  if (tally.failures.length > FAILURES_MAX) tally.failures.shift()
}

import { createCipheriv, createSecretKey, randomBytes } from 'node:crypto'
import {
  DAVESession,
  NetworkingStatusCode,
  VoiceConnectionStatus,
  VoiceUDPSocket,
  VoiceWebSocket,
  type Networking,
  type VoiceConnection,
} from '@discordjs/voice'

/**
 * What @discordjs/voice 0.19.2 does not survive unaided. Its handlers run inside socket events, so that anything
 * they throw ends the whole process. Each guard is one wrapped method; wrapping twice changes nothing.
 */
export function guardVoiceLibrary(): void {
  guard(DAVESession.prototype, 'processProposals', (session) => {
    // A proposal that does not fit our group (wrong epoch, unexpected user): leave and be added again.
    session.recoverFromInvalidTransition(session.lastTransitionId ?? 0)
  })
  // Everything that a voice gateway says comes through here, malformed frames included.
  guard(VoiceWebSocket.prototype, 'onMessage', (socket, error) => {
    socket.emit('error', asError(error))
  })
  // Its first keep-alive may come after the socket was closed.
  guard(VoiceUDPSocket.prototype, 'send', () => undefined)
}

const guarded = new WeakSet<object>()

function guard<T extends object>(owner: T, name: string, onThrow: (self: T, error: unknown) => void): void {
  const methods = owner as Record<string, unknown>
  const method = methods[name]
  if (typeof method !== 'function' || guarded.has(method)) return
  const safe = function (this: T, ...args: unknown[]): unknown {
    try {
      return method.apply(this, args) as unknown
    } catch (error) {
      onThrow(this, error)
      return undefined
    }
  }
  guarded.add(safe)
  methods[name] = safe
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}

/** A networking that can send, or null. */
export function readyState(connection: VoiceConnection | null) {
  if (!connection || connection.state.status !== VoiceConnectionStatus.Ready) return null
  const { state } = connection.state.networking
  return state.code === NetworkingStatusCode.Ready ? state : null
}

/**
 * Makes each packet's encryption four times cheaper: a raw key is imported again for every packet, a KeyObject once.
 * The library's field is typed for raw keys only, so that this is done where it is proven to work and nowhere else.
 */
export function importKey(networking: Networking): void {
  const { state } = networking
  if (state.code !== NetworkingStatusCode.Ready) return
  const { connectionData } = state
  if (connectionData.encryptionMode !== 'aead_aes256_gcm_rtpsize') return
  if (!(connectionData.secretKey instanceof Uint8Array)) return
  const key = createSecretKey(connectionData.secretKey)
  if (sealsAlike(connectionData.secretKey, key)) connectionData.secretKey = key as unknown as Uint8Array
}

type AesKey = Parameters<typeof createCipheriv>[1]

function sealsAlike(raw: AesKey, imported: AesKey): boolean {
  try {
    const nonce = randomBytes(12)
    const seal = (key: AesKey) => createCipheriv('aes-256-gcm', key, nonce).update('probe', 'utf8', 'hex')
    return seal(raw) === seal(imported)
  } catch {
    return false
  }
}

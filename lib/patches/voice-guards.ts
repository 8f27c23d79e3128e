import { DAVESession, VoiceWebSocket } from '@discordjs/voice'

/**
 * Guards against crashes of @discordjs/voice 0.19.2. Its handlers run inside socket events, so anything they throw ends the
 * whole process. Each guard is one wrapped method; wrapping twice changes nothing.
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

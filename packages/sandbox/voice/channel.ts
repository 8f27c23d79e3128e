import { VoiceOpcodes } from 'discord-api-types/voice/v8'
import { createChannelEncryption, type EncryptionOptions } from './dave/encryption.ts'
import type { Session } from './session.ts'

/** One voice channel: who is in it, who hears whom, and how they encrypt. */
export type Channel = ReturnType<typeof createChannel>

export function createChannel(options: EncryptionOptions) {
  const sessions = new Map<string, Session>()
  const encryption = createChannelEncryption(options)

  /** The others who can be heard and can hear. */
  function* othersThan(session: Session): Iterable<Session> {
    for (const other of sessions.values()) if (other !== session) yield other
  }

  return {
    encryption,
    othersThan,
    get isEmpty(): boolean {
      return sessions.size === 0
    },
    /** After op 2: everybody learns of everybody (op 11), which has to come before any proposal that adds them. */
    join(session: Session) {
      if (sessions.size > 0) session.send(VoiceOpcodes.ClientsConnect, { user_ids: [...sessions.keys()] })
      for (const other of sessions.values()) other.send(VoiceOpcodes.ClientsConnect, { user_ids: [session.userId] })
      sessions.set(session.userId, session)
      encryption.join(session)
    },
    /** Op 1: answers with op 4, and tells who is speaking. Nothing happens for one that left meanwhile. */
    describe(session: Session, key: Buffer) {
      if (sessions.get(session.userId) !== session) return
      session.isDescribed = true
      session.send(VoiceOpcodes.SessionDescription, {
        mode: session.mode,
        secret_key: [...key],
        audio_codec: 'opus',
        video_codec: null,
        media_session_id: crypto.randomUUID().replaceAll('-', ''),
        dave_protocol_version: encryption.version,
      })
      encryption.describe(session)
      for (const other of othersThan(session))
        if (other.speaking > 0) session.send(VoiceOpcodes.Speaking, spoken(other))
    },
    leave(session: Session) {
      if (sessions.get(session.userId) !== session) return
      sessions.delete(session.userId)
      encryption.leave(session)
      for (const other of sessions.values()) other.send(VoiceOpcodes.ClientDisconnect, { user_id: session.userId })
    },
    /** Op 5. */
    speak(session: Session, speaking: number) {
      session.speaking = speaking
      for (const other of othersThan(session)) other.send(VoiceOpcodes.Speaking, spoken(session))
      if (speaking > 0) session.announced()
    },
    close: (): void => encryption.close(),
  }
}

function spoken({ userId, ssrc, speaking }: Session): object {
  return { user_id: userId, ssrc, speaking, delay: 0 }
}

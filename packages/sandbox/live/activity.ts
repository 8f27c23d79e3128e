import type { VoiceServer } from '../voice/server.ts'
import type { Guild } from '../world/world.ts'

/** Current audio transport of one member. */
export interface Speaker {
  /** Null on the first reading. */
  readonly packetsPerSecond: number | null
  readonly speaking: boolean
  readonly transport: string | null
  readonly endToEnd: boolean
}

/** Reads the speakers in a guild's voice channels since the last call; null if nothing has changed. */
export function createActivityReader(voice: VoiceServer, guild: Guild, nowMs: () => number) {
  const before = new Map<string, { readonly packets: number; readonly atMs: number }>()
  let told = ''

  return async (): Promise<Readonly<Record<string, Speaker>> | null> => {
    const speakers: Record<string, Speaker> = {}
    for (const [userId, now] of await voice.activity(guild.id)) {
      if (!guild.voice.has(userId)) continue
      const last = before.get(userId)
      const atMs = nowMs()
      before.set(userId, { packets: now.packets, atMs })
      // A meter that was reset meanwhile counts from nothing.
      const more = last ? Math.max(0, now.packets - last.packets) : 0
      const packetsPerSecond = last ? Math.round((more * 1000) / Math.max(1, atMs - last.atMs)) : null
      const { transport, endToEnd } = now
      speakers[userId] = { packetsPerSecond, speaking: more > 0, transport, endToEnd }
    }
    for (const userId of before.keys()) if (!(userId in speakers)) before.delete(userId)
    const text = JSON.stringify(speakers)
    if (text === told) return null
    told = text
    return speakers
  }
}

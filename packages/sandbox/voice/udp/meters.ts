import { createPacketMeter, type PacketMeter } from './packet-meter.ts'

/** Meters outlive sessions; the oldest is forgotten beyond so many users. */
const METERS_MAX = 2000

/** The packets of every user who ever spoke. */
export interface Meters {
  of(guildId: string, userId: string): PacketMeter
  /** Packets since the last reset, by user. */
  counts(guildId: string): ReadonlyMap<string, number>
}

interface Entry {
  readonly guildId: string
  readonly userId: string
  readonly meter: PacketMeter
}

export function createMeters(): Meters {
  const entries = new Map<string, Entry>()
  return {
    of(guildId, userId) {
      const key = `${guildId}:${userId}`
      const known = entries.get(key)
      if (known) return known.meter
      const meter = createPacketMeter((nowMs) => Math.round(performance.timeOrigin + nowMs))
      entries.set(key, { guildId, userId, meter })
      const oldest = entries.keys().next()
      if (entries.size > METERS_MAX && !oldest.done) entries.delete(oldest.value)
      return meter
    },
    counts(guildId) {
      const ofGuild = entries.values().filter((entry) => entry.guildId === guildId)
      return new Map(ofGuild.map(({ userId, meter }) => [userId, meter.packets]))
    },
  }
}

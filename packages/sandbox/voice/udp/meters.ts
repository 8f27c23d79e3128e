import { createPacketMeter, type PacketMeter } from './packet-meter.ts'

/** Meters outlive sessions; the oldest is forgotten beyond so many users. */
const METERS_MAX = 2000

/** The packets of every user who ever spoke. */
export type Meters = ReturnType<typeof createMeters>

export function createMeters() {
  const entries = new Map<string, { readonly guildId: string; readonly userId: string; readonly meter: PacketMeter }>()
  return {
    of(guildId: string, userId: string): PacketMeter {
      const key = `${guildId}:${userId}`
      const known = entries.get(key)
      if (known) return known.meter
      const meter = createPacketMeter((nowMs) => Math.round(performance.timeOrigin + nowMs))
      entries.set(key, { guildId, userId, meter })
      const oldest = entries.keys().next()
      if (entries.size > METERS_MAX && !oldest.done) entries.delete(oldest.value)
      return meter
    },
    /** Packets since the last reset, by user. */
    counts(guildId: string): ReadonlyMap<string, number> {
      const ofGuild = entries.values().filter((entry) => entry.guildId === guildId)
      return new Map(ofGuild.map(({ userId, meter }) => [userId, meter.packets]))
    },
  }
}

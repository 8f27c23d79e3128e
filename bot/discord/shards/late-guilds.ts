import { slices } from '../../../lib/process/slices.ts'
import type { SessionStore } from './shard-directory.ts'

export interface GatewayPacket {
  readonly t: string
  readonly d: unknown
}

/** Reading this many guilds takes a few milliseconds. */
const GUILDS_AT_ONCE = 10

/**
 * Guilds of resumed sessions that are not read yet: a shard has thousands, and its players do not wait for the others. What
 * Discord tells of them meanwhile waits until they are known.
 */
export class LateGuilds {
  readonly #waiting = new Map<number, Map<string, GatewayPacket[]>>()

  begin(shardId: number, guildIds: Iterable<string>): void {
    this.#waiting.set(shardId, new Map(Array.from(guildIds, (guildId) => [guildId, []])))
  }

  end(shardId: number): void {
    this.#waiting.delete(shardId)
  }

  has(shardId: number, guildId: string): boolean {
    return this.#waiting.get(shardId)?.has(guildId) ?? false
  }

  count(shardId: number): number {
    return this.#waiting.get(shardId)?.size ?? 0
  }

  /** @returns whether the event is held back. */
  hold(packet: GatewayPacket, shardId: number): boolean {
    const waiting = this.#waiting.get(shardId)
    const guildId = waiting && guildOf(packet)
    if (!waiting || guildId === undefined) return false
    // Discord tells all of it, or that it is gone.
    if (packet.t === 'GUILD_CREATE' || packet.t === 'GUILD_DELETE') waiting.delete(guildId)
    waiting.get(guildId)?.push(packet)
    return waiting.has(guildId)
  }

  /** Marks the guild as known. @returns the packets held back; null if Discord has sent the guild meanwhile. */
  release(shardId: number, guildId: string): readonly GatewayPacket[] | null {
    const waiting = this.#waiting.get(shardId)
    const held = waiting?.get(guildId) ?? null
    waiting?.delete(guildId)
    return held
  }
}

interface Loading {
  readonly shardId: number
  readonly sessions: Pick<SessionStore, 'guilds'>
  readonly handle: (packet: GatewayPacket) => void
  /** Whether this service still runs the session. */
  readonly isCurrent: () => boolean
}

/** Reads the guilds that are late. @throws if not all could be read: the session is of no use then. */
export async function loadLate(late: LateGuilds, { shardId, sessions, handle, isCurrent }: Loading): Promise<void> {
  let handled = 0
  for await (const guilds of sessions.guilds()) {
    for (const guild of guilds) {
      if (!isCurrent()) return
      const { id } = guild as { readonly id: string }
      const held = late.release(shardId, id)
      if (held) handle({ t: 'GUILD_CREATE', d: guild })
      for (const packet of held ?? []) handle(packet)
      handled += 1
      if (handled % GUILDS_AT_ONCE === 0) await slices.next()
    }
  }
  if (late.count(shardId) > 0 && isCurrent()) throw new Error(`Servers not stored yet: ${late.count(shardId)}.`)
}

const ABOUT_GUILD = /^GUILD_(?:CREATE|UPDATE|DELETE)$/

/** The guild that an event is about, if any. */
export function guildOf({ t, d }: GatewayPacket): string | undefined {
  const { guild_id: guildId, id } = (d ?? {}) as { readonly guild_id?: string; readonly id?: string }
  return guildId ?? (ABOUT_GUILD.test(t) ? id : undefined)
}

import { RESTJSONErrorCodes, type DiscordAPIError, type Guild, type GuildMember } from 'discord.js'
import { createLru } from '../../../lib/sharing/lru.ts'
import { Fault } from '../../../lib/errors.ts'
import { monotonicNow } from '../../../lib/clock.ts'
import { withTimeout } from '../../../lib/deadline.ts'

/**
 * Members as Discord knows them now. Without a privileged intent it does not say who leaves a guild or loses a role, so it
 * is asked again and again.
 */
export type GuildMembers = ReturnType<typeof createGuildMembers>

const FRESH_MS = 3000
/** Looking at a page may rest on an older answer than doing something. */
const LOOKING_MS = 60_000
const MAX_REMEMBERED = 10_000
const PATIENCE_MS = 8000

interface Answer {
  readonly askedAtMs: number
  readonly member: Promise<GuildMember | null>
}

export function createGuildMembers() {
  const fresh = createLru<string, Answer>(MAX_REMEMBERED, { ttl: LOOKING_MS })

  return {
    /**
     * @param maxAgeMs how old the answer may be. Defaults to `FRESH_MS`.
     * @returns null for who is not in the guild.
     * @throws {Fault} `service_unavailable` if Discord does not answer.
     */
    async find(guild: Guild, userId: string, maxAgeMs: number = FRESH_MS): Promise<GuildMember | null> {
      const key = keyOf(guild, userId)
      const nowMs = monotonicNow()
      const known = fresh.get(key)
      const answer =
        known && known.askedAtMs > nowMs - maxAgeMs ? known : { askedAtMs: nowMs, member: ask(guild, userId) }
      if (answer !== known) fresh.set(key, answer)
      try {
        return await answer.member
      } catch (err) {
        fresh.delete(key)
        throw err
      }
    },
    /** Has the member fetched at the next look. */
    forget(guildId: string, userId: string) {
      for (const key of fresh.keys()) if (key.endsWith(` ${guildId} ${userId}`)) fresh.delete(key)
    },
  }
}

function keyOf({ client, id }: Guild, userId: string): string {
  return `${client.user?.id ?? ''} ${id} ${userId}`
}

function unavailable(cause?: unknown): Fault {
  const message = "Discord doesn't say who is a member right now. Try again in a moment."
  return new Fault('service_unavailable', message, { cause })
}

async function ask(guild: Guild, userId: string): Promise<GuildMember | null> {
  try {
    const asked = guild.members.fetch({ user: userId, force: true })
    return await withTimeout(PATIENCE_MS, asked, () => {
      throw unavailable()
    })
  } catch (err) {
    const { UnknownMember, UnknownUser } = RESTJSONErrorCodes
    const { code } = err as Partial<DiscordAPIError>
    if (code !== UnknownMember && code !== UnknownUser) throw err instanceof Fault ? err : unavailable(err)
    guild.members.cache.delete(userId)
    return null
  }
}

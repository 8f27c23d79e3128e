import type { APIVoiceState } from 'discord-api-types/v10'
import type { Clock } from '../../player/timers.ts'
import type { GatewayPacket } from './late-guilds.ts'

/** Time after the bot left a channel in which the guild still counts as one of the first, with which a hand-over begins. */
const LEFT_MS = 10_000
const MOST_FIRST = 1000

/** Guilds where the bot is in voice, or was a moment ago. */
export class VoicedGuilds {
  readonly #clock: Pick<Clock, 'nowMs'>
  /** Guild → when the bot left; Infinity while it is there. */
  readonly #leftAtMs = new Map<string, number>()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  add(guildId: string): void {
    this.#leftAtMs.set(guildId, Infinity)
  }

  onDispatch({ t, d }: GatewayPacket, ownId: string | undefined): void {
    if (t !== 'VOICE_STATE_UPDATE') return
    const {
      user_id: userId,
      guild_id: guildId,
      channel_id: channelId,
    } = d as APIVoiceState & { readonly guild_id?: string }
    if (userId !== ownId || guildId === undefined) return
    if (channelId !== null) this.add(guildId)
    else if (this.#leftAtMs.get(guildId) === Infinity) this.#leftAtMs.set(guildId, this.#clock.nowMs())
  }

  list(): readonly string[] {
    const sinceMs = this.#clock.nowMs() - LEFT_MS
    for (const [guildId, leftAtMs] of this.#leftAtMs) if (leftAtMs < sinceMs) this.#leftAtMs.delete(guildId)
    return [...this.#leftAtMs.keys()].slice(0, MOST_FIRST)
  }
}

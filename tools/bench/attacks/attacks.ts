import type { Answer } from '../../../test/support/service.ts'
import type { Tenant } from './tenant.ts'

/** What the attacker may do: call the API with its own key, in its own guilds. */
export interface Attacker {
  readonly web: string
  /** Of the service. */
  readonly baseUrl: string
  /** Of its bot. */
  readonly userId: string
  readonly guildIds: readonly string[]
  readonly key: string
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>
  /** Plays in the guild of that number. */
  readonly play: (guild: number, query: string) => Promise<Answer>
}

export function attackerOf({ places, key, call, userId, baseUrl }: Tenant, web: string): Attacker {
  const at = (guild: number) => places[guild % places.length]!
  return {
    web,
    baseUrl,
    userId,
    key,
    call,
    guildIds: places.map(({ guildId }) => guildId),
    play: (guild, query) =>
      call('POST', `/v1/music/guilds/${at(guild).guildId}/play`, { query, channelId: at(guild).channelId }),
  }
}

export interface Attack {
  readonly name: string
  /** How many do it at once. */
  readonly lanes: number
  /** One go of one lane; repeated for as long as the attack lasts. */
  readonly once: (attacker: Attacker, lane: number, turn: number) => Promise<Answer>
}

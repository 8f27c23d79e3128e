import { fetchJson, type Answer } from '../../../test/support/service.ts'
import type { Tenant } from './tenant.ts'
import type { HostileWeb } from './web.ts'

/** An attacker calls the API with its own key, in its own guilds. */
export interface Attacker {
  readonly web: string
  readonly gamePort: number
  /** Of the service. */
  readonly baseUrl: string
  readonly guildIds: readonly string[]
  readonly key: string
  readonly call: (method: string, path: string, body?: unknown) => Promise<Answer>
  /** Plays in the guild of that number. */
  readonly play: (guild: number, query: string) => Promise<Answer>
}

/** The facts that another thread can be sent. */
export type AttackerFacts = Omit<Tenant, 'call'> & { readonly web: Pick<HostileWeb, 'url' | 'gamePort'> }

export function attackerOf({ places, key, baseUrl, web }: AttackerFacts): Attacker {
  const at = (guild: number) => places[guild % places.length]!
  const call: Attacker['call'] = (method, path, body) =>
    fetchJson(baseUrl + path, method, body, { authorization: `Bearer ${key}` })
  return {
    web: web.url,
    gamePort: web.gamePort,
    baseUrl,
    key,
    call,
    guildIds: places.map(({ guildId }) => guildId),
    play: (guild, query) =>
      call('POST', `/v1/music/guilds/${at(guild).guildId}/play`, { query, channelId: at(guild).channelId }),
  }
}

export interface Attack {
  readonly name: string
  /** The number of parallel loops. */
  readonly lanes: number
  /** Runs before the others are measured. */
  readonly prepare?: (attacker: Attacker) => Promise<unknown>
  /** One go of one lane; repeated for as long as the attack lasts. */
  readonly once: (attacker: Attacker, lane: number, turn: number) => Promise<Answer>
}

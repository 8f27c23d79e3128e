import { encodeToken } from '../../bot/tracks/track-token.ts'
import type { Answer } from '../../test/support/service.ts'
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

/** A URL that is played, each time another one, so that no cache and no quarantine helps by its name alone. */
function url(name: string, lanes = 5): Attack {
  return { name, lanes, once: (attacker, lane, turn) => attacker.play(lane, `${attacker.web}/${name}?${lane}.${turn}`) }
}

/** The same URL again and again. */
function sameUrl(name: string, lanes = 5): Attack {
  return {
    name: `${name}, the same URL`,
    lanes,
    once: (attacker, lane) => attacker.play(lane, `${attacker.web}/${name}`),
  }
}

/** As long as a request line may be. */
const TABS = encodeToken({
  title: `a${'\t'.repeat(11_000)}(feat b`,
  author: 'x',
  lengthMs: 200_000,
  identifier: 'https://example.com/a.mp3',
  isStream: false,
  uri: null,
  artworkUrl: null,
  isrc: null,
  sourceName: 'http',
  probe: 'mp3',
})

export const ATTACKS: readonly Attack[] = [
  url('hls-key'),
  sameUrl('hls-key'),
  url('m3u-cubic', 8),
  {
    name: 'lyrics of 11,000 tabs',
    lanes: 8,
    once: ({ call }, _, turn) =>
      call('GET', `/v1/music/${turn % 2 ? 'meaning' : 'lyrics'}?encoded=${encodeURIComponent(TABS)}`),
  },
  url('hls-variants'),
  url('hls-deep'),
  url('hls-endless'),
  url('hls-drip'),
  url('m3u-nested'),
  url('m3u-cycle'),
  url('xspf-laughs', 8),
  url('xspf-deep', 8),
  url('pls-many', 8),
  url('icy-titles'),
  url('gzip-bomb'),
  url('one-byte', 8),
  url('id3-frames'),
  url('id3-chapters'),
  url('ogg-comments'),
  url('mp4-deep'),
  url('wav-rates'),
  url('redirects'),
  url('silent', 210),
  url('slow-headers', 50),
  url('flood'),
  {
    name: 'filters changed without a pause',
    lanes: 10,
    once: async ({ call, guildIds, play, web }, lane, turn) => {
      if (turn === 0) await play(lane, `${web}/song?${lane}`)
      const filters = { timescale: { speed: 0.5 + (turn % 10) / 10 }, lowPass: { smoothing: 2 + (turn % 5) } }
      return call('PATCH', `/v1/music/guilds/${guildIds[lane % guildIds.length]}/player`, { filters })
    },
  },
  {
    name: 'searches of 200 characters with marks',
    lanes: 20,
    once: ({ call }) => call('GET', `/v1/music/search?q=${encodeURIComponent('e\u0301\u0327'.repeat(66))}`),
  },
]

/** A guild of the stand-in in which the bot plays. */
export interface Guild {
  readonly guildId: string
  readonly channelIds: readonly string[]
  readonly memberIds: readonly string[]
  /** Whether its members decrypt what they hear. */
  readonly hasClient: boolean
  /** Always the same numbers for the same seed. */
  readonly random: () => number
  /** When someone last did something here. */
  touchedAtMs: number
  homeId(): string
}

export interface Party {
  readonly botId: string
  /** What can be asked for: titles of the library, links of the outside. */
  readonly queries: readonly string[]
  readonly tokens: readonly string[]
  readonly guilds: readonly Guild[]
  /** Answers by deed and status. */
  readonly answers: Readonly<Record<string, Readonly<Record<number, number>>>>
  /** Requests that were answered with a fault of ours. */
  readonly faults: readonly string[]
  /** Calls the API. @returns the status. */
  ask(method: string, path: string, body?: unknown): Promise<number>
  /** Lets something happen in Discord. @returns the status. */
  happen(method: string, path: string, body?: unknown): Promise<number>
  get(path: string): Promise<any>
  pick<T>(random: () => number, from: readonly T[]): T
  /** Everybody does one thing after the other until it is over. */
  celebrate(untilMs: number): Promise<void>
  /** Closes all players. */
  goHome(): Promise<void>
}

/** Something that a program or a member does, and how often compared with the others. */
export interface Action {
  readonly name: string
  readonly weight: number
  /** @returns the status of the answer. */
  run(party: Party, guild: Guild): Promise<number>
}

const FILTERS = [
  {},
  { preset: 'nightcore' },
  { preset: 'bassboost' },
  { preset: '8d' },
  { tremolo: { frequency: 4, depth: 0.5 } },
  { timescale: { speed: 1.1 } },
]
const CLOSES = [{ code: 4006 }, { code: 4015 }, { drop: true }]
const LOOPS = ['off', 'off', 'track', 'queue']

/** A request about the guild's player. */
function ask(name: string, weight: number, what: (party: Party, guild: Guild) => Request): Action {
  return {
    name,
    weight,
    run: (party, guild) => {
      const { method, path, body } = what(party, guild)
      return party.ask(method, `/v1/music/guilds/${guild.guildId}${path}`, body)
    },
  }
}

interface Request {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Something that happens in Discord to the guild. */
function happen(name: string, weight: number, what: (party: Party, guild: Guild) => Request): Action {
  return {
    name,
    weight,
    run: (party, guild) => {
      const { method, path, body } = what(party, guild)
      return party.happen(method, `/sandbox/guilds/${guild.guildId}${path}`, body)
    },
  }
}

function command(name: string, weight: number, what: (party: Party, guild: Guild) => Record<string, unknown>): Action {
  return happen(`/${name}`, weight, (party, guild) => ({
    method: 'POST',
    path: '/interactions/command',
    body: { userId: guild.memberIds[0], command: name, options: what(party, guild) },
  }))
}

const post = (path: string, body?: unknown): Request => ({ method: 'POST', path, body })
const patch = (body: unknown): Request => ({ method: 'PATCH', path: '/player', body })
const query = (party: Party, { random }: Guild) => party.pick(random, party.queries)
const channel = ({ random, channelIds }: Guild) => channelIds[Math.floor(random() * channelIds.length)] ?? ''
const bot = ({ botId }: Party) => `/members/${botId}`

/** What is done where there is no player. */
export const PLAY = ask('play', 14, (party, guild) =>
  post('/play', { query: query(party, guild), channelId: guild.homeId() }),
)

const REQUESTS: readonly Action[] = [
  PLAY,
  ask('skip', 6, () => post('/skip')),
  ask('previous', 3, () => post('/previous')),
  ask('pause', 2, () => patch({ paused: true })),
  ask('resume', 5, () => patch({ paused: false })),
  ask('volume', 3, (_, { random }) => patch({ volume: random() < 0.5 ? 100 : Math.floor(random() * 200) })),
  ask('seek', 4, (_, { random }) => patch({ positionMs: Math.floor(random() * 30_000) })),
  ask('loop', 3, (party, { random }) => patch({ loop: party.pick(random, LOOPS) })),
  ask('filters', 3, (party, { random }) => patch({ filters: party.pick(random, FILTERS) })),
  ask('mute', 2, (_, { random }) => post('/mute', { muted: random() < 0.5 })),
  ask('unmute', 3, () => ({ method: 'DELETE', path: '/mute' })),
  ask('shuffle', 1, () => post('/queue/shuffle')),
  ask('clear', 1, () => ({ method: 'DELETE', path: '/queue' })),
  ask('remove', 1, () => ({ method: 'DELETE', path: '/queue/1' })),
  ask('player', 3, () => ({ method: 'GET', path: '/player' })),
  ask('close', 1, () => ({ method: 'DELETE', path: '/player' })),
  ask('next-track', 2, (party, { random }) => ({
    method: 'PUT',
    path: '/next-track',
    body: { track: { encoded: party.pick(random, party.tokens) } },
  })),
  ask('layer', 2, (party, { random }) =>
    post('/mix', { track: { encoded: party.pick(random, party.tokens) }, volume: random() }),
  ),
]

const HAPPENINGS: readonly Action[] = [
  command('play', 3, (party, guild) => ({ query: query(party, guild) })),
  command('queue', 1, () => ({})),
  command('nowplaying', 1, () => ({})),
  command('skip', 1, () => ({})),
  happen('bot moved', 1.5, (party, guild) => post(`${bot(party)}/move`, { channelId: channel(guild) })),
  happen('bot thrown out', 0.3, (party) => post(`${bot(party)}/disconnect`, { code: 4014 })),
  happen('voice socket lost', 1.2, (party, { random }) =>
    post(`${bot(party)}/voice-socket`, party.pick(random, CLOSES)),
  ),
  happen('server mute', 0.6, (party, { random }) => post(`${bot(party)}/server-mute`, { muted: random() < 0.4 })),
  happen('server unmute', 0.8, (party) => post(`${bot(party)}/server-mute`, { muted: false })),
  happen('member leaves', 0.6, (_, guild) => post(`/members/${guild.memberIds[0]}/leave`)),
  happen('member joins', 2, (_, guild) => {
    return post(`/members/${guild.memberIds[0]}/join`, { channelId: channel(guild), client: guild.hasClient })
  }),
]

/** Everything that continues in the soak. */
export const DEEDS: readonly Action[] = [...REQUESTS, ...HAPPENINGS]

/** One of them by its weight. */
export function chooseAction(random: () => number): Action {
  const total = DEEDS.reduce((sum, { weight }) => sum + weight, 0)
  let at = random() * total
  for (const deed of DEEDS) {
    at -= deed.weight
    if (at < 0) return deed
  }
  return DEEDS[0]!
}

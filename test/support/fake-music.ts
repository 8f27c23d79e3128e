import { encodedSongExample } from '../../api/schemas/music.ts'
import type { Bot } from '../../bot/discord/bot.ts'
import type { EventBus } from '../../bot/events.ts'
import { createPlayerService, type PlayerService } from '../../bot/player-service.ts'
import { createPlayers } from '../../bot/player/player-registry.ts'
import { createSavedPlayers, type SavedPlayers } from '../../bot/player/saved-players.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { encodeToken } from '../../bot/tracks/track-token.ts'
import { toTrack, type EncodedTrack, type TrackInfo } from '../../bot/tracks/track.ts'
import { Fault, unprocessable } from '../../lib/errors.ts'
import { createLog } from '../../lib/log.ts'
import { createFakeSegments } from './fake-segments.ts'
import { createFakeAutoplay } from './fake-autoplay.ts'
import { createFakeAudioNode } from './fake-audio-node.ts'
import { createHandClock } from './manual-clock.ts'
import { projects } from './projects.ts'

export const guildId = '81384788765712384'
export const secondGuildId = '81384788765712390'
export const channelId = '81384788765712385'
export const secondChannelId = '81384788765712391'

function info(title: string, lengthMs: number): TrackInfo {
  const track = { title, author: 'The Fakes', lengthMs, uri: null, artworkUrl: null, isStream: false }
  return { ...track, identifier: title, isrc: null, sourceName: 'local', probe: 'ogg' }
}

const infos = [info('Night Ferry', 214_000), info('Glass Harbour', 90_000), info('Low Tide', 61_000)] as const

function encode(track: TrackInfo): EncodedTrack {
  return { ...toTrack(track), encoded: encodeToken(track) }
}

export const songs = [encode(infos[0]), encode(infos[1]), encode(infos[2])] as const

/** Ids of layers in their order; the first is that of the reference's examples. */
const layerIds = [1, 2, 3, 4, 5].map((n) => `6f1c2f57-3b1e-4d3a-9a53-0d2f9a3f7a1${n}`)

export interface FakeMusic extends PlayerService {
  /** Everything that is asked from now on fails like this; null mends it. */
  failWith(error: Error | null): void
  /** Subscribes to changed players, like the manager of bots. */
  onPlayerChanged(listener: (player: { readonly botId: string; readonly guildId: string }) => void): () => void
  /** The ceiling that came with the last call of `play`. */
  lastCeiling(): number
}

/** The real players over an audio node without sound, in a guild that has one channel and three songs. */
export function createFakeMusic(events: EventBus): FakeMusic {
  let failure: Error | null = null
  let ceiling = 0
  const states = {
    assertWritable: nothing,
    write: async () => [],
    savePositions: async () => undefined,
    list: async () => [],
    ages: async () => new Map(),
    claim: async () => undefined,
  }
  const saved = createSavedPlayers({ states, log: createLog('silent') })
  const players = createFakePlayers(events, saved)
  const music = createPlayerService({
    players,
    sources,
    sessionRestore: { isRestoring: () => false },
    findBot: toBot,
    allBots: () => [],
    botAway: () => new Fault('service_unavailable', 'The bot is not connected.', { retryAfterMs: 5000 }),
  })

  const own = {
    failWith: (error: Error | null) => void (failure = error),
    onPlayerChanged: (listener: Parameters<FakeMusic['onPlayerChanged']>[0]) => saved.subscribe(listener),
    lastCeiling: () => ceiling,
  }
  const call = async (name: keyof PlayerService, args: readonly unknown[]): Promise<unknown> => {
    if (failure !== null) throw failure
    const [scope, guild, input] = args as Parameters<PlayerService['play']>
    if (name === 'play') ceiling = scope.playerCeiling
    const method = music[name] as (...given: readonly unknown[]) => Promise<unknown>
    if (input === undefined) return method(...args)
    const layers = name === 'changeLayer' || name === 'removeLayer' ? await music.layers(scope, guild) : []
    return method(scope, guild, withExamples(input, new Map(layers.map(({ id }, at) => [layerIds[at] ?? '', id]))))
  }
  const get = (_: object, name: string) => {
    if (name in own) return own[name as keyof typeof own]
    if (name === 'ownPlayers' || name === 'queueLength' || typeof music[name as keyof PlayerService] !== 'function')
      return music[name as keyof PlayerService]
    return (...args: readonly unknown[]) => {
      if (name !== 'perform') return call(name as keyof PlayerService, args)
      const [scope, guild, operation, input] = args as Parameters<PlayerService['perform']>
      return call(operation, [scope, guild, input])
    }
  }
  return new Proxy({}, { get }) as FakeMusic
}

/** Replaces the examples of the reference with existing data: its token is the first song, its layer the first one. */
function withExamples<T extends object>(input: T, layers: ReadonlyMap<string, string>): T {
  const text = JSON.stringify(input).replaceAll(encodedSongExample.encoded, songs[0].encoded)
  const known = JSON.parse(text, (_, value: unknown) =>
    typeof value === 'string' ? (layers.get(value) ?? value) : value,
  ) as T
  // Values that JSON leaves out, such as the guard of a play, stay.
  return { ...input, ...known }
}

const nothing = () => undefined
const DEFAULTS = { stays: false, volume: 100, levelled: false, crossfadeMs: 0, fadeMs: 150 }

async function trace() {
  const entry = { kind: 'gap', text: 'gap of 420 ms: the source sent nothing', closeCode: null } as const
  const spans = [{ fromMs: 10_000, sent: 500, nulled: 21, late: 0, mostLateMs: 3 }]
  return { fromMs: 0, toMs: 20_000, entries: [{ ...entry, atMs: 12_000, durationMs: 420 }], spans }
}

function createFakePlayers(events: EventBus, states: SavedPlayers) {
  const log = createLog('silent')
  // One for each of two players that a guild may have: a fake node knows players by their guild.
  const nodes = [createFakeAudioNode(), createFakeAudioNode('audio-2')]
  return createPlayers({
    nodes: nodes.map((node) => Object.assign(node, { trace })),
    sources,
    events,
    states,
    rules: { idleMs: 300_000, aloneMs: 60_000 },
    clock: createHandClock(),
    log,
    countListeners: () => 1,
    isBotConnected: () => true,
    beforeLeaving: async () => undefined,
    guildDefaultsOf: () => DEFAULTS,
    readDefaults: async () => DEFAULTS,
    settings: { change: async () => undefined },
    countElsewhere: () => 0,
    onGone: nothing,
    segmentsFor: createFakeSegments,
    autoplayFor: createFakeAutoplay,
  })
}

const withText = (text: string) => infos.filter(({ title }) => title.toLowerCase().includes(text.toLowerCase()))

const sources: Sources = {
  names: ['library', 'http'],
  async find(query) {
    // A site that gives a part of its list.
    if (query === 'https://list.example') return { tracks: infos, playlist: 'Harbour Nights', total: 2503 }
    const [found] = withText(query)
    if (!found) throw unprocessable('nothing_found', 'Nothing was found.')
    return { tracks: [found], playlist: null }
  },
  search: async (text, { limit }) =>
    withText(text)
      .slice(0, limit)
      .map((found) => Object.assign({ source: 'library' }, found)),
  related: async () => [],
  mirror: async () => null,
  lists: async () => [],
  cover: async () => null,
  chapters: async () => ['Casting Off', 'The Crossing'].map((title, index) => ({ title, startMs: 61_000 * index })),
  open: async ({ identifier }) => ({ kind: 'file', path: `/${identifier}.ogg`, codec: 'ogg-opus' }),
  keep: () => undefined,
  states: () => [],
  outcomes: () => [],
  health: () => [],
  close: () => Promise.resolve(),
}

/** The projects of bots, where it is not the first. */
const FOREIGN: Readonly<Record<string, string>> = {
  '900000000000000003': projects.two,
  '900000000000000009': projects.small,
}

function toBot(id: string): Bot {
  return {
    id,
    projectId: FOREIGN[id] ?? projects.one,
    isConnected: true,
    isStandby: false,
    state: 'connected',
    guilds: () => [],
    waitConnected: async () => true,
    joinable(guild, channel) {
      if (guild !== guildId && guild !== secondGuildId) throw new Fault('not_found', 'The bot is not in this guild.')
      if (channel !== channelId && channel !== secondChannelId)
        throw unprocessable('channel_not_joinable', 'There is no such voice channel.')
      return channel
    },
    assertSettled: () => undefined,
    isSpokenForHere: true,
    isUnanswered: false,
    isIn: () => true,
    voiceIn: () => ({ channelId: null }),
    countListeners: () => 1,
    listeners: () => [],
    memberName: () => null,
    joinTurn: async () => undefined,
    sendVoice: () => undefined,
    reconcile: () => undefined,
    stop: async () => undefined,
  }
}

import type { Autoplay } from '../../bot/autoplay/autoplay.ts'
import type { Bot } from '../../bot/discord/bot.ts'
import type { PlayerRules } from '../../bot/player/player-parts.ts'
import { createEventBus } from '../../bot/event-bus.ts'
import type { ProjectEvent } from '../../bot/events.ts'
import { createPlayerService, type PlayerScope, type PlayerService } from '../../bot/player-service.ts'
import type { Player } from '../../bot/player/player.ts'
import { createPlayers, type GuildDefaults, type Players } from '../../bot/player/player-registry.ts'
import { createSessionRestore, type SessionRestore } from '../../bot/player/restore/session-restore.ts'
import { createSavedPlayers } from '../../bot/player/saved-players.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { encodeToken } from '../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../bot/tracks/track.ts'
import type { SavedPlayer, PlayerStates } from '../../db/music/players.ts'
import { Fault, unprocessable } from '../../lib/errors.ts'
import { createLog } from '../../lib/log.ts'
import type { OpenedTrack } from '../../lib/telemetry-hooks.ts'
import { createFakeSegments, type FakeSegments } from './fake-segments.ts'
import { createFakeAutoplay } from './fake-autoplay.ts'
import { createFakeAudioNode, type FakeAudioNode } from './fake-audio-node.ts'
import { createHandClock, settle, type HandClock } from './manual-clock.ts'

export const BOT = '900000000000000001'
export const OTHER_BOT = '900000000000000002'
export const GUILD = '100000000000000001'
export const OTHER_GUILD = '100000000000000002'
export const CHANNEL = '200000000000000001'
export const OTHER_CHANNEL = '200000000000000002'

/** Everything of the music but Discord and sound: real players, real rotation, a fake node, bots that only answer. */
export interface Stage {
  readonly music: PlayerService
  readonly players: Players
  readonly sessionRestore: SessionRestore
  readonly node: FakeAudioNode
  readonly nodes: readonly FakeAudioNode[]
  readonly clock: HandClock
  readonly saved: Map<string, SavedPlayer>
  /** By guild. */
  readonly savedAges: Map<string, number>
  /** The database is busy, or the disk full; with a promise, writes wait for it. */
  cannotSave: boolean | Promise<void>
  readonly scope: PlayerScope
  /** Emitted events, each in a word or two: `trackStarted A`, `trackEnded finished`, `playerClosed idle`. */
  readonly told: string[]
  readonly events: ProjectEvent[]
  /** Hears what is told at the moment that it is. */
  onTold(heard: (event: ProjectEvent) => void): void
  readonly opened: OpenedTrack[]
  /** Tracks that the source was requested to open; `fresh` where the former address no longer worked. */
  readonly asked: string[]
  listeners: number
  habits: GuildDefaults
  isConnected: boolean
  /** Autoplay of players that are opened from then on. Null: one that never chooses. */
  autoplay: Autoplay | null
  readonly segments: FakeSegments
  /** Plays as the bot itself, in the one guild. */
  play(query: string): ReturnType<PlayerService['play']>
  info(): ReturnType<PlayerService['info']>
  /** Current and waiting tracks, as `A B C`; `-` first where nothing plays. */
  titles(): Promise<string>
  player(): Player
  /** Ends the track that is played, a second from now. */
  finish(reason?: 'finished' | 'loadFailed'): Promise<void>
  close(): void
}

export function createStage({ nodeCount = 1 } = {}): Stage {
  const [clock, log] = [createHandClock(), createLog('silent')]
  const events = createEventBus({ log })
  const nodes = Array.from({ length: nodeCount }, (_, index) => createFakeAudioNode(`audio-${index + 1}`))
  const saved = new Map<string, SavedPlayer>()
  const rules: PlayerRules = { idleMs: 300_000, aloneMs: 60_000 }
  const states = createSavedPlayers({ states: createMemoryStates(saved, () => stage), log })
  const players = createPlayers({
    nodes,
    sources: {
      ...testSources,
      open(info, signal, isFresh) {
        stage.asked.push(isFresh ? `${info.title} fresh` : info.title)
        return testSources.open(info, signal)
      },
    },
    events,
    states,
    rules,
    clock,
    log,
    countListeners: () => stage.listeners,
    isBotConnected: () => stage.isConnected,
    guildDefaultsOf: () => stage.habits,
    readDefaults: async () => stage.habits,
    settings: {
      change: async (_, __, fades) => {
        stage.habits = { ...stage.habits, ...fades }
      },
    },
    countElsewhere: () => 0,
    onGone: () => undefined,
    segmentsFor: () => stage.segments,
    autoplayFor: (player) => stage.autoplay?.hooksFor(player) ?? createFakeAutoplay(),
    beforeLeaving: async () => undefined,
    observer: { opened: (track) => stage.opened.push(track) },
  })
  const stage: Stage = {
    music: createPlayerService({
      players,
      sources: testSources,
      sessionRestore: { isRestoring: () => false },
      findBot: (id) =>
        fakeBot(id, {
          isConnected: () => stage.isConnected,
          isRestoring: (at) => stage.sessionRestore.isRestoring(id, at),
        }),
      allBots: () => [],
      botAway: () => new Fault('service_unavailable', 'It is away.'),
    }),
    players,
    sessionRestore: createSessionRestore({ players, states, readDefaults: async () => stage.habits, clock, log }),
    node: nodes[0] as FakeAudioNode,
    nodes,
    clock,
    saved,
    savedAges: new Map(),
    cannotSave: false,
    scope: { projectId: 'project', botId: BOT, playerCeiling: 5 },
    told: [],
    events: [],
    onTold: (heard) => void events.subscribe(heard),
    opened: [],
    asked: [],
    listeners: 1,
    habits: { stays: false, volume: 100, levelled: true, crossfadeMs: 0, fadeMs: 150 },
    isConnected: true,
    autoplay: null,
    segments: createFakeSegments(),
    play: (query) => stage.music.play(stage.scope, GUILD, { query, channelId: CHANNEL }),
    info: () => stage.music.info(stage.scope, GUILD),
    async titles() {
      const { current, queue } = await stage.info()
      return [current?.title ?? '-', ...queue.map(({ title }) => title)].join(' ')
    },
    player() {
      const found = players.find(BOT, GUILD)
      if (!found) throw new Error('There is no player.')
      return found
    },
    async finish(reason = 'finished') {
      await clock.advance(1000)
      stage.node.finish(GUILD, reason)
      await settle()
    },
    close: () => players.close(),
  }
  events.subscribe((event) => {
    stage.events.push(event)
    stage.told.push(tell(event))
  })
  return stage
}

/** `a b c` finds three tracks, `part-of-9 b` two of a list of nine; `lpA-1-3` is the third one of an album's first disc. A name that begins with `book` has three chapters of 20 s each; `broken` cannot be decoded, `gone` not be opened. */
export const testSources: Sources = {
  names: ['local'],
  async find(query) {
    if (query === 'nothing') throw unprocessable('nothing_found', 'Nothing was found.')
    const total = Number(/^part-of-(\d+)/.exec(query)?.[1] ?? 0)
    return { tracks: query.split(' ').map(trackNamed), playlist: total > 0 ? 'A list' : null, total }
  },
  search: async (text, { limit }) =>
    text
      .split(' ')
      .slice(0, limit)
      .map((name) => Object.assign(trackNamed(name), { source: 'local' })),
  related: async () => [],
  mirror: async () => null,
  lists: async () => [],
  cover: async () => null,
  chapters: async ({ identifier }) =>
    identifier.startsWith('book')
      ? ['One', 'Two', 'Three'].map((title, index) => ({ title, startMs: 20_000 * index }))
      : [],
  async open({ identifier }) {
    if (identifier.startsWith('gone')) throw unprocessable('unplayable', 'The file is gone.')
    const [, album, disc, track] = /^(lp.)-(\d)-(\d+)$/.exec(identifier) ?? []
    const place = album === undefined ? {} : { album: { album, disc: Number(disc), track: Number(track) } }
    return { kind: 'file', path: `/${identifier}.ogg`, codec: 'ogg-opus', ...place }
  },
  keep: () => undefined,
  states: () => [],
  outcomes: () => [],
  health: () => [],
  close: () => Promise.resolve(),
}

export function trackNamed(name: string): TrackInfo {
  const isStream = name.startsWith('radio')
  return {
    title: name,
    author: 'somebody',
    lengthMs: isStream || name.startsWith('unmeasured') ? 0 : name.startsWith('short') ? 15_000 : 60_000,
    uri: null,
    artworkUrl: null,
    isStream,
    identifier: name,
    isrc: null,
    sourceName: 'local',
    probe: 'ogg',
  }
}

export function tokenOf(name: string): string {
  return encodeToken(trackNamed(name))
}

/** The fault that a promise ends in, as its code, with the reason where an input is at fault. */
export async function faultOf(task: Promise<unknown>): Promise<string> {
  try {
    await task
  } catch (err) {
    if (!(err instanceof Fault)) throw err
    return err.code === 'validation_error' ? `${err.code} ${err.reason ?? ''}` : err.code
  }
  return 'no fault'
}

function tell({ event }: ProjectEvent): string {
  if (event.type === 'trackStarted') return `trackStarted ${event.track.title}`
  return 'reason' in event ? `${event.type} ${event.reason}` : event.type
}

interface BotState {
  readonly isConnected: () => boolean
  readonly isRestoring: (guildId: string) => boolean
}

function fakeBot(id: string, { isConnected, isRestoring }: BotState): Bot | undefined {
  if (id !== BOT && id !== OTHER_BOT) return undefined
  return {
    id,
    projectId: 'project',
    get isConnected() {
      return isConnected()
    },
    isStandby: false,
    get state() {
      return isConnected() ? ('connected' as const) : ('connecting' as const)
    },
    guilds: () => [],
    waitConnected: async () => isConnected(),
    joinable(guildId, channelId) {
      if (!guildId.startsWith('1')) throw new Fault('not_found', 'The bot is not in this guild.')
      if (channelId === undefined) throw unprocessable('channel_not_joinable', 'Say which channel to join.')
      if (!channelId.startsWith('2')) throw unprocessable('channel_not_joinable', 'This is no voice channel.')
      return channelId
    },
    assertSettled(guildId) {
      if (isRestoring(guildId)) throw new Fault('service_unavailable', 'The player of this guild is coming back.')
    },
    isSpokenForHere: true,
    isUnanswered: false,
    isIn: (guildId) => guildId.startsWith('1'),
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

function createMemoryStates(saved: Map<string, SavedPlayer>, stage: () => Stage): PlayerStates {
  return {
    assertWritable: () => undefined,
    async write(changes) {
      if ((await stage().cannotSave) === true) throw new Error('The database is busy.')
      for (const { botId, guildId, state } of changes) {
        if (state) saved.set(`${botId} ${guildId}`, state)
        else saved.delete(`${botId} ${guildId}`)
      }
      return []
    },
    async savePositions(positions) {
      for (const { botId, guildId, positionMs } of positions) {
        const state = saved.get(`${botId} ${guildId}`)
        if (state) saved.set(`${botId} ${guildId}`, { ...state, positionMs })
      }
    },
    ages: async () => stage().savedAges,
    claim: async () => undefined,
    async list(projectId, botId) {
      if (stage().cannotSave === true) throw new Error('The database is busy.')
      return [...saved.values()].filter((it) => it.projectId === projectId && it.botId === botId)
    },
  }
}

import type { AudioNode } from '../../bot/audio/node/protocol.ts'
import { createBotManager, type BotManager, type BotManagerOptions } from '../../bot/discord/bot-manager.ts'
import { createLocalDirectory } from '../../bot/discord/shards/local-directory.ts'
import type { ShardDirectory } from '../../bot/discord/shards/shard-directory.ts'
import { systemClock, type Clock } from '../../bot/player/timers.ts'
import type { Recommenders } from '../../bot/tracks/recommenders.ts'
import type { TrackMetadata } from '../../bot/tracks/track-metadata.ts'
import type { PlayerRules } from '../../bot/player/player-parts.ts'
import { createEventBus } from '../../bot/event-bus.ts'
import { createOneTimeRecords, type OneTimeRecords } from '../../db/people/one-time-records.ts'
import { createWebPlayerAccess, type WebPlayerAccess } from '../../db/people/web-player-access.ts'
import type { BotEvent, EventBus } from '../../bot/events.ts'
import type { SponsorBlock } from '../../upstream/music/sponsorblock.ts'
import type { Sources } from '../../bot/sources/source.ts'
import { createBotRecords, type BotRecords } from '../../db/projects/bots.ts'
import { createPlayerStates, type PlayerStates } from '../../db/music/players.ts'
import { createCardRecords } from '../../db/music/cards.ts'
import { createFakeTrackMetadata } from './fake-track-metadata.ts'
import { createFakePictures } from './fake-pictures.ts'
import { createFakeRenders } from './fake-renders.ts'
import { createCollections, type Collections } from '../../db/music/collections.ts'
import { createLibraryRecords } from '../../db/music/library.ts'
import { createPlayHistory } from '../../db/music/play-history.ts'
import { createGuildSettings } from '../../db/music/guild-settings.ts'
import { createKnownGuildSettings, type KnownGuildSettings } from '../../db/music/known-guild-settings.ts'
import { createProjects } from '../../db/projects/projects.ts'
import { createVault } from '../../db/engine/vault.ts'
import { PLANS } from '../../lib/plans.ts'
import { createLog } from '../../lib/log.ts'
import type { Lookups } from '../../upstream/lookups.ts'
import { temporaryDatabase } from './database.ts'
import { NO_UTILITIES } from './no-lookups.ts'

/** Real bots over a real database, for a Discord and audio nodes that the test brings. */
export interface TestBots {
  readonly bots: BotManager
  readonly records: BotRecords
  /** The same, sealing tokens with a key that the bots do not have. */
  readonly foreignRecords: BotRecords
  readonly states: PlayerStates
  readonly settings: KnownGuildSettings
  readonly collections: Collections
  readonly webPlayer: WebPlayerAccess
  readonly oneTime: OneTimeRecords
  readonly bus: EventBus
  readonly pictures: ReturnType<typeof createFakePictures>
  readonly renders: ReturnType<typeof createFakeRenders>
  readonly projectId: string
  readonly events: BotEvent[]
  /** Starts bots over the same database, after `bots` were closed. */
  restart(): BotManager
  /** Bots of another service over the same database. The caller closes them, before these. */
  startAnother(service: Pick<TestBotsOptions, 'nodes' | 'directory'>): BotManager
  /** Tells the service that the database has changed. */
  changed(): void
  close(): Promise<void>
}

export interface TestBotsOptions {
  readonly apiUrl: string
  readonly nodes: readonly AudioNode[]
  readonly sources: Sources
  readonly rules?: PlayerRules
  readonly clock?: Clock
  readonly trackMetadata?: TrackMetadata
  readonly utilities?: Lookups
  readonly recommenders?: Recommenders
  readonly sponsorBlock?: SponsorBlock
  readonly directory?: ShardDirectory
}

const PATIENCE_MS = 60_000
/** Base of links to `/web`; the server behind it is not known here. */
const WEB_PLAYER_URL = 'http://player.test'

export async function startBots({
  apiUrl,
  nodes,
  sources,
  rules,
  clock = systemClock,
  trackMetadata = createFakeTrackMetadata(),
  utilities = NO_UTILITIES,
  recommenders = { all: [], mirror: async () => null },
  sponsorBlock = { find: async () => [] },
  directory = createLocalDirectory(),
}: TestBotsOptions): Promise<TestBots> {
  const store = temporaryDatabase()
  const project = await createProjects(store.store).create({ name: 'test', plan: 'scale' })
  const records = createBotRecords(store.store, createVault({ tokenKey: '07'.repeat(32), dataDir: store.dataDir }))
  const otherVault = createVault({ tokenKey: '08'.repeat(32), dataDir: store.dataDir })
  const foreignRecords = createBotRecords(store.store, otherVault)
  const states = createPlayerStates(store.store)
  const settings = createKnownGuildSettings(createGuildSettings(store.store), () => undefined)
  const collections = createCollections(store.store)
  const webPlayer = createWebPlayerAccess(store.store)
  const pictures = createFakePictures()
  const renders = createFakeRenders()
  const log = createLog('silent')
  const bus = createEventBus({ log })
  const events: BotEvent[] = []
  bus.subscribe(({ event }) => event.type !== 'jobEnded' && events.push(event))
  const listeners: (() => void)[] = []
  const start = (own: Partial<BotManagerOptions> = {}): BotManager =>
    createBotManager({
      records,
      changes: { subscribe: (_topic, listener) => (listeners.push(() => listener(null)), () => undefined) },
      states,
      settings,
      cards: createCardRecords(store.store),
      collections,
      webLinks: {
        createUrl: async (visitor) =>
          `${WEB_PLAYER_URL}/listen/${visitor.guildId}/enter?token=${await webPlayer.createLink(visitor)}`,
        endAll: (member) => webPlayer.endAll(member),
      },
      pictures,
      renders,
      openTrackMetadata: () => ({ ...trackMetadata, recommenders }),
      history: createPlayHistory(store.store),
      library: createLibraryRecords(store.store),
      utilities,
      playerCeilingOf: () => PLANS.scale.players,
      sources,
      sponsorBlock,
      nodes,
      events: bus,
      isLevelled: true,
      rules: rules ?? { idleMs: 300_000, aloneMs: 60_000 },
      clock,
      log,
      apiUrlOf: () => apiUrl,
      directory,
      ...own,
    })
  let bots = start()
  return {
    get bots() {
      return bots
    },
    records,
    foreignRecords,
    states,
    settings,
    collections,
    webPlayer,
    oneTime: createOneTimeRecords(store.store, createVault({ tokenKey: '07'.repeat(32), dataDir: store.dataDir })),
    bus,
    pictures,
    renders,
    projectId: project.id,
    events,
    restart: () => (bots = start()),
    startAnother: ({ nodes: others, directory: own = createLocalDirectory() }) =>
      start({ nodes: others, directory: own }),
    changed() {
      for (const listener of listeners) listener()
    },
    async close() {
      await bots.close()
      store.close()
    },
  }
}

/** Resolves as soon as the condition holds. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const endMs = Date.now() + patienceMs
  while (!(await condition())) {
    if (Date.now() > endMs) throw new Error(`Waited in vain: ${what}.`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

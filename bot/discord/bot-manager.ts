import type { BotRecord, BotRecords } from '../../db/projects/bots.ts'
import type { Store } from '../../db/engine/store.ts'
import type { LibraryRecords } from '../../db/music/library.ts'
import type { GuildSettings } from '../../db/music/guild-settings.ts'
import type { GuildRef } from '../../db/music/play-history.ts'
import type { PlayerStates } from '../../db/music/players.ts'
import type { MemberStores } from '../../db/repositories.ts'
import type { Logger } from '../../lib/log.ts'
import { noopHooks, type TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import type { Lookups } from '../../upstream/lookups.ts'
import type { AudioNode } from '../audio/node/protocol.ts'
import { createAutoplay, type Autoplay } from '../autoplay/autoplay.ts'
import { createBot } from './bot-session.ts'
import type { Clock } from '../player/timers.ts'
import { createInteractions, type Interactions } from '../commands/interactions/interactions.ts'
import { TABLE } from '../commands/core/all-commands.ts'
import type { PeerReads } from '../peer-reads.ts'
import type { ShardDirectory } from './shards/shard-directory.ts'
import type { PlayerCeiling } from '../player-ceiling.ts'
import type { PlayerRules } from '../player/player-parts.ts'
import type { EventBus } from '../events.ts'
import {
  botAway,
  connectionsOf,
  countsOf,
  createBotRegistry,
  type BotCounts,
  type BotRegistry,
} from './running-bots.ts'
import type { Recommenders } from '../tracks/recommenders.ts'
import type { TrackMetadata } from '../tracks/track-metadata.ts'
import { createPlayerService, type PlayerService } from '../player-service.ts'
import type { WebLinks } from '../commands/core/invocation.ts'
import type { WebPlayers } from '../commands/web/web-players.ts'
import type { Pictures } from '../commands/images/image-service.ts'
import type { Renders } from '../commands/renders/render-service.ts'
import { createPlayers, type Players } from '../player/player-registry.ts'
import { createSessionRestore, type SessionRestore } from '../player/restore/session-restore.ts'
import { MOVED } from '../player/voice-lifecycle.ts'
import { createSavedPlayers, type SavedPlayers } from '../player/saved-players.ts'
import type { CoverUrlOf } from '../covers/cover-addresses.ts'
import type { SponsorBlock } from '../../upstream/music/sponsorblock.ts'
import { createSegmentLookup } from '../tracks/segment-lookup.ts'
import type { Sources } from '../sources/source.ts'
import type { BotGuild, BotState } from './bot-status.ts'

export interface BotManagerOptions extends Omit<MemberStores, 'webPlayer'> {
  readonly records: Pick<BotRecords, 'listAll' | 'token'>
  readonly changes: Pick<Store, 'subscribe'>
  readonly states: PlayerStates
  /** Left out where the player in the browser is switched off. */
  readonly webLinks?: WebLinks | null
  readonly library: Pick<LibraryRecords, 'similar'>
  readonly coverUrlOf?: CoverUrlOf
  readonly pictures: Pictures
  readonly renders: Renders
  readonly utilities: Lookups
  readonly sources: Sources
  readonly sponsorBlock: SponsorBlock
  /** Opens the metadata of the tracks that the music plays. */
  readonly openTrackMetadata: (music: PlayerService) => TrackMetadata & { readonly recommenders: Recommenders }
  /** Players are spread over them; their owner closes them, after the bots. At least one. */
  readonly nodes: readonly AudioNode[]
  readonly events: EventBus
  readonly rules: PlayerRules
  /** Whether tracks are played equally loud in guilds that have not set it. */
  readonly isLevelled: boolean
  readonly clock: Clock
  readonly log: Logger
  /** Called when a track is opened, and when one that autoplay chose is over. */
  readonly observer?: Pick<TelemetryHooks, 'opened' | 'autoplayed'>
  /** Discord's REST interface for a bot, without the version; null when this service does not run the bot. */
  readonly apiUrlOf: (record: BotRecord) => string | null
  /** Base URL of that Discord's pictures; null for the real one's own CDN. */
  readonly cdnUrlOf?: (record: BotRecord) => string | null
  readonly directory: ShardDirectory
  /** Reads players of the same bots on other services. Defaults to nothing. */
  readonly peers?: PeerReads
  /** Waits a moment until other services have the events so far. */
  readonly flushEvents?: () => Promise<void>
  /** Current player limit of the project's plan. */
  readonly playerCeilingOf: (projectId: string) => number
}

/** The status of bots, as shown to people. */
export interface BotStatus {
  stateOf(botId: string): BotState
  /** Whether it is connected, and this service tells what concerns all of it. */
  isSpokenForHere(botId: string): boolean
  /** The guilds it is in, by name; none while it is not connected. */
  guildsOf(botId: string): readonly BotGuild[]
  /** Display name of a member of a guild; null if the bot does not know it. */
  memberName(botId: string, guildId: string, userId: string): string | null
  /** On all services, and those of bots that are not ours and play through one. */
  countPlayers(projectId: string): number
  /** Saved players of its bots that wait for their turn to join this service, or join now. */
  countRestoring(projectId: string): number
}

/** All bots of this service and what they play. They follow the database. */
export interface BotManager extends BotStatus {
  readonly music: PlayerService
  readonly trackMetadata: TrackMetadata
  readonly webPlayers: WebPlayers
  /** Calls when a player may look different. @returns a function that ends the subscription. */
  onPlayerChanged(listener: (player: GuildRef) => void): () => void
  counts(): BotCounts
  isConnected(botId: string): boolean
  /** Takes players of bots that run elsewhere, too. */
  readonly ceiling: PlayerCeiling
  /** Looks at the database at once, after a change that this process made itself. */
  sync(): Promise<void>
  /** Hands over what other services can run. Leaves every call and Discord. Players stay saved and come back at the next start. Safe to repeat. */
  close(): Promise<void>
}

function guildDefaultsIn({ settings, isLevelled }: BotManagerOptions) {
  const toDefaults = ({ levelled, ...set }: GuildSettings) => ({ ...set, levelled: levelled ?? isLevelled })
  return {
    guildDefaultsOf: (botId: string, guildId: string) => toDefaults(settings.known(botId, guildId)),
    readDefaults: async (botId: string, guildId: string) => toDefaults(await settings.get(botId, guildId)),
  }
}

/** Starts the bots that the database lists; they log in on their own time, each however long the others take. */
export function createBotManager(options: BotManagerOptions): BotManager {
  const { changes, nodes, log } = options
  const defaults = guildDefaultsIn(options)
  const connections = connectionsOf(() => registry, options.directory)
  const states = createSavedPlayers({ ...options, ...fencing(options.directory, () => players) })
  const players = createPlayers({
    ...options,
    states,
    ...connections,
    beforeLeaving: (botId, guildId) => interactions.beforeLeaving(botId, guildId),
    ...defaults,
    segmentsFor: createSegmentLookup(options),
    autoplayFor: (player) => autoplay.hooksFor(player),
    onGone: (botId, guildId) => forgetPlayer(registry, autoplay, { botId, guildId }),
  })
  const sessionRestore = createSessionRestore({ ...options, ...defaults, states, players })
  const music = createPlayerService({ ...options, players, sessionRestore, ...botsOf(() => registry) })
  const { recommenders, ...trackMetadata } = options.openTrackMetadata(music)
  const wired = { recommenders, players, registry: () => registry, interactions: () => interactions }
  const autoplay: Autoplay = openAutoplay(options, wired)
  const interactions: Interactions = createInteractions({
    ...options,
    ...TABLE,
    ...memberParts(options),
    ...connections,
    music,
    trackMetadata,
    settingsChanged: (botId, guildId) => players.find(botId, guildId)?.settingsChanged(),
  })
  const registry: BotRegistry = createBotRegistry({
    ...options,
    start: ({ record, token, apiUrl }) =>
      createBot({
        ...options,
        ...partsOf(record, options),
        token,
        apiUrl,
        players,
        sessionRestore,
        interactions,
        flushSaves: async () => void (await Promise.all([states.flush(), options.flushEvents?.()])),
        log: log.child({ botId: record.id }),
        dropVoice: () => nodes.forEach((node) => node.dropBot(record.id)),
      }),
  })
  relayPayloads(nodes, registry)
  const unsubscribe = followDatabase(changes, registry)

  return {
    music,
    trackMetadata,
    ...forPages(interactions, states),
    counts: () => countsOf(registry, players, sessionRestore.progress()),
    isConnected: (botId) => registry.find(botId)?.isConnected ?? false,
    ...standing(registry, players, sessionRestore),
    sync: registry.sync,
    close: () => closeAll({ ...options, unsubscribe, registry, interactions, players, states }),
  }
}

function botsOf(registry: () => BotRegistry) {
  return {
    findBot: (botId: string) => registry().find(botId),
    allBots: () => registry().all(),
    botAway: (botId: string) => botAway(registry(), botId),
  }
}

type Standing = BotStatus & Pick<BotManager, 'ceiling'>

/** Another service may have taken over a player that this one still has: what it writes is refused then. */
function fencing(directory: ShardDirectory, players: () => Players) {
  return {
    leaseOf: ({ botId, guildId }: GuildRef) => directory.leaseOf(botId, guildId),
    onRefused: ({ botId, guildId }: GuildRef) =>
      void players()
        .find(botId, guildId)
        ?.close(MOVED)
        .catch(() => undefined),
  }
}

function followDatabase(changes: BotManagerOptions['changes'], { sync }: BotRegistry): () => void {
  const unsubscribe = changes.subscribe('bots', () => void sync())
  void sync()
  return unsubscribe
}

function memberParts({ cards: cardRecords, webLinks = null }: BotManagerOptions) {
  return { cardRecords, webLinks }
}

function forPages(
  { webPlayers }: Interactions,
  states: SavedPlayers,
): Pick<BotManager, 'webPlayers' | 'onPlayerChanged'> {
  return { webPlayers, onPlayerChanged: (listener) => states.subscribe(listener) }
}

interface Closing {
  readonly directory: Pick<ShardDirectory, 'drain'>
  readonly unsubscribe: () => void
  readonly registry: BotRegistry
  readonly interactions: Interactions
  readonly players: Players
  readonly states: Pick<SavedPlayers, 'flush'>
}

async function closeAll({ directory, unsubscribe, registry, interactions, players, states }: Closing): Promise<void> {
  unsubscribe()
  await directory.drain()
  await registry.close()
  interactions.close()
  players.close()
  await states.flush()
}

interface AutoplayWiring {
  readonly recommenders: Recommenders
  readonly players: Players
  readonly registry: () => BotRegistry
  readonly interactions: () => Interactions
}

function openAutoplay(
  options: BotManagerOptions,
  { recommenders, players, registry, interactions }: AutoplayWiring,
): Autoplay {
  const { library, observer = noopHooks, sources } = options
  return createAutoplay({
    ...options,
    observer,
    recommenders,
    library: sources.names.includes('library') ? library : null,
    findPlayer: (botId, guildId) => players.find(botId, guildId),
    listenersOf: (botId, guildId, channelId) => registry().find(botId)?.listeners(guildId, channelId) ?? [],
    onGivenUp: ({ botId, guildId }) => interactions().autoplayGaveUp(botId, guildId),
  })
}

function forgetPlayer(registry: BotRegistry, autoplay: Autoplay, guild: GuildRef): void {
  autoplay.forget(guild)
  registry.find(guild.botId)?.reconcile(guild.guildId)
}

/** Sends payloads of audio nodes to Discord's main gateway through their bots. */
function relayPayloads(nodes: readonly AudioNode[], registry: BotRegistry): void {
  for (const node of nodes) {
    node.onEvent((event) => {
      if (event.type !== 'gatewayPayload') return
      const { botId, guildId, payload } = event
      registry.find(botId)?.sendVoice(guildId, payload, (isHeld) => node.joinHeld({ botId, guildId }, isHeld))
    })
  }
}

function standing(registry: BotRegistry, players: Players, restore: Pick<SessionRestore, 'progress'>): Standing {
  const botsOf = (projectId: string) => registry.all().filter((bot) => bot.projectId === projectId)
  return {
    ceiling: players.ceiling,
    stateOf: (botId) => registry.find(botId)?.state ?? (registry.unreadable().has(botId) ? 'unreadable' : 'stopped'),
    isSpokenForHere: (botId) => (registry.find(botId)?.isConnected && registry.find(botId)?.isSpokenForHere) ?? false,
    guildsOf: (botId) => registry.find(botId)?.guilds() ?? [],
    memberName: (botId, guildId, userId) => registry.find(botId)?.memberName(guildId, userId) ?? null,
    countPlayers: (projectId) => players.ceiling.count(projectId),
    countRestoring: (projectId) => botsOf(projectId).reduce((sum, { id }) => sum + restore.progress(id).waiting, 0),
  }
}

function partsOf(record: BotRecord, { cdnUrlOf }: BotManagerOptions) {
  const { id, projectId } = record
  return { id, projectId, cdnUrl: cdnUrlOf?.(record) ?? null }
}

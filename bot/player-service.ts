import { Fault, isSourceReason, unplayable } from '../lib/errors.ts'
import { createFairShare } from '../lib/sharing/fair-share.ts'
import { currentProjectId, runForProject } from '../lib/request-context.ts'
import {
  createBotSelection,
  type BotGroup,
  type BotSelection,
  type BotSelectionOptions,
  type PlayerScope,
} from './bot-selection.ts'
import { notInGuild } from './discord/voice-channels.ts'
import {
  findLists,
  findTracks,
  searchTracks,
  type FoundEncodedTrack,
  type FoundTracks,
  type TrackRequest,
} from './find-tracks.ts'
import type { QueueRules } from './player/queue/queue-limits.ts'
import { noPlayer, type PlayerState } from './player/player-state.ts'
import type { TrackRef, When } from './player/inputs.ts'
import { OPERATIONS, type Input, type OperationName, type Output, type ResolvedInput } from './player/operations.ts'
import type { GuildPlayer } from './player/player-info.ts'
import type { Guard } from './player/player.ts'
import { noPeers, type PeerReads } from './peer-reads.ts'
import type { Players } from './player/player-registry.ts'
import type { ListRequest, Sources } from './sources/source.ts'
import { toTrack, type Track } from './tracks/track.ts'

export type { PlayerScope }

/** Plays and searches that look something up at the same time; one that meets a silent host takes ten seconds. */
const LOOKUPS = { what: 'plays and searches', total: 256, share: 64, maxWaiting: 128, maxWaitMs: 5000 }

/** Attempts of a play whose player closes while it is joined. */
const MOST_TRIES = 3

export interface PlayRequest extends TrackRequest {
  readonly channelId?: string
  /** The rules for adding the tracks. Defaults to adding all of them. */
  readonly rules?: QueueRules
  /** Defaults to behind all others. */
  readonly when?: When
  /** Is called with the player before anything changes, with null if there is none; what it throws refuses the play. */
  readonly guard?: (state: PlayerState | null) => void
}

export interface PlayResult {
  /** The bot that plays it. */
  readonly botId: string
  readonly track: Track
  readonly position: number
  readonly added: number
  /** Number of tracks in the list that was asked for, added or not; null for a single track. */
  readonly total: number | null
}

/** Operations without an input take none. */
type InputArguments<Name extends OperationName> = string extends keyof Input<Name> ? [] : [input: Input<Name>]

type PlayerOperations = {
  readonly [Name in OperationName]: (
    scope: PlayerScope,
    guildId: string,
    ...input: InputArguments<Name>
  ) => Promise<Output<Name>>
}

/** All that routes, commands and pages can do with music. Throws `Fault`s with the codes of `api.md`'s music table. */
export interface PlayerService extends PlayerOperations {
  perform<Name extends OperationName>(
    scope: PlayerScope,
    guildId: string,
    name: Name,
    input: Input<Name>,
  ): Promise<Output<Name>>
  /** The same where `guard` lets it, which sees the player as it is when the turn has come. */
  performGuarded<Name extends OperationName>(
    { scope, guildId, guard }: GuardedScope,
    name: Name,
    input: Input<Name>,
  ): Promise<Output<Name>>
  /** Sources that `search` knows by name. */
  readonly sourceNames: readonly string[]
  search(options: { q: string; limit: number; source?: string }): Promise<readonly FoundEncodedTrack[]>
  /** Albums, artists, playlists and podcasts. */
  lists(request: ListRequest & { source?: string }): ReturnType<Sources['lists']>
  /** Tracks that a request names, without playing them. */
  find(scope: PlayerScope, request: TrackRequest): Promise<FoundTracks>
  play(scope: PlayerScope, guildId: string, request: PlayRequest): Promise<PlayResult>
  /** Brings the bot into a voice channel, where it waits for tracks. Leaves it where it has a player already. */
  join(scope: PlayerScope, guildId: string, channelId: string): Promise<void>
  /** Number of tracks in the queue; 0 without a player. */
  queueLength(scope: PlayerScope, guildId: string): number
  players(group: BotGroup | PlayerScope): Promise<readonly GuildPlayer[]>
  /** Players of the group that this service runs. */
  ownPlayers(group: Pick<BotGroup, 'projectId' | 'botIds'>): readonly GuildPlayer[]
  readonly bots: BotSelection
}

/** A player, and what has to be so for an operation on it. */
interface GuardedScope {
  readonly scope: PlayerScope
  readonly guildId: string
  readonly guard: Guard
}

interface PlayerServiceOptions extends BotSelectionOptions {
  readonly players: Players
  readonly sources: Sources
  /** The other services that run shards of the same bots. Defaults to none. */
  readonly peers?: Pick<PeerReads, 'playersOf'>
}

interface ServiceParts extends PlayerServiceOptions {
  readonly bots: BotSelection
}

export function createPlayerService(given: PlayerServiceOptions): PlayerService {
  const { players, sources, findBot } = given
  const bots = createBotSelection(given)
  const options: ServiceParts = { ...given, bots }
  const lookups = createFairShare(LOOKUPS)

  const findFor = ({ projectId }: PlayerScope, wish: TrackRequest) =>
    lookups.run(projectId, () => runForProject(projectId, () => findTracks(sources, projectId, wish)))

  /** @throws {Fault} `not_found` without a player, `service_unavailable` when the bot is away and could not know. */
  async function perform<Name extends OperationName>(
    { scope, guildId, guard }: Omit<GuardedScope, 'guard'> & Partial<GuardedScope>,
    name: Name,
    input: Input<Name>,
  ): Promise<Output<Name>> {
    const player = players.find(scope.botId, guildId)
    if (!player) {
      findBot(scope.botId)?.assertSettled(guildId)
      throw noPlayerOf(given, scope.botId, guildId)
    }
    const { track: token, ...rest } = input as { readonly track?: TrackRef }
    const [track] = token === undefined ? [] : (await findFor(scope, token)).tracks
    const resolved = track ? { ...rest, track } : input
    try {
      return await player.perform(name, resolved as ResolvedInput<Name>, guard)
    } catch (err) {
      // The player may have closed here because it continues on another service.
      if (player.isClosed) findBot(scope.botId)?.assertSettled(guildId)
      throw err
    }
  }

  return {
    ...operationsBy((scope, guildId, name, input) => perform({ scope, guildId }, name, input)),
    perform: (scope, guildId, name, input) => perform({ scope, guildId }, name, input),
    performGuarded: perform,
    get sourceNames() {
      return sources.names
    },
    lists: (request) => lookups.run(currentProjectId(), () => findLists(sources, request)),
    search: (wish) => lookups.run(currentProjectId(), () => searchTracks(sources, wish)),
    find: findFor,
    play: (scope, guildId, wish) => play(options, { scope, guildId, wish, find: () => findFor(scope, wish) }),
    join: (scope, guildId, channelId) => join(options, { scope, guildId, wish: { channelId } }),
    queueLength: (scope, guildId) => players.find(scope.botId, guildId)?.load().queueLength ?? 0,
    async players(group) {
      const here = ownPlayers(options, toGroup(group))
      const there = await (given.peers ?? noPeers).playersOf(toGroup(group))
      return there.length === 0 ? here : [...here, ...there]
    },
    ownPlayers: (group) => ownPlayers(options, group),
    bots,
  }
}

function operationsBy(perform: PlayerService['perform']): PlayerOperations {
  const entries = (Object.keys(OPERATIONS) as OperationName[]).map((name) => [
    name,
    (scope: PlayerScope, guildId: string, input: Input<typeof name>) => perform(scope, guildId, name, input ?? {}),
  ])
  return Object.fromEntries(entries) as PlayerOperations
}

function toGroup(group: BotGroup | PlayerScope): Pick<BotGroup, 'projectId' | 'botIds'> {
  return 'botId' in group ? { projectId: group.projectId, botIds: [group.botId] } : group
}

function ownPlayers({ players }: Pick<ServiceParts, 'players'>, group: Pick<BotGroup, 'projectId' | 'botIds'>) {
  return group.botIds
    .flatMap((id) => players.ofBot(id))
    .filter((player) => !player.isClosed && player.projectId === group.projectId)
    .map((player) => Object.assign({ guildId: player.ref.guildId }, player.info()))
}

function noPlayerOf({ findBot, botAway }: PlayerServiceOptions, botId: string, guildId: string): Fault {
  const bot = findBot(botId)
  if (!bot?.isConnected) return botAway(botId)
  return bot.isIn(guildId) ? noPlayer(guildId) : notInGuild(guildId)
}

interface PlayCall {
  readonly scope: PlayerScope
  readonly guildId: string
  readonly wish: PlayRequest
  readonly find: () => Promise<FoundTracks>
}

/** Everything that can be refused is refused before the bot joins, so that a refusal leaves nothing behind. */
async function play(options: ServiceParts, request: PlayCall): Promise<PlayResult> {
  const { scope, guildId, wish } = request
  if (!options.players.find(scope.botId, guildId)) {
    await targetOf(options, request)
    wish.guard?.(null)
  }
  const { tracks, total } = await request.find()
  const [first] = tracks
  if (!first) throw new Error('A source returned neither a result nor an error.')
  for (let tries = 1; ; tries += 1) {
    const { player, joined } = await findOrOpen(options, request)
    const queued = player.add(tracks, { ...wish, total })
    try {
      // Join and tracks are enqueued together, so no other caller's tracks come between them.
      const [{ position, added, failure }] = await Promise.all([queued, joined])
      if (failure !== null) throw notPlayable(failure)
      return { botId: scope.botId, track: toTrack(first.info), position, added, total }
    } catch (err) {
      await joined
      // No player stays open for a refused play, unless another request needs it.
      if (await player.closeUnused()) throw err
      // The player closed while this request waited for its turn: a new one is due.
      if (!player.isClosed || tries === MOST_TRIES) throw err
    }
  }
}

async function join(options: ServiceParts, request: Omit<PlayCall, 'find'>): Promise<void> {
  const { player, joined } = await findOrOpen(options, request)
  await joined
  player.keep()
}

async function findOrOpen(options: ServiceParts, request: Omit<PlayCall, 'find'>) {
  const { players } = options
  const { scope, guildId } = request
  const player = players.find(scope.botId, guildId)
  if (player) return { player, joined: Promise.resolve() }
  const target = await targetOf(options, request)
  await players.untilReady(scope.botId, guildId)
  // A new player would take the place of one that comes back with its queue.
  if (!players.find(scope.botId, guildId)) options.findBot(scope.botId)?.assertSettled(guildId)
  options.bots.assertFree(scope.botId, guildId, target.channelId)
  return players.open(target, scope.playerCeiling)
}

/** The target of a new player. @throws {Fault} when the bot is away, or may not or cannot go there. */
async function targetOf(options: ServiceParts, { scope, guildId, wish }: Omit<PlayCall, 'find'>) {
  const bot = options.findBot(scope.botId)
  if (!bot || !(await bot.waitConnected())) throw options.botAway(scope.botId)
  const { projectId, botId } = scope
  return { projectId, botId, guildId, channelId: bot.joinable(guildId, wish.channelId) }
}

function notPlayable(failure: unknown): Fault {
  if (failure instanceof Fault && (failure.code === 'service_unavailable' || isSourceReason(failure.reason))) {
    return failure
  }
  const why = failure instanceof Fault ? failure.message : "The service can't open or decode this track."
  return unplayable(why)
}

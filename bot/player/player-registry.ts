import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import { runForProject } from '../../lib/request-context.ts'
import { noopHooks, type TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import type { AudioNode, PlayerRef } from '../audio/node/protocol.ts'
import type { JoinPurpose } from '../discord/joins/join-turns.ts'
import type { Clock } from './timers.ts'
import type { CloseReason } from './voice-lifecycle.ts'
import type { AutoplayHooks, PlayerParts, PlayerRules, QueuedTrack, SegmentHooks } from './player-parts.ts'
import type { EventBus } from '../events.ts'
import { createPlayer, type Player, type RestoredState } from './player.ts'
import type { SavedPlayers } from './saved-players.ts'
import { chooseNode } from './placement/placement.ts'
import { watchThreadLoads } from './placement/thread-loads.ts'
import { createChapterLookup, type ChapterLookup } from '../tracks/chapter-lookup.ts'
import type { Playable, Sources } from '../sources/source.ts'
import { guildKey } from '../guild-key.ts'
import { createPlayerCeiling, type PlayerCeiling } from '../player-ceiling.ts'

/** Playing time that a crash may lose. */
const SAVE_EVERY_MS = 2500

interface PlayersOptions {
  readonly nodes: readonly AudioNode[]
  readonly sources: Pick<Sources, 'open' | 'chapters'>
  readonly events: EventBus
  readonly states: SavedPlayers
  readonly rules: PlayerRules
  readonly clock: Clock
  readonly log: Logger
  readonly observer?: Pick<TelemetryHooks, 'opened'>
  /** Humans in a voice channel at this moment, as the bot sees it. */
  readonly countListeners: (botId: string, guildId: string, channelId: string) => number
  readonly isBotConnected: (botId: string) => boolean
  /** Resolves when the bot may join: Discord limits how often. Defaults to at once. */
  readonly joinTurn?: (ref: PlayerRef, purpose: JoinPurpose) => Promise<void>
  /** The last moment at which a bot is in its channel. Soon over, and never rejects. */
  readonly beforeLeaving: (botId: string, guildId: string) => Promise<void>
  /** Hooks for the player of a bot in a guild. */
  readonly autoplayFor: (player: Omit<PlayerTarget, 'channelId'>) => AutoplayHooks
  /** Hooks for the player of a bot in a guild. */
  readonly segmentsFor: (player: Omit<PlayerTarget, 'channelId'>) => SegmentHooks
  /** The defaults at the last read, since they changed or before the player. */
  readonly guildDefaultsOf: (botId: string, guildId: string) => GuildDefaults
  readonly readDefaults: (botId: string, guildId: string) => Promise<GuildDefaults>
  /** Sets a part of the defaults. */
  readonly settings: { change(botId: string, guildId: string, fades: Partial<Fades>): Promise<unknown> }
  /** Number of players that other services run for a project. */
  readonly countElsewhere: (projectId: string) => number
  /** A player has left, or meant to: its audio node may have died with the voice connection. */
  readonly onGone: (botId: string, guildId: string) => void
}

interface BuildOptions extends PlayersOptions {
  readonly chapters: ChapterLookup
}

/** The settings that the members of a guild made for its player. */
export interface GuildDefaults {
  /** Whether the player stays without listeners and with an empty queue. */
  readonly stays: boolean
  readonly volume: number
  /** Every track as loud as the others. */
  readonly levelled: boolean
  /** Overlap of consecutive tracks in milliseconds. 0 turns crossfade off. */
  readonly crossfadeMs: number
  /** Fade of skip, pause, seek and stop in milliseconds. 0 turns it off. */
  readonly fadeMs: number
}

type Fades = Pick<GuildDefaults, 'crossfadeMs' | 'fadeMs'>

const NEVER: PlayerRules = { idleMs: Infinity, aloneMs: Infinity }

interface PlayerTarget {
  readonly projectId: string
  readonly botId: string
  readonly guildId: string
  readonly channelId: string
}

/** All players of all bots: at most one for each bot and guild. */
export interface Players {
  find(botId: string, guildId: string): Player | undefined
  /** Includes a player that is leaving, since Discord still sends events of it. */
  findAny(botId: string, guildId: string): Player | undefined
  ofBot(botId: string): readonly Player[]
  readonly count: number
  /** Waits for a player that is just leaving this guild, and reads what a new one has to know. */
  untilReady(botId: string, guildId: string): Promise<void>
  /**
   * The open player of this bot and guild, or a new one that joins. Lookup, ceiling check and creation are one step.
   * Operations before `joined` resolves run after the join.
   * @throws {Fault} `player_limit`. `joined` rejects with the error of the join, after which the player is removed.
   */
  open(target: PlayerTarget, most: number): { readonly player: Player; readonly joined: Promise<void> }
  /** Includes the players of bots that run elsewhere. */
  readonly ceiling: PlayerCeiling
  /** Restores a saved player, regardless of the current ceiling. */
  restore(saved: RestoredState): Promise<void>
  /** Closes all of one bot's players. Never throws. */
  closeAll(botId: string, ending: CloseReason): Promise<void>
  /** Players must have been closed before. */
  close(): void
}

export function createPlayers(given: PlayersOptions): Players {
  const { nodes, states, clock } = given
  const options = { ...given, chapters: createChapterLookup(given) }
  const players = new Map<string, Player>()
  const ceiling = createPlayerCeiling({ ...given, ownPlayers: () => players.values() })
  const ofBot = (botId: string): readonly Player[] => [...players.values()].filter(({ ref }) => ref.botId === botId)

  const create = (target: PlayerTarget) => createIn(players, options, target, choose())

  function savePositions(): void {
    void states.savePositions([...players.values()].map((player) => player.position()).filter((it) => it !== null))
    cancelSave = clock.after(SAVE_EVERY_MS, savePositions)
  }
  let cancelSave = clock.after(SAVE_EVERY_MS, savePositions)

  const threadLoads = watchThreadLoads(nodes, clock)
  const choose = () => chooseNode(nodes, players.values(), threadLoads.of)
  for (const node of nodes) attach(node, { nodes, players, choose })

  return {
    find(botId, guildId) {
      const player = players.get(guildKey({ botId, guildId }))
      return player?.isClosed ? undefined : player
    },
    findAny: (botId, guildId) => players.get(guildKey({ botId, guildId })),
    ofBot,
    get count() {
      return players.size
    },
    async untilReady(botId, guildId) {
      await options.readDefaults(botId, guildId)
      const there = players.get(guildKey({ botId, guildId }))
      if (there?.isClosed) await there.gone
    },
    open(target, most) {
      const there = players.get(guildKey(target))
      if (there?.isClosed) throw new Fault('conflict', "This server's player is closing. Try again.")
      if (there) return { player: there, joined: Promise.resolve() }
      states.assertWritable()
      ceiling.assertRoom(target.projectId, most)
      const player = create(target)
      player.begin(options.guildDefaultsOf(target.botId, target.guildId).volume)
      return { player, joined: player.join() }
    },
    ceiling,
    async restore(saved) {
      if (players.has(guildKey(saved))) return
      await create(saved).restore(saved)
    },
    async closeAll(botId, ending) {
      await Promise.allSettled(ofBot(botId).map((player) => player.close(ending)))
    },
    close() {
      cancelSave()
      threadLoads.close()
    },
  }
}

function createIn(players: Map<string, Player>, options: BuildOptions, target: PlayerTarget, node: AudioNode): Player {
  const player = createPlayer(toParts(options, target, node), target.channelId)
  const key = guildKey(target)
  players.set(key, player)
  const forget = (): void => {
    players.delete(key)
    options.onGone(target.botId, target.guildId)
  }
  void player.gone.then(forget)
  return player
}

function isLoopback(playable: Playable): boolean {
  return playable.kind === 'http' && playable.operatorHost?.startsWith('127.0.0.1:') === true
}

function toParts(options: BuildOptions, { projectId, botId, guildId }: PlayerTarget, node: AudioNode): PlayerParts {
  const { sources, events, states, rules, clock, log } = options
  return {
    ref: { botId, guildId },
    projectId,
    node,
    async openTrack({ info }: QueuedTrack, signal: AbortSignal, isFresh?: boolean) {
      const open = (again?: boolean) => runForProject(projectId, () => sources.open(info, signal, again))
      const found = await open(isFresh)
      // What this machine serves on its loopback is out of reach for others: the source may know another way.
      const playable = node.isRemote && isLoopback(found) ? await open(true) : found
      return { ...playable, identity: `${info.sourceName} ${info.identifier}` }
    },
    events,
    states,
    /** Looked up each time: members change their minds while it plays. */
    get rules() {
      return options.guildDefaultsOf(botId, guildId).stays ? NEVER : rules
    },
    get isLevelled() {
      return options.guildDefaultsOf(botId, guildId).levelled
    },
    fades: {
      get crossfadeMs() {
        return options.guildDefaultsOf(botId, guildId).crossfadeMs
      },
      get fadeMs() {
        return options.guildDefaultsOf(botId, guildId).fadeMs
      },
      async set(fades) {
        await options.settings.change(botId, guildId, fades)
      },
    },
    clock,
    log: log.child({ botId, guildId }),
    observer: options.observer ?? noopHooks,
    chaptersOf: (track) => runForProject(projectId, () => options.chapters(track)),
    segments: options.segmentsFor({ projectId, botId, guildId }),
    autoplay: options.autoplayFor({ projectId, botId, guildId }),
    countListeners: (channelId: string) => options.countListeners(botId, guildId, channelId),
    isBotConnected: () => options.isBotConnected(botId),
    joinTurn: async (purpose) => options.joinTurn?.({ botId, guildId }, purpose),
    beforeLeaving: () => options.beforeLeaving(botId, guildId),
  }
}

interface Attached {
  readonly nodes: readonly AudioNode[]
  readonly players: ReadonlyMap<string, Player>
  /** The node for one more player. */
  readonly choose: () => AudioNode
}

/** Passes a node's event to its player, and moves its players when it goes. */
function attach(node: AudioNode, { nodes, players, choose }: Attached): void {
  node.onEvent((event) => {
    const player = players.get(guildKey(event))
    if (player?.node === node) player.onAudioEvent(event)
  })
  node.onRestarted((lost) => {
    const keys = lost && new Set(lost.map(guildKey))
    for (const [key, player] of players) {
      if (player.node === node) {
        if (!keys || keys.has(key)) player.recover()
      } else if (player.node.isRemote && !player.node.isAlive) player.moveTo(node)
    }
  })
  node.onAway(() => {
    for (const player of players.values()) {
      const isOther = nodes.some((other) => other !== node && other.isAlive && !other.isDraining)
      if (player.node === node && isOther) player.moveTo(choose())
    }
  })
}

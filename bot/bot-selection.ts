import { Fault, unprocessable } from '../lib/errors.ts'
import type { Bot } from './discord/bot.ts'
import type { Players } from './player/player-registry.ts'
import type { SessionRestore } from './player/restore/session-restore.ts'
import { guildKey } from './guild-key.ts'

/** The bot that a request for music targets, and the player limit of its project. */
export interface PlayerScope {
  readonly projectId: string
  readonly botId: string
  readonly playerCeiling: number
}

/** Bots of a project that stand in for each other: those of a pool, or all of the project for its members. */
export interface BotGroup {
  readonly projectId: string
  /** The preferred one first. */
  readonly botIds: readonly string[]
  readonly playerCeiling: number
}

/** A bot that plays in a voice channel, or is about to join it. */
export interface OccupiedBot {
  readonly botId: string
  readonly channelId: string
}

interface GuildChannel {
  readonly guildId: string
  readonly channelId: string | undefined
}

/** A bot that nothing else sends into another channel before it is released. */
export interface Reservation {
  readonly scope: PlayerScope
  /** Whether the bot has no player there yet. */
  readonly isNew: boolean
  release(): void
}

/** Selects one of several bots, for an existing player or a new one. Commands and the API share it. */
export interface BotSelection {
  /** The bots of a project that run here and are in the guild, in the order in which they started. */
  inGuild(projectId: string, guildId: string): readonly string[]
  occupied(group: Pick<BotGroup, 'projectId' | 'botIds'>, guildId: string): readonly OccupiedBot[]
  /**
   * The bot whose player is in the channel; without a channel, the only one that plays in the guild.
   * @throws {Fault} `not_found` if none plays, `several_players` where a channel has to be named.
   */
  playing(group: BotGroup, guildId: string, channelId?: string): PlayerScope
  /** The same of bots that several services run; `elsewhere` are those that other services have in the guild. */
  playingAnywhere(group: BotGroup, place: GuildChannel, elsewhere: readonly OccupiedBot[]): PlayerScope
  /** Why no bot can come to a channel. */
  allBusy(guildId: string, busy: readonly OccupiedBot[], help?: string): Fault
  /**
   * The bot that plays in the channel, or one that is free to join it. Looking and reserving are one step, so that two who
   * ask at the same moment get two bots.
   * @throws {Fault} `bots_busy` when all are in other channels; what keeps the preferred one out of this channel;
   * `service_unavailable` when none is connected; `not_found` when none is in the guild.
   */
  reserve(group: BotGroup, guildId: string, channelId: string): Reservation
  /** @throws {Fault} `conflict` when the bot is reserved for another channel of the guild. */
  assertFree(botId: string, guildId: string, channelId: string): void
}

export interface BotSelectionOptions {
  readonly players: Pick<Players, 'find' | 'findAny'>
  readonly sessionRestore: Pick<SessionRestore, 'isRestoring'>
  readonly findBot: (botId: string) => Bot | undefined
  readonly allBots: () => readonly Bot[]
  readonly botAway: (botId: string) => Fault
}

export function createBotSelection(options: BotSelectionOptions): BotSelection {
  const { players, allBots } = options
  const held = new Map<string, { readonly channelId: string; holders: number }>()

  function channelOf(botId: string, guildId: string): string | null {
    const player = players.find(botId, guildId)
    return player ? player.presence().channelId : (held.get(guildKey({ botId, guildId }))?.channelId ?? null)
  }

  function occupied({ projectId, botIds }: Pick<BotGroup, 'projectId' | 'botIds'>, guildId: string) {
    return botIds.flatMap((botId) => {
      const channelId = ownBot(options, projectId, botId) && channelOf(botId, guildId)
      return channelId ? [{ botId, channelId }] : []
    })
  }

  function hold(botId: string, guildId: string, channelId: string): () => void {
    const key = guildKey({ botId, guildId })
    const hold = held.get(key) ?? { channelId, holders: 0 }
    hold.holders += 1
    held.set(key, hold)
    return once(() => {
      hold.holders -= 1
      if (hold.holders === 0) held.delete(key)
    })
  }

  return {
    inGuild: (projectId, guildId) =>
      allBots()
        .filter((bot) => bot.projectId === projectId && bot.isConnected && bot.voiceIn(guildId) !== null)
        .map(({ id }) => id),
    occupied,
    playing: (group, guildId, channelId) => playing(options, { group, guildId, channelId }, occupied(group, guildId)),
    playingAnywhere: (group, { guildId, channelId }, elsewhere) =>
      playing(options, { group, guildId, channelId }, [...occupied(group, guildId), ...elsewhere]),
    allBusy,
    reserve(group, guildId, channelId) {
      const { projectId, playerCeiling } = group
      const busy = occupied(group, guildId)
      const there = busy.find((bot) => bot.channelId === channelId)
      const botId = there?.botId ?? findFree(options, { group, guildId, channelId }, busy)
      const release = hold(botId, guildId, channelId)
      return { scope: { projectId, botId, playerCeiling }, isNew: !players.find(botId, guildId), release }
    },
    assertFree(botId, guildId, channelId) {
      const hold = held.get(guildKey({ botId, guildId }))
      if (!hold || hold.channelId === channelId) return
      throw new Fault(
        'conflict',
        `Another request just sent the bot ${botId} to the channel ${hold.channelId}. Try again.`,
      )
    },
  }
}

interface BotRequest {
  readonly group: BotGroup
  readonly guildId: string
  readonly channelId: string
}

/** The best of those that may join the channel. */
function findFree(options: BotSelectionOptions, request: BotRequest, busy: readonly OccupiedBot[]): string {
  const { group, guildId, channelId } = request
  const taken = new Set(busy.map(({ botId }) => botId))
  const free = connectedBots(options, group).filter(
    ({ id }) => !taken.has(id) && !options.sessionRestore.isRestoring(id, guildId),
  )
  const refusals: unknown[] = []
  for (const bot of free.toSorted((a, b) => hindrance(options, a, request) - hindrance(options, b, request))) {
    try {
      bot.joinable(guildId, channelId)
      return bot.id
    } catch (err) {
      refusals.push(err)
    }
  }
  throw refusalOf(options, request, { busy, refusals })
}

/** Sort key of a free bot: a bot that Discord still shows in another channel can play too, a moment later than the others. */
function hindrance({ players }: BotSelectionOptions, bot: Bot, { guildId, channelId }: BotRequest): number {
  if (players.findAny(bot.id, guildId)) return 2
  const shown = bot.voiceIn(guildId)?.channelId ?? null
  return shown === null || shown === channelId ? 0 : 1
}

interface Failed {
  readonly busy: readonly OccupiedBot[]
  readonly refusals: readonly unknown[]
}

/** The most helpful error: a missing permission, else all bots are busy, else the bot is unreachable. */
function refusalOf(options: BotSelectionOptions, { group, guildId }: BotRequest, { busy, refusals }: Failed): unknown {
  const barred = refusals.find((err) => err instanceof Fault && err.code !== 'not_found')
  if (barred !== undefined) return barred
  const [preferred] = group.botIds
  if (preferred === undefined) return emptyGroup()
  if (busy.length > 0) return allBusy(guildId, busy)
  return refusals.length > 0 ? refusals[0] : options.botAway(preferred)
}

function allBusy(guildId: string, busy: readonly OccupiedBot[], help = 'Wait for a free one, or add a bot.'): Fault {
  const where = busy.map(({ botId, channelId }) => `${botId} in ${channelId}`).join(', ')
  const message = `All bots of the pool are in other channels of server ${guildId}: ${where}.`
  return new Fault('conflict', `${message} ${help}`, { reason: 'bots_busy' })
}

function playing(
  options: BotSelectionOptions,
  { group, guildId, channelId }: Omit<BotRequest, 'channelId'> & { readonly channelId: string | undefined },
  occupied: readonly OccupiedBot[],
): PlayerScope {
  const { projectId, botIds, playerCeiling } = group
  const meant = channelId === undefined ? occupied : occupied.filter((bot) => bot.channelId === channelId)
  const [only, another] = meant
  if (only && !another) return { projectId, botId: only.botId, playerCeiling }
  if (only) {
    const where = meant.map((bot) => `${bot.channelId} (bot ${bot.botId})`).join(', ')
    const message = `Several bots play in server ${guildId}. Send the channelId of one: ${where}.`
    throw unprocessable('several_players', message)
  }
  if (channelId !== undefined && occupied.length > 0) {
    throw new Fault('not_found', `There is no player in channel ${channelId} of server ${guildId}.`)
  }
  const botId = connectedBots(options, group)[0]?.id ?? botIds[0]
  if (botId === undefined) throw emptyGroup()
  return { projectId, botId, playerCeiling }
}

function connectedBots(options: BotSelectionOptions, { projectId, botIds }: BotGroup): readonly Bot[] {
  return botIds.flatMap((id) => {
    const bot = ownBot(options, projectId, id)
    return bot?.isConnected ? [bot] : []
  })
}

/** A bot that has changed its project is none of the group any more. */
function ownBot({ findBot }: BotSelectionOptions, projectId: string, botId: string): Bot | null {
  const bot = findBot(botId)
  return bot?.projectId === projectId ? bot : null
}

function emptyGroup(): Fault {
  return new Fault('conflict', "This key's pool has no bots. Add one to it.")
}

function once(run: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) run()
    isDone = true
  }
}

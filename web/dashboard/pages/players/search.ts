import type { PlayerScope } from '../../../../bot/player-service.ts'
import type { PlayerInfo } from '../../../../bot/player/player-info.ts'
import type { BotGuild } from '../../../../bot/discord/bot-status.ts'
import type { BotRecord } from '../../../../db/projects/bots.ts'
import { Fault } from '../../../../lib/errors.ts'
import { PLANS } from '../../../../lib/plans.ts'
import type { ProjectRequest } from '../../http/page-request.ts'
import { textsOf } from '../../../../lib/texts/texts.ts'

const PLAYERS = textsOf('dashboard-players')

/** The bot and guild of a player, which may not exist. */
export interface PlayerPlace {
  readonly bot: BotRecord
  readonly guildId: string
  /** Of its page. */
  readonly address: string
}

/** A player and where it is. */
export interface ShownPlayer extends PlayerPlace {
  readonly guildName: string
  readonly channelName: string
  readonly info: PlayerInfo
}

/** The scope of a page's requests to a player: a bot of the project, found by its id in the path. */
export async function playerScopeOf({ context, project }: ProjectRequest, botId: string): Promise<PlayerScope> {
  if (!(await context.bots.list(project.id)).some(({ id }) => id === botId)) {
    throw new Fault('not_found', 'The project has no bot with this ID.')
  }
  return scopeOf({ project }, botId)
}

function scopeOf({ project }: Pick<ProjectRequest, 'project'>, botId: string): PlayerScope {
  return { projectId: project.id, botId, playerCeiling: PLANS[project.plan].players }
}

/** All players of the project, in the order of its bots and their servers. */
export async function playersOf(request: ProjectRequest): Promise<readonly ShownPlayer[]> {
  const { context, project } = request
  const bots = await context.bots.list(project.id)
  await context.fleet.refresh(bots.map(({ id }) => id))
  const all = await Promise.all(
    bots.map(async (bot) => {
      const guilds = context.fleet.guildsOf(bot.id)
      const players = await context.music.players(scopeOf(request, bot.id)).catch(away)
      return players.map(({ guildId, ...info }) => placeOf(request, { bot, guildId, guilds, info }))
    }),
  )
  return all.flat().toSorted((a, b) => a.guildName.localeCompare(b.guildName) || a.guildId.localeCompare(b.guildId))
}

/** The number of players, and of those that a restart interrupted and that are still to come back. */
export function leadOf({ context, project, language }: ProjectRequest, places: readonly ShownPlayer[]): string {
  const w = PLAYERS[language]
  const restoring = context.fleet.countRestoring(project.id)
  const lead = w.lead({ now: places.length, most: PLANS[project.plan].players })
  return [lead, ...(restoring > 0 ? [w.restoring({ count: restoring })] : []), w.updates].join(' · ')
}

/** A bot that is not connected has no players to show; the page of the bots says why. */
function away(error: unknown): readonly [] {
  if (error instanceof Fault) return []
  throw error
}

interface Found {
  readonly bot: BotRecord
  readonly guildId: string
  readonly guilds: readonly BotGuild[]
  readonly info: PlayerInfo
}

function placeOf({ project }: ProjectRequest, { bot, guildId, guilds, info }: Found): ShownPlayer {
  const guild = guilds.find(({ id }) => id === guildId)
  const channel = guild?.channels.find(({ id }) => id === info.channelId)
  const names = { guildName: guild?.name ?? guildId, channelName: channel?.name ?? info.channelId }
  return { bot, guildId, info, address: `/dashboard/projects/${project.id}/players/${bot.id}/${guildId}`, ...names }
}

/** @throws {Fault} `not_found` */
export async function placeAt(request: ProjectRequest): Promise<ShownPlayer> {
  const { context, params } = request
  const { botId = '', guildId = '' } = params
  const bot = (await context.bots.list(request.project.id)).find(({ id }) => id === botId)
  if (!bot) throw new Fault('not_found', 'The project has no bot with this ID.')
  const info = await context.music.info(scopeOf(request, botId), guildId)
  return placeOf(request, { bot, guildId, guilds: context.fleet.guildsOf(botId), info })
}

import type { PlayerScope } from '../../../bot/player-service.ts'
import type { PlayerInfo } from '../../../bot/player/player-info.ts'
import type { BotGuild } from '../../../bot/discord/bot-status.ts'
import type { BotRecord } from '../../../db/projects/bots.ts'
import { Fault } from '../../../lib/errors.ts'
import { PLANS } from '../../../lib/plans.ts'
import type { ProjectRequest } from '../../http/page-request.ts'

/** A player and where it is. */
export interface Place {
  readonly bot: BotRecord
  readonly guildId: string
  readonly guildName: string
  readonly channelName: string
  readonly info: PlayerInfo
}

/** In whose name a page asks for music: a bot of the project, found by its id in the path. */
export function playerScopeOf({ context, project }: ProjectRequest, botId: string): PlayerScope {
  if (!context.bots.list(project.id).some(({ id }) => id === botId)) {
    throw new Fault('not_found', 'The project has no bot with this id.')
  }
  return { projectId: project.id, botId, playerCeiling: PLANS[project.plan].players }
}

/** All players of the project, in the order of its bots and their servers. */
export async function playersOf(request: ProjectRequest): Promise<readonly Place[]> {
  const { context, project } = request
  const all = await Promise.all(
    context.bots.list(project.id).map(async (bot) => {
      const guilds = context.fleet.guildsOf(bot.id)
      const players = await context.music.players(playerScopeOf(request, bot.id)).catch(away)
      return players.map((player) => placeOf(bot, guilds, player))
    }),
  )
  return all.flat().toSorted((a, b) => a.guildName.localeCompare(b.guildName) || a.guildId.localeCompare(b.guildId))
}

/** A bot that is not connected has no players to show; the page of the bots says why. */
function away(error: unknown): readonly [] {
  if (error instanceof Fault) return []
  throw error
}

function placeOf(
  bot: BotRecord,
  guilds: readonly BotGuild[],
  { guildId, ...info }: PlayerInfo & { guildId: string },
): Place {
  const guild = guilds.find(({ id }) => id === guildId)
  const channel = guild?.channels.find(({ id }) => id === info.channelId)
  return { bot, guildId, guildName: guild?.name ?? guildId, channelName: channel?.name ?? info.channelId, info }
}

/** @throws {Fault} `not_found` */
export async function placeAt(request: ProjectRequest): Promise<Place> {
  const { context, params } = request
  const { botId = '', guildId = '' } = params
  const who = playerScopeOf(request, botId)
  const bot = context.bots.list(who.projectId).find(({ id }) => id === botId)
  if (!bot) throw new Fault('not_found', 'The project has no bot with this id.')
  const info = await context.music.info(who, guildId)
  return placeOf(bot, context.fleet.guildsOf(botId), { ...info, guildId })
}

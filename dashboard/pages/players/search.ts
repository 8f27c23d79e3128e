import type { PlayerScope, PlayerInfo } from '../../../bot/music.ts'
import type { BotGuild } from '../../../bot/discord/bot-status.ts'
import type { BotRecord } from '../../../db/projects/bots.ts'
import { Fault } from '../../../lib/errors.ts'
import { PLANS } from '../../../lib/plans.ts'
import type { ProjectVisit } from '../../http/page-request.ts'

/** A player and where it is. */
export interface Place {
  readonly bot: BotRecord
  readonly guildId: string
  readonly guildName: string
  readonly channelName: string
  readonly info: PlayerInfo
}

/** In whose name a page asks for music: a bot of the project, found by its id in the path. */
export function playerScopeOf({ desk, project }: ProjectVisit, botId: string): PlayerScope {
  if (!desk.bots.list(project.id).some(({ id }) => id === botId)) {
    throw new Fault('not_found', 'There is no such bot in this project.')
  }
  return { projectId: project.id, botId, playerCeiling: PLANS[project.plan].players }
}

/** All players of the project, in the order of its bots and their servers. */
export async function playersOf(visit: ProjectVisit): Promise<readonly Place[]> {
  const { desk, project } = visit
  const all = await Promise.all(
    desk.bots.list(project.id).map(async (bot) => {
      const guilds = desk.fleet.guildsOf(bot.id)
      const players = await desk.music.players(playerScopeOf(visit, bot.id)).catch(away)
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
export async function placeAt(visit: ProjectVisit): Promise<Place> {
  const { desk, params } = visit
  const { botId = '', guildId = '' } = params
  const who = playerScopeOf(visit, botId)
  const bot = desk.bots.list(who.projectId).find(({ id }) => id === botId)
  if (!bot) throw new Fault('not_found', 'There is no such bot in this project.')
  const info = await desk.music.info(who, guildId)
  return placeOf(bot, desk.fleet.guildsOf(botId), { ...info, guildId })
}

import { ChannelType, Locale } from 'discord-api-types/v10'
import { z } from 'zod'
import type { Doing } from '../world/interactions.ts'
import type { Application, Guild } from '../world/world.ts'
import { channelIn, ControlError, guildOf, memberOf, type ControlCall } from './route.ts'

const WAIT_MS = 10_000
const LONGEST_BASE64 = 14 * 1024 * 1024

/** A file that a member sends along. */
export const SentFile = z.object({
  name: z.string().min(1).max(255),
  type: z.string().max(100).default('application/octet-stream'),
  base64: z.base64().max(LONGEST_BASE64),
})

/** Member, channel and bot of an action. */
export const InteractionBody = z.object({
  userId: z.string().describe('member who acts'),
  channelId: z.string().optional().describe('channel; defaults to the first text channel'),
  applicationId: z.string().optional().describe('bot; required if several bots have the command'),
  locale: z.enum(Locale).default(Locale.EnglishUS).describe('app language of the member'),
  waitMs: z.number().int().min(0).max(120_000).default(WAIT_MS).describe('maximum time to wait for the response'),
})
export type InteractionBody = z.output<typeof InteractionBody>

export const INTERACTIONS = '/guilds/{guildId}/interactions'

export function placeOf(call: ControlCall<InteractionBody>, application: Application): Doing {
  const guild = guildOf(call)
  const { userId } = memberOf({ world: call.world, params: { guildId: guild.id, userId: call.body.userId } })
  const first = [...guild.channels.values()].find(({ type }) => type === ChannelType.GuildText)
  const channelId = call.body.channelId ?? first?.id
  if (channelId === undefined) throw new ControlError(409, 'The guild has no text channel. Send a channelId.')
  return { guild, channel: channelIn(guild, channelId), application, userId, locale: call.body.locale }
}

/** The bot that is meant: named, or the only one in the guild that has such a command. */
export function botOf({ world, body }: ControlCall<InteractionBody>, guild: Guild, command: string): Application {
  const inGuild = [...world.applications.values()].filter(({ id }) => guild.members.has(id))
  if (body.applicationId !== undefined) {
    const named = inGuild.find(({ id }) => id === body.applicationId)
    if (named) return named
    throw new ControlError(404, `No bot ${body.applicationId} is in this guild.`)
  }
  const knowing = inGuild.filter(({ commands }) => commands.values().some(({ name }) => name === command))
  const [only, another] = knowing.length > 0 ? knowing : inGuild
  if (!only) throw new ControlError(409, 'No bot is in this guild.')
  if (another) throw new ControlError(409, 'Several bots match. Send an applicationId.')
  return only
}

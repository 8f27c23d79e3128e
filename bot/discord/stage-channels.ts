import { ChannelType, PermissionFlagsBits, Routes, type Client } from 'discord.js'
import type { Logger } from '../../lib/log.ts'

/** The voice state of a bot in a guild, by Discord. */
interface Seat {
  readonly guildId: string
  /** Null is nowhere. */
  readonly channelId: string | null
  /** Whether it may not speak there. */
  readonly suppress: boolean
}

/** Takes the word on stages, where everyone begins in the audience. */
export interface Stages {
  /** Asks to speak on a stage that the bot has just come to. Never throws. */
  placed(seat: Seat): void
}

export function createStages(client: Client, log: Logger): Stages {
  /** Guild → the channel in which the bot was seen last. */
  const seen = new Map<string, string>()
  return {
    placed({ guildId, channelId, suppress }) {
      const before = seen.get(guildId)
      if (channelId === null) return void seen.delete(guildId)
      seen.set(guildId, channelId)
      // Without a channel change, a moderator moved it to the audience: respect that.
      if (!suppress || channelId === before) return undefined
      return void askToSpeak(client, guildId, channelId).then(
        (asked) => asked && log.info({ guildId, channelId, asked }, 'stage entered'),
        (err: unknown) => log.warn({ err, guildId, channelId }, 'stage: request to speak failed'),
      )
    },
  }
}

/** Speaks at once with “Mute Members”; otherwise requests to speak, if permitted. @returns null if it is no stage. */
async function askToSpeak(client: Client, guildId: string, channelId: string): Promise<string | null> {
  const guild = client.guilds.cache.get(guildId)
  const channel = guild?.channels.cache.get(channelId)
  const permissions = guild?.members.me && channel?.permissionsFor(guild.members.me)
  if (channel?.type !== ChannelType.GuildStageVoice || !permissions) return null
  const take = (change: object) =>
    client.rest.patch(Routes.guildVoiceState(guildId), { body: { channel_id: channelId, ...change } })
  if (permissions.has(PermissionFlagsBits.MuteMembers)) {
    await take({ suppress: false })
    return 'speaks'
  }
  if (!permissions.has(PermissionFlagsBits.RequestToSpeak)) return 'cannot request to speak'
  await take({ request_to_speak_timestamp: new Date().toISOString() })
  return 'requests to speak'
}

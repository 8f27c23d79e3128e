import { ChannelType, PermissionFlagsBits, Routes, type Client } from 'discord.js'
import type { Logger } from '../../lib/log.ts'
import type { Clock } from '../player/timers.ts'

/** So that the bot does not argue with a moderator who moves it to the audience. */
const PAUSE_MS = 10_000

/** The voice state of a bot in a guild, by Discord. */
interface Seat {
  readonly guildId: string
  /** Null is nowhere. */
  readonly channelId: string | null
  /** Whether it may not speak there. */
  readonly suppress: boolean
}

/** The time that the bot spends in one channel. */
interface Stay {
  readonly channelId: string
  suppress: boolean
  hasAskedAgain: boolean
  cancel: () => void
}

interface StagesOptions {
  readonly clock: Clock
  readonly log: Logger
  /** Whether the connection to Discord has ended. */
  readonly isGone: () => boolean
}

/** Takes the word on stages, where everyone begins in the audience. */
export function createStages(client: Client, { clock, log, isGone }: StagesOptions) {
  /** By guild. */
  const stays = new Map<string, Stay>()
  function ask(guildId: string, channelId: string, isAgain: boolean): void {
    void askToSpeak(client, { guildId, channelId }, isAgain).then(
      (asked) => asked && log.info({ guildId, channelId, asked }, isAgain ? 'moved to the audience' : 'stage entered'),
      (err: unknown) => log.warn({ err, guildId, channelId }, 'stage: request to speak failed'),
    )
  }
  function onSuppressed(guildId: string, stay: Stay): void {
    if (stay.hasAskedAgain) return
    stay.cancel = clock.after(PAUSE_MS, () => {
      if (isGone()) return
      stay.hasAskedAgain = true
      ask(guildId, stay.channelId, true)
    })
  }
  return {
    /**
     * Asks to speak on a stage that the bot has just come to, and again after a pause when it was moved to the audience.
     * Never throws.
     */
    placed({ guildId, channelId, suppress }: Seat): void {
      const stay = stays.get(guildId)
      if (stay && stay.channelId === channelId) {
        if (stay.suppress === suppress) return
        stay.suppress = suppress
        stay.cancel()
        if (suppress) onSuppressed(guildId, stay)
        return
      }
      stay?.cancel()
      if (channelId === null) return void stays.delete(guildId)
      stays.set(guildId, { channelId, suppress, hasAskedAgain: false, cancel: () => undefined })
      if (suppress) ask(guildId, channelId, false)
    },
  }
}

/**
 * Speaks at once with “Mute Members”; otherwise requests to speak, if permitted. A bot that was moved to the audience only
 * requests. @returns null if it is no stage.
 */
async function askToSpeak(
  client: Client,
  { guildId, channelId }: { readonly guildId: string; readonly channelId: string },
  isAgain: boolean,
): Promise<string | null> {
  const guild = client.guilds.cache.get(guildId)
  const channel = guild?.channels.cache.get(channelId)
  const permissions = guild?.members.me && channel?.permissionsFor(guild.members.me)
  if (channel?.type !== ChannelType.GuildStageVoice || !permissions) return null
  const take = (change: object) =>
    client.rest.patch(Routes.guildVoiceState(guildId), { body: { channel_id: channelId, ...change } })
  if (!isAgain && permissions.has(PermissionFlagsBits.MuteMembers)) {
    await take({ suppress: false })
    return 'speaks'
  }
  if (!permissions.has(PermissionFlagsBits.RequestToSpeak)) return "can't request to speak"
  await take({ request_to_speak_timestamp: new Date().toISOString() })
  return 'requests to speak'
}

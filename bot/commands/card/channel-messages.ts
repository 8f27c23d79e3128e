import { DiscordAPIError, RESTJSONErrorCodes, Routes, type APIMessage, type Client } from 'discord.js'
import type { Logger } from '../../../lib/log.ts'
import { findPlace } from '../interactions/parse-interaction.ts'
import type { toMessage } from '../core/reply.ts'

type Message = ReturnType<typeof toMessage>

/** Messages that a bot posts unasked. */
export interface ChannelMessages {
  /** @returns the id of the message. @throws when Discord does not take it. */
  post(channelId: string, message: Message): Promise<string>
  /** @returns false when the message is gone. @throws when Discord does not take it. */
  edit(channelId: string, messageId: string, message: Message): Promise<boolean>
  /** Never throws: what cannot be removed is gone, or stays. */
  remove(channelId: string, messageId: string): Promise<void>
  /** The line under a voice channel's name. Never throws: it is a nicety, and takes a permission. */
  setStatus(channelId: string, status: string | null): Promise<void>
  localeOf(guildId: string): string | null
}

export function createChannelMessages(client: Client, log: Logger): ChannelMessages {
  const { rest } = client
  return {
    async post(channelId, message) {
      const { id } = (await rest.post(Routes.channelMessages(channelId), { body: toBody(message) })) as APIMessage
      return id
    },
    async edit(channelId, messageId, message) {
      try {
        await rest.patch(Routes.channelMessage(channelId, messageId), { body: toBody(message) })
        return true
      } catch (err) {
        if (isGone(err)) return false
        throw err
      }
    },
    async remove(channelId, messageId) {
      try {
        await rest.delete(Routes.channelMessage(channelId, messageId))
      } catch (err) {
        if (!isGone(err)) log.warn({ err, channelId, messageId }, 'card not removed')
      }
    },
    async setStatus(channelId, status) {
      try {
        await rest.put(`/channels/${channelId}/voice-status`, { body: { status } })
      } catch (err) {
        log.debug({ err, channelId }, 'voice status not set')
      }
    },
    localeOf: (guildId) => findPlace(client, guildId)?.locale ?? null,
  }
}

function toBody({ allowedMentions, ...message }: Message) {
  return { ...message, allowed_mentions: allowedMentions }
}

function isGone(err: unknown): boolean {
  const { UnknownMessage, UnknownChannel } = RESTJSONErrorCodes
  return err instanceof DiscordAPIError && [UnknownMessage, UnknownChannel].some((code) => code === err.code)
}

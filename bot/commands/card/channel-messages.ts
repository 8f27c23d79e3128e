import {
  ChannelType,
  DiscordAPIError,
  GatewayIntentBits,
  OverwriteType,
  PermissionFlagsBits,
  RESTJSONErrorCodes,
  Routes,
  type APIChannel,
  type APIMessage,
  type Client,
} from 'discord.js'
import type { Logger } from '../../../lib/log.ts'
import { waitAtMost, type Clock } from '../../player/timers.ts'
import { findPlace } from '../core/guild-view.ts'
import type { toMessage } from '../core/reply.ts'

type Message = ReturnType<typeof toMessage>

/** Messages that a bot posts unasked. */
export interface ChannelMessages {
  /** @returns the id of the message. @throws when Discord does not take it. */
  post(channelId: string, message: Message): Promise<string>
  /** @returns false when the message is gone. @throws when Discord does not take it. */
  edit(channelId: string, messageId: string, message: Message): Promise<boolean>
  /** Never throws. @returns whether the message is gone: what the bot may not see stays. */
  remove(channelId: string, messageId: string): Promise<boolean>
  /** Removes messages of members. @throws when Discord does not let the bot. */
  tidy(channelId: string, messageIds: readonly string[]): Promise<void>
  /** A text channel for requests. @returns its id. @throws when Discord does not make it. */
  makeChannel(guildId: string, named: { readonly name: string; readonly topic: string }): Promise<string>
  /** Whether the bot may post cards there, as far as it knows; of a channel that it does not know Discord says so itself. */
  mayPost(channelId: string): boolean
  maySee(channelId: string): boolean
  /** Whether the bot has the Message Content intent and can read messages. */
  readonly readsMessages: boolean
  /** The line under a voice channel's name. Never throws: it is a nicety, and takes a permission. */
  setStatus(channelId: string, status: string | null): Promise<void>
  localeOf(guildId: string): string | null
}

const { ViewChannel, SendMessages, EmbedLinks } = PermissionFlagsBits
const OWN = ViewChannel | SendMessages | EmbedLinks

export function createChannelMessages(client: Client, log: Logger): ChannelMessages {
  const { rest } = client
  const messages: ChannelMessages = {
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
        return true
      } catch (err) {
        if (isGone(err)) return true
        log.warn({ err, channelId, messageId }, 'message not removed')
        return false
      }
    },
    async tidy(channelId, messageIds) {
      const [first] = messageIds
      if (first === undefined) return
      try {
        if (messageIds.length > 1)
          await rest.post(Routes.channelBulkDelete(channelId), { body: { messages: messageIds } })
        else await rest.delete(Routes.channelMessage(channelId, first))
      } catch (err) {
        if (!isGone(err)) throw err
      }
    },
    async makeChannel(guildId, named) {
      const own = { id: client.user?.id ?? '', type: OverwriteType.Member, allow: String(OWN), deny: '0' }
      // Without the intent, messages would never be deleted, so the channel is read-only. Buttons work.
      const everyone = { id: guildId, type: OverwriteType.Role, allow: '0', deny: String(SendMessages) }
      const overwrites = messages.readsMessages ? [own] : [own, everyone]
      const body = { ...named, type: ChannelType.GuildText, permission_overwrites: overwrites }
      const { id } = (await rest.post(Routes.guildChannels(guildId), { body })) as APIChannel
      return id
    },
    mayPost: (channelId) => may(client, channelId, [ViewChannel, SendMessages, EmbedLinks]),
    maySee: (channelId) => may(client, channelId, [ViewChannel]),
    readsMessages: client.options.intents.has(GatewayIntentBits.MessageContent),
    async setStatus(channelId, status) {
      try {
        await rest.put(`/channels/${channelId}/voice-status`, { body: { status } })
      } catch (err) {
        log.debug({ err, channelId }, 'voice status not set')
      }
    },
    localeOf: (guildId) => findPlace(client, guildId)?.locale ?? null,
  }
  return messages
}

/** Whether a message was not taken since its channel is gone. */
export function isChannelGone(err: unknown): boolean {
  return err instanceof DiscordAPIError && err.code === RESTJSONErrorCodes.UnknownChannel
}

function may({ channels }: Client, channelId: string, permissions: readonly bigint[]): boolean {
  const channel = channels.cache.get(channelId)
  if (!channel || channel.isDMBased()) return true
  const { me } = channel.guild.members
  return (me && channel.permissionsFor(me).has([...permissions])) ?? true
}

function toBody({ allowedMentions, ...message }: Message) {
  return { ...message, allowed_mentions: allowedMentions }
}

function isGone(err: unknown): boolean {
  const { UnknownMessage, UnknownChannel } = RESTJSONErrorCodes
  return err instanceof DiscordAPIError && [UnknownMessage, UnknownChannel].some((code) => code === err.code)
}

const CLOSE_PATIENCE_MS = 2000

/** Requests to Discord that no caller awaits. */
export function createPendingRequests(clock: Clock) {
  const underway = new Set<Promise<unknown>>()
  return {
    send(request: Promise<unknown>): void {
      const task = request.finally(() => underway.delete(task))
      underway.add(task)
    },
    /** Waits a moment and no longer. */
    done: () => waitAtMost(clock, CLOSE_PATIENCE_MS, Promise.all(underway)),
  }
}

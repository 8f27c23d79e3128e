import { z } from 'zod'
import { moderate } from '../world/guild/automod.ts'
import { deleteMessage, getMessage, messagesOf, postMessage } from '../world/messages.ts'
import { may, Permission } from '../world/permissions.ts'
import { vote } from '../world/message/polls.ts'
import { react } from '../world/message/reactions.ts'
import { SentFile } from './action.ts'
import { del, get, post, channelOf, ControlError, memberOf, type ControlRoute } from './route.ts'
import { viewMessage } from './views.ts'

const MESSAGES = '/guilds/{guildId}/channels/{channelId}/messages'

/** Routes with which members write messages and moderators delete them. */
export const MESSAGE_ROUTES: readonly ControlRoute[] = [
  get(MESSAGES, {
    summary: 'List the messages of a channel, the oldest first.',
    handle: (call) => [...messagesOf(call.world, channelOf(call).channel.id).values()].map(viewMessage),
  }),
  post(MESSAGES, {
    summary: 'Send a message or a file as a member.',
    body: z
      .object({ userId: z.string(), content: z.string().max(2000).default(''), file: SentFile.optional() })
      .refine(({ content, file }) => content !== '' || file, 'Send content or a file.'),
    handle(call) {
      const { world, body } = call
      const { guild, channel } = channelOf(call)
      const { member, userId } = memberOf({ world, params: { guildId: guild.id, userId: body.userId } })
      if (!may(guild, userId, Permission.ViewChannel | Permission.SendMessages, channel)) {
        throw new ControlError(403, "The member can't write in this channel.")
      }
      const { content, file } = body
      moderate(world, guild, { member, channelId: channel.id, content })
      const files = file ? [{ ...file, field: 'files[0]', bytes: Buffer.from(file.base64, 'base64') }] : []
      const place = { guild, channelId: channel.id }
      return viewMessage(postMessage(world, place, { author: member.user, draft: { content }, files }))
    },
  }),
  del(`${MESSAGES}/{messageId}`, {
    summary: 'Delete a message as a moderator.',
    handle(call) {
      const { guild, channel } = channelOf(call)
      const isDeleted = deleteMessage(call.world, { guild, channelId: channel.id }, call.params['messageId'] ?? '')
      if (!isDeleted) throw new ControlError(404, "The channel doesn't have this message.")
    },
  }),
  post(`${MESSAGES}/{messageId}/reactions`, {
    summary: 'A member reacts to a message with a Unicode emoji, or takes the reaction back.',
    body: z.object({ userId: z.string(), emoji: z.string().min(1).max(32), on: z.boolean().default(true) }),
    handle(call) {
      const { world, body, params } = call
      const { guild, channel } = channelOf(call)
      memberOf({ world, params: { guildId: guild.id, userId: body.userId } })
      const message = getMessage(world, channel.id, params['messageId'] ?? '')
      const { userId, emoji, on } = body
      react(world, { guild, channelId: channel.id }, message, { userId, emoji: { id: null, name: emoji }, on })
      return viewMessage(message)
    },
  }),
  post(`${MESSAGES}/{messageId}/vote`, {
    summary: 'A member votes in the poll of a message, or takes the vote back.',
    body: z.object({ userId: z.string(), answerId: z.int().min(1).max(10), on: z.boolean().default(true) }),
    handle(call) {
      const { world, body, params } = call
      const { guild, channel } = channelOf(call)
      memberOf({ world, params: { guildId: guild.id, userId: body.userId } })
      const message = getMessage(world, channel.id, params['messageId'] ?? '')
      vote(world, guild, message, body)
      return viewMessage(message)
    },
  }),
]

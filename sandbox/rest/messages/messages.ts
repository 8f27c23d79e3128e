import { GatewayDispatchEvents, type APIMessage } from 'discord-api-types/v10'
import { z } from 'zod'
import { Draft } from '../../world/drafts.ts'
import { DiscordError, invalidForm } from '../../world/errors.ts'
import {
  deleteMessage,
  editMessage,
  getMessage,
  messagesOf,
  postMessage,
  react,
  type Place,
} from '../../world/messages.ts'
import { may, Permission } from '../../world/permissions.ts'
import { tell, type Guild } from '../../world/world.ts'
import { parseBody, readLimit } from '../form.ts'
import { channelOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const MESSAGES = '/channels/{channelId}/messages'
const MESSAGE = `${MESSAGES}/{messageId}`
const REACTION = `${MESSAGE}/reactions/{emoji}/@me`

/** Where the caller reads or writes: a channel of a guild, or their own direct messages. */
function placeOf(call: Call, permission = Permission.ViewChannel): Place {
  const channelId = param(call, 'channelId')
  const dm = call.world.dms.get(channelId)
  if (dm && dm.applicationId === call.me.id) return { channelId, guild: null }
  return { channelId, guild: channelOf(call, permission).guild }
}

function find(call: Call): { place: Place; message: APIMessage } {
  const place = placeOf(call)
  return { place, message: getMessage(call.world, place.channelId, param(call, 'messageId')) }
}

function list(call: Call): APIMessage[] {
  const { channelId } = placeOf(call, Permission.ReadMessageHistory)
  const limit = readLimit(call.query, { most: 100, usual: 50 })
  const newestFirst = [...messagesOf(call.world, channelId).values()].toReversed()
  const before = call.query.get('before')
  const after = call.query.get('after')
  if (before !== null) return newestFirst.filter(({ id }) => BigInt(id) < snowflakeOf(before)).slice(0, limit)
  if (after !== null) return newestFirst.filter(({ id }) => BigInt(id) > snowflakeOf(after)).slice(-limit)
  return newestFirst.slice(0, limit)
}

function snowflakeOf(text: string): bigint {
  if (/^\d{1,20}$/.test(text)) return BigInt(text)
  throw invalidForm('_', 'NUMBER_TYPE_COERCE', `Value "${text}" is not snowflake.`)
}

function post(call: Call) {
  const place = placeOf(call, Permission.ViewChannel | Permission.SendMessages)
  const draft = parseBody(Draft, call.body)
  if (place.guild && draft.embeds?.length) channelOf(call, Permission.EmbedLinks)
  // Only answers to interactions can be for one person.
  const flags = (draft.flags ?? 0) & ~64
  return ok(postMessage(call.world, place, { author: call.me.user, draft: { ...draft, flags }, files: call.files }))
}

function edit(call: Call) {
  const { place, message } = find(call)
  if (message.author.id !== call.me.id) throw new DiscordError('notYourMessage')
  return ok(editMessage(call.world, place, message, { draft: parseBody(Draft, call.body), files: call.files }))
}

function remove(call: Call) {
  const { place, message } = find(call)
  const { guild, channelId } = place
  const isMine = message.author.id === call.me.id
  const manages = guild !== null && may(guild, call.me.id, Permission.ManageMessages, guild.channels.get(channelId))
  if (!isMine && !manages) throw new DiscordError('missingPermissions')
  deleteMessage(call.world, place, message.id)
  return noContent
}

const Bulk = z.object({ messages: z.array(z.string()).min(2).max(100) })

function removeMany(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ManageMessages)
  const known = messagesOf(call.world, channel.id)
  const ids = parseBody(Bulk, call.body).messages.filter((id) => known.delete(id))
  const d = { ids, channel_id: channel.id, guild_id: guild.id }
  tell(call.world, guild.id, { t: GatewayDispatchEvents.MessageDeleteBulk, d })
  return noContent
}

function reaction(on: boolean) {
  return (call: Call) => {
    const { place, message } = find(call)
    const guild: Guild | null = place.guild
    if (!guild) throw new DiscordError('wrongChannelType')
    const emoji = param(call, 'emoji')
    // Emojis of guilds are not kept here; plain ones have no colon and no letters.
    if (/[a-z:]/i.test(emoji)) throw new DiscordError('unknownEmoji')
    react(call.world, guild, message, { userId: call.me.id, emoji, on })
    return noContent
  }
}

function typing(call: Call) {
  const { guild, channelId } = placeOf(call, Permission.ViewChannel | Permission.SendMessages)
  if (!guild) return noContent
  const d = {
    channel_id: channelId,
    guild_id: guild.id,
    user_id: call.me.id,
    timestamp: Math.floor(call.world.now() / 1000),
  }
  tell(call.world, guild.id, { t: GatewayDispatchEvents.TypingStart, d })
  return noContent
}

export const MESSAGE_ROUTES: readonly Route[] = [
  { method: 'GET', path: MESSAGES, handle: (call) => ok(list(call)) },
  { method: 'POST', path: MESSAGES, limit: { requests: 5, perMs: 5000 }, handle: post },
  { method: 'POST', path: `${MESSAGES}/bulk-delete`, handle: removeMany },
  { method: 'GET', path: MESSAGE, handle: (call) => ok(find(call).message) },
  { method: 'PATCH', path: MESSAGE, limit: { requests: 5, perMs: 5000 }, handle: edit },
  { method: 'DELETE', path: MESSAGE, limit: { requests: 5, perMs: 1000 }, handle: remove },
  { method: 'PUT', path: REACTION, limit: { requests: 1, perMs: 250 }, handle: reaction(true) },
  { method: 'DELETE', path: REACTION, limit: { requests: 1, perMs: 250 }, handle: reaction(false) },
  { method: 'POST', path: '/channels/{channelId}/typing', handle: typing },
]

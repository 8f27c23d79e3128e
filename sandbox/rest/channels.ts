import { ChannelType, GatewayDispatchEvents, type APIDMChannel, type ChannelFlags } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError } from '../world/errors.ts'
import { deleteChannel, tellChannelUpdate } from '../world/guilds.ts'
import { Permission } from '../world/permissions.ts'
import { isVoice } from '../world/voice.ts'
import { tell, type World } from '../world/world.ts'
import { parseBody } from './form.ts'
import { channelOf, noContent, ok, param, type Call, type Route } from './route.ts'

const CHANNEL = '/channels/{channelId}'
/** What a role or a member may and may not do in one channel. */
export const Overwrite = z.object({
  id: z.string(),
  type: z.literal([0, 1]),
  allow: z.string().default('0'),
  deny: z.string().default('0'),
})
const ChannelChange = z.looseObject({
  name: z.string().min(1).max(100).optional(),
  topic: z.string().max(1024).nullish(),
  user_limit: z.number().int().min(0).max(99).optional(),
  bitrate: z.number().int().min(8000).max(384_000).optional(),
  permission_overwrites: z.array(Overwrite).optional(),
})
export type ChannelChange = z.infer<typeof ChannelChange>

const Recipient = z.object({ recipient_id: z.string() })
const Status = z.object({ status: z.string().max(500).nullable() })

function get(call: Call) {
  const dm = call.world.dms.get(param(call, 'channelId'))
  if (dm && dm.applicationId === call.me.id) return ok(describeDm(call.world, param(call, 'channelId'), dm.userId))
  return ok(channelOf(call).channel)
}

function edit(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ManageChannels)
  Object.assign(channel, parseBody(ChannelChange, call.body))
  tellChannelUpdate(call.world, guild, channel)
  return ok(channel)
}

function remove(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ManageChannels)
  deleteChannel(call.world, guild, channel)
  return ok(channel)
}

/** The line under a voice channel's name, where a bot says what plays. */
function setStatus(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ViewChannel | Permission.SetVoiceChannelStatus)
  if (!isVoice(channel)) throw new DiscordError('wrongChannelType')
  const isHere = guild.voice.get(call.me.id)?.channelId === channel.id
  if (!isHere) channelOf(call, Permission.ManageChannels)
  const { status } = parseBody(Status, call.body)
  if (status) guild.statuses.set(channel.id, status)
  else guild.statuses.delete(channel.id)
  const d = { id: channel.id, guild_id: guild.id, status: status || null }
  tell(call.world, guild.id, { t: GatewayDispatchEvents.VoiceChannelStatusUpdate, d })
  return noContent
}

/** Direct messages with a user; the same channel every time. */
function openDm(call: Call) {
  const { world, me } = call
  const { recipient_id: userId } = parseBody(Recipient, call.body)
  if (!world.users.has(userId) || world.applications.has(userId)) throw new DiscordError('unknownUser')
  for (const [id, dm] of world.dms) {
    if (dm.userId === userId && dm.applicationId === me.id) return ok(describeDm(world, id, userId))
  }
  const id = world.nextId()
  world.dms.set(id, { userId, applicationId: me.id })
  return ok(describeDm(world, id, userId))
}

function describeDm(world: World, id: string, userId: string): APIDMChannel {
  const user = world.users.get(userId)
  return {
    id,
    type: ChannelType.DM,
    name: null,
    flags: 0 as ChannelFlags,
    last_message_id: null,
    recipients: user ? [user] : [],
  }
}

export const CHANNEL_ROUTES: readonly Route[] = [
  { method: 'GET', path: CHANNEL, handle: get },
  { method: 'PATCH', path: CHANNEL, limit: { requests: 2, perMs: 600_000 }, handle: edit },
  { method: 'DELETE', path: CHANNEL, handle: remove },
  { method: 'PUT', path: `${CHANNEL}/voice-status`, handle: setStatus },
  { method: 'POST', path: '/users/@me/channels', handle: openDm },
]

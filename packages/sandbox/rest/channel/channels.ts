import { ChannelType, GatewayDispatchEvents, OverwriteType, type APIOverwrite } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import { deleteChannel, editChannel, isForum, setOverwrite } from '../../world/guild/channels.ts'
import { describeThread } from '../../world/guild/threads.ts'
import { permissionsOf, Permission } from '../../world/permissions.ts'
import { isVoice } from '../../world/voice.ts'
import { tell, type Channel, type Guild } from '../../world/world.ts'
import { Bits, Id, parseBody } from '../form.ts'
import { actorOf, channelOf, demand, isThread, noContent, ok, param, placeOf, type Call, type Route } from '../route.ts'
import { ChannelChange } from './channel-body.ts'
import { describeDm } from './dms.ts'
import { editThreadChannel, removeThread } from './threads.ts'
import { withTagIds } from './tags.ts'

const CHANNEL = '/channels/{channelId}'
const Status = z.object({ status: z.string().max(500).nullish() })

function get(call: Call) {
  const dm = call.world.dms.get(param(call, 'channelId'))
  if (dm && dm.applicationId === call.me.id) return ok(describeDm(call.world, param(call, 'channelId'), dm))
  const { guild, channel } = placeOf(call)
  return ok(isThread(channel) ? describeThread(guild, channel, call.me.id) : channel)
}

function edit(call: Call) {
  if (call.world.dms.has(param(call, 'channelId'))) throw new DiscordError('notOnDm')
  const found = placeOf(call)
  if (isThread(found.channel)) return ok(editThreadChannel(call, found.guild, found.channel))
  const { guild, channel } = channelOf(call, Permission.ManageChannels)
  const { permission_overwrites: overwrites, available_tags: tags, ...change } = parseBody(ChannelChange, call.body)
  if (change.parent_id) categoryOf(guild, change.parent_id)
  checkType(channel, change.type)
  if (overwrites) {
    demand(call, guild, Permission.ManageRoles, channel)
    demandNamed(call, guild, changedOf(channel, overwrites), channel)
  }
  const available_tags = tags && isForum(channel) ? withTagIds(call.world, channel.available_tags, tags) : undefined
  const whole = { ...change, available_tags, ...(overwrites ? { permission_overwrites: overwrites } : {}) }
  editChannel(call.world, guild, channel, { change: whole, by: actorOf(call) })
  return ok(channel)
}

/** Only text and announcement channels become the other. */
function checkType(channel: Channel, type: ChannelType | undefined): void {
  if (type === undefined || type === channel.type) return
  const convertible: readonly ChannelType[] = [ChannelType.GuildText, ChannelType.GuildAnnouncement]
  if (convertible.includes(type) && convertible.includes(channel.type)) return
  throw invalidForm('type', 'BASE_TYPE_CHOICES', `Value must be one of {${convertible.join(', ')}}.`)
}

/** @throws {DiscordError} for what is no category of this guild. */
export function categoryOf(guild: Guild, id: string): Channel {
  const parent = guild.channels.get(id)
  if (parent?.type === ChannelType.GuildCategory) return parent
  throw invalidForm('parent_id', 'CHANNEL_PARENT_INVALID', 'Category does not exist')
}

/** The overwrites that differ from those a channel has. */
function changedOf(channel: Channel, overwrites: readonly APIOverwrite[]): readonly APIOverwrite[] {
  const old = new Map((channel.permission_overwrites ?? []).map((one) => [one.id, one]))
  return overwrites.filter((one) => old.get(one.id)?.allow !== one.allow || old.get(one.id)?.deny !== one.deny)
}

/** Overwrites may name no permission that the bot does not have itself, unless it is an administrator. */
export function demandNamed(call: Call, guild: Guild, overwrites: readonly APIOverwrite[], channel?: Channel): void {
  const named = overwrites.reduce((all, { allow, deny }) => all | BigInt(allow) | BigInt(deny), 0n)
  if (named & ~permissionsOf(guild, call.me.id, channel)) throw new DiscordError('missingPermissions')
}

function remove(call: Call) {
  const found = placeOf(call)
  if (isThread(found.channel)) return ok(removeThread(call, found.guild, found.channel))
  const { guild, channel } = channelOf(call, Permission.ManageChannels)
  const { rules_channel_id: rules, public_updates_channel_id: updates, features } = guild.settings
  const isNeeded = channel.id === rules || channel.id === updates
  if (isNeeded && (features as readonly string[]).includes('COMMUNITY')) throw new DiscordError('neededForCommunity')
  deleteChannel(call.world, guild, channel, actorOf(call))
  return ok(channel)
}

const OverwriteChange = z.object({ type: z.enum(OverwriteType), allow: Bits.nullish(), deny: Bits.nullish() })

/** Sets an overwrite. A field that is omitted or null neither allows nor denies anything. */
function putOverwrite(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ManageRoles)
  const id = param(call, 'overwriteId')
  const { type, allow, deny } = parseBody(OverwriteChange, call.body)
  if (type === OverwriteType.Role && !guild.roles.has(id)) throw new DiscordError('unknownRole')
  if (!Id.safeParse(id).success) throw new DiscordError('unknownOverwrite')
  const overwrite = { id, type, allow: allow ?? '0', deny: deny ?? '0' }
  demandNamed(call, guild, [overwrite], channel)
  setOverwrite(call.world, guild, channel, { id, overwrite, by: actorOf(call) })
  return noContent
}

function deleteOverwrite(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ManageRoles)
  const id = param(call, 'overwriteId')
  mustFind(
    channel.permission_overwrites?.find((one) => one.id === id),
    'unknownOverwrite',
  )
  setOverwrite(call.world, guild, channel, { id, overwrite: null, by: actorOf(call) })
  return noContent
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

function typing(call: Call) {
  const channelId = param(call, 'channelId')
  const dm = call.world.dms.get(channelId)
  if (dm && dm.applicationId === call.me.id) return noContent
  const { guild } = placeOf(call, Permission.ViewChannel | Permission.SendMessages)
  const member = guild.members.get(call.me.id)
  const d = {
    channel_id: channelId,
    guild_id: guild.id,
    user_id: call.me.id,
    timestamp: Math.floor(call.world.now() / 1000),
    ...(member ? { member } : {}),
  }
  tell(call.world, guild.id, { t: GatewayDispatchEvents.TypingStart, d })
  return noContent
}

export const CHANNEL_ROUTES: readonly Route[] = [
  { method: 'GET', path: CHANNEL, handle: get },
  {
    method: 'PATCH',
    path: CHANNEL,
    limit: { requests: 5, perMs: 15_000 },
    lacks: ['default_tag_setting', 'icon'],
    handle: edit,
  },
  { method: 'DELETE', path: CHANNEL, handle: remove },
  {
    method: 'PUT',
    path: `${CHANNEL}/permissions/{overwriteId}`,
    limit: { requests: 10, perMs: 15_000 },
    handle: putOverwrite,
  },
  { method: 'DELETE', path: `${CHANNEL}/permissions/{overwriteId}`, handle: deleteOverwrite },
  { method: 'PUT', path: `${CHANNEL}/voice-status`, handle: setStatus },
  { method: 'POST', path: `${CHANNEL}/typing`, limit: { requests: 5, perMs: 5000 }, handle: typing },
]

import { ChannelType } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm } from '../world/errors.ts'
import { addChannel, describeGuild, removeMember, tellMemberUpdate } from '../world/guilds.ts'
import { may, permissionsOf, Permission } from '../world/permissions.ts'
import { changeFlags, describeVoice, isVoice, moveInVoice, removeFromVoice, setServerMute } from '../world/voice.ts'
import { getMember, type Guild } from '../world/world.ts'
import { parseBody } from './form.ts'
import { Overwrite } from './channels.ts'
import { created, demand, guildOf, noContent, ok, param, type Call, type Route } from './route.ts'

const GUILD = '/guilds/{guildId}'
const MEMBERS = `${GUILD}/members`
const VOICE_STATES = `${GUILD}/voice-states`

function describe(call: Call) {
  const guild = guildOf(call)
  const counts = call.query.get('with_counts') === 'true'
  const size = guild.members.size
  const counted = counts ? { approximate_member_count: size, approximate_presence_count: size } : {}
  return ok({ ...describeGuild(guild), ...counted })
}

function listMine({ world, me, query }: Call) {
  const limit = Math.min(200, Number(query.get('limit') ?? 200) || 200)
  const mine = [...world.guilds.values()].filter((guild) => guild.members.has(me.id)).slice(0, limit)
  return ok(
    mine.map((guild) => ({
      id: guild.id,
      name: guild.name,
      icon: null,
      banner: null,
      owner: guild.ownerId === me.id,
      permissions: String(permissionsOf(guild, me.id)),
      features: [],
    })),
  )
}

function leave(call: Call) {
  removeMember(call.world, guildOf(call), call.me.id)
  return noContent
}

function listMembers(call: Call) {
  const limit = Number(call.query.get('limit') ?? 1)
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) {
    throw invalidForm('limit', 'NUMBER_TYPE_MAX', 'int value should be between 1 and 1000.')
  }
  const after = call.query.get('after') ?? '0'
  const sorted = [...guildOf(call).members.values()].toSorted((a, b) => Number(BigInt(a.user.id) - BigInt(b.user.id)))
  return ok(sorted.filter(({ user }) => BigInt(user.id) > BigInt(/^\d+$/.test(after) ? after : 0)).slice(0, limit))
}

const MemberChange = z.looseObject({
  nick: z.string().max(32).nullish(),
  mute: z.boolean().optional(),
  deaf: z.boolean().optional(),
  channel_id: z.string().nullish(),
})

/** Rename, mute, deafen, move or disconnect a member, each with its own permission. */
function editMember(call: Call) {
  const guild = guildOf(call)
  const member = getMember(guild, param(call, 'userId'))
  const { nick, mute, deaf, channel_id: channelId } = parseBody(MemberChange, call.body)
  const userId = member.user.id
  if (nick !== undefined) demand(call, guild, Permission.ManageNicknames)
  if (mute !== undefined) demand(call, guild, Permission.MuteMembers)
  if (deaf !== undefined) demand(call, guild, Permission.DeafenMembers)
  if (channelId !== undefined) demand(call, guild, Permission.MoveMembers)
  const needsVoice = mute !== undefined || deaf !== undefined || channelId !== undefined
  if (needsVoice && !guild.voice.has(userId)) throw new DiscordError('notInVoice')
  if (nick !== undefined) member.nick = nick
  setServerMute(call.world, guild, member, { mute, deaf })
  if (channelId !== undefined) place(call, guild, userId, channelId)
  tellMemberUpdate(call.world, guild, member)
  return ok(member)
}

function place(call: Call, guild: Guild, userId: string, channelId: string | null): void {
  if (channelId === null) {
    removeFromVoice(call.world, guild, userId, 4014)
    return
  }
  const channel = guild.channels.get(channelId)
  if (!channel) throw new DiscordError('unknownChannel')
  if (!isVoice(channel)) throw new DiscordError('wrongChannelType')
  if (!may(guild, call.me.id, Permission.Connect, channel)) throw new DiscordError('missingPermissions')
  moveInVoice(call.world, guild, userId, channelId)
}

function editMe(call: Call) {
  const guild = guildOf(call)
  const member = getMember(guild, call.me.id)
  const { nick } = parseBody(z.looseObject({ nick: z.string().max(32).nullish() }), call.body)
  if (nick !== undefined) member.nick = nick
  tellMemberUpdate(call.world, guild, member)
  return ok(member)
}

function voiceOf(call: Call, userId: string) {
  const guild = guildOf(call)
  const voice = guild.voice.get(userId)
  if (!voice) throw new DiscordError('unknownVoiceState')
  return { guild, voice }
}

function showVoice(call: Call, userId: string) {
  const { guild, voice } = voiceOf(call, userId)
  return ok(describeVoice(guild, voice))
}

const StageChange = z.looseObject({
  channel_id: z.string().optional(),
  suppress: z.boolean().optional(),
  request_to_speak_timestamp: z.string().nullish(),
})

/**
 * Speaking, or asking to speak, on the stage where somebody is. Whoever may mute members gives and takes the word, for
 * themselves too; anyone may step back, and take back that they asked.
 */
function editVoice(call: Call, userId: string) {
  const { guild, voice } = voiceOf(call, userId)
  const { channel_id: channelId, suppress, request_to_speak_timestamp: requested } = parseBody(StageChange, call.body)
  const channel = guild.channels.get(channelId ?? voice.channelId)
  if (!channel) throw new DiscordError('unknownChannel')
  if (channel.type !== ChannelType.GuildStageVoice) throw new DiscordError('wrongChannelType')
  if (channel.id !== voice.channelId) throw new DiscordError('unknownVoiceState')
  const isMine = userId === call.me.id
  if (!isMine || suppress === false) demand(call, guild, Permission.MuteMembers, channel)
  if (isMine && requested) demand(call, guild, Permission.RequestToSpeak, channel)
  const speaks = suppress === false
  changeFlags(call.world, guild, voice, {
    ...(suppress === undefined ? {} : { suppress }),
    ...(speaks || requested !== undefined ? { requestedToSpeakAt: speaks ? null : (requested ?? null) } : {}),
  })
  return noContent
}

const NewChannel = z.looseObject({
  name: z.string().min(1).max(100),
  type: z
    .literal([ChannelType.GuildText, ChannelType.GuildVoice, ChannelType.GuildStageVoice])
    .default(ChannelType.GuildText),
  topic: z.string().max(1024).nullish(),
  user_limit: z.number().int().min(0).max(99).default(0),
  permission_overwrites: z.array(Overwrite).default([]),
})

/** Overwrites may name no permission that the bot does not have itself. */
function createChannel(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageChannels)
  const {
    name,
    type,
    topic = null,
    user_limit: userLimit,
    permission_overwrites: overwrites,
  } = parseBody(NewChannel, call.body)
  const named = overwrites.reduce((all, { allow, deny }) => all | BigInt(allow) | BigInt(deny), 0n)
  demand(call, guild, named)
  const isText = type === ChannelType.GuildText
  // Discord writes the names of text channels in lower case, with dashes.
  const called = isText ? name.trim().toLowerCase().replaceAll(/\s+/g, '-') : name
  return created(addChannel(call.world, guild, { name: called, type, userLimit, topic, overwrites }))
}

const REGION = { id: 'local', name: 'Loopback', optimal: true, deprecated: false, custom: false }

export const GUILD_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/users/@me/guilds', handle: listMine },
  { method: 'DELETE', path: '/users/@me/guilds/{guildId}', handle: leave },
  { method: 'GET', path: GUILD, handle: describe },
  { method: 'GET', path: `${GUILD}/channels`, handle: (call) => ok([...guildOf(call).channels.values()]) },
  { method: 'POST', path: `${GUILD}/channels`, handle: createChannel },
  { method: 'GET', path: `${GUILD}/roles`, handle: (call) => ok([...guildOf(call).roles.values()]) },
  { method: 'GET', path: MEMBERS, handle: listMembers },
  { method: 'GET', path: `${MEMBERS}/{userId}`, handle: (call) => ok(getMember(guildOf(call), param(call, 'userId'))) },
  { method: 'PATCH', path: `${MEMBERS}/@me`, handle: editMe },
  { method: 'PATCH', path: `${MEMBERS}/{userId}`, handle: editMember },
  { method: 'GET', path: `${VOICE_STATES}/@me`, handle: (call) => showVoice(call, call.me.id) },
  { method: 'PATCH', path: `${VOICE_STATES}/@me`, handle: (call) => editVoice(call, call.me.id) },
  { method: 'GET', path: `${VOICE_STATES}/{userId}`, handle: (call) => showVoice(call, param(call, 'userId')) },
  { method: 'PATCH', path: `${VOICE_STATES}/{userId}`, handle: (call) => editVoice(call, param(call, 'userId')) },
  { method: 'GET', path: `${GUILD}/regions`, handle: () => ok([REGION]) },
  { method: 'GET', path: '/voice/regions', handle: () => ok([REGION]) },
]

import { ChannelType } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError } from '../world/errors.ts'
import { addChannel, describeGuild, removeMember } from '../world/guilds.ts'
import { permissionsOf, Permission } from '../world/permissions.ts'
import { changeFlags, describeVoice } from '../world/voice.ts'
import { parseBody } from './form.ts'
import { Overwrite } from './channels.ts'
import { created, demand, guildOf, noContent, ok, param, type Call, type Route } from './route.ts'

const GUILD = '/guilds/{guildId}'
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
 * Speaking, or asking to speak, on the stage where someone is. Anyone who may mute members gives and takes the word, for
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
  { method: 'GET', path: `${VOICE_STATES}/@me`, handle: (call) => showVoice(call, call.me.id) },
  { method: 'PATCH', path: `${VOICE_STATES}/@me`, handle: (call) => editVoice(call, call.me.id) },
  { method: 'GET', path: `${VOICE_STATES}/{userId}`, handle: (call) => showVoice(call, param(call, 'userId')) },
  { method: 'PATCH', path: `${VOICE_STATES}/{userId}`, handle: (call) => editVoice(call, param(call, 'userId')) },
  { method: 'GET', path: `${GUILD}/regions`, handle: () => ok([REGION]) },
  { method: 'GET', path: '/voice/regions', handle: () => ok([REGION]) },
]

import { ChannelType } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, mustFind } from '../../world/errors.ts'
import { Permission } from '../../world/permissions.ts'
import { changeFlags, describeVoice } from '../../world/voice.ts'
import { parseBody } from '../form.ts'
import { demand, guildOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const VOICE_STATES = '/guilds/{guildId}/voice-states'
const REGION = { id: 'local', name: 'Loopback', optimal: true, deprecated: false, custom: false }

function voiceOf(call: Call, userId: string) {
  const guild = guildOf(call)
  const voice = mustFind(guild.voice.get(userId), 'unknownVoiceState')
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
  const channel = mustFind(guild.channels.get(channelId ?? voice.channelId), 'unknownChannel')
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

export const VOICE_STATE_ROUTES: readonly Route[] = [
  { method: 'GET', path: `${VOICE_STATES}/@me`, handle: (call) => showVoice(call, call.me.id) },
  { method: 'PATCH', path: `${VOICE_STATES}/@me`, handle: (call) => editVoice(call, call.me.id) },
  { method: 'GET', path: `${VOICE_STATES}/{userId}`, handle: (call) => showVoice(call, param(call, 'userId')) },
  { method: 'PATCH', path: `${VOICE_STATES}/{userId}`, handle: (call) => editVoice(call, param(call, 'userId')) },
  { method: 'GET', path: '/guilds/{guildId}/regions', handle: () => ok([REGION]) },
  { method: 'GET', path: '/voice/regions', handle: () => ok([REGION]) },
]

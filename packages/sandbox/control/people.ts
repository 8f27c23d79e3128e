import { z } from 'zod'
import { tellMemberUpdate } from '../world/guilds.ts'
import {
  changeFlags,
  createSecret,
  enterVoice,
  isVoice,
  moveInVoice,
  removeFromVoice,
  setServerMute,
} from '../world/voice.ts'
import type { Guild, Voice } from '../world/world.ts'
import {
  get,
  post,
  channelIn,
  channelOf,
  ControlError,
  memberOf,
  RawAnswer,
  type ControlCall,
  type ControlRoute,
} from './route.ts'
import { createTone } from './tone.ts'
import { viewVoice } from './views.ts'

const MEMBER = '/guilds/{guildId}/members/{userId}'
/** A browser then has one of its blocks of 32 KiB every 0.4 s. */
const BROWSER_PACKET_BYTES = 1600
const NOT_ENTERED = "The member can't join: the channel is full, or the member lacks View Channel or Connect."

function voiceOf(guild: Guild, userId: string): Voice {
  const voice = guild.voice.get(userId)
  if (!voice) throw new ControlError(409, `Member ${userId} isn't in a voice channel.`)
  return voice
}

function voiceChannelIn(guild: Guild, channelId: string) {
  const channel = channelIn(guild, channelId)
  if (!isVoice(channel)) throw new ControlError(409, `Channel ${channelId} isn't a voice channel.`)
  return channel
}

const view = ({ world }: Pick<ControlCall<unknown>, 'world'>, guild: Guild, userId: string) =>
  viewVoice(world, guild.id, userId)

/** Actions of members. */
const DEEDS: readonly ControlRoute[] = [
  post(`${MEMBER}/join`, {
    summary: 'Join a voice channel, with a real voice client unless `client` is false.',
    body: z.object({
      channelId: z.string(),
      client: z.boolean().default(true),
      selfMute: z.boolean().default(false),
      selfDeaf: z.boolean().default(false),
    }),
    async handle(call) {
      const { guild, userId } = memberOf(call)
      if (call.world.applications.has(userId)) throw new ControlError(409, 'Bots join through their gateway (op 4).')
      voiceChannelIn(guild, call.body.channelId)
      const entered = await call.crowd.enter(guild, { ...call.body, userId })
      if (!entered) throw new ControlError(403, NOT_ENTERED)
      return view(call, guild, userId)
    },
  }),
  post(`${MEMBER}/leave`, {
    summary: 'Leave voice.',
    handle(call) {
      const { guild, userId } = memberOf(call)
      voiceOf(guild, userId)
      removeFromVoice(call.world, guild, userId, null)
    },
  }),
  post(`${MEMBER}/mute`, {
    summary: 'Mute or unmute as a member.',
    body: z.object({ muted: z.boolean().default(true) }),
    handle(call) {
      const { guild, userId } = memberOf(call)
      changeFlags(call.world, guild, voiceOf(guild, userId), { selfMute: call.body.muted })
      return view(call, guild, userId)
    },
  }),
  post(`${MEMBER}/deafen`, {
    summary: 'Deafen or undeafen as a member.',
    body: z.object({ deafened: z.boolean().default(true) }),
    handle(call) {
      const { guild, userId } = memberOf(call)
      changeFlags(call.world, guild, voiceOf(guild, userId), { selfDeaf: call.body.deafened })
      return view(call, guild, userId)
    },
  }),
  post(`${MEMBER}/raise-hand`, {
    summary: 'Raise or lower the hand on a stage.',
    body: z.object({ raised: z.boolean().default(true) }),
    handle(call) {
      const { guild, userId } = memberOf(call)
      const requestedToSpeakAt = call.body.raised ? new Date(call.world.now()).toISOString() : null
      changeFlags(call.world, guild, voiceOf(guild, userId), { requestedToSpeakAt })
      return view(call, guild, userId)
    },
  }),
  post(`${MEMBER}/speak`, {
    summary: 'Speak, as a tone in real time. Returns immediately.',
    body: z.object({
      seconds: z.number().positive().max(60).default(2),
      hz: z.number().min(50).max(12_000).default(440),
    }),
    async handle(call) {
      const { guild, userId } = memberOf(call)
      const member = call.crowd.find(guild.id, userId)
      if (!member) throw new ControlError(409, `Member ${userId} has no voice client. Join a voice channel first.`)
      const packets = await createTone(call.body)
      // The next words, or leaving, cut these short; there is nothing to report then.
      void member.speak(packets)
      return { packets: packets.length }
    },
  }),
]

/** Actions of moderators on members and bots. */
const MODERATION: readonly ControlRoute[] = [
  post(`${MEMBER}/move`, {
    summary: 'Move a member to another voice channel.',
    body: z.object({ channelId: z.string() }),
    handle(call) {
      const { guild, userId } = memberOf(call)
      voiceOf(guild, userId)
      voiceChannelIn(guild, call.body.channelId)
      moveInVoice(call.world, guild, userId, call.body.channelId)
      return view(call, guild, userId)
    },
  }),
  post(`${MEMBER}/disconnect`, {
    summary: 'Disconnect a member from voice, with a close code of the voice server.',
    body: z.object({ code: z.number().int().min(4000).max(4999).default(4014) }),
    handle(call) {
      const { guild, userId } = memberOf(call)
      voiceOf(guild, userId)
      removeFromVoice(call.world, guild, userId, call.body.code)
    },
  }),
  post(`${MEMBER}/server-mute`, {
    summary: 'Server-mute or server-deafen a member.',
    body: z.object({ muted: z.boolean().optional(), deafened: z.boolean().optional() }),
    handle(call) {
      const { guild, member, userId } = memberOf(call)
      setServerMute(call.world, guild, member, { mute: call.body.muted, deaf: call.body.deafened })
      tellMemberUpdate(call.world, guild, member)
      return view(call, guild, userId)
    },
  }),
  post(`${MEMBER}/suppress`, {
    summary: 'Move a member to the audience or the speakers of a stage.',
    body: z.object({ suppressed: z.boolean().default(true) }),
    handle(call) {
      const { guild, userId } = memberOf(call)
      const flags = { suppress: call.body.suppressed, requestedToSpeakAt: null }
      changeFlags(call.world, guild, voiceOf(guild, userId), flags)
      return view(call, guild, userId)
    },
  }),
]

const CLIENTS: readonly ControlRoute[] = [
  post('/guilds/{guildId}/channels/{channelId}/connect', {
    summary: 'Get the credentials for joining as a member with your own voice client.',
    body: z.object({ userId: z.string(), selfMute: z.boolean().default(false), selfDeaf: z.boolean().default(false) }),
    handle(call) {
      const { guild, channel } = channelOf(call)
      const { world, body } = call
      voiceChannelIn(guild, channel.id)
      const { userId } = memberOf({ world, params: { guildId: guild.id, userId: body.userId } })
      if (world.applications.has(userId)) throw new ControlError(409, 'Bots join through their gateway (op 4).')
      removeFromVoice(world, guild, userId, 4014)
      const voice = enterVoice(world, guild, { ...body, userId, channelId: channel.id, sessionId: createSecret() })
      if (!voice) throw new ControlError(403, NOT_ENTERED)
      const { token, sessionId } = voice
      return { endpoint: world.voiceEndpoint, token, sessionId, userId, guildId: guild.id, channelId: channel.id }
    },
  }),
  get('/guilds/{guildId}/channels/{channelId}/listen.ogg', {
    summary: 'Stream the audio of the channel as endless Ogg Opus.',
    handle(call) {
      const { guild, channel } = channelOf(call)
      voiceChannelIn(guild, channel.id)
      // Only browsers say what a request is for.
      const isBrowser = call.headers['sec-fetch-dest'] !== undefined
      const options = isBrowser ? { packetBytesMin: BROWSER_PACKET_BYTES } : {}
      return new RawAnswer('audio/ogg', call.crowd.listen(guild, channel.id, options))
    },
  }),
  get(`${MEMBER}/voice`, {
    summary: 'Get the voice state of a member. Null outside voice.',
    handle(call) {
      const { guild, userId } = memberOf(call)
      return view(call, guild, userId)
    },
  }),
  get(`${MEMBER}/packets`, {
    summary: 'Get statistics of the UDP packets from a member. `?reset=true` resets them afterwards.',
    handle(call) {
      const { guild, userId } = memberOf(call)
      return call.voice.packets(guild.id, userId, { reset: call.query.get('reset') === 'true' })
    },
  }),
  get(`${MEMBER}/hearing`, {
    summary:
      'Get statistics of the audio that the client of a member received and decrypted. `?reset=true` resets them afterwards.',
    handle(call) {
      const { guild, userId } = memberOf(call)
      const member = call.crowd.find(guild.id, userId)
      if (!member) throw new ControlError(409, `Member ${userId} has no voice client. Join a voice channel first.`)
      const { report } = member
      if (call.query.get('reset') === 'true') member.resetReport()
      return report
    },
  }),
]

/** People in voice, and bots as far as others move them about. */
export const PEOPLE_ROUTES: readonly ControlRoute[] = [...DEEDS, ...MODERATION, ...CLIENTS]

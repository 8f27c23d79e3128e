import { ChannelType } from 'discord-api-types/v10'
import { z } from 'zod'
import { createApplication, createUser } from '../world/applications.ts'
import {
  addApplication,
  addChannel,
  addMember,
  createGuild,
  deleteChannel,
  deleteGuild,
  removeMember,
  setUnavailable,
  tellChannelUpdate,
  tellOfGuild,
} from '../world/guilds.ts'
import { messagesOf, postMessage } from '../world/messages.ts'
import { giveVoiceBack, isVoice, takeVoiceAway } from '../world/voice.ts'
import { getApplication, type Channel, type Guild, type World } from '../world/world.ts'
import { channelOf, control, ControlError, guildOf, memberOf, type ControlRoute } from './route.ts'
import { viewApplication, viewGuild, viewMessage } from './views.ts'

const name = z.string().trim().min(1).max(100)
const count = (max: number) => z.number().int().min(0).max(max)

const NewGuild = z.object({
  name,
  voiceChannels: count(50).default(1),
  textChannels: count(20).default(1),
  members: count(1000).default(1),
  applications: z.array(z.string()).default([]).describe('ids of the bots to invite'),
})

function buildGuild(
  world: World,
  { name: called, voiceChannels, textChannels, members, applications }: z.output<typeof NewGuild>,
): Guild {
  const invited = applications.map((id) => getApplication(world, id))
  const owner = createUser(world.nextId(), 'owner', { displayName: 'Owner' })
  const guild = createGuild(world, { name: called, ownerId: owner.id })
  addMember(world, guild, owner)
  for (let i = 1; i <= textChannels; i += 1)
    addChannel(world, guild, { name: `text-${i}`, type: ChannelType.GuildText })
  for (let i = 1; i <= voiceChannels; i += 1)
    addChannel(world, guild, { name: `Voice ${i}`, type: ChannelType.GuildVoice })
  for (let i = 1; i <= members; i += 1) addMember(world, guild, createUser(world.nextId(), `member-${i}`))
  for (const application of invited) addApplication(world, guild, application)
  return guild
}

const ChannelFacts = z.object({
  name: name.optional(),
  userLimit: count(99).optional(),
  deny: z
    .array(z.object({ userId: z.string(), permissions: z.string().regex(/^\d+$/) }))
    .optional()
    .describe('what members may not do in this channel, as permission bits'),
})

function change(channel: Channel, { name: called, userLimit, deny }: z.output<typeof ChannelFacts>): void {
  if (called !== undefined) channel.name = called
  if (userLimit !== undefined && isVoice(channel)) channel.user_limit = userLimit
  if (deny) {
    channel.permission_overwrites = deny.map(({ userId, permissions }) => ({
      id: userId,
      type: 1,
      allow: '0',
      deny: permissions,
    }))
  }
}

const APPLICATIONS: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/applications',
    summary: 'The bots, with their tokens.',
    handle: ({ world }) => [...world.applications.values()].map((one) => viewApplication(world, one)),
  },
  control({
    method: 'POST',
    path: '/applications',
    summary: 'A further bot, in every guild or in those named.',
    body: z.object({
      name: z.string().trim().min(2).max(32),
      guildIds: z.array(z.string()).optional(),
      privileged: z.boolean().default(true).describe('may ask for privileged intents'),
      shards: z.int().min(1).max(16).default(1).describe('connections that it must share its guilds between'),
    }),
    handle({ world, body }) {
      const guilds = body.guildIds?.map((guildId) => guildOf({ world, params: { guildId } })) ?? [
        ...world.guilds.values(),
      ]
      const application = createApplication(world, body)
      for (const guild of guilds) addApplication(world, guild, application)
      return viewApplication(world, application)
    },
  }),
]

const GUILDS: readonly ControlRoute[] = [
  {
    method: 'GET',
    path: '/guilds',
    summary: 'Every guild.',
    handle: ({ world }) => [...world.guilds.values()].map((guild) => viewGuild(world, guild)),
  },
  control({
    method: 'POST',
    path: '/guilds',
    summary: 'A further guild.',
    body: NewGuild,
    handle: ({ world, body }) => viewGuild(world, buildGuild(world, body)),
  }),
  {
    method: 'GET',
    path: '/guilds/{guildId}',
    summary: 'A guild: channels, members, who is in voice.',
    handle: (call) => viewGuild(call.world, guildOf(call)),
  },
  control({
    method: 'PATCH',
    path: '/guilds/{guildId}',
    summary: 'An outage of the guild, or of its voice server (a null endpoint, then a new one).',
    body: z.object({ unavailable: z.boolean().optional(), voiceAway: z.boolean().optional() }),
    handle(call) {
      const guild = guildOf(call)
      const { unavailable, voiceAway } = call.body
      if (unavailable !== undefined) setUnavailable(call.world, guild, unavailable)
      if (voiceAway === true && !guild.voiceAway) takeVoiceAway(call.world, guild)
      if (voiceAway === false && guild.voiceAway) giveVoiceBack(call.world, guild)
      return viewGuild(call.world, guild)
    },
  }),
  {
    method: 'DELETE',
    path: '/guilds/{guildId}',
    summary: 'Delete a guild; its bots are told.',
    handle: (call) => deleteGuild(call.world, guildOf(call)),
  },
  control({
    method: 'POST',
    path: '/guilds/{guildId}/members',
    summary: 'A further member, or an existing bot by its id.',
    body: z.union([z.object({ name: z.string().trim().min(2).max(32) }), z.object({ applicationId: z.string() })]),
    handle(call) {
      const guild = guildOf(call)
      const { world, body } = call
      if ('applicationId' in body)
        return { id: addApplication(world, guild, getApplication(world, body.applicationId)).user.id }
      return { id: addMember(world, guild, createUser(world.nextId(), body.name)).user.id }
    },
  }),
  {
    method: 'DELETE',
    path: '/guilds/{guildId}/members/{userId}',
    summary: 'Kick a member, or a bot, out of the guild.',
    handle(call) {
      const { guild, userId } = memberOf(call)
      if (guild.ownerId === userId) throw new ControlError(409, 'The owner of a guild cannot be kicked.')
      removeMember(call.world, guild, userId)
    },
  },
  {
    method: 'POST',
    path: '/guilds/{guildId}/members/{userId}/guild-create',
    summary: 'Send a bot its GUILD_CREATE once more.',
    handle(call) {
      const { guild, userId } = memberOf(call)
      tellOfGuild(call.world, guild, getApplication(call.world, userId).id)
    },
  },
]

const CHANNELS: readonly ControlRoute[] = [
  control({
    method: 'POST',
    path: '/guilds/{guildId}/channels',
    summary: 'A further channel.',
    body: z.object({ name, type: z.enum(['text', 'voice', 'stage']), userLimit: count(99).default(0) }),
    handle(call) {
      const types = {
        text: ChannelType.GuildText,
        voice: ChannelType.GuildVoice,
        stage: ChannelType.GuildStageVoice,
      } as const
      const { name: called, type, userLimit } = call.body
      return addChannel(call.world, guildOf(call), { name: called, type: types[type], userLimit })
    },
  }),
  control({
    method: 'PATCH',
    path: '/guilds/{guildId}/channels/{channelId}',
    summary: 'Name, user limit and who may not do what in a channel.',
    body: ChannelFacts,
    handle(call) {
      const { guild, channel } = channelOf(call)
      change(channel, call.body)
      tellChannelUpdate(call.world, guild, channel)
      return channel
    },
  }),
  {
    method: 'DELETE',
    path: '/guilds/{guildId}/channels/{channelId}',
    summary: 'Delete a channel; whoever is in it is put out of voice.',
    handle(call) {
      const { guild, channel } = channelOf(call)
      deleteChannel(call.world, guild, channel)
    },
  },
  {
    method: 'GET',
    path: '/guilds/{guildId}/channels/{channelId}/messages',
    summary: 'Its messages, oldest first.',
    handle: (call) => [...messagesOf(call.world, channelOf(call).channel.id).values()].map(viewMessage),
  },
  control({
    method: 'POST',
    path: '/guilds/{guildId}/channels/{channelId}/messages',
    summary: 'A member writes something.',
    body: z.object({ userId: z.string(), content: z.string().min(1).max(2000) }),
    handle(call) {
      const { guild, channel } = channelOf(call)
      const { member } = memberOf({ world: call.world, params: { guildId: guild.id, userId: call.body.userId } })
      const draft = { content: call.body.content }
      return viewMessage(postMessage(call.world, { guild, channelId: channel.id }, { author: member.user, draft }))
    },
  }),
]

/** Guilds, channels, messages and bots. */
export const PLACE_ROUTES: readonly ControlRoute[] = [...APPLICATIONS, ...GUILDS, ...CHANNELS]

import { ChannelType, GatewayIntentBits as Intent } from 'discord-api-types/v10'
import { z } from 'zod'
import { setActivities } from '../world/activities.ts'
import { createApplication, createUser, PRIVILEGED } from '../world/applications.ts'
import {
  addApplication,
  addChannel,
  addMember,
  createGuild,
  createRole,
  deleteChannel,
  deleteGuild,
  removeMember,
  setUnavailable,
  tellChannelUpdate,
  tellMemberUpdate,
  tellOfGuild,
} from '../world/guilds.ts'
import { acceptInvite } from '../world/arrivals.ts'
import { giveVoiceBack, isVoice, takeVoiceAway } from '../world/voice.ts'
import { getApplication, type Channel, type Guild, type World } from '../world/world.ts'
import { permit, toBits } from '../worlds/permissions.ts'
import { Permissions } from '../worlds/schema.ts'
import { del, get, patch, post, channelOf, ControlError, guildOf, memberOf, type ControlRoute } from './route.ts'
import { viewApplication, viewGuild } from './views.ts'

const name = z.string().trim().min(1).max(100)
const count = (max: number) => z.number().int().min(0).max(max)

const NewGuild = z.object({
  name,
  voiceChannels: count(50).default(1),
  textChannels: count(20).default(1),
  members: count(1000).default(1),
  applications: z.array(z.string()).default([]).describe('IDs of the bots to invite'),
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
    .describe('denied permissions of members in this channel, as bits'),
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

const Activities = z
  .boolean()
  .describe('whether it has Activities; Discord makes the command that opens them, type 4, by itself')
const MessageContent = z.boolean().describe('whether the intent Message Content is on')

function grant(privileged: number, messageContent: boolean | undefined): number {
  if (messageContent === undefined) return privileged
  return messageContent ? privileged | Intent.MessageContent : privileged & ~Intent.MessageContent
}

const APPLICATIONS: readonly ControlRoute[] = [
  get('/applications', {
    summary: 'List the bots with their tokens.',
    handle: ({ world }) => [...world.applications.values()].map((one) => viewApplication(world, one)),
  }),
  post('/applications', {
    summary: 'Add a bot to all guilds, or to those in the list.',
    body: z.object({
      name: z.string().trim().min(2).max(32),
      guildIds: z.array(z.string()).optional(),
      privileged: z.boolean().default(true).describe('whether it can request privileged intents'),
      messageContent: MessageContent.optional(),
      activities: Activities.default(false),
      shards: z.int().min(1).max(16).default(1).describe('number of shards'),
      maxConcurrency: z.int().min(1).max(16).default(1).describe('shards that may identify within 5 s'),
      sessionStarts: z.int().min(1).max(100_000).default(1000).describe('identifies a day'),
      permissions: Permissions.optional().describe('that it is invited with; defaults to those of a music bot'),
    }),
    handle({ world, body }) {
      const guilds = body.guildIds?.map((guildId) => guildOf({ world, params: { guildId } })) ?? [
        ...world.guilds.values(),
      ]
      const privileged = grant(body.privileged ? PRIVILEGED : 0, body.messageContent)
      const application = createApplication(world, { ...body, privileged })
      setActivities(world, application, body.activities)
      for (const guild of guilds) {
        addApplication(world, guild, application)
        if (body.permissions) permit(guild, application.id, toBits(body.permissions))
      }
      return viewApplication(world, application)
    },
  }),
  patch('/applications/{applicationId}', {
    summary:
      'Turn an intent or Activities of a bot on or off, as in the developer portal. Existing logins keep an intent.',
    body: z.object({ messageContent: MessageContent.optional(), activities: Activities.optional() }),
    handle({ world, body, params }) {
      const application = getApplication(world, params['applicationId'] ?? '')
      application.privileged = grant(application.privileged, body.messageContent)
      setActivities(world, application, body.activities ?? application.hasActivities)
      world.notices.emit('applications')
      return viewApplication(world, application)
    },
  }),
]

const GUILDS: readonly ControlRoute[] = [
  get('/guilds', {
    summary: 'List the guilds.',
    handle: ({ world }) => [...world.guilds.values()].map((guild) => viewGuild(world, guild)),
  }),
  post('/guilds', {
    summary: 'Add a guild.',
    body: NewGuild,
    handle: ({ world, body }) => viewGuild(world, buildGuild(world, body)),
  }),
  get('/guilds/{guildId}', {
    summary: 'Get a guild with channels, members and voice states.',
    handle: (call) => viewGuild(call.world, guildOf(call)),
  }),
  patch('/guilds/{guildId}', {
    summary: 'Start or end an outage of the guild, or of its voice server (a null endpoint, then a new one).',
    body: z.object({ unavailable: z.boolean().optional(), voiceAway: z.boolean().optional() }),
    handle(call) {
      const guild = guildOf(call)
      const { unavailable, voiceAway } = call.body
      if (unavailable !== undefined) setUnavailable(call.world, guild, unavailable)
      if (voiceAway === true && !guild.voiceAway) takeVoiceAway(call.world, guild)
      if (voiceAway === false && guild.voiceAway) giveVoiceBack(call.world, guild)
      call.world.notices.emit('rules')
      return viewGuild(call.world, guild)
    },
  }),
  del('/guilds/{guildId}', {
    summary: 'Delete a guild. Its bots get the event.',
    handle: (call) => deleteGuild(call.world, guildOf(call)),
  }),
  post('/guilds/{guildId}/members', {
    summary: 'Add a member, who comes by an invite if one is named, or an existing bot by its ID.',
    body: z.union([
      z.object({
        name: z.string().trim().min(2).max(32),
        invite: z.string().optional().describe('code of an invite of this guild, which counts the use'),
      }),
      z.object({ applicationId: z.string() }),
    ]),
    handle(call) {
      const guild = guildOf(call)
      const { world, body } = call
      if ('applicationId' in body)
        return { id: addApplication(world, guild, getApplication(world, body.applicationId)).user.id }
      const user = createUser(world.nextId(), body.name)
      if (body.invite === undefined) return { id: addMember(world, guild, user).user.id }
      if (!guild.invites.has(body.invite)) throw new ControlError(404, `Invite ${body.invite} doesn't exist.`)
      return { id: acceptInvite(world, body.invite, user).member.user.id }
    },
  }),
  post('/guilds/{guildId}/roles', {
    summary: 'Add a role, for members or bots.',
    body: z.object({ name, permissions: z.string().regex(/^\d+$/).default('0'), userIds: z.array(z.string()) }),
    handle({ world, body, params }) {
      const guild = guildOf({ world, params })
      const members = body.userIds.map((userId) => memberOf({ world, params: { guildId: guild.id, userId } }).member)
      const role = createRole(world, guild, { name: body.name, permissions: BigInt(body.permissions) })
      for (const member of members) {
        member.roles.push(role.id)
        tellMemberUpdate(world, guild, member)
      }
      return role
    },
  }),
  del('/guilds/{guildId}/members/{userId}', {
    summary: 'Kick a member or a bot.',
    handle(call) {
      const { guild, userId } = memberOf(call)
      if (guild.ownerId === userId) throw new ControlError(409, "You can't kick the owner of a guild.")
      removeMember(call.world, guild, userId)
    },
  }),
  post('/guilds/{guildId}/members/{userId}/guild-create', {
    summary: 'Send a bot its GUILD_CREATE again.',
    handle(call) {
      const { guild, userId } = memberOf(call)
      tellOfGuild(call.world, guild, getApplication(call.world, userId).id)
    },
  }),
]

const CHANNELS: readonly ControlRoute[] = [
  post('/guilds/{guildId}/channels', {
    summary: 'Add a channel.',
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
  patch('/guilds/{guildId}/channels/{channelId}', {
    summary: 'Change the name, user limit or denied permissions of a channel.',
    body: ChannelFacts,
    handle(call) {
      const { guild, channel } = channelOf(call)
      change(channel, call.body)
      tellChannelUpdate(call.world, guild, channel)
      return channel
    },
  }),
  del('/guilds/{guildId}/channels/{channelId}', {
    summary: 'Delete a channel, and disconnect its voice members.',
    handle(call) {
      const { guild, channel } = channelOf(call)
      deleteChannel(call.world, guild, channel)
    },
  }),
]

/** Guilds, channels and bots. */
export const PLACE_ROUTES: readonly ControlRoute[] = [...APPLICATIONS, ...GUILDS, ...CHANNELS]

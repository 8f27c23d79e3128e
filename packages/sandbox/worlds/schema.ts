import { PermissionFlagsBits } from 'discord-api-types/v10'
import { z } from 'zod'

const GUILDS_MAX = 1000
const MEMBERS_MAX = 10_000
const CHANNELS_MAX = 500
const ROLES_MAX = 250
const MESSAGES_MAX = 500

const id = z.string().regex(/^\d{15,20}$/, 'Must be an ID of 15 to 20 digits, in quotes.')
const ref = z.string().min(1).max(100)
const instant = z.iso.datetime({ offset: true })
const flag = z.enum(Object.keys(PermissionFlagsBits) as [keyof typeof PermissionFlagsBits])

/** Names of permissions, or all bits as a number in quotes. */
export const Permissions = z.union([z.array(flag), z.string().regex(/^\d{1,20}$/)])

const Overwrite = z
  .strictObject({
    role: ref.optional().describe('name or ID; `@everyone` for all'),
    member: ref.optional().describe('name or ID of a member or a bot'),
    allow: Permissions.default([]),
    deny: Permissions.default([]),
  })
  .refine(({ role, member }) => (role === undefined) !== (member === undefined), 'Name either a role or a member.')

const Message = z
  .strictObject({
    id: id.optional(),
    author: ref.describe('name or ID of a member or a bot'),
    content: z.string().max(2000).default(''),
    embeds: z.array(z.looseObject({})).max(10).default([]),
    components: z
      .array(z.looseObject({ type: z.int() }))
      .max(40)
      .default([]),
    pinned: z.boolean().default(false),
    at: instant.optional().describe('defaults to the moment of the start'),
  })
  .refine(({ content, embeds, components }) => content !== '' || embeds.length + components.length > 0, {
    error: 'A message needs content, embeds or components.',
  })

const Channel = z.strictObject({
  id: id.optional(),
  name: ref,
  type: z.enum(['text', 'voice', 'stage', 'category']).default('text'),
  parent: ref.optional().describe('name or ID of a category'),
  topic: z.string().max(1024).optional(),
  userLimit: z.int().min(0).max(99).optional(),
  bitrate: z.int().min(8000).max(384_000).optional(),
  nsfw: z.boolean().default(false),
  slowmodeSeconds: z.int().min(0).max(21_600).default(0),
  overwrites: z.array(Overwrite).max(500).default([]),
  messages: z.array(Message).max(MESSAGES_MAX).default([]).describe('the oldest first'),
})

const Role = z.strictObject({
  id: id.optional(),
  name: ref,
  permissions: Permissions.default([]),
  color: z.int().min(0).max(0xff_ff_ff).default(0),
  hoist: z.boolean().default(false),
  mentionable: z.boolean().default(false),
})

const MemberVoice = z.strictObject({
  channel: ref.describe('name or ID of a voice or stage channel'),
  client: z.boolean().default(true).describe('whether they hear and speak; otherwise they are only listed there'),
  selfMute: z.boolean().default(false),
  selfDeaf: z.boolean().default(false),
})

const Member = z.strictObject({
  id: id.optional(),
  name: z.string().min(2).max(32).describe('username'),
  displayName: z.string().min(1).max(32).optional(),
  nick: z.string().min(1).max(32).optional(),
  roles: z.array(ref).default([]).describe('names or IDs'),
  joinedAt: instant.optional(),
  serverMuted: z.boolean().default(false),
  serverDeafened: z.boolean().default(false),
  timeoutUntil: instant.optional(),
  voice: MemberVoice.optional(),
})

const Invited = z.strictObject({
  application: ref.describe('name or ID'),
  permissions: Permissions.optional().describe('of its own role; defaults to those of a music bot'),
  roles: z.array(ref).default([]),
  nick: z.string().min(1).max(32).optional(),
})

const Guild = z.strictObject({
  id: id.optional(),
  name: ref,
  owner: ref.optional().describe('name or ID of a member; defaults to the first'),
  everyone: Permissions.optional().describe('what all members may do'),
  roles: z.array(Role).max(ROLES_MAX).default([]),
  channels: z.array(Channel).max(CHANNELS_MAX).default([]),
  members: z.array(Member).min(1, 'A guild needs a member, who owns it.').max(MEMBERS_MAX),
  applications: z
    .array(z.union([ref.transform((application) => ({ application, roles: [] })), Invited]))
    .max(50)
    .default([])
    .describe('bots in the guild, by name or ID'),
})

const Application = z.strictObject({
  id: id.optional(),
  name: z.string().trim().min(2).max(32),
  token: z.string().min(10).max(200).optional().describe('made up if it is left out'),
  intents: z
    .array(z.enum(['GuildMembers', 'GuildPresences', 'MessageContent']))
    .default(['GuildMembers', 'GuildPresences', 'MessageContent'])
    .describe('privileged intents that it may request'),
  activities: z
    .boolean()
    .default(false)
    .describe('whether it has Activities, and so an entry point among its commands'),
  shards: z.int().min(1).max(16).default(1),
  maxConcurrency: z.int().min(1).max(16).default(1),
  sessionStarts: z.int().min(1).max(100_000).default(1000),
  commands: z
    .array(z.looseObject({ name: z.string() }))
    .max(300)
    .default([])
    .describe('as `PUT /applications/…/commands`'),
})

/** A world as data: what is in it when the sandbox starts. */
export const WorldFile = z.strictObject({
  version: z.literal(1).default(1),
  clock: z.strictObject({ at: instant, frozen: z.boolean().default(false) }).optional(),
  applications: z.array(Application).max(100).default([]),
  guilds: z.array(Guild).max(GUILDS_MAX).default([]),
})
export type WorldFile = z.output<typeof WorldFile>
/** A world as input: fields with a default are optional. */
export type WorldDraft = z.input<typeof WorldFile>
export type GuildFile = WorldFile['guilds'][number]
export type ChannelFile = GuildFile['channels'][number]
export type MemberFile = GuildFile['members'][number]
export type MessageFile = ChannelFile['messages'][number]
export type ApplicationFile = WorldFile['applications'][number]
export type PermissionsFile = z.output<typeof Permissions>

import {
  ChannelType,
  GatewayIntentBits,
  OverwriteType,
  type APIApplicationCommand,
  type APIMessage,
} from 'discord-api-types/v10'
import { isEphemeral } from '../world/messages.ts'
import type { Application, Channel, Guild, Member, Voice, World } from '../world/world.ts'
import { isOwnRole } from './build-guild.ts'
import { createReferences } from './names.ts'
import { fromBits } from './permissions.ts'
import type { ChannelFile, GuildFile, MessageFile, WorldDraft } from './schema.ts'

const INTENTS = ['GuildMembers', 'GuildPresences', 'MessageContent'] as const
type Optional<T> = { readonly [K in keyof T]?: T[K] | undefined }

/** The world as a file would describe it, IDs and tokens included. `hasClient`: who hears and speaks in voice. */
export function exportWorld(world: World, hasClient: (voice: Voice) => boolean): WorldDraft {
  const applications = [...world.applications.values()]
  const { frozen, now } = world.clock.view()
  const botName = createReferences(applications)
  return {
    version: 1,
    ...(frozen ? { clock: { at: now, frozen } } : {}),
    applications: applications.map(exportApplication),
    guilds: [...world.guilds.values()].map((guild) => exportGuild({ world, guild, botName, hasClient })),
  }
}

function exportApplication({
  id,
  name,
  token,
  privileged,
  hasActivities: activities,
  shards,
  maxConcurrency,
  sessionStarts,
  commands,
}: Application) {
  const intents = INTENTS.filter((intent) => privileged & GatewayIntentBits[intent])
  const global = [...commands.values()].filter(({ guild_id: guildId }) => guildId === undefined)
  const facts = { id, name, token, intents, activities, shards, maxConcurrency, sessionStarts }
  return { ...facts, commands: global.map(withoutVersion) }
}

/** Drops the version, since a command gets a new one with every start. */
function withoutVersion({ version: _version, ...command }: APIApplicationCommand) {
  return command
}

interface Exporting {
  readonly world: World
  readonly guild: Guild
  readonly botName: (id: string) => string
  readonly hasClient: (voice: Voice) => boolean
}

function exportGuild(exporting: Exporting): GuildFile {
  const { world, guild, botName } = exporting
  const roles = [...guild.roles.values()]
  const own = roles.filter(({ managed, id }) => !managed && id !== guild.id)
  const members = [...guild.members.values()]
  const roleName = createReferences([...own, { id: guild.id, name: '@everyone' }])
  const people = members.map(({ user }) => ({ id: user.id, name: user.username }))
  const personName = createReferences(people)
  const rolesOf = (member: Member) => member.roles.filter((id) => own.some((role) => role.id === id)).map(roleName)
  return {
    id: guild.id,
    name: guild.name,
    owner: personName(guild.ownerId),
    everyone: fromBits(BigInt(guild.roles.get(guild.id)?.permissions ?? 0)),
    roles: own.map(({ id, name, permissions, color, hoist, mentionable }) => {
      return { id, name, permissions: fromBits(BigInt(permissions)), color, hoist, mentionable }
    }),
    channels: [...guild.channels.values()].flatMap((channel) =>
      exportChannel(exporting, channel, { roleName, personName }),
    ),
    members: members
      .filter(({ user }) => !world.applications.has(user.id))
      .map((member) => exportMember(exporting, member, rolesOf(member))),
    applications: members
      .filter(({ user }) => world.applications.has(user.id))
      .map((member) => {
        const role = roles.find((one) => isOwnRole(one, member.user.id))
        return defined({
          application: botName(member.user.id),
          permissions: fromBits(BigInt(role?.permissions ?? 0)),
          roles: rolesOf(member),
          nick: member.nick ?? undefined,
        })
      }),
  }
}

function exportMember(
  { guild, hasClient }: Exporting,
  member: Member,
  roles: readonly string[],
): GuildFile['members'][number] {
  const { user, nick, joined_at: joinedAt, communication_disabled_until: timeoutUntil } = member
  const voice = guild.voice.get(user.id)
  const channels = createReferences([...guild.channels.values()].map(({ id, name }) => ({ id, name: name ?? '' })))
  return defined({
    id: user.id,
    name: user.username,
    displayName: user.global_name ?? undefined,
    nick: nick ?? undefined,
    roles: [...roles],
    joinedAt: joinedAt ?? undefined,
    serverMuted: member.mute,
    serverDeafened: member.deaf,
    timeoutUntil: timeoutUntil ?? undefined,
    voice: voice && {
      channel: channels(voice.channelId),
      client: hasClient(voice),
      selfMute: voice.selfMute,
      selfDeaf: voice.selfDeaf,
    },
  })
}

const TYPES: Readonly<Partial<Record<ChannelType, ChannelFile['type']>>> = {
  [ChannelType.GuildText]: 'text',
  [ChannelType.GuildVoice]: 'voice',
  [ChannelType.GuildStageVoice]: 'stage',
  [ChannelType.GuildCategory]: 'category',
}

type NameOf = (id: string) => string

/** Nothing for a channel of a type that files do not have. */
function exportChannel(
  { world, guild }: Exporting,
  channel: Channel,
  { roleName, personName }: { readonly roleName: NameOf; readonly personName: NameOf },
): ChannelFile[] {
  const type = TYPES[channel.type]
  if (type === undefined) return []
  const categories = createReferences([...guild.channels.values()].map(({ id, name }) => ({ id, name: name ?? '' })))
  const parent = 'parent_id' in channel ? channel.parent_id : null
  const overwrites = (channel.permission_overwrites ?? []).map(({ id, type: kind, allow, deny }) => {
    const bits = { allow: fromBits(BigInt(allow)), deny: fromBits(BigInt(deny)) }
    return Object.assign(kind === OverwriteType.Role ? { role: roleName(id) } : { member: personName(id) }, bits)
  })
  const isThere = ({ author }: APIMessage) => guild.members.has(author.id)
  const messages = [...(world.messages.get(channel.id)?.values() ?? [])].filter(
    (one) => isThere(one) && !isEphemeral(one),
  )
  return [
    defined({
      id: channel.id,
      name: channel.name ?? '',
      type,
      parent: typeof parent === 'string' ? categories(parent) : undefined,
      topic: 'topic' in channel ? (channel.topic ?? undefined) : undefined,
      userLimit: 'user_limit' in channel ? channel.user_limit : undefined,
      bitrate: 'bitrate' in channel ? channel.bitrate : undefined,
      nsfw: ('nsfw' in channel && channel.nsfw) || false,
      slowmodeSeconds: ('rate_limit_per_user' in channel && channel.rate_limit_per_user) || 0,
      overwrites,
      messages: messages.flatMap((message) => exportMessage(message, personName)),
    }),
  ]
}

/** Nothing for what has neither text nor embeds nor components, as a file or a poll: files do not have them. */
function exportMessage(message: APIMessage, personName: NameOf): ChannelFile['messages'] {
  const { id, author, content, embeds, components = [], pinned, timestamp } = message
  if (content === '' && embeds.length + components.length === 0) return []
  const parts = structuredClone({ embeds, components }) as unknown as Pick<MessageFile, 'embeds' | 'components'>
  return [{ id, author: personName(author.id), content, ...parts, pinned, at: new Date(timestamp).toISOString() }]
}

/** Without the fields that have no value. */
function defined<T extends object>(whole: T): { [K in keyof T]: Exclude<T[K], undefined> } & Optional<T> {
  return Object.fromEntries(Object.entries(whole).filter(([, value]) => value !== undefined)) as never
}

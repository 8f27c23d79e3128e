import { ChannelType, OverwriteType, type APIOverwrite, type APIRole, type APIUser } from 'discord-api-types/v10'
import { createUser } from '../world/applications.ts'
import { addApplication, addChannel, addMember, createGuild, createRole } from '../world/guilds.ts'
import { isVoice } from '../world/voice.ts'
import type { Application, Channel, Guild, Member, World } from '../world/world.ts'
import { postFromFile } from './messages.ts'
import { createNames, type Names } from './names.ts'
import { permit, toBits } from './permissions.ts'
import type { WorldProblem } from './read.ts'
import type { ChannelFile, GuildFile, MemberFile } from './schema.ts'

/** Someone who is in a voice channel from the start; a client has to be connected for them. */
export interface Seat {
  readonly guild: Guild
  readonly userId: string
  readonly channelId: string
  readonly client: boolean
  readonly selfMute: boolean
  readonly selfDeaf: boolean
}

export interface Building {
  readonly world: World
  readonly applications: Names<Application>
  readonly note: (problem: WorldProblem) => void
}

interface Named {
  readonly id: string
  readonly name: string
}

/** A guild under construction, with all that can be referred to in it. */
interface Site extends Building {
  readonly guild: Guild
  readonly roles: Names<Named>
  readonly people: Names<Named>
}

/** @returns who sits in its voice channels. */
export function buildGuild(building: Building, file: GuildFile, path: string): readonly Seat[] {
  const { world, note } = building
  const users = file.members.map((one) => userOf(world, one))
  const people = file.members.map((one, i) => ({ id: users[i]?.id ?? '', name: one.name }))
  const owner =
    file.owner === undefined ? people[0] : createNames('member', people, note).find(file.owner, `${path}.owner`)
  const guild = createGuild(world, { ...idOf(file), name: file.name, ownerId: owner?.id ?? '' })
  const everyone = guild.roles.get(guild.id)
  if (everyone && file.everyone) everyone.permissions = String(toBits(file.everyone))
  const roles = file.roles.map((one) => {
    const { name, permissions, color, hoist, mentionable } = one
    const role = createRole(world, guild, { ...idOf(one), name, permissions: toBits(permissions) })
    return Object.assign(role, { color, hoist, mentionable, colors: { ...role.colors, primary_color: color } })
  })
  const roleNames = createNames<Named>('role', [...roles, { id: guild.id, name: '@everyone' }], note)
  const bots = inviteBots({ ...building, guild, roles: roleNames }, file, path)
  const site: Site = { ...building, guild, roles: roleNames, people: createNames('member', [...people, ...bots], note) }
  for (const [i, member] of file.members.entries()) {
    const user = users[i]
    if (user) joinGuild(site, { member, user }, `${path}.members.${i}`)
  }
  const channels = buildChannels(site, file, path)
  for (const [i, { messages }] of file.channels.entries()) {
    const channel = channels[i]
    for (const [j, message] of channel ? messages.entries() : []) {
      if (channel) postFromFile(site, { channel, message }, `${path}.channels.${i}.messages.${j}`)
    }
  }
  return seatsOf(site, { file, users, channels: createNames('channel', channels.map(nameOf), note) }, path)
}

const idOf = ({ id }: { readonly id?: string | undefined }) => (id === undefined ? {} : { id })
const nameOf = ({ id, name }: Channel): Named => ({ id, name: name ?? '' })

/** Someone who is in several guilds is one user. */
function userOf(world: World, { id, name, displayName }: MemberFile): APIUser {
  const known = id === undefined ? undefined : world.users.get(id)
  return known ?? createUser(id ?? world.nextId(), name, displayName === undefined ? {} : { displayName })
}

function inviteBots(site: Omit<Site, 'people'>, { applications }: GuildFile, path: string): readonly Named[] {
  const { world, guild } = site
  return applications.flatMap((invited, i) => {
    const at = `${path}.applications.${i}`
    const application = site.applications.find(invited.application, at)
    if (!application) return []
    const member = addApplication(world, guild, application)
    if ('nick' in invited && invited.nick !== undefined) member.nick = invited.nick
    if ('permissions' in invited && invited.permissions) permit(guild, application.id, toBits(invited.permissions))
    giveRoles(site, { member, roles: invited.roles }, at)
    return { id: application.id, name: application.name }
  })
}

export const isOwnRole = ({ tags }: APIRole, applicationId: string): boolean => tags?.bot_id === applicationId

function giveRoles(
  site: Pick<Site, 'roles'>,
  { member, roles }: { member: Member; roles: readonly string[] },
  path: string,
): void {
  for (const [i, reference] of roles.entries()) {
    const role = site.roles.find(reference, `${path}.roles.${i}`)
    if (role) member.roles.push(role.id)
  }
}

function joinGuild(site: Site, { member: file, user }: { member: MemberFile; user: APIUser }, path: string): void {
  const member = addMember(site.world, site.guild, user)
  member.nick = file.nick ?? null
  member.mute = file.serverMuted
  member.deaf = file.serverDeafened
  if (file.joinedAt !== undefined) member.joined_at = new Date(file.joinedAt).toISOString()
  if (file.timeoutUntil !== undefined) member.communication_disabled_until = new Date(file.timeoutUntil).toISOString()
  giveRoles(site, { member, roles: file.roles }, path)
}

const TYPES = {
  text: ChannelType.GuildText,
  voice: ChannelType.GuildVoice,
  stage: ChannelType.GuildStageVoice,
  category: ChannelType.GuildCategory,
} as const

function buildChannels(site: Site, { channels }: GuildFile, path: string): readonly Channel[] {
  const built = channels.map((file, i) => buildChannel(site, file, `${path}.channels.${i}`))
  const categories = built.filter(({ type }) => type === ChannelType.GuildCategory).map(nameOf)
  const names = createNames('category', categories, site.note)
  for (const [i, { parent }] of channels.entries()) {
    const found = parent === undefined ? undefined : names.find(parent, `${path}.channels.${i}.parent`)
    const channel = built[i]
    if (found && channel && 'parent_id' in channel) channel.parent_id = found.id
  }
  return built
}

function buildChannel(site: Site, file: ChannelFile, path: string): Channel {
  const { world, guild } = site
  const { name, topic, userLimit, bitrate, nsfw, slowmodeSeconds } = file
  const overwrites = file.overwrites.flatMap((one, i) => overwriteOf(site, one, `${path}.overwrites.${i}`))
  const type = TYPES[file.type]
  if (type === ChannelType.GuildCategory) {
    const id = file.id ?? world.nextId()
    const place = { position: guild.channels.size, permission_overwrites: overwrites, parent_id: null, flags: 0 }
    const category = { id, guild_id: guild.id, name, type, nsfw: false, ...place } as const
    guild.channels.set(id, category)
    return category
  }
  const facts = { ...idOf(file), name, type, overwrites, topic: topic ?? null, userLimit: userLimit ?? 0 }
  const channel = addChannel(world, guild, facts)
  if (bitrate !== undefined && isVoice(channel)) channel.bitrate = bitrate
  return Object.assign(channel, { nsfw, rate_limit_per_user: slowmodeSeconds })
}

function overwriteOf(site: Site, file: ChannelFile['overwrites'][number], path: string): APIOverwrite[] {
  const { role, member, allow, deny } = file
  const found =
    role === undefined ? site.people.find(member ?? '', `${path}.member`) : site.roles.find(role, `${path}.role`)
  if (!found) return []
  const type = role === undefined ? OverwriteType.Member : OverwriteType.Role
  return [{ id: found.id, type, allow: String(toBits(allow)), deny: String(toBits(deny)) }]
}

function seatsOf(
  { guild, note }: Site,
  { file, users, channels }: { file: GuildFile; users: readonly APIUser[]; channels: Names<Named> },
  path: string,
): readonly Seat[] {
  return file.members.flatMap(({ voice }, i) => {
    if (!voice) return []
    const at = `${path}.members.${i}.voice.channel`
    const channel = guild.channels.get(channels.find(voice.channel, at)?.id ?? '')
    if (channel && !isVoice(channel)) note({ path: at, message: `${voice.channel} isn't a voice channel.` })
    if (!isVoice(channel)) return []
    const { client, selfMute, selfDeaf } = voice
    return [{ guild, userId: users[i]?.id ?? '', channelId: channel.id, client, selfMute, selfDeaf }]
  })
}

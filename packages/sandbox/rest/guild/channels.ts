import { ChannelType } from 'discord-api-types/v10'
import { z } from 'zod'
import { mustFind } from '../../world/errors.ts'
import { addChannel, editChannel } from '../../world/guild/channels.ts'
import { Permission } from '../../world/permissions.ts'
import { NewChannel } from '../channel/channel-body.ts'
import { categoryOf, demandNamed } from '../channel/channels.ts'
import { withTagIds } from '../channel/tags.ts'
import { Id, parseBody } from '../form.ts'
import { actorOf, created, demand, guildOf, noContent, ok, type Call, type Route } from '../route.ts'

const CHANNELS = '/guilds/{guildId}/channels'
/** Types whose names Discord writes in lower case, with dashes. */
const PLAIN_NAMES: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildForum,
  ChannelType.GuildMedia,
])

function create(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageChannels)
  const { name, type, parent_id: parentId, position, ...given } = parseBody(NewChannel, call.body)
  const { permission_overwrites: overwrites, available_tags: tags, topic, ...settings } = given
  if (overwrites?.length) demandNamed(call, guild, overwrites)
  const parent = parentId ? categoryOf(guild, parentId) : undefined
  const facts = {
    name: PLAIN_NAMES.has(type) ? name.trim().toLowerCase().replaceAll(/\s+/g, '-') : name,
    type,
    // A new channel in a category inherits the category's overwrites.
    overwrites: overwrites ?? parent?.permission_overwrites ?? [],
    parentId: parentId ?? null,
    ...(position === undefined ? {} : { position }),
    settings: { ...settings, topic, ...(tags ? { available_tags: withTagIds(call.world, [], tags) } : {}) },
  }
  return created(addChannel(call.world, guild, facts, actorOf(call)))
}

const Positions = z.array(
  z.object({
    id: Id,
    position: z.int().min(0).nullish(),
    parent_id: Id.nullish(),
    lock_permissions: z.boolean().nullish(),
  }),
)

function move(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageChannels)
  for (const { id, position, parent_id, lock_permissions: locks } of parseBody(Positions, call.body)) {
    const channel = mustFind(guild.channels.get(id), 'unknownChannel')
    const parent = parent_id ? categoryOf(guild, parent_id) : undefined
    const inherited = locks && parent ? { permission_overwrites: parent.permission_overwrites ?? [] } : {}
    const change = { position: position ?? undefined, parent_id, ...inherited }
    editChannel(call.world, guild, channel, { change, by: actorOf(call) })
  }
  return noContent
}

export const GUILD_CHANNEL_ROUTES: readonly Route[] = [
  { method: 'GET', path: CHANNELS, handle: (call) => ok([...guildOf(call).channels.values()]) },
  { method: 'POST', path: CHANNELS, lacks: ['default_tag_setting'], handle: create },
  { method: 'PATCH', path: CHANNELS, handle: move },
]

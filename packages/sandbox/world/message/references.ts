import {
  ChannelType,
  MessageReferenceType,
  MessageType,
  type APIMessage,
  type APIMessageSnapshotFields,
} from 'discord-api-types/v10'
import { DiscordError, mustFind } from '../errors.ts'
import { may, Permission } from '../permissions.ts'
import type { Guild, World } from '../world.ts'
import type { Draft } from './drafts.ts'

interface Spot {
  readonly guild: Guild | null
  readonly channelId: string
}
type Reference = NonNullable<Draft['message_reference']>

/** Everyone named in the text, as far as the draft allows them to be notified, and the author of the message replied to. */
export function mention(
  world: World,
  { guild }: Spot,
  message: APIMessage,
  { allowed_mentions: allowed }: Draft,
): void {
  /** Mentions of a kind that the draft may notify; all of them without rules. */
  const called = (kind: 'users' | 'roles', pattern: RegExp): string[] => {
    const named = [...new Set([...message.content.matchAll(pattern)].map(([, id]) => id ?? ''))]
    if (!allowed || allowed.parse?.includes(kind)) return named
    return named.filter((id) => allowed[kind]?.includes(id))
  }
  const replied = (allowed?.replied_user ?? true) ? message.referenced_message?.author : undefined
  const users = called('users', /<@!?(\d+)>/g).flatMap((id) => world.users.get(id) ?? [])
  message.mentions = replied && !users.some(({ id }) => id === replied.id) ? [...users, replied] : users
  const mayAll = guild !== null && may(guild, message.author.id, Permission.MentionEveryone)
  message.mention_roles = called('roles', /<@&(\d+)>/g).filter((id) => guild?.roles.has(id))
  const named = /@(everyone|here)\b/.test(message.content)
  message.mention_everyone = mayAll && named && (!allowed || (allowed.parse?.includes('everyone') ?? false))
}

/** Adds the message that this one replies to or forwards. */
export function refer(world: World, message: APIMessage, spot: Spot, { message_reference: reference }: Draft): void {
  if (!reference) return
  if (reference.type === MessageReferenceType.Forward) forward(world, message, spot.guild, reference)
  else reply(world, message, spot, reference)
}

function reply(world: World, message: APIMessage, { guild, channelId }: Spot, reference: Reference): void {
  const original = world.messages.get(channelId)?.get(reference.message_id)
  if (!original && reference.fail_if_not_exists !== false) throw new DiscordError('unknownMessage')
  message.message_reference = {
    type: MessageReferenceType.Default,
    message_id: reference.message_id,
    channel_id: channelId,
    ...(guild ? { guild_id: guild.id } : {}),
  }
  message.referenced_message = original ?? null
  if (message.type === MessageType.Default) message.type = MessageType.Reply
}

/** Copies the original as it is now; later edits of it do not show in the copy. */
function forward(world: World, message: APIMessage, here: Guild | null, reference: Reference): void {
  const channelId = reference.channel_id ?? message.channel_id
  const original = mustFind(world.messages.get(channelId)?.get(reference.message_id), 'unknownMessage')
  const guild = guildWith(world, channelId)
  if (guild && !reads(guild, channelId, message.author.id)) throw new DiscordError('missingAccess')
  message.message_reference = {
    type: MessageReferenceType.Forward,
    message_id: original.id,
    channel_id: channelId,
    ...(guild ? { guild_id: guild.id } : {}),
  }
  const { type, content, embeds, attachments, timestamp, edited_timestamp, flags, mentions } = original
  const copy: APIMessageSnapshotFields = {
    type,
    content,
    embeds,
    attachments,
    timestamp,
    edited_timestamp,
    mentions,
    mention_roles: here && here === guild ? original.mention_roles : [],
    components: original.components ?? [],
    ...(flags === undefined ? {} : { flags }),
    ...(original.sticker_items ? { sticker_items: original.sticker_items } : {}),
  }
  message.message_snapshots = [{ message: structuredClone(copy) }]
}

function guildWith(world: World, channelId: string): Guild | undefined {
  return world.guilds.values().find(({ channels, threads }) => channels.has(channelId) || threads.has(channelId))
}

function reads(guild: Guild, channelId: string, userId: string): boolean {
  const thread = guild.threads.get(channelId)
  const channel = thread ?? guild.channels.get(channelId)
  const isHidden = thread?.type === ChannelType.PrivateThread && !guild.threadMembers.get(channelId)?.has(userId)
  if (isHidden) return false
  return may(guild, userId, Permission.ViewChannel | Permission.ReadMessageHistory, channel)
}

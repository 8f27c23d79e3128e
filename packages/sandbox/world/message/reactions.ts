import {
  GatewayDispatchEvents,
  ReactionType,
  type APIMessage,
  type APIPartialEmoji,
  type APIUser,
} from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import type { Place } from '../messages.ts'
import { tell, type World } from '../world.ts'

const MAX_EMOJIS = 20

/** An emoji as reactions name it: one of Unicode, or one of a guild. */
export type ReactionEmoji = Pick<APIPartialEmoji, 'id' | 'name' | 'animated'>

export interface Reaction {
  readonly userId: string
  readonly emoji: ReactionEmoji
  readonly on: boolean
}

const keyOf = ({ id, name }: ReactionEmoji) => id ?? name ?? ''

/** Adds or takes back one person's reaction. No-op where nothing changes. */
export function react(world: World, place: Place, message: APIMessage, { userId, emoji, on }: Reaction): void {
  const users = usersOf(world, message).get(keyOf(emoji)) ?? new Set<string>()
  if (users.has(userId) === on) return
  if (on && users.size === 0 && usersOf(world, message).size >= MAX_EMOJIS) throw new DiscordError('tooManyReactions')
  if (on) users.add(userId)
  else users.delete(userId)
  setUsers(world, message, emoji, users)
  const { guild } = place
  const d = {
    user_id: userId,
    channel_id: message.channel_id,
    message_id: message.id,
    ...(guild ? { guild_id: guild.id } : {}),
    emoji,
    burst: false,
    type: ReactionType.Normal,
  }
  const to = guild ? undefined : world.dms.get(place.channelId)?.applicationId
  const member = guild?.members.get(userId)
  const { MessageReactionAdd, MessageReactionRemove } = GatewayDispatchEvents
  if (!on) return tell(world, guild?.id ?? null, { t: MessageReactionRemove, d }, to)
  const added = { ...d, message_author_id: message.author.id, ...(member ? { member } : {}) }
  tell(world, guild?.id ?? null, { t: MessageReactionAdd, d: added }, to)
}

/** Users who reacted, by emoji, in the order of the emojis. */
function usersOf(world: World, message: APIMessage): Map<string, Set<string>> {
  const known = world.reactions.get(message.id)
  if (known) return known
  const fresh = new Map<string, Set<string>>()
  world.reactions.set(message.id, fresh)
  return fresh
}

function setUsers(world: World, message: APIMessage, emoji: ReactionEmoji, users: Set<string>): void {
  const all = usersOf(world, message)
  const key = keyOf(emoji)
  if (users.size > 0) all.set(key, users)
  else all.delete(key)
  const entry = {
    count: users.size,
    count_details: { burst: 0, normal: users.size },
    me: false,
    me_burst: false,
    emoji,
    burst_colors: [],
  }
  const reactions = message.reactions ?? []
  const at = reactions.findIndex((one) => keyOf(one.emoji) === key)
  const before = at < 0 ? reactions : reactions.slice(0, at)
  const after = at < 0 ? [] : reactions.slice(at + 1)
  message.reactions = [...before, ...(users.size > 0 ? [entry] : []), ...after]
}

/** Users who reacted with an emoji, in the order of their IDs. */
export function reactorsOf(world: World, message: APIMessage, emoji: ReactionEmoji): readonly APIUser[] {
  const ids = [...(world.reactions.get(message.id)?.get(keyOf(emoji)) ?? [])]
  return ids.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1)).flatMap((id) => world.users.get(id) ?? [])
}

/** All reactions of a message, or all with one emoji. */
export function clearReactions(world: World, place: Place, message: APIMessage, emoji: ReactionEmoji | null): void {
  const { guild, channelId } = place
  const d = { channel_id: channelId, message_id: message.id, ...(guild ? { guild_id: guild.id } : {}) }
  if (emoji) {
    setUsers(world, message, emoji, new Set())
    return tell(world, guild?.id ?? null, { t: GatewayDispatchEvents.MessageReactionRemoveEmoji, d: { ...d, emoji } })
  }
  world.reactions.delete(message.id)
  message.reactions = []
  tell(world, guild?.id ?? null, { t: GatewayDispatchEvents.MessageReactionRemoveAll, d })
}

/** The message as one user gets it: their own reactions are marked. */
export function forReader(world: World, message: APIMessage, userId: string): APIMessage {
  if (!message.reactions?.length) return message
  const mine = world.reactions.get(message.id)
  const reactions = message.reactions.map((one) => ({ ...one, me: mine?.get(keyOf(one.emoji))?.has(userId) ?? false }))
  return { ...message, reactions }
}

import { DiscordError, mustFind } from '../../world/errors.ts'
import { clearReactions, react, reactorsOf, type ReactionEmoji } from '../../world/message/reactions.ts'
import { Permission } from '../../world/permissions.ts'
import { type Call, type Route, demand, noContent, ok, param } from '../route.ts'
import { pageById, readLimit } from '../form.ts'
import { findMessage } from './messages.ts'

const REACTIONS = '/channels/{channelId}/messages/{messageId}/reactions'
const EMOJI = `${REACTIONS}/{emoji}`
/** Every route of reactions counts against the same. */
const limit = { requests: 1, perMs: 250, bucket: 'reactions' }

/** `name:id` of a guild's emoji, or one of Unicode, which has no letters and no colon. */
function emojiOf(call: Call): ReactionEmoji {
  const text = param(call, 'emoji')
  const [, name = '', id = ''] = /^(?:a:)?(\w{1,32}):(\d{1,20})$/.exec(text) ?? []
  if (id === '') {
    if (text === '' || /[a-z:]/i.test(text) || /^\d+$/.test(text)) throw new DiscordError('unknownReactionEmoji')
    return { id: null, name: text }
  }
  const known = [...call.world.guilds.values()].find((guild) => guild.emojis.has(id))?.emojis.get(id)
  const own = mustFind(known ?? call.me.emojis.get(id), 'unknownReactionEmoji')
  return { id, name: own.name ?? name, ...(own.animated ? { animated: true } : {}) }
}

/** The first reaction with an emoji needs a permission, joining in only to read. */
function add(call: Call) {
  const { place, message } = findMessage(call, Permission.ReadMessageHistory)
  const emoji = emojiOf(call)
  const { guild } = place
  const isNew = !message.reactions?.some((one) => (one.emoji.id ?? one.emoji.name) === (emoji.id ?? emoji.name))
  const channel = guild?.channels.get(place.channelId) ?? guild?.threads.get(place.channelId)
  if (guild && isNew) demand(call, guild, Permission.AddReactions, channel)
  const isForeign = emoji.id !== null && guild !== null && !guild.emojis.has(emoji.id) && !call.me.emojis.has(emoji.id)
  if (guild && isForeign) demand(call, guild, Permission.UseExternalEmojis, channel)
  react(call.world, place, message, { userId: call.me.id, emoji, on: true })
  return noContent
}

function removeMine(call: Call) {
  const { place, message } = findMessage(call)
  react(call.world, place, message, { userId: call.me.id, emoji: emojiOf(call), on: false })
  return noContent
}

function removeOf(call: Call) {
  const { place, message } = findMessage(call, Permission.ManageMessages)
  const userId = param(call, 'userId')
  if (!call.world.users.has(userId)) throw new DiscordError('unknownUser')
  react(call.world, place, message, { userId, emoji: emojiOf(call), on: false })
  return noContent
}

function list(call: Call) {
  const { message } = findMessage(call, Permission.ReadMessageHistory)
  const limitOf = readLimit(call.query, { most: 100, usual: 25 })
  // No one here has super reactions.
  if (call.query.get('type') === '1') return ok([])
  const users = reactorsOf(call.world, message, emojiOf(call))
  return ok(pageById(users, { query: call.query, limit: limitOf, idOf: ({ id }) => id }))
}

function clear(call: Call) {
  const { place, message } = findMessage(call, Permission.ManageMessages)
  clearReactions(call.world, place, message, 'emoji' in call.params ? emojiOf(call) : null)
  return noContent
}

export const REACTION_ROUTES: readonly Route[] = [
  { method: 'PUT', path: `${EMOJI}/@me`, limit, handle: add },
  { method: 'DELETE', path: `${EMOJI}/@me`, limit, handle: removeMine },
  { method: 'DELETE', path: `${EMOJI}/{userId}`, limit, handle: removeOf },
  { method: 'GET', path: EMOJI, handle: list },
  { method: 'DELETE', path: EMOJI, limit, handle: clear },
  { method: 'DELETE', path: REACTIONS, limit, handle: clear },
]

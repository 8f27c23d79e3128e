import type { APIEmoji, APISticker } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import {
  createEmoji,
  createSticker,
  deleteEmoji,
  deleteSticker,
  editEmoji,
  editSticker,
} from '../../world/guild/expressions.ts'
import { EMOJI_BYTES, readImage, typeOf } from '../../world/images.ts'
import { may, Permission } from '../../world/permissions.ts'
import type { Guild } from '../../world/world.ts'
import { Id, parseBody } from '../form.ts'
import { actorOf, created, demand, guildOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const EMOJIS = '/guilds/{guildId}/emojis'
const STICKERS = '/guilds/{guildId}/stickers'
const STICKER_BYTES = 512 * 1024

export const emojiName = z.string().regex(/^\w{2,32}$/, 'Names have 2 to 32 letters, digits or underscores.')
const NewEmoji = z.object({ name: emojiName, image: z.string(), roles: z.array(Id).nullish() })
const EmojiChange = z.object({ name: emojiName.optional(), roles: z.array(Id).nullish() })

const NewSticker = z.object({
  name: z.string().min(2).max(30),
  tags: z.string().min(1).max(200),
  description: z.string().max(100).nullish(),
})
const StickerChange = NewSticker.partial()

type Owned = { readonly user?: { readonly id: string } }

/** One's own needs the permission to create expressions, those of others that to manage them. */
function demandOver(call: Call, guild: Guild, { user }: Owned): void {
  const isMine = user?.id === call.me.id && may(guild, call.me.id, Permission.CreateGuildExpressions)
  if (!isMine) demand(call, guild, Permission.ManageGuildExpressions)
}

function demandNew(call: Call, guild: Guild): void {
  const { CreateGuildExpressions: create, ManageGuildExpressions: manage } = Permission
  if (!may(guild, call.me.id, create)) demand(call, guild, manage)
}

/** Leaves out the creator, unless the caller is the creator or may manage expressions. */
function shown<T extends Owned>(call: Call, guild: Guild, one: T): T {
  if (may(guild, call.me.id, Permission.ManageGuildExpressions) || one.user?.id === call.me.id) return one
  const { user: _user, ...rest } = one
  return rest as T
}

function emojiOf(call: Call): { guild: Guild; emoji: APIEmoji } {
  const guild = guildOf(call)
  const emoji = mustFind(guild.emojis.get(param(call, 'emojiId')), 'unknownEmoji')
  return { guild, emoji }
}

function addEmoji(call: Call) {
  const guild = guildOf(call)
  demandNew(call, guild)
  const { name, image, roles } = parseBody(NewEmoji, call.body)
  const facts = { name, image: readImage('image', image, EMOJI_BYTES), roles: roles ?? [], user: call.me.user }
  return created(createEmoji(call.world, guild, facts, actorOf(call)))
}

function changeEmoji(call: Call) {
  const { guild, emoji } = emojiOf(call)
  demandOver(call, guild, emoji)
  const { name, roles } = parseBody(EmojiChange, call.body)
  const change = { name, roles: roles === null ? [] : roles }
  editEmoji(call.world, guild, emoji, { change, by: actorOf(call) })
  return ok(emoji)
}

function removeEmoji(call: Call) {
  const { guild, emoji } = emojiOf(call)
  demandOver(call, guild, emoji)
  deleteEmoji(call.world, guild, emoji, actorOf(call))
  return noContent
}

function stickerOf(call: Call): { guild: Guild; sticker: APISticker } {
  const guild = guildOf(call)
  const sticker = mustFind(guild.stickers.get(param(call, 'stickerId')), 'unknownSticker')
  return { guild, sticker }
}

/** A form with the picture; Lottie is for a few guilds only. */
function addSticker(call: Call) {
  const guild = guildOf(call)
  demandNew(call, guild)
  const { name, tags, description } = parseBody(NewSticker, call.body)
  const [file] = call.files
  if (!file) throw invalidForm('file', 'BASE_TYPE_REQUIRED', 'This field is required')
  const type = typeOf(file.bytes)
  if (type !== 'image/png' && type !== 'image/gif') throw invalidForm('file', 'IMAGE_INVALID', 'Invalid asset')
  if (file.bytes.length > STICKER_BYTES) {
    throw invalidForm('file', 'BINARY_TYPE_MAX_SIZE', `File cannot be larger than ${STICKER_BYTES / 1024} kb.`)
  }
  const facts = { name, tags, description: description ?? null, image: { type, bytes: file.bytes }, user: call.me.user }
  return created(createSticker(call.world, guild, facts, actorOf(call)))
}

function changeSticker(call: Call) {
  const { guild, sticker } = stickerOf(call)
  demandOver(call, guild, sticker)
  const { name, tags, description } = parseBody(StickerChange, call.body)
  const change = {
    ...(name === undefined ? {} : { name }),
    ...(tags === undefined ? {} : { tags }),
    ...(description === undefined ? {} : { description }),
  }
  editSticker(call.world, guild, sticker, { change, by: actorOf(call) })
  return ok(sticker)
}

function removeSticker(call: Call) {
  const { guild, sticker } = stickerOf(call)
  demandOver(call, guild, sticker)
  deleteSticker(call.world, guild, sticker, actorOf(call))
  return noContent
}

/** Finds a sticker of any guild by its ID. */
function showSticker(call: Call) {
  const id = param(call, 'stickerId')
  const sticker = [...call.world.guilds.values()].flatMap(({ stickers }) => stickers.get(id) ?? [])[0]
  if (!sticker) throw new DiscordError('unknownSticker')
  const { user: _user, ...rest } = sticker
  return ok(rest)
}

function listOf<T extends Owned>(itemsOf: (guild: Guild) => ReadonlyMap<string, T>) {
  return (call: Call) => {
    const guild = guildOf(call)
    return ok([...itemsOf(guild).values()].map((one) => shown(call, guild, one)))
  }
}

const limit = { requests: 50, perMs: 3_600_000 }

export const EXPRESSION_ROUTES: readonly Route[] = [
  { method: 'GET', path: EMOJIS, handle: listOf(({ emojis }) => emojis) },
  { method: 'POST', path: EMOJIS, limit, handle: addEmoji },
  { method: 'GET', path: `${EMOJIS}/{emojiId}`, handle: (call) => ok(shown(call, guildOf(call), emojiOf(call).emoji)) },
  { method: 'PATCH', path: `${EMOJIS}/{emojiId}`, handle: changeEmoji },
  { method: 'DELETE', path: `${EMOJIS}/{emojiId}`, handle: removeEmoji },
  { method: 'GET', path: STICKERS, handle: listOf(({ stickers }) => stickers) },
  { method: 'POST', path: STICKERS, limit, handle: addSticker },
  {
    method: 'GET',
    path: `${STICKERS}/{stickerId}`,
    handle: (call) => ok(shown(call, guildOf(call), stickerOf(call).sticker)),
  },
  { method: 'PATCH', path: `${STICKERS}/{stickerId}`, handle: changeSticker },
  { method: 'DELETE', path: `${STICKERS}/{stickerId}`, handle: removeSticker },
  { method: 'GET', path: '/stickers/{stickerId}', handle: showSticker },
]

import type { APIEmoji } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, mustFind } from '../../world/errors.ts'
import { makeEmoji } from '../../world/guild/expressions.ts'
import { EMOJI_BYTES, readImage } from '../../world/images.ts'
import { parseBody } from '../form.ts'
import { emojiName } from '../guild/expressions.ts'
import { created, noContent, ok, param, type Call, type Route } from '../route.ts'
import { ownApplication } from './own-application.ts'

const EMOJIS = '/applications/{applicationId}/emojis'
const EMOJI = `${EMOJIS}/{emojiId}`
const MAX_EMOJIS = 2000

function emojiOf(call: Call): APIEmoji {
  return mustFind(ownApplication(call).emojis.get(param(call, 'emojiId')), 'unknownEmoji')
}

function add(call: Call) {
  const me = ownApplication(call)
  if (me.emojis.size >= MAX_EMOJIS) throw new DiscordError('tooManyEmojis')
  const { name, image } = parseBody(z.object({ name: emojiName, image: z.string() }), call.body)
  const facts = { name, image: readImage('image', image, EMOJI_BYTES), roles: [], user: me.user }
  const emoji = makeEmoji(call.world, facts)
  me.emojis.set(emoji.id ?? '', emoji)
  return created(emoji)
}

function rename(call: Call) {
  const emoji = emojiOf(call)
  const { name } = parseBody(z.object({ name: emojiName.optional() }), call.body)
  if (name !== undefined) emoji.name = name
  return ok(emoji)
}

function remove(call: Call) {
  const { id } = emojiOf(call)
  ownApplication(call).emojis.delete(id ?? '')
  call.world.images.delete(`emojis/${id}`)
  return noContent
}

export const APPLICATION_EMOJI_ROUTES: readonly Route[] = [
  { method: 'GET', path: EMOJIS, handle: (call) => ok({ items: [...ownApplication(call).emojis.values()] }) },
  { method: 'POST', path: EMOJIS, handle: add },
  { method: 'GET', path: EMOJI, handle: (call) => ok(emojiOf(call)) },
  { method: 'PATCH', path: EMOJI, handle: rename },
  { method: 'DELETE', path: EMOJI, handle: remove },
]

import { ChannelType, type APIDMChannel, type ChannelFlags } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError } from '../../world/errors.ts'
import { messagesOf } from '../../world/messages.ts'
import type { World } from '../../world/world.ts'
import { Id, parseBody } from '../form.ts'
import { ok, type Call, type Route } from '../route.ts'

const Recipient = z.object({ recipient_id: Id })

/** Direct messages with a user; the same channel every time. */
function open(call: Call) {
  const { world, me } = call
  const { recipient_id: userId } = parseBody(Recipient, call.body)
  if (!world.users.has(userId)) throw new DiscordError('unknownUser')
  // Bots do not write to bots.
  if (world.applications.has(userId)) throw new DiscordError('cannotMessageUser')
  const known = [...world.dms].find(([, dm]) => dm.userId === userId && dm.applicationId === me.id)
  const id = known?.[0] ?? world.nextId()
  if (!known) world.dms.set(id, { userId, applicationId: me.id })
  return ok(describeDm(world, id, { userId }))
}

export function describeDm(world: World, id: string, { userId }: { readonly userId: string }): APIDMChannel {
  const user = world.users.get(userId)
  return {
    id,
    type: ChannelType.DM,
    name: null,
    flags: 0 as ChannelFlags,
    last_message_id: [...messagesOf(world, id).keys()].at(-1) ?? null,
    recipients: user ? [user] : [],
  }
}

export const DM_ROUTES: readonly Route[] = [
  { method: 'POST', path: '/users/@me/channels', lacks: ['access_tokens', 'nicks'], handle: open },
]

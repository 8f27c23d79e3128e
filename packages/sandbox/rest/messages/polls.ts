import { DiscordError } from '../../world/errors.ts'
import { getMessage } from '../../world/messages.ts'
import { expirePoll, votersOf } from '../../world/message/polls.ts'
import { readLimit } from '../form.ts'
import { channelOf, ok, param, type Call, type Route } from '../route.ts'

const POLL = '/channels/{channelId}/polls/{messageId}'

function find(call: Call) {
  const { guild, channel } = channelOf(call)
  const place = { guild, channelId: channel.id }
  return { place, message: getMessage(call.world, channel.id, param(call, 'messageId')) }
}

function voters(call: Call) {
  const limit = readLimit(call.query, { most: 100, usual: 25 })
  const after = call.query.get('after')
  const all = votersOf(call.world, find(call).message, Number(param(call, 'answerId')))
  const from = after === null ? 0 : all.findIndex(({ id }) => id === after) + 1
  return ok({ users: all.slice(from, from + limit) })
}

/** Only who asked ends a poll early. */
function expire(call: Call) {
  const { place, message } = find(call)
  if (message.author.id !== call.me.id) throw new DiscordError('notYourMessage')
  return ok(expirePoll(call.world, place, message))
}

export const POLL_ROUTES: readonly Route[] = [
  { method: 'GET', path: `${POLL}/answers/{answerId}`, handle: voters },
  { method: 'POST', path: `${POLL}/expire`, handle: expire },
]

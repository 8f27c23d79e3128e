import { invalidForm } from '../../world/errors.ts'
import { getMessage } from '../../world/messages.ts'
import { Permission } from '../../world/permissions.ts'
import { pin, pinsOf, unpin } from '../../world/message/pins.ts'
import { readLimit } from '../form.ts'
import { channelOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const CHANNEL = '/channels/{channelId}'

function find(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ViewChannel | Permission.PinMessages)
  return { guild, message: getMessage(call.world, channel.id, param(call, 'messageId')), by: call.me }
}

function add(call: Call) {
  pin(call.world, find(call))
  return noContent
}

function remove(call: Call) {
  unpin(call.world, find(call))
  return noContent
}

/** A page of pins, before a moment. */
function list(call: Call) {
  const { channel } = channelOf(call, Permission.ViewChannel | Permission.ReadMessageHistory)
  const limit = readLimit(call.query, { most: 50, usual: 50 })
  const before = call.query.get('before')
  const beforeMs = before === null ? Infinity : Date.parse(before)
  if (Number.isNaN(beforeMs)) throw invalidForm('before', 'DATE_TIME_TYPE_PARSE', `Could not parse ${before}.`)
  const left = pinsOf(call.world, channel.id).filter(({ pinnedAtMs }) => pinnedAtMs < beforeMs)
  const items = left.slice(0, limit).map(({ message, pinnedAtMs }) => ({
    pinned_at: new Date(pinnedAtMs).toISOString(),
    message,
  }))
  return ok({ items, has_more: left.length > limit })
}

/** The older route: the messages alone, at most 50. */
function listOlder(call: Call) {
  const { channel } = channelOf(call, Permission.ViewChannel | Permission.ReadMessageHistory)
  return ok(
    pinsOf(call.world, channel.id)
      .slice(0, 50)
      .map(({ message }) => message),
  )
}

export const PIN_ROUTES: readonly Route[] = [
  { method: 'GET', path: `${CHANNEL}/messages/pins`, handle: list },
  { method: 'PUT', path: `${CHANNEL}/messages/pins/{messageId}`, handle: add },
  { method: 'DELETE', path: `${CHANNEL}/messages/pins/{messageId}`, handle: remove },
  { method: 'GET', path: `${CHANNEL}/pins`, handle: listOlder },
  { method: 'PUT', path: `${CHANNEL}/pins/{messageId}`, handle: add },
  { method: 'DELETE', path: `${CHANNEL}/pins/{messageId}`, handle: remove },
]

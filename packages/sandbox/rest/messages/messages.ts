import { AuditLogEvent, ChannelType, MessageFlags, MessageType, type APIMessage } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm } from '../../world/errors.ts'
import { recordAudit } from '../../world/guild/audit-log.ts'
import { isForum } from '../../world/guild/channels.ts'
import { archiveIdleThreads, editThread, setThreadMember } from '../../world/guild/threads.ts'
import { Draft } from '../../world/message/drafts.ts'
import { forReader } from '../../world/message/reactions.ts'
import {
  announceUpdate,
  deleteMessage,
  deleteMessages,
  editMessage,
  getMessage,
  messagesOf,
  postMessage,
  type Place,
} from '../../world/messages.ts'
import { may, Permission } from '../../world/permissions.ts'
import type { Channel, Guild, Thread } from '../../world/world.ts'
import { compareIds, Id, parseBody, readId, readLimit } from '../form.ts'
import { actorOf, demand, isThread, noContent, ok, param, placeOf, type Call, type Route } from '../route.ts'

const MESSAGES = '/channels/{channelId}/messages'
const MESSAGE = `${MESSAGES}/{messageId}`
/** Discord's "past few minutes". */
const NONCE_MS = 300_000
const BULK_AGE_MS = 14 * 86_400_000

interface Spot extends Place {
  readonly channel: Channel | Thread | null
}

/** The channel of the request: a channel or thread of a guild, or a direct message channel of the caller. */
function spotOf(call: Call, permission = Permission.ViewChannel): Spot {
  const channelId = param(call, 'channelId')
  const dm = call.world.dms.get(channelId)
  if (dm && dm.applicationId === call.me.id) return { channelId, guild: null, channel: null }
  const { guild, channel } = placeOf(call, permission)
  return { channelId, guild, channel }
}

/** A message of the path, and where it is. */
export function findMessage(call: Call, permission = Permission.ViewChannel): { place: Spot; message: APIMessage } {
  const place = spotOf(call, Permission.ViewChannel | permission)
  return { place, message: getMessage(call.world, place.channelId, param(call, 'messageId')) }
}

const seen = (call: Call, message: APIMessage) => forReader(call.world, message, call.me.id)

function list(call: Call): APIMessage[] {
  // Returns no messages to callers who may not read the history.
  const { channelId, guild, channel } = spotOf(call)
  if (guild && channel && !may(guild, call.me.id, Permission.ReadMessageHistory, channel)) return []
  const limit = readLimit(call.query, { most: 100, usual: 50 })
  const newestFirst = [...messagesOf(call.world, channelId).values()].toReversed()
  const [before, after, around] = ['before', 'after', 'around'].map((name) => readId(call.query, name))
  const page = () => {
    if (around) return aroundOf(newestFirst, around, limit)
    if (before) return newestFirst.filter(({ id }) => compareIds(id, before) < 0).slice(0, limit)
    if (after) return newestFirst.filter(({ id }) => compareIds(id, after) > 0).slice(-limit)
    return newestFirst.slice(0, limit)
  }
  return page().map((message) => seen(call, message))
}

/** Half of them newer, half older, and the one itself where it is still there. */
function aroundOf(newestFirst: readonly APIMessage[], id: string, limit: number): APIMessage[] {
  const half = Math.floor(limit / 2)
  const newer = newestFirst.filter((one) => compareIds(one.id, id) > 0).slice(-half)
  const rest = newestFirst.filter((one) => compareIds(one.id, id) <= 0)
  return [...newer, ...rest.slice(0, limit - newer.length)]
}

function post(call: Call) {
  const { guild, channel, channelId } = spotOf(call, Permission.ViewChannel | Permission.SendMessages)
  const { world, me, files } = call
  const draft = parseBody(Draft, call.body)
  if (guild && channel) {
    checkChannel(call, guild, channel)
    if (draft.embeds?.length) demand(call, guild, Permission.EmbedLinks, channel)
    if (files.length > 0) demand(call, guild, Permission.AttachFiles, channel)
    if (draft.poll) demand(call, guild, Permission.SendPolls, channel)
    if (draft.tts) demand(call, guild, Permission.SendTTSMessages, channel)
    if (draft.message_reference) demand(call, guild, Permission.ReadMessageHistory, channel)
  }
  const known = draft.enforce_nonce ? sentBefore(call, channelId, draft) : undefined
  if (known) return ok(seen(call, known))
  // Only answers to interactions can be for one person.
  const flags = (draft.flags ?? 0) & ~MessageFlags.Ephemeral
  const message = postMessage(world, { guild, channelId }, { author: me.user, draft: { ...draft, flags }, files })
  if (guild && channel && isThread(channel)) setThreadMember(world, guild, channel, { userId: me.id, isIn: true })
  return ok(seen(call, message))
}

/** Message that the caller sent with the same nonce in the last minutes. */
function sentBefore({ world, me }: Call, channelId: string, { nonce }: Draft): APIMessage | undefined {
  const oldestMs = world.now() - NONCE_MS
  return messagesOf(world, channelId)
    .values()
    .find(
      (one) =>
        one.nonce !== undefined &&
        String(one.nonce) === String(nonce) &&
        one.author.id === me.id &&
        Date.parse(one.timestamp) > oldestMs,
    )
}

/** Categories and forums take no messages; an archived thread is opened by one, unless it is locked. */
function checkChannel(call: Call, guild: Guild, channel: Channel | Thread): void {
  if (channel.type === ChannelType.GuildCategory) throw new DiscordError('notInTextChannel')
  if (!isThread(channel)) {
    if (isForum(channel)) throw new DiscordError('notInTextChannel')
    return
  }
  archiveIdleThreads(call.world, guild)
  const isModerator = may(guild, call.me.id, Permission.ManageThreads, channel)
  if (channel.thread_metadata?.locked && !isModerator) throw new DiscordError('threadLocked')
  if (channel.thread_metadata?.archived) editThread(call.world, guild, channel, { change: { archived: false } })
}

const Suppression = z.looseObject({ flags: z.int().nullish() })

/** Others may do one thing to a message: with the permission to manage messages, hide its embeds. */
function edit(call: Call) {
  const { place, message } = findMessage(call)
  if (message.author.id === call.me.id) {
    if (place.channel && isThread(place.channel) && place.channel.thread_metadata?.archived) {
      throw new DiscordError('archivedThread')
    }
    const draft = parseBody(Draft, call.body)
    return ok(seen(call, editMessage(call.world, place, message, { draft, files: call.files })))
  }
  const keys = Object.keys(call.body ?? {})
  const manages = place.guild && may(place.guild, call.me.id, Permission.ManageMessages, place.channel ?? undefined)
  if (!manages || keys.join() !== 'flags') throw new DiscordError('notYourMessage')
  const { flags } = parseBody(Suppression, call.body)
  const suppress = MessageFlags.SuppressEmbeds
  message.flags = ((message.flags ?? 0) & ~suppress) | ((flags ?? 0) & suppress)
  announceUpdate(call.world, place, message)
  return ok(seen(call, message))
}

function remove(call: Call) {
  const { place, message } = findMessage(call)
  const { guild, channelId, channel } = place
  const isMine = message.author.id === call.me.id
  const manages = guild !== null && may(guild, call.me.id, Permission.ManageMessages, channel ?? undefined)
  if (!isMine && !manages) throw new DiscordError('missingPermissions')
  deleteMessage(call.world, place, message.id)
  if (isMine || !guild) return noContent
  const options = { channel_id: channelId, count: '1' }
  recordAudit(call.world, guild, actorOf(call), {
    type: AuditLogEvent.MessageDelete,
    targetId: message.author.id,
    options,
  })
  return noContent
}

const Bulk = z.object({ messages: z.array(Id).min(2).max(100) })

/** Ids that are not there are left out; those of two weeks ago are refused. */
function removeMany(call: Call) {
  const { guild, channel } = placeOf(call, Permission.ViewChannel | Permission.ManageMessages)
  const ids = [...new Set(parseBody(Bulk, call.body).messages)]
  const known = messagesOf(call.world, channel.id)
  const oldestMs = call.world.now() - BULK_AGE_MS
  if (ids.some((id) => Date.parse(known.get(id)?.timestamp ?? '') < oldestMs)) throw new DiscordError('tooOldToDelete')
  const gone = deleteMessages(call.world, { guild, channelId: channel.id }, ids)
  const options = { count: String(gone.length) }
  recordAudit(call.world, guild, actorOf(call), {
    type: AuditLogEvent.MessageBulkDelete,
    targetId: channel.id,
    options,
  })
  return noContent
}

/** Tells the channels that follow an announcement channel. */
function crosspost(call: Call) {
  const { place, message } = findMessage(call, Permission.SendMessages)
  const { guild, channel } = place
  if (!guild || channel?.type !== ChannelType.GuildAnnouncement) throw new DiscordError('wrongChannelType')
  if (message.author.id !== call.me.id) demand(call, guild, Permission.ManageMessages, channel)
  if ((message.flags ?? 0) & MessageFlags.Crossposted) throw new DiscordError('alreadyCrossposted')
  if (message.type !== MessageType.Default || message.poll)
    throw invalidForm('_', 'MESSAGE_CANNOT_BE_CROSSPOSTED', 'Cannot be published.')
  message.flags = (message.flags ?? 0) | MessageFlags.Crossposted
  announceUpdate(call.world, place, message)
  for (const other of call.world.guilds.values()) {
    for (const webhook of other.webhooks.values()) {
      if (webhook.source_channel?.id !== channel.id) continue
      const author = { ...message.author, id: webhook.id, username: webhook.name ?? channel.name, bot: true }
      const draft = { content: message.content, flags: MessageFlags.IsCrosspost }
      const copy = { author, draft: { ...draft, embeds: message.embeds } as Draft }
      const hook = { id: webhook.id, applicationId: null }
      postMessage(call.world, { guild: other, channelId: webhook.channel_id ?? '' }, { ...copy, webhook: hook })
    }
  }
  return ok(seen(call, message))
}

export const MESSAGE_ROUTES: readonly Route[] = [
  { method: 'GET', path: MESSAGES, limit: { requests: 10, perMs: 10_000 }, handle: (call) => ok(list(call)) },
  { method: 'POST', path: MESSAGES, limit: { requests: 5, perMs: 5000 }, lacks: ['shared_client_theme'], handle: post },
  { method: 'POST', path: `${MESSAGES}/bulk-delete`, handle: removeMany },
  { method: 'GET', path: MESSAGE, handle: (call) => ok(seen(call, findMessage(call).message)) },
  { method: 'PATCH', path: MESSAGE, limit: { requests: 5, perMs: 5000 }, handle: edit },
  { method: 'DELETE', path: MESSAGE, limit: { requests: 5, perMs: 1000 }, handle: remove },
  { method: 'POST', path: `${MESSAGE}/crosspost`, limit: { requests: 10, perMs: 3_600_000 }, handle: crosspost },
]

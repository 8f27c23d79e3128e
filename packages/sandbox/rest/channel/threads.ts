import { ChannelFlags, ChannelType, type APIThreadChannel } from 'discord-api-types/v10'
import { Draft } from '../../world/message/drafts.ts'
import { DiscordError, invalidForm } from '../../world/errors.ts'
import { isForum } from '../../world/guild/channels.ts'
import {
  checkTags,
  createThread,
  deleteThread,
  describeThread,
  editThread,
  showThread,
  type ThreadFacts,
} from '../../world/guild/threads.ts'
import { getMessage, postMessage } from '../../world/messages.ts'
import { may, Permission } from '../../world/permissions.ts'
import type { Channel, ForumChannel, Guild, Thread } from '../../world/world.ts'
import { parseBody } from '../form.ts'
import { actorOf, channelOf, created, demand, param, type Call, type Route } from '../route.ts'
import { NewPost, NewThread, ThreadChange, ThreadOfMessage } from './channel-body.ts'

const USUAL_ARCHIVE_MINUTES = 4320

interface Named {
  readonly name: string
  readonly auto_archive_duration?: number | null | undefined
  readonly rate_limit_per_user?: number | null | undefined
}

/** Settings of a new thread. Omitted fields default to the channel's. */
function factsOf(call: Call, parent: Channel, named: Named, type: Thread['type']): ThreadFacts {
  const usual = 'default_auto_archive_duration' in parent ? parent.default_auto_archive_duration : undefined
  const slowmode =
    'default_thread_rate_limit_per_user' in parent ? parent.default_thread_rate_limit_per_user : undefined
  return {
    name: named.name,
    type,
    by: actorOf(call),
    autoArchiveMinutes: named.auto_archive_duration ?? usual ?? USUAL_ARCHIVE_MINUTES,
    slowmodeSeconds: named.rate_limit_per_user ?? slowmode ?? 0,
    invitable: true,
    tags: [],
  }
}

const isText = ({ type }: Channel) => type === ChannelType.GuildText || type === ChannelType.GuildAnnouncement
const publicType = ({ type }: Channel): Thread['type'] =>
  type === ChannelType.GuildAnnouncement ? ChannelType.AnnouncementThread : ChannelType.PublicThread

function startFromMessage(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ViewChannel | Permission.CreatePublicThreads)
  if (!isText(channel)) throw new DiscordError('wrongChannelType')
  const starter = getMessage(call.world, channel.id, param(call, 'messageId'))
  if (guild.threads.has(starter.id)) throw new DiscordError('threadExists')
  const named = parseBody(ThreadOfMessage, call.body)
  const facts = { ...factsOf(call, channel, named, publicType(channel)), starter }
  const thread = createThread(call.world, guild, channel, facts)
  showThread(call.world, guild, thread, starter)
  return created(describeThread(guild, thread, call.me.id))
}

/** A thread of a text channel without a message, or a post of a forum. */
function start(call: Call) {
  const { guild, channel } = channelOf(call)
  if (isForum(channel)) return startPost(call, guild, channel)
  if (!isText(channel)) throw new DiscordError('wrongChannelType')
  const named = parseBody(NewThread, call.body)
  // Without a type Discord makes a private one, for clients of an older version.
  const type = named.type ?? ChannelType.PrivateThread
  const isPrivate = type === ChannelType.PrivateThread
  if (!isPrivate && type !== publicType(channel)) {
    throw invalidForm('type', 'BASE_TYPE_CHOICES', `Value must be one of {${publicType(channel)}, 12}.`)
  }
  demand(call, guild, isPrivate ? Permission.CreatePrivateThreads : Permission.CreatePublicThreads, channel)
  const facts = { ...factsOf(call, channel, named, type), invitable: named.invitable ?? true }
  const thread = createThread(call.world, guild, channel, facts)
  showThread(call.world, guild, thread)
  return created(describeThread(guild, thread, call.me.id))
}

function startPost(call: Call, guild: Guild, forum: ForumChannel) {
  demand(call, guild, Permission.SendMessages, forum)
  const { message: body, applied_tags, ...named } = parseBody(NewPost, call.body)
  const tags = applied_tags ?? []
  checkTags(guild, forum, tags, call.me.id)
  const needsTag = ((forum.flags ?? 0) & ChannelFlags.RequireTag) !== 0
  if (needsTag && tags.length === 0 && !may(guild, call.me.id, Permission.ManageThreads, forum)) {
    throw new DiscordError('tagRequired')
  }
  const draft = parseBody(Draft, body)
  const facts = { ...factsOf(call, forum, named, ChannelType.PublicThread), tags }
  const { world, me, files } = call
  const thread = createThread(world, guild, forum, facts)
  forum.last_message_id = thread.id
  const message = postMessage(world, { guild, channelId: thread.id }, { author: me.user, draft, files, id: thread.id })
  return created({ ...describeThread(guild, thread, me.id), message })
}

/** Edits a thread. Its owner may change some fields, a member who may write can reopen it, and a manager changes all. */
export function editThreadChannel(call: Call, guild: Guild, thread: Thread): APIThreadChannel {
  const change = parseBody(ThreadChange, call.body)
  const manages = may(guild, call.me.id, Permission.ManageThreads, thread)
  const isOwner = thread.owner_id === call.me.id
  const data = thread.thread_metadata
  const needsManager =
    change.locked !== undefined || change.flags !== undefined || change.rate_limit_per_user !== undefined
  const onlyOpens =
    change.archived === false && Object.values(change).filter((value) => value !== undefined).length === 1
  if (!manages) {
    const opens = onlyOpens && !data?.locked && may(guild, call.me.id, Permission.SendMessages, thread)
    if ((!isOwner && !opens) || needsManager) throw new DiscordError('missingPermissions')
  }
  if (data?.archived && change.archived !== false) throw new DiscordError('archivedThread')
  const forum = guild.channels.get(thread.parent_id ?? '')
  if (change.applied_tags && isForum(forum)) checkTags(guild, forum, change.applied_tags, call.me.id)
  editThread(call.world, guild, thread, { change, by: actorOf(call) })
  return describeThread(guild, thread, call.me.id)
}

export function removeThread(call: Call, guild: Guild, thread: Thread): Thread {
  demand(call, guild, Permission.ManageThreads, thread)
  const shown = describeThread(guild, thread, call.me.id)
  deleteThread(call.world, guild, thread, actorOf(call))
  return shown
}

const CHANNEL = '/channels/{channelId}'

export const THREAD_ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: `${CHANNEL}/messages/{messageId}/threads`,
    limit: { requests: 50, perMs: 300_000 },
    handle: startFromMessage,
  },
  { method: 'POST', path: `${CHANNEL}/threads`, limit: { requests: 50, perMs: 300_000 }, handle: start },
]

import {
  AuditLogEvent,
  ChannelType,
  GatewayDispatchEvents,
  MessageFlags,
  MessageReferenceType,
  MessageType,
  type APIMessage,
  type APIThreadMember,
  type ChannelFlags,
  type ThreadMemberFlags,
} from 'discord-api-types/v10'
import { DiscordError, mustFind } from '../errors.ts'
import { announceUpdate, forgetMessages, postMessage } from '../messages.ts'
import { may, Permission } from '../permissions.ts'
import { tell, type Actor, type Channel, type ForumChannel, type Guild, type Thread, type World } from '../world.ts'
import { changesBetween, recordAudit, type Edit } from './audit-log.ts'

const MAX_MEMBERS = 1000
const MAX_ACTIVE = 1000
const MINUTE_MS = 60_000

export interface ThreadFacts {
  readonly name: string
  readonly type: Thread['type']
  /** Its owner. */
  readonly by: Actor
  readonly autoArchiveMinutes: number
  readonly slowmodeSeconds: number
  readonly invitable: boolean
  readonly tags: readonly string[]
  /** The message that it begins with, whose id it has then. */
  readonly starter?: APIMessage
}

/** A thread in a channel, with who made it in it. The channel shows that it was made, unless it belongs to a message. */
export function createThread(world: World, guild: Guild, parent: Channel, facts: ThreadFacts): Thread {
  const active = [...guild.threads.values()].filter(({ thread_metadata: data }) => !data?.archived)
  if (active.length >= MAX_ACTIVE) throw new DiscordError('tooManyThreads')
  const ownerId = facts.by.id
  const id = facts.starter?.id ?? world.nextId()
  const createdAt = new Date(world.now()).toISOString()
  const thread = {
    id,
    type: facts.type,
    guild_id: guild.id,
    parent_id: parent.id,
    owner_id: ownerId,
    name: facts.name,
    last_message_id: null,
    last_pin_timestamp: null,
    rate_limit_per_user: facts.slowmodeSeconds,
    message_count: 0,
    member_count: 0,
    total_message_sent: 0,
    flags: 0 as ChannelFlags,
    thread_metadata: {
      archived: false,
      archive_timestamp: createdAt,
      auto_archive_duration: facts.autoArchiveMinutes,
      locked: false,
      create_timestamp: createdAt,
      ...(facts.type === ChannelType.PrivateThread ? { invitable: facts.invitable } : {}),
    },
    ...(facts.tags.length > 0 ? { applied_tags: [...facts.tags] } : {}),
  } as Thread
  guild.threads.set(id, thread)
  guild.threadMembers.set(id, new Map([[ownerId, { userId: ownerId, joinedAtMs: world.now() }]]))
  thread.member_count = 1
  const d = { ...describeThread(guild, thread, ownerId), newly_created: true as const }
  tell(world, guild.id, { t: GatewayDispatchEvents.ThreadCreate, d })
  const changes = changesBetween(null, auditView(thread))
  recordAudit(world, guild, facts.by, { type: AuditLogEvent.ThreadCreate, targetId: id, changes })
  return thread
}

/** Shows a new thread in its channel: a mark at its message, or a notice of its own. */
export function showThread(world: World, guild: Guild, thread: Thread, starter?: APIMessage): void {
  const channelId = thread.parent_id ?? ''
  const place = { guild, channelId }
  const reference = { type: MessageReferenceType.Default, guild_id: guild.id }
  const user = world.users.get(thread.owner_id ?? '')
  if (starter) {
    starter.flags = (starter.flags ?? 0) | MessageFlags.HasThread
    starter.thread = describeThread(guild, thread)
    announceUpdate(world, place, starter)
    if (!user) return
    const first = postMessage(
      world,
      { guild, channelId: thread.id },
      { author: user, draft: {}, type: MessageType.ThreadStarterMessage },
    )
    first.message_reference = { ...reference, channel_id: channelId, message_id: starter.id }
    first.referenced_message = starter
    return
  }
  if (thread.type === ChannelType.PrivateThread || !user) return
  const draft = { content: thread.name }
  const notice = postMessage(world, place, { author: user, draft, type: MessageType.ThreadCreated })
  notice.message_reference = { ...reference, channel_id: thread.id }
}

/** A thread as one member receives it; `member` is their own membership. */
export function describeThread(guild: Guild, thread: Thread, userId?: string): Thread {
  const mine = userId === undefined ? undefined : guild.threadMembers.get(thread.id)?.get(userId)
  if (!mine || userId === undefined) return { ...thread }
  return { ...thread, member: describeMember(thread, userId, mine.joinedAtMs) }
}

export function describeMember(thread: Thread, userId: string, joinedAtMs: number): APIThreadMember {
  return {
    id: thread.id,
    user_id: userId,
    join_timestamp: new Date(joinedAtMs).toISOString(),
    flags: 0 as ThreadMemberFlags,
  }
}

/** Everyone who sees its channel sees a public thread; a private one only those in it, and those who manage threads. */
export function seesThread(guild: Guild, thread: Thread, userId: string): boolean {
  if (!may(guild, userId, Permission.ViewChannel, thread)) return false
  if (thread.type !== ChannelType.PrivateThread) return true
  return (
    guild.threadMembers.get(thread.id)?.has(userId) === true || may(guild, userId, Permission.ManageThreads, thread)
  )
}

export interface ThreadChange {
  readonly name?: string | undefined
  readonly archived?: boolean | undefined
  readonly locked?: boolean | undefined
  readonly invitable?: boolean | undefined
  readonly auto_archive_duration?: number | undefined
  readonly rate_limit_per_user?: number | undefined
  readonly flags?: number | undefined
  readonly applied_tags?: readonly string[] | undefined
}

const METADATA = ['archived', 'locked', 'invitable', 'auto_archive_duration'] as const

export function editThread(world: World, guild: Guild, thread: Thread, { change, by }: Edit<ThreadChange>): void {
  const before = structuredClone(thread)
  const data = thread.thread_metadata
  if (!data) return
  const { name, rate_limit_per_user, flags, applied_tags } = change
  const plain = Object.entries({ name, rate_limit_per_user, flags, applied_tags }).filter(
    ([, value]) => value !== undefined,
  )
  Object.assign(thread, Object.fromEntries(plain))
  const given = METADATA.flatMap((key) => (change[key] === undefined ? [] : [[key, change[key]] as const]))
  Object.assign(data, Object.fromEntries(given))
  if (before.thread_metadata?.archived !== data.archived) data.archive_timestamp = new Date(world.now()).toISOString()
  if (JSON.stringify(before) === JSON.stringify(thread)) return
  tell(world, guild.id, { t: GatewayDispatchEvents.ThreadUpdate, d: describeThread(guild, thread) })
  const changes = changesBetween(auditView(before), auditView(thread))
  if (by) recordAudit(world, guild, by, { type: AuditLogEvent.ThreadUpdate, targetId: thread.id, changes })
}

/** Fields of a thread in the audit log: its metadata besides its name. */
function auditView({ name, type, rate_limit_per_user, flags, applied_tags, thread_metadata: data }: Thread): object {
  const { archived, locked, invitable, auto_archive_duration } = data ?? {}
  const shown = { name, type, rate_limit_per_user, flags, applied_tags }
  return { ...shown, archived, locked, invitable, auto_archive_duration }
}

export function deleteThread(world: World, guild: Guild, thread: Thread, by: Actor): void {
  forgetThread(world, guild, thread)
  const changes = changesBetween(auditView(thread), null)
  recordAudit(world, guild, by, { type: AuditLogEvent.ThreadDelete, targetId: thread.id, changes })
}

/** Removes a thread, on its own or with its channel. */
export function forgetThread(world: World, guild: Guild, thread: Thread): void {
  // Told before it goes, since who hears of it follows from its channel.
  const { id, parent_id, type } = thread
  tell(world, guild.id, {
    t: GatewayDispatchEvents.ThreadDelete,
    d: { id, guild_id: guild.id, parent_id: parent_id ?? '', type },
  })
  guild.threads.delete(id)
  guild.threadMembers.delete(id)
  forgetMessages(world, id)
  const starter = world.messages.get(parent_id ?? '')?.get(id)
  if (starter) delete starter.thread
}

/** Adds or removes a member; no-op where nothing changes. */
export function setThreadMember(
  world: World,
  guild: Guild,
  thread: Thread,
  { userId, isIn }: { readonly userId: string; readonly isIn: boolean },
): void {
  const members = guild.threadMembers.get(thread.id) ?? new Map()
  if (members.has(userId) === isIn) return
  if (isIn && members.size >= MAX_MEMBERS) throw new DiscordError('tooManyThreadMembers')
  const joinedAtMs = world.now()
  if (isIn) members.set(userId, { userId, joinedAtMs })
  else members.delete(userId)
  guild.threadMembers.set(thread.id, members)
  thread.member_count = Math.min(members.size, 50)
  const base = { id: thread.id, guild_id: guild.id, member_count: thread.member_count }
  const member = guild.members.get(userId)
  const added = { ...describeMember(thread, userId, joinedAtMs), ...(member ? { member } : {}), presence: null }
  const change = isIn ? { added_members: [added] } : { removed_member_ids: [userId] }
  // One who is added hears of the thread itself first.
  if (isIn && world.applications.has(userId)) {
    const d = describeThread(guild, thread, userId)
    tell(world, guild.id, { t: GatewayDispatchEvents.ThreadCreate, d }, userId)
  }
  tell(world, guild.id, { t: GatewayDispatchEvents.ThreadMembersUpdate, d: { ...base, ...change } })
}

/** Archives threads in which nothing was said for as long as each allows. Pinned posts of forums stay. */
export function archiveIdleThreads(world: World, guild: Guild): void {
  for (const thread of guild.threads.values()) {
    const data = thread.thread_metadata
    const isPinned = ((thread.flags ?? 0) & 2) !== 0
    if (!data || data.archived || isPinned) continue
    const last = world.messages.get(thread.id)?.get(thread.last_message_id ?? '')?.timestamp
    const lastMs = Math.max(Date.parse(data.archive_timestamp), last === undefined ? 0 : Date.parse(last))
    if (world.now() - lastMs >= data.auto_archive_duration * MINUTE_MS) {
      editThread(world, guild, thread, { change: { archived: true } })
    }
  }
}

/** @throws {DiscordError} for tags that the forum does not have, or that only moderators set. */
export function checkTags(guild: Guild, forum: ForumChannel, tags: readonly string[], userId: string): void {
  const known = new Map(forum.available_tags.map((tag) => [tag.id, tag]))
  const manages = may(guild, userId, Permission.ManageThreads, forum)
  for (const id of tags) {
    const tag = mustFind(known.get(id), 'unknownTag')
    if (tag.moderated && !manages) throw new DiscordError('missingPermissions')
  }
}

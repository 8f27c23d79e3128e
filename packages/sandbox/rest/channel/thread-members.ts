import { ChannelType } from 'discord-api-types/v10'
import { DiscordError, invalidForm } from '../../world/errors.ts'
import {
  archiveIdleThreads,
  describeMember,
  describeThread,
  seesThread,
  setThreadMember,
} from '../../world/guild/threads.ts'
import { may, Permission } from '../../world/permissions.ts'
import { getMember, type Guild, type Thread, type ThreadMember } from '../../world/world.ts'
import { compareIds, pageById, readFlag, readLimit } from '../form.ts'
import { channelOf, guildOf, isThread, noContent, ok, param, placeOf, type Call, type Route } from '../route.ts'

const CHANNEL = '/channels/{channelId}'
const MEMBERS = `${CHANNEL}/thread-members`
const MEMBER = `${MEMBERS}/{userId}`

function threadOf(call: Call): { guild: Guild; thread: Thread } {
  const { guild, channel } = placeOf(call)
  if (!isThread(channel)) throw new DiscordError('unknownChannel')
  return { guild, thread: channel }
}

/** Returns the thread. Members of an archived one cannot be added or removed. */
function openThreadOf(call: Call) {
  const found = threadOf(call)
  if (found.thread.thread_metadata?.archived) throw new DiscordError('archivedThread')
  return found
}

function describe(guild: Guild, thread: Thread, { userId, joinedAtMs }: ThreadMember, isWhole: boolean) {
  const member = isWhole ? guild.members.get(userId) : undefined
  return { ...describeMember(thread, userId, joinedAtMs), ...(member ? { member } : {}) }
}

function list(call: Call) {
  const { guild, thread } = threadOf(call)
  const members = guild.threadMembers.get(thread.id)?.values() ?? []
  const isWhole = readFlag(call.query, 'with_member')
  const sorted = [...members].toSorted((a, b) => compareIds(a.userId, b.userId))
  const limit = readLimit(call.query, { most: 100, usual: 100 })
  // Pages are for the form with members alone.
  const page = isWhole ? pageById(sorted, { query: call.query, limit, idOf: ({ userId }) => userId }) : sorted
  return ok(page.map((one) => describe(guild, thread, one, isWhole)))
}

function show(call: Call) {
  const { guild, thread } = threadOf(call)
  const userId = param(call, 'userId')
  const found = guild.threadMembers.get(thread.id)?.get(userId === '@me' ? call.me.id : userId)
  if (!found) throw new DiscordError('unknownMember')
  return ok(describe(guild, thread, found, readFlag(call.query, 'with_member')))
}

function join(call: Call) {
  const { guild, thread } = openThreadOf(call)
  setThreadMember(call.world, guild, thread, { userId: call.me.id, isIn: true })
  return noContent
}

function leave(call: Call) {
  const { guild, thread } = openThreadOf(call)
  setThreadMember(call.world, guild, thread, { userId: call.me.id, isIn: false })
  return noContent
}

/** Anyone in a thread who may write there adds others. A private one may leave that to its owner and moderators. */
function add(call: Call) {
  const { guild, thread } = openThreadOf(call)
  const manages = may(guild, call.me.id, Permission.ManageThreads, thread)
  const isClosed = thread.type === ChannelType.PrivateThread && thread.thread_metadata?.invitable === false
  if (isClosed && !manages && thread.owner_id !== call.me.id) throw new DiscordError('missingPermissions')
  if (!may(guild, call.me.id, Permission.SendMessages, thread)) throw new DiscordError('missingPermissions')
  const { user } = getMember(guild, param(call, 'userId'))
  setThreadMember(call.world, guild, thread, { userId: user.id, isIn: true })
  return noContent
}

function remove(call: Call) {
  const { guild, thread } = openThreadOf(call)
  const isOwnPrivate = thread.type === ChannelType.PrivateThread && thread.owner_id === call.me.id
  if (!isOwnPrivate && !may(guild, call.me.id, Permission.ManageThreads, thread)) {
    throw new DiscordError('missingPermissions')
  }
  const userId = param(call, 'userId')
  if (!guild.threadMembers.get(thread.id)?.has(userId)) throw new DiscordError('unknownMember')
  setThreadMember(call.world, guild, thread, { userId, isIn: false })
  return noContent
}

/** Threads, with the caller's own place in each. */
function describeList(call: Call, guild: Guild, threads: readonly Thread[]) {
  const mine = threads.flatMap((thread) => {
    const found = guild.threadMembers.get(thread.id)?.get(call.me.id)
    return found ? [describeMember(thread, call.me.id, found.joinedAtMs)] : []
  })
  return { threads: threads.map((thread) => describeThread(guild, thread, call.me.id)), members: mine }
}

function listActive(call: Call) {
  const guild = guildOf(call)
  archiveIdleThreads(call.world, guild)
  const threads = [...guild.threads.values()]
    .filter((thread) => !thread.thread_metadata?.archived && seesThread(guild, thread, call.me.id))
    .toSorted((a, b) => compareIds(b.id, a.id))
  return ok({ ...describeList(call, guild, threads), has_more: false })
}

type Kind = 'public' | 'private' | 'joined'

/** Archived threads, the last archived first; those one has joined are by their ids. */
function listArchived(kind: Kind) {
  return (call: Call) => {
    const needed = kind === 'private' ? Permission.ManageThreads : 0n
    const { guild, channel } = channelOf(call, Permission.ViewChannel | Permission.ReadMessageHistory | needed)
    archiveIdleThreads(call.world, guild)
    const limit = readLimit(call.query, { least: 2, most: 100, usual: 50 })
    const before = call.query.get('before')
    const found = [...guild.threads.values()]
      .filter((thread) => thread.parent_id === channel.id && thread.thread_metadata?.archived)
      .filter(({ type }) => (type === ChannelType.PrivateThread) === (kind !== 'public'))
      .filter(({ id }) => kind !== 'joined' || guild.threadMembers.get(id)?.has(call.me.id))
    const rest = kind === 'joined' ? byId(found, before) : byMoment(found, before)
    return ok({ ...describeList(call, guild, rest.slice(0, limit)), has_more: rest.length > limit })
  }
}

function byId(threads: readonly Thread[], before: string | null): Thread[] {
  const older = threads.filter(({ id }) => before === null || compareIds(id, before) < 0)
  return older.toSorted((a, b) => compareIds(b.id, a.id))
}

const atMs = (thread: Thread) => Date.parse(thread.thread_metadata?.archive_timestamp ?? '')

function byMoment(threads: readonly Thread[], before: string | null): Thread[] {
  const beforeMs = before === null ? Infinity : Date.parse(before)
  if (Number.isNaN(beforeMs)) throw invalidForm('before', 'DATE_TIME_TYPE_PARSE', `Could not parse ${before}.`)
  return threads.filter((one) => atMs(one) < beforeMs).toSorted((a, b) => atMs(b) - atMs(a) || compareIds(b.id, a.id))
}

export const THREAD_MEMBER_ROUTES: readonly Route[] = [
  { method: 'GET', path: MEMBERS, handle: list },
  { method: 'GET', path: MEMBER, handle: show },
  { method: 'PUT', path: `${MEMBERS}/@me`, handle: join },
  { method: 'DELETE', path: `${MEMBERS}/@me`, handle: leave },
  { method: 'PUT', path: MEMBER, handle: add },
  { method: 'DELETE', path: MEMBER, handle: remove },
  { method: 'GET', path: '/guilds/{guildId}/threads/active', handle: listActive },
  { method: 'GET', path: `${CHANNEL}/threads/archived/public`, handle: listArchived('public') },
  { method: 'GET', path: `${CHANNEL}/threads/archived/private`, handle: listArchived('private') },
  { method: 'GET', path: `${CHANNEL}/users/@me/threads/archived/private`, handle: listArchived('joined') },
]

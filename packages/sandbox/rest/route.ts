import type { UploadedFile } from '../http/body.ts'
import type { Addressed } from '../http/router.ts'
import { DiscordError } from '../world/errors.ts'
import { may, Permission } from '../world/permissions.ts'
import { seesThread } from '../world/guild/threads.ts'
import {
  getChannel,
  getGuild,
  type Actor,
  type Application,
  type Channel,
  type Guild,
  type Thread,
  type World,
} from '../world/world.ts'

/** Parameters of every REST handler. */
export interface OpenCall {
  readonly world: World
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
  readonly files: readonly UploadedFile[]
  /** Reason for the audit log, from the header `X-Audit-Log-Reason`. */
  readonly reason: string | null
  /** Logins left to a bot, for `/gateway/bot`. */
  readonly startLimit: (applicationId: string) => object
}

/** A call by a bot that showed its token. */
export interface Call extends OpenCall {
  readonly me: Application
}

export interface Answer {
  readonly status: number
  readonly body?: unknown
  /** Instead of JSON. */
  readonly text?: string
}

export interface Limit {
  readonly requests: number
  readonly perMs: number
  /** The same for all routes that count together; each counts for itself otherwise. */
  readonly bucket?: string
}

interface Declared extends Addressed {
  readonly limit?: Limit
  /** Fields of the body that Discord has and the sandbox has not: it answers 501 to them unless they are null. */
  readonly lacks?: readonly string[]
}

interface BotRoute extends Declared {
  handle(call: Call): Answer
}

/** No Authorization header is needed: there is no secret, or it is in the path. */
interface OpenRoute extends Declared {
  readonly open: (call: OpenCall) => Answer
  /** Interactions and their webhooks do not count against what a bot may send in all. */
  readonly isApart?: boolean
}

export type Route = BotRoute | OpenRoute

export const ok = (body: unknown): Answer => ({ status: 200, body })
export const created = (body: unknown): Answer => ({ status: 201, body })
export const noContent: Answer = { status: 204 }

/** A path parameter, always there when its route matched. */
export function param(call: OpenCall, name: string): string {
  return call.params[name] ?? ''
}

/** The guild of the path, if the caller is in it. Discord says 403 for those that exist and 404 for others. */
export function guildOf(call: Call): Guild {
  const guild = getGuild(call.world, param(call, 'guildId'))
  if (!guild.members.has(call.me.id)) throw new DiscordError('missingAccess')
  return guild
}

/** The channel or thread of the path, if the caller sees it and has the permission. */
export function placeOf(call: Call, permission = Permission.ViewChannel): { guild: Guild; channel: Channel | Thread } {
  const found = getChannel(call.world, param(call, 'channelId'))
  const { guild, channel } = found
  const sees = isThread(channel)
    ? seesThread(guild, channel, call.me.id)
    : may(guild, call.me.id, Permission.ViewChannel, channel)
  if (!sees) throw new DiscordError('missingAccess')
  if (!may(guild, call.me.id, permission, channel)) throw new DiscordError('missingPermissions')
  return found
}

/** Like `placeOf`, for routes that threads do not have. */
export function channelOf(call: Call, permission = Permission.ViewChannel): { guild: Guild; channel: Channel } {
  const { guild, channel } = placeOf(call, permission)
  if (isThread(channel)) throw new DiscordError('wrongChannelType')
  return { guild, channel }
}

export function isThread(channel: Channel | Thread): channel is Thread {
  return 'thread_metadata' in channel
}

/** The caller, with the reason it gave. */
export const actorOf = ({ me, reason }: Call): Actor => ({ id: me.id, reason })

/** Refuses a caller without this permission: in the guild, or in one channel of it. */
export function demand(call: Call, guild: Guild, permission: bigint, channel?: Channel | Thread): void {
  if (!may(guild, call.me.id, permission, channel)) throw new DiscordError('missingPermissions')
}

import type { UploadedFile } from '../http/body.ts'
import type { Addressed } from '../http/router.ts'
import { DiscordError } from '../world/errors.ts'
import { may, Permission } from '../world/permissions.ts'
import { getChannel, getGuild, type Application, type Channel, type Guild, type World } from '../world/world.ts'

/** What every REST handler works with. */
export interface OpenCall {
  readonly world: World
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly body: unknown
  readonly files: readonly UploadedFile[]
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
}

export interface Limit {
  readonly requests: number
  readonly perMs: number
}

interface BotRoute extends Addressed {
  readonly limit?: Limit
  handle(call: Call): Answer
}

/** No Authorization header is needed: there is no secret, or it is in the path. */
interface OpenRoute extends Addressed {
  readonly limit?: Limit
  readonly open: (call: OpenCall) => Answer
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

/** The channel of the path, if the caller sees it and has the permission. */
export function channelOf(call: Call, permission = Permission.ViewChannel): { guild: Guild; channel: Channel } {
  const found = getChannel(call.world, param(call, 'channelId'))
  if (!may(found.guild, call.me.id, Permission.ViewChannel, found.channel)) throw new DiscordError('missingAccess')
  if (!may(found.guild, call.me.id, permission, found.channel)) throw new DiscordError('missingPermissions')
  return found
}

/** Refuses a caller without this permission: in the guild, or in one channel of it. */
export function demand(call: Call, guild: Guild, permission: bigint, channel?: Channel): void {
  if (!may(guild, call.me.id, permission, channel)) throw new DiscordError('missingPermissions')
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { z } from 'zod'
import type { Crowd } from '../crowd.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Faults } from '../faults/faults.ts'
import type { Recorder } from '../record/recorder.ts'
import type { Snapshots } from '../snapshots/snapshots.ts'
import type { Addressed } from '../http/router.ts'
import type { VoiceServer } from '../voice/server.ts'
import { getGuild, getMember, type Channel, type Guild, type Member, type World } from '../world/world.ts'

/** Everything that the controls can reach. */
export interface Stage {
  readonly world: World
  readonly gateway: Gateway
  readonly voice: VoiceServer
  readonly crowd: Crowd
  readonly recorder: Recorder
  readonly faults: Faults
  readonly snapshots: Snapshots
  /** PEM. */
  readonly certificate: string
}

export interface ControlCall<B> extends Stage {
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: B
}

/** A response body that is not JSON. */
export class RawAnswer {
  readonly type: string
  readonly content: string | Readable

  constructor(type: string, content: string | Readable) {
    this.type = type
    this.content = content
  }
}

export interface ControlRoute extends Addressed {
  readonly summary: string
  readonly body?: z.ZodType
  /** The answer's body; undefined is 204. */
  readonly handle: (call: ControlCall<unknown>) => unknown
}

interface RouteSpec<S extends z.ZodType> {
  readonly summary: string
  readonly body?: S
  readonly handle: (call: ControlCall<z.output<S>>) => unknown
}

/** Declares routes of a method. A body is parsed by its schema before the handler is called. */
const declare =
  (method: string) =>
  <S extends z.ZodType = z.ZodUnknown>(path: string, { handle, ...spec }: RouteSpec<S>): ControlRoute => ({
    method,
    path,
    ...spec,
    handle: (call) => handle(call as ControlCall<z.output<S>>),
  })

export const get = declare('GET')
export const post = declare('POST')
export const put = declare('PUT')
export const patch = declare('PATCH')
export const del = declare('DELETE')

/** Why a control did not do what it was asked. The message says what to change. */
export class ControlError extends Error {
  override readonly name = 'ControlError'
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

type Placed = Pick<ControlCall<unknown>, 'world' | 'params'>

export function guildOf({ world, params }: Placed): Guild {
  return getGuild(world, params['guildId'] ?? '')
}

export function memberOf(call: Placed): { guild: Guild; member: Member; userId: string } {
  const guild = guildOf(call)
  const member = getMember(guild, params(call, 'userId'))
  return { guild, member, userId: member.user.id }
}

export function channelOf(call: Placed): { guild: Guild; channel: Channel } {
  const guild = guildOf(call)
  return { guild, channel: channelIn(guild, params(call, 'channelId')) }
}

export function channelIn(guild: Guild, channelId: string): Channel {
  const channel = guild.channels.get(channelId)
  if (!channel) throw new ControlError(404, `Guild ${guild.id} has no channel ${channelId}.`)
  return channel
}

function params(call: Placed, name: string): string {
  return call.params[name] ?? ''
}

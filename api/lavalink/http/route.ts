import type { IncomingHttpHeaders } from 'node:http'
import type { LavalinkSession } from '../sessions/session.ts'
import type { LavalinkSessions } from '../sessions/sessions.ts'
import type { TrackKnowledge } from '../tracks/open-tracks.ts'
import type { TrackService } from '../tracks/track-service.ts'
import type { NodeCaller } from './node-keys.ts'
import { badRequest } from './refusals.ts'

const SNOWFLAKE = /^[1-9]\d{0,19}$/

/** Dependencies of routes. */
export interface RouteParts {
  readonly sessions: LavalinkSessions
  readonly tracks: TrackService
  readonly knowledge: TrackKnowledge
}

export interface LavalinkRequest {
  readonly caller: NodeCaller
  /** Decoded parameters of the path. */
  readonly params: Readonly<Record<string, string>>
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  /** The JSON that was sent; undefined where there was none. */
  readonly body: unknown
  /** Aborts when the caller goes away or the service stops. */
  readonly signal: () => AbortSignal
}

/** One operation of the REST API. */
export interface LavalinkRoute {
  /** Name in usage and the log of requests. */
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Path in the syntax of @koa/router. */
  readonly path: string
  /** @returns what is answered: an object as JSON, a string as text, undefined as 204. @throws {Fault} */
  run(request: LavalinkRequest, parts: RouteParts): unknown
}

const declare =
  (method: LavalinkRoute['method']) =>
  (id: string, path: string, run: LavalinkRoute['run']): LavalinkRoute => ({ id, method, path, run })

export const get = declare('GET')
export const post = declare('POST')
export const put = declare('PUT')
export const patch = declare('PATCH')
export const del = declare('DELETE')

/** @throws {Fault} `not_found` */
export function sessionOf({ caller, params }: LavalinkRequest, { sessions }: RouteParts): LavalinkSession {
  return sessions.get(caller, params['sessionId'] ?? '')
}

/** @throws {Fault} for what is no id of a guild. */
export function guildIdOf({ params }: LavalinkRequest): string {
  const { guildId = '' } = params
  if (SNOWFLAKE.test(guildId)) return guildId
  throw badRequest('guildId must be the id of a guild, in digits')
}

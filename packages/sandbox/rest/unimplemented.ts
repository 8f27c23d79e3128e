import { Routes } from 'discord-api-types/v10'
import { createRouter, type Addressed } from '../http/router.ts'
import type { Answer, Route } from './route.ts'

type PathOf = (...values: string[]) => string

/** Paths in Discord's OpenAPI document that the library's list lacks. */
const FURTHER = [
  '/applications/{p0}/attachment',
  '/channels/{p0}/threads/search',
  '/guilds/{p0}/new-member-welcome',
  '/guilds/{p0}/requests',
  '/guilds/{p0}/requests/{p1}',
  '/guilds/{p0}/scheduled-events/{p1}/exceptions',
  '/guilds/{p0}/scheduled-events/{p1}/exceptions/{p2}',
  '/guilds/{p0}/scheduled-events/{p1}/{p2}/users',
  '/lobbies',
  '/lobbies/{p0}',
  '/lobbies/{p0}/channel-linking',
  '/lobbies/{p0}/members/{p1}',
  '/lobbies/{p0}/members/{p1}/invites',
  '/lobbies/{p0}/messages',
  '/lobbies/{p0}/messages/{p1}/moderation-metadata',
  '/oauth2/keys',
  '/oauth2/userinfo',
  '/users/@me/applications/{p0}/entitlements',
] as const

/** Every path of Discord's REST interface, as the makers of discord.js list them, with `{p0}` … for its parameters. */
function knownPaths(): readonly string[] {
  const values = Array.from({ length: 6 }, (_, at) => `{p${at}}`)
  return Object.values(Routes).map((path) => decodeURIComponent((path as PathOf)(...values)))
}

const isKnown = createRouter<Addressed>([...knownPaths(), ...FURTHER].map((path) => ({ method: 'GET', path })))

/**
 * The error for a request that Discord supports and the sandbox does not: never a success.
 * @returns null for a path that Discord does not know either.
 */
export function unimplemented(method: string, segments: readonly string[]): Answer | null {
  if (isKnown('GET', segments).is !== 'found') return null
  return notImplemented(`${method} /${segments.join('/')}`)
}

/** @param what a request, or a field of one */
export function notImplemented(what: string): Answer {
  return { status: 501, body: { message: `501: The sandbox does not implement ${what}`, code: 0 } }
}

/** The first field of a body, or of one in a list of them, that its route lacks. */
export function lackedField({ lacks = [] }: Route, body: unknown): string | undefined {
  const bodies = (Array.isArray(body) ? body : [body]) as Readonly<Record<string, unknown>>[]
  return lacks.find((field) => bodies.some((one) => one?.[field] !== undefined && one[field] !== null))
}

import { Routes } from 'discord-api-types/v10'
import { createRouter, type Addressed } from '../http/router.ts'
import type { Answer } from './route.ts'

type PathOf = (...values: string[]) => string

/** Every path of Discord's REST interface, as the makers of discord.js list them, with `{p0}` … for its parameters. */
function knownPaths(): readonly string[] {
  const values = Array.from({ length: 6 }, (_, at) => `{p${at}}`)
  return Object.values(Routes).map((path) => decodeURIComponent((path as PathOf)(...values)))
}

const isKnown = createRouter<Addressed>(knownPaths().map((path) => ({ method: 'GET', path })))

/**
 * What the sandbox answers to a request that Discord knows and it does not: never a success.
 * @returns null for a path that Discord does not know either.
 */
export function unimplemented(method: string, segments: readonly string[]): Answer | null {
  if (isKnown('GET', segments).is !== 'found') return null
  const message = `501: The sandbox does not implement ${method} /${segments.join('/')}`
  return { status: 501, body: { message, code: 0 } }
}

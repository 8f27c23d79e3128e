import { findGivenTrack } from '../players/given-track.ts'
import { readIntent } from '../players/player-intent.ts'
import { sessionUpdateSchema } from '../protocol/session.ts'
import { badRequest, parseInput } from './refusals.ts'
import { del, get, patch, guildIdOf, sessionOf, type LavalinkRoute } from './route.ts'

const SESSION = '/v4/sessions/:sessionId'
const PLAYERS = `${SESSION}/players`
const PLAYER = `${PLAYERS}/:guildId`
/** Words that Spring accepts as booleans. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'on', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'off', 'no', '0', ''].map((word) => [word, false] as const),
])

export const playerRoutes: readonly LavalinkRoute[] = [
  get('lavalink.players.list', PLAYERS, (request, parts) =>
    [...sessionOf(request, parts).players.all()].map((player) => player.toObject()),
  ),
  get('lavalink.players.get', PLAYER, (request, parts) =>
    sessionOf(request, parts).players.get(guildIdOf(request)).toObject(),
  ),
  patch('lavalink.players.update', PLAYER, async (request, parts) => {
    const guildId = guildIdOf(request)
    const noReplace = isTrue(request.query, 'noReplace')
    const intent = readIntent(request.body)
    const isKept = noReplace && (sessionOf(request, parts).players.find(guildId)?.hasTrack ?? false)
    const find = { caller: request.caller, signal: request.signal() }
    const given = isKept ? null : await findGivenTrack(parts.tracks, intent.track, find)
    // Session or player may have ended while the track was looked for.
    const player = sessionOf(request, parts).players.ensure(guildId, intent.voice !== undefined)
    await player.change(intent, given, noReplace)
    return player.toObject()
  }),
  del('lavalink.players.destroy', PLAYER, (request, parts) =>
    sessionOf(request, parts).players.destroy(guildIdOf(request)),
  ),
  patch('lavalink.sessions.update', SESSION, (request, parts) =>
    sessionOf(request, parts).update(parseInput(sessionUpdateSchema, request.body)),
  ),
]

function isTrue(query: URLSearchParams, name: string): boolean {
  const value = BOOLEANS.get((query.get(name) ?? '').toLowerCase())
  if (value === undefined) throw badRequest(`${name} must be true or false`)
  return value
}

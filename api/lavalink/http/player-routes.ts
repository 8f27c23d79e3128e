import { findGivenTrack } from '../players/given-track.ts'
import { readIntent } from '../players/player-intent.ts'
import { sessionUpdateSchema } from '../protocol/session.ts'
import { badRequest, parseInput } from './refusals.ts'
import { guildIdOf, sessionOf, type LavalinkRoute } from './route.ts'

const SESSION = '/v4/sessions/:sessionId'
const PLAYERS = `${SESSION}/players`
const PLAYER = `${PLAYERS}/:guildId`
/** Words that Spring accepts as booleans. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 'on', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'off', 'no', '0', ''].map((word) => [word, false] as const),
])

export const playerRoutes: readonly LavalinkRoute[] = [
  {
    id: 'lavalink.players.list',
    method: 'GET',
    path: PLAYERS,
    run: (request, parts) => [...sessionOf(request, parts).players.all()].map((player) => player.toObject()),
  },
  {
    id: 'lavalink.players.get',
    method: 'GET',
    path: PLAYER,
    run: (request, parts) => sessionOf(request, parts).players.get(guildIdOf(request)).toObject(),
  },
  {
    id: 'lavalink.players.update',
    method: 'PATCH',
    path: PLAYER,
    async run(request, parts) {
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
    },
  },
  {
    id: 'lavalink.players.destroy',
    method: 'DELETE',
    path: PLAYER,
    run: (request, parts) => sessionOf(request, parts).players.destroy(guildIdOf(request)),
  },
  {
    id: 'lavalink.sessions.update',
    method: 'PATCH',
    path: SESSION,
    run: (request, parts) => sessionOf(request, parts).update(parseInput(sessionUpdateSchema, request.body)),
  },
]

function isTrue(query: URLSearchParams, name: string): boolean {
  const value = BOOLEANS.get((query.get(name) ?? '').toLowerCase())
  if (value === undefined) throw badRequest(`${name} must be true or false`)
  return value
}

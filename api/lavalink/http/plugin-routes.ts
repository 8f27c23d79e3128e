import { Fault } from '../../../lib/errors.ts'
import type { LyricsOf } from '../../../upstream/music/lyrics.ts'
import { SEARCH_TYPES } from '../plugins/load-search.ts'
import { toLyricsObject, toOlderLyrics } from '../plugins/lyrics.ts'
import { encodedSchema, identifierSchema } from '../protocol/track.ts'
import { badRequest, parseInput } from './refusals.ts'
import { get, type LavalinkRequest, type LavalinkRoute, type RouteParts } from './route.ts'

const PLAYER = '/v4/sessions/:sessionId/players/:guildId'

/** Routes of Lavalink's plug-ins LavaSearch, LavaLyrics, and the older Lyrics.java and Lyrics.kt. */
export const pluginRoutes: readonly LavalinkRoute[] = [
  get('lavalink.search.load', '/v4/loadsearch', async ({ query, caller, signal }, { knowledge }) => {
    const named = new Set((query.get('types') ?? '').split(',', 20).map((type) => type.trim()))
    const types = SEARCH_TYPES.filter((type) => named.has(type))
    const request = { query: required(query, 'query'), types }
    return (await knowledge.loadSearch(request, caller, signal())) ?? undefined
  }),
  get('lavalink.lyrics.get', '/v4/lyrics', async (request, parts) => {
    const encoded = parseInput(encodedSchema, required(request.query, 'track'))
    const found = await lyricsOf(request, parts, encoded)
    return found ? toLyricsObject(found) : undefined
  }),
  get('lavalink.lyrics.current', `${PLAYER}/track/lyrics`, async (request, parts) => {
    const found = await lyricsOf(request, parts, currentOf(request, parts))
    return found ? toLyricsObject(found) : undefined
  }),
  get('lavalink.lyrics.currentOlder', `${PLAYER}/lyrics`, async (request, parts) => {
    const encoded = currentOf(request, parts)
    return toOlderLyrics(orNotFound(await lyricsOf(request, parts, encoded)), parts.tracks.read(encoded))
  }),
  get('lavalink.lyrics.search', '/v4/lyrics/search', (request, parts) =>
    searchVideos(request, parts, required(request.query, 'query')),
  ),
  get('lavalink.lyrics.searchOlder', '/v4/lyrics/search/:query', (request, parts) =>
    searchVideos(request, parts, request.params['query'] ?? ''),
  ),
  get('lavalink.lyrics.video', '/v4/lyrics/:videoId', async (request, { tracks, knowledge }) => {
    const { videoId = '' } = request.params
    if (!/^[\w-]{11}$/.test(videoId)) throw badRequest('videoId must be the id of a video of YouTube')
    const signal = request.signal()
    const track = await tracks.resolve(`https://www.youtube.com/watch?v=${videoId}`, request.caller, signal)
    return toOlderLyrics(orNotFound(await knowledge.findLyrics(track, request.caller, signal)), track)
  }),
]

function lyricsOf({ caller, signal }: LavalinkRequest, { tracks, knowledge }: RouteParts, encoded: string) {
  return knowledge.findLyrics(tracks.read(encoded), caller, signal())
}

function orNotFound(found: LyricsOf | null): LyricsOf {
  if (found) return found
  throw new Fault('not_found', 'No lyrics were found.')
}

/** The token of what plays. @throws {Fault} `not_found` */
function currentOf({ caller, params }: LavalinkRequest, { sessions }: RouteParts): string {
  const session = sessions.get(caller, params['sessionId'] ?? '')
  const { track } = session.players.get(params['guildId'] ?? '').toObject()
  if (track) return track.encoded
  throw new Fault('not_found', 'No track is playing.')
}

/** Videos whose lyrics may be asked for by their ids. */
async function searchVideos({ caller, signal }: LavalinkRequest, { tracks }: RouteParts, text: string) {
  const found = await tracks.load(`ytsearch:${parseInput(identifierSchema, text)}`, caller, signal())
  if (found.loadType === 'error') throw new Fault('service_unavailable', found.data.message ?? 'The search failed.')
  const videos = found.loadType === 'search' ? found.data : []
  return videos.map(({ info: { identifier: videoId, title } }) => ({ videoId, title }))
}

function required(query: URLSearchParams, name: string): string {
  const value = query.get(name)
  if (value !== null) return value
  throw badRequest(`Send the query parameter ${name}.`)
}

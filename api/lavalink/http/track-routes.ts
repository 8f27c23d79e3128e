import { z } from 'zod'
import { encodedSchema, identifierSchema } from '../protocol/track.ts'
import { badRequest, parseInput } from './refusals.ts'
import { get, post, type LavalinkRoute } from './route.ts'

const MAX_TRACKS = 100

const encodedTracksSchema = z.array(encodedSchema).min(1, 'No tracks to decode provided').max(MAX_TRACKS)

export const trackRoutes: readonly LavalinkRoute[] = [
  get('lavalink.tracks.load', '/v4/loadtracks', async ({ query, caller, signal }, { tracks }) => {
    const identifier = query.get('identifier')
    if (identifier === null) throw badRequest("Required parameter 'identifier' is not present.")
    return tracks.load(parseInput(identifierSchema, identifier), caller, signal())
  }),
  get('lavalink.tracks.decode', '/v4/decodetrack', ({ query }, { tracks }) => {
    const encoded = query.get('encodedTrack') ?? query.get('track')
    if (encoded === null) throw badRequest('No track to decode provided')
    return tracks.decode(parseInput(encodedSchema, encoded))
  }),
  post('lavalink.tracks.decodeAll', '/v4/decodetracks', ({ body }, { tracks }) =>
    parseInput(encodedTracksSchema, body).map((encoded) => tracks.decode(encoded)),
  ),
]

import { z } from 'zod'
import { encodedSchema, identifierSchema } from '../protocol/track.ts'
import { badRequest, parseInput } from './refusals.ts'
import type { LavalinkRoute } from './route.ts'

const MAX_TRACKS = 100

const encodedTracksSchema = z.array(encodedSchema).min(1, 'No tracks to decode provided').max(MAX_TRACKS)

export const trackRoutes: readonly LavalinkRoute[] = [
  {
    id: 'lavalink.tracks.load',
    method: 'GET',
    path: '/v4/loadtracks',
    async run({ query, caller, signal }, { tracks }) {
      const identifier = query.get('identifier')
      if (identifier === null) throw badRequest("Required parameter 'identifier' is not present.")
      return tracks.load(parseInput(identifierSchema, identifier), caller, signal())
    },
  },
  {
    id: 'lavalink.tracks.decode',
    method: 'GET',
    path: '/v4/decodetrack',
    run({ query }, { tracks }) {
      const encoded = query.get('encodedTrack') ?? query.get('track')
      if (encoded === null) throw badRequest('No track to decode provided')
      return tracks.decode(parseInput(encodedSchema, encoded))
    },
  },
  {
    id: 'lavalink.tracks.decodeAll',
    method: 'POST',
    path: '/v4/decodetracks',
    run: ({ body }, { tracks }) => parseInput(encodedTracksSchema, body).map((encoded) => tracks.decode(encoded)),
  },
]

import { z } from 'zod'
import { OPERATIONS } from '../../../bot/player/operations.ts'
import { route } from '../../http/route.ts'
import { EncodedTrack, encodedSongExample } from '../../schemas/music.ts'
import { guild, guildExample, perform } from './common.ts'

const MixLayer = z
  .object({ id: z.string(), track: EncodedTrack, volume: z.number(), positionMs: z.number() })
  .meta({ id: 'MixLayer' })

const layerExample = {
  id: '6f1c2f57-3b1e-4d3a-9a53-0d2f9a3f7a11',
  track: encodedSongExample,
  volume: 0.8,
  positionMs: 1200,
}

const layer = {
  ...guild,
  path: guild.path.extend({ id: z.uuid('Must be the ID of a layer.').describe('ID of the layer.') }),
} as const

const pathExample = { ...guildExample, id: layerExample.id }

export const addLayer = route('addLayer', 'POST /v1/music/guilds/{guildId}/mix', {
  ...guild,
  summary: 'Play a sound over the track',
  description:
    'Plays a jingle, speech or an effect over the current track, until its end or the end of the track. A ' +
    'player can have 5 layers. Returns 409 beyond that, and if nothing plays.',
  body: OPERATIONS.addLayer.input,
  data: MixLayer,
  example: {
    path: guildExample,
    body: { track: { encoded: encodedSongExample.encoded }, volume: 0.8 },
    data: { ...layerExample, positionMs: 0 },
  },
  handle: perform('addLayer'),
})

export const listLayers = route('listLayers', 'GET /v1/music/guilds/{guildId}/mix', {
  ...guild,
  summary: 'List the sounds over the track',
  data: z.array(MixLayer),
  example: { path: guildExample, data: [layerExample] },
  handle: perform('layers'),
})

export const changeLayer = route('changeLayer', 'PATCH /v1/music/guilds/{guildId}/mix/{id}', {
  ...layer,
  idempotent: true,
  summary: 'Change the volume of a layer',
  body: OPERATIONS.changeLayer.input.omit({ id: true }),
  data: MixLayer,
  example: { path: pathExample, body: { volume: 0.4 }, data: { ...layerExample, volume: 0.4 } },
  handle: perform('changeLayer'),
})

export const removeLayer = route('removeLayer', 'DELETE /v1/music/guilds/{guildId}/mix/{id}', {
  ...layer,
  summary: 'Remove a layer',
  description: 'Returns the removed layer.',
  data: MixLayer,
  example: { path: pathExample, data: layerExample },
  handle: perform('removeLayer'),
})

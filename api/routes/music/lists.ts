import { z } from 'zod'
import type { ListKind } from '../../../bot/sources/source.ts'
import { unprocessable } from '../../../lib/errors.ts'
import { route } from '../../http/route.ts'
import { text, wholeNumber } from '../../schemas/common.ts'
import { music } from './common.ts'

const TYPES = ['album', 'artist', 'playlist', 'podcast'] as const satisfies readonly ListKind[]

const List = z
  .object({
    type: z.enum(TYPES),
    title: z.string(),
    author: z.string().nullable().meta({ description: 'Whose it is; null where that is not known, or several are.' }),
    trackCount: z.int().nullable().meta({ description: 'Null where the source does not say.' }),
    uri: z.string().meta({ description: 'Plays all of it, as `query` of `POST …/play`.' }),
    artworkUrl: z.string().nullable(),
    source: z.string().meta({ description: 'The source that has it.' }),
  })
  .meta({ id: 'TrackList' })

export const lists = route({
  ...music,
  id: 'searchLists',
  method: 'GET',
  url: '/v1/music/lists',
  summary: 'Search for albums, artists, playlists and podcasts',
  description:
    'The library has albums and artists, Subsonic and Jellyfin playlists as well; podcasts are looked for in a ' +
    'directory. Without `q`, all that there are, by name. Sources that fail or are slow are left out.',
  query: z.object({
    type: z.enum(TYPES, { error: `Give one of ${TYPES.join(', ')}.` }).meta({ description: 'Of which kind.' }),
    q: text(1, 200).exactOptional().meta({ description: 'Words of its name; left out, all.' }),
    artist: text(1, 200).exactOptional().meta({ description: 'Only albums of the artist of exactly this name.' }),
    limit: wholeNumber(1, 50)
      .default(20)
      .meta({ description: 'How many to answer at most.', override: { default: 20 } }),
    offset: wholeNumber(0, 10_000)
      .default(0)
      .meta({
        description: 'How many to pass over; together with `source`, since each source counts its own.',
        override: { default: 0 },
      }),
    source: z
      .string()
      .max(50, 'No source has so long a name.')
      .exactOptional()
      .meta({ description: 'In this one only.' }),
  }),
  data: z.array(List),
  etag: true,
  example: {
    query: { type: 'album', q: 'harbour' },
    data: [
      {
        type: 'album',
        title: 'Harbour',
        author: 'The Quays',
        trackCount: 11,
        uri: 'library://album/3f9Qm0y7b1kDk2s8aU4xwg',
        artworkUrl: null,
        source: 'library',
      },
    ],
  },
  async handle({ query: { type, q = '', source, ...page } }, { music }) {
    if (source !== undefined && !music.sourceNames.includes(source)) {
      throw unprocessable('unknown_source', `No source has this name; there are: ${music.sourceNames.join(', ')}.`)
    }
    const found = await music.lists({ ...page, kind: type, text: q, ...(source !== undefined && { source }) })
    return found.map(({ kind, ...list }) => Object.assign({ type: kind }, list))
  },
})

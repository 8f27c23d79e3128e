import { z } from 'zod'
import { unprocessable } from '../../../lib/errors.ts'
import { route } from '../../http/route.ts'
import { text, wholeNumber } from '../../schemas/common.ts'
import { encodedSongExample, FoundTrack } from '../../schemas/music.ts'
import { music } from './common.ts'

export const search = route({
  ...music,
  id: 'searchTracks',
  method: 'GET',
  url: '/v1/music/search',
  summary: 'Search for tracks',
  description:
    'Without `source` the configured sources are asked in their order, each for what is still missing; one that ' +
    'fails or is slow is skipped. `source` of a track says who found it.',
  query: z.object({
    q: text(1, 200).meta({ description: 'What to look for.' }),
    limit: wholeNumber(1, 25)
      .default(10)
      .meta({ description: 'How many tracks to answer at most.', override: { default: 10 } }),
    source: z
      .string()
      .max(50, 'No source has so long a name.')
      .exactOptional()
      .meta({ description: 'Looks in this source only; left out, in all.' }),
  }),
  data: z.array(FoundTrack),
  etag: true,
  example: { query: { q: 'night ferry', limit: '5' }, data: [{ ...encodedSongExample, source: 'library' }] },
  handle({ query: { q, limit, source } }, { music }) {
    if (source === undefined) return music.search({ q, limit })
    if (!music.sourceNames.includes(source)) {
      throw unprocessable('unknown_source', `No source has this name; there are: ${music.sourceNames.join(', ')}.`)
    }
    return music.search({ q, limit, source })
  },
})

import { z } from 'zod'
import { unprocessable } from '../../../lib/errors.ts'
import { route } from '../../http/route.ts'
import { text, wholeNumber } from '../../../lib/validation/inputs.ts'
import { encodedSongExample, FoundTrack } from '../../schemas/music.ts'
import { music } from './common.ts'

export const search = route('searchTracks', 'GET /v1/music/search', {
  ...music,
  summary: 'Search for tracks',
  description:
    'Without `source`, queries the configured sources in order until there are enough tracks, and skips sources ' +
    'that fail or are slow. `source` of each track names its source.',
  query: z.object({
    q: text(1, 200).describe('Search text.'),
    limit: wholeNumber(1, 25)
      .default(10)
      .meta({ description: 'Maximum number of tracks.', override: { default: 10 } }),
    source: z
      .string()
      .max(50, 'No source has a name this long.')
      .exactOptional()
      .describe('Searches only this source. Defaults to all.'),
  }),
  data: z.array(FoundTrack),
  etag: true,
  example: { query: { q: 'night ferry', limit: '5' }, data: [{ ...encodedSongExample, source: 'library' }] },
  handle({ query: { q, limit, source } }, { music }) {
    if (source === undefined) return music.search({ q, limit })
    if (!music.sourceNames.includes(source)) {
      throw unprocessable('unknown_source', `Unknown source. Use ${music.sourceNames.join(', ')}.`)
    }
    return music.search({ q, limit, source })
  },
})

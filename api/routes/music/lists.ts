import { z } from 'zod'
import type { ListKind } from '../../../bot/sources/source.ts'
import type { PlayerService } from '../../../bot/player-service.ts'
import { unprocessable } from '../../../lib/errors.ts'
import { route } from '../../http/route.ts'
import { text, wholeNumber } from '../../../lib/validation/inputs.ts'
import { Page, pageOf, readCursor, writeCursor } from '../../schemas/pages.ts'
import { music } from './common.ts'

const TYPES = ['album', 'artist', 'playlist', 'podcast'] as const satisfies readonly ListKind[]

const List = z
  .object({
    type: z.enum(TYPES),
    title: z.string(),
    author: z.string().nullable().describe('Creator. Null if unknown, or if there are several.'),
    trackCount: z.int().nullable().describe("Null if the source doesn't provide it."),
    uri: z.string().describe('Send it as `query` of `POST …/play` to play all of it.'),
    artworkUrl: z.string().nullable(),
    source: z.string().describe('Source of the list.'),
  })
  .meta({ id: 'TrackList' })

export const lists = route('searchLists', 'GET /v1/music/lists', {
  ...music,
  summary: 'Search for albums, artists, playlists and podcasts',
  description:
    'The library has albums and artists, Subsonic and Jellyfin also playlists; podcasts come from a directory. ' +
    'Without `q`, lists all by name. Skips sources that fail or are slow.',
  query: z.object({
    type: z.enum(TYPES, { error: `Must be one of ${TYPES.join(', ')}.` }).describe('Kind of list.'),
    q: text(1, 200).exactOptional().describe('Words in the name. Defaults to all lists.'),
    artist: text(1, 200).exactOptional().describe('Returns only albums by the artist with exactly this name.'),
    ...pageOf(50, 20),
    offset: wholeNumber(0, 10_000)
      .default(0)
      .meta({
        description: 'Number of lists to skip. Needs `source`, since each source counts its own lists.',
        override: { default: 0 },
      }),
    source: z
      .string()
      .max(50, 'No source has a name this long.')
      .exactOptional()
      .describe('Searches only this source. Defaults to all.'),
  }),
  isPaged: true,
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
  async handle({ query: { type, q = '', source, cursor, ...page } }, { music }) {
    if (source !== undefined && !music.sourceNames.includes(source)) {
      throw unprocessable('unknown_source', `Unknown source. Use ${music.sourceNames.join(', ')}.`)
    }
    const request = { ...page, kind: type, text: q, ...(source !== undefined && { source }) }
    const before = cursor === undefined ? null : readCursor(`lists ${type}`, cursor, Counts)
    const found = before ? await behind(music, request, before) : await music.lists(request)
    const counts = countAll(before ?? {}, found, page.offset)
    const next = found.length < page.limit ? null : writeCursor(`lists ${type}`, counts)
    return new Page(
      found.map(({ kind, ...list }) => Object.assign({ type: kind }, list)),
      next,
    )
  },
})

/** Number of results from each source up to the end of a page. */
const Counts = z.record(z.string().max(50), z.int().min(0).max(1_000_000))
type Counts = z.output<typeof Counts>

type Found = Awaited<ReturnType<PlayerService['lists']>>

function countAll(before: Counts, found: Found, offset: number): Counts {
  const counts: Record<string, number> = { ...before }
  for (const { source } of found) counts[source] = (counts[source] ?? offset) + 1
  return counts
}

/** Further results of each source, by turns. Sources that fail are left out, unless all do. */
async function behind(
  music: Pick<PlayerService, 'lists' | 'sourceNames'>,
  request: Parameters<PlayerService['lists']>[0],
  counts: Counts,
): Promise<Found> {
  const { source: only, limit, offset } = request
  const names = music.sourceNames.filter((name) => only === undefined || name === only)
  const answers = await Promise.allSettled(
    names.map((source) => music.lists({ ...request, source, offset: counts[source] ?? offset })),
  )
  const found = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []))
  const failed = answers.find((answer) => answer.status === 'rejected')
  if (found.length === 0 && failed) throw failed.reason
  const longest = Math.max(0, ...found.map(({ length }) => length))
  const turns = Array.from({ length: longest }, (_, at) => found.flatMap((list) => list.slice(at, at + 1)))
  return turns.flat().slice(0, limit)
}

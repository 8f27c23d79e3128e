import { z } from 'zod'
import { Token } from '../../../bot/player/inputs.ts'
import type { PlayerScope, PlayerService } from '../../../bot/player-service.ts'
import type { Caller } from '../../http/app-context.ts'
import { invalidInput, route } from '../../http/route.ts'
import { Snowflake, wholeNumber } from '../../schemas/common.ts'
import { encodedSongExample, FoundTrack } from '../../schemas/music.ts'
import { channelQuery, groupOf, guildExample, music, playerScopeOf } from './common.ts'

const EITHER = 'Give exactly one of `encoded` and `guildId`.'

const meantQuery = {
  encoded: Token.exactOptional().meta({ description: 'The token of the track that is meant.' }),
  guildId: Snowflake.exactOptional().meta({ description: 'Means what plays in this guild; 409 when nothing does.' }),
  ...channelQuery,
}

const Lang = z.string().regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Give a language such as `en` or `pt-BR`.')

function meantBy({ encoded, guildId }: { readonly encoded?: string; readonly guildId?: string }) {
  if (encoded !== undefined && guildId === undefined) return { encoded }
  if (guildId !== undefined && encoded === undefined) return { guildId }
  throw invalidInput('validation_error', [
    { field: 'query.encoded', message: EITHER },
    { field: 'query.guildId', message: EITHER },
  ])
}

interface Meant {
  readonly guildId?: string
  readonly channelId?: string
}

/** The bot whose player is meant; for a track that is named, any bot of the key. */
function scopeFor(caller: Caller, { guildId, channelId }: Meant, { bots }: Pick<PlayerService, 'bots'>): PlayerScope {
  if (guildId !== undefined) return playerScopeOf(caller, { guildId, channelId }, { bots })
  const { projectId, botIds, playerCeiling } = groupOf(caller)
  return { projectId, botId: botIds[0] ?? '', playerCeiling }
}

const LyricLine = z
  .object({
    text: z.string().meta({ description: 'Empty for a pause.' }),
    timeMs: z.number().nullable().meta({ description: 'Milliseconds from the start; null where it is not known.' }),
    durationMs: z.number().nullable(),
  })
  .meta({ id: 'LyricLine' })

const LyricsResult = z
  .object({
    source: z.string().meta({ description: 'Who wrote them down.' }),
    lang: z.string().nullable(),
    synced: z.boolean().meta({ description: 'Whether every line has its time.' }),
    instrumental: z.boolean().meta({ description: 'Without vocals; there are no lines then.' }),
    lines: z.array(LyricLine),
  })
  .meta({ id: 'Lyrics' })

export const lyrics = route({
  ...music,
  id: 'getLyrics',
  method: 'GET',
  url: '/v1/music/lyrics',
  summary: 'Read the lyrics of a track',
  description: 'Time-synced where timings exist for a recording of this length. 404 when there are none.',
  query: z.object({
    ...meantQuery,
    lang: Lang.exactOptional().meta({ description: 'The language that is preferred where there are several.' }),
  }),
  data: LyricsResult,
  etag: true,
  example: {
    query: guildExample,
    data: {
      source: 'lrclib',
      lang: null,
      synced: true,
      instrumental: false,
      lines: [
        { text: 'The ferry leaves at night', timeMs: 12_340, durationMs: 3560 },
        { text: 'and no one is on it', timeMs: 15_900, durationMs: 4100 },
      ],
    },
  },
  handle: async ({ caller, query }, { trackMetadata, music }) =>
    trackMetadata.lyrics(scopeFor(caller, query, music), meantBy(query)),
})

const MeaningResult = z
  .object({
    title: z.string(),
    paragraphs: z.array(z.string()),
    source: z.enum(['genius', 'wikipedia']),
    url: z
      .string()
      .meta({ description: 'Where it is from. Text of Wikipedia is under CC BY-SA 4.0: name this address.' }),
  })
  .meta({ id: 'Meaning' })

export const meaning = route({
  ...music,
  id: 'getMeaning',
  method: 'GET',
  url: '/v1/music/meaning',
  summary: 'Read what a track is about',
  description: '404 when there is none.',
  query: z.object({
    ...meantQuery,
    lang: Lang.default('en').meta({
      description: 'The language to read it in; English where there is nothing in it.',
      override: { default: 'en' },
    }),
  }),
  data: MeaningResult,
  etag: true,
  example: {
    query: guildExample,
    data: {
      title: 'Night Ferry',
      paragraphs: ['"Night Ferry" is a song by The Harbour Lights.'],
      source: 'wikipedia',
      url: 'https://en.wikipedia.org/wiki/Night_Ferry',
    },
  },
  handle: async ({ caller, query }, { trackMetadata, music }) =>
    trackMetadata.meaning(scopeFor(caller, query, music), meantBy(query), query.lang),
})

export const recommendations = route({
  ...music,
  id: 'getRecommendations',
  method: 'GET',
  url: '/v1/music/recommendations',
  summary: 'Find tracks that go well after one',
  description:
    'As the own source of the track sees it; then by those who know songs by name, found again where they can be ' +
    'played. Never the track itself, and no song twice.',
  query: z.object({
    encoded: Token.meta({ description: 'The token of the track that comes before.' }),
    limit: wholeNumber(1, 25)
      .default(10)
      .meta({ description: 'How many tracks to answer at most.', override: { default: 10 } }),
  }),
  data: z.array(FoundTrack),
  etag: true,
  example: {
    query: { encoded: encodedSongExample.encoded, limit: '5' },
    data: [{ ...encodedSongExample, title: 'Low Tide', source: 'library' }],
  },
  handle: ({ query: { encoded, limit } }, { trackMetadata }) => trackMetadata.recommendations(encoded, limit),
})

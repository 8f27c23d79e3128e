import { z } from 'zod'
import { Token } from '../../../bot/player/inputs.ts'
import type { PlayerScope, PlayerService } from '../../../bot/player-service.ts'
import type { Caller } from '../../http/app-context.ts'
import { invalidInput, route } from '../../http/route.ts'
import { languageTag, Snowflake, wholeNumber } from '../../../lib/validation/inputs.ts'
import { encodedSongExample, FoundTrack } from '../../schemas/music.ts'
import { channelQuery, groupOf, guildExample, music, playerScopeOf } from './common.ts'

const EITHER = 'Send either `encoded` or `guildId`.'

const meantQuery = {
  encoded: Token.exactOptional().describe('Token of the track.'),
  guildId: Snowflake.exactOptional().describe("Selects this guild's current track. Returns 409 if nothing plays."),
  ...channelQuery,
}

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
    text: z.string().describe('Empty during a pause.'),
    timeMs: z.number().nullable().describe('Milliseconds from the start. Null if unknown.'),
    durationMs: z.number().nullable(),
  })
  .meta({ id: 'LyricLine' })

const LyricsResult = z
  .object({
    source: z.string().describe('Provider of the lyrics.'),
    lang: z.string().nullable(),
    synced: z.boolean().describe('Whether every line has a time.'),
    instrumental: z.boolean().describe('Whether the track has no vocals, and so no lines.'),
    lines: z.array(LyricLine),
  })
  .meta({ id: 'Lyrics' })

export const lyrics = route('getLyrics', 'GET /v1/music/lyrics', {
  ...music,
  summary: "Get a track's lyrics",
  description:
    'Synced to time if there are timings for a recording of this length. Returns 404 if there are no lyrics.',
  query: z.object({
    ...meantQuery,
    lang: languageTag.exactOptional().describe('Preferred language if there are several.'),
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
    url: z.string().describe('URL of the source. Show this URL, since Wikipedia texts have the license CC BY-SA 4.0.'),
  })
  .meta({ id: 'Meaning' })

export const meaning = route('getMeaning', 'GET /v1/music/meaning', {
  ...music,
  summary: "Get a track's meaning",
  description: 'Returns 404 if there is no text about the track.',
  query: z.object({
    ...meantQuery,
    lang: languageTag.default('en').meta({
      description: 'Preferred language. Falls back to English.',
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

export const recommendations = route('getRecommendations', 'GET /v1/music/recommendations', {
  ...music,
  summary: 'Find similar tracks',
  description:
    'Returns tracks from its own source first, then from recommendation services, matched to playable tracks. ' +
    'Excludes the track itself and duplicates.',
  query: z.object({
    encoded: Token.describe('Token of the track to find similar ones for.'),
    limit: wholeNumber(1, 25)
      .default(10)
      .meta({ description: 'Maximum number of tracks.', override: { default: 10 } }),
  }),
  data: z.array(FoundTrack),
  etag: true,
  example: {
    query: { encoded: encodedSongExample.encoded, limit: '5' },
    data: [{ ...encodedSongExample, title: 'Low Tide', source: 'library' }],
  },
  handle: ({ query: { encoded, limit } }, { trackMetadata }) => trackMetadata.recommendations(encoded, limit),
})

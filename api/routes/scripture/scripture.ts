import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { languageTag, text } from '../../schemas/common.ts'

const scripture = { tag: 'Scripture', method: 'GET', class: 'cheap', envelope: envelopes.data } as const
const faults = ['not_found', 'service_unavailable'] as const
const path = z.object({
  translation: text(1, 100).meta({
    description: 'Code of a translation, with or without its language: `kjv`, `en_kjv`.',
  }),
})

export const listTranslations = route({
  ...scripture,
  id: 'listScriptureTranslations',
  url: '/v1/bible/translations',
  summary: 'List the translations',
  faults: ['service_unavailable'],
  etag: true,
  data: z.array(
    z
      .object({
        code: z.string(),
        language: z.string().meta({ description: 'In English.' }),
        name: z.string(),
        description: z.string(),
      })
      .meta({ id: 'ScriptureTranslation' }),
  ),
  example: {
    data: [{ code: 'kjv', language: 'English', name: 'King James Version', description: 'King James Version (1769)' }],
  },
  handle: (_request, { scripture }) => scripture.translations(),
})

export const searchScripture = route({
  ...scripture,
  id: 'searchScripture',
  url: '/v1/bible/{translation}/search',
  summary: 'Search verses',
  description: 'Returns up to 100 verses that contain all words, in the order of the books. Ignores case and accents.',
  faults,
  path,
  query: z.object({ q: text(1, 200).meta({ description: 'Search text.' }) }),
  data: z.array(
    z
      .object({ book: z.string(), chapter: z.number().int(), verse: z.number().int(), text: z.string() })
      .meta({ id: 'ScriptureSearchResult' }),
  ),
  example: {
    path: { translation: 'kjv' },
    query: { q: 'in the beginning' },
    data: [{ book: 'Genesis', chapter: 1, verse: 1, text: 'In the beginning God created the heaven and the earth.' }],
  },
  handle: ({ path, query }, { scripture }) => scripture.search(path.translation, query.q),
})

export const getVerses = route({
  ...scripture,
  id: 'getScriptureVerses',
  url: '/v1/bible/{translation}/verses',
  summary: 'Get verses by reference',
  description:
    'Up to 50 references with commas or semicolons between them: `John 3:16`, `1 Cor 13:4-7`, `Psalm 23`. One without a ' +
    'book is in the book before it: `John 3:16,18; 4:2`. Names and abbreviations in English, in the language of the ' +
    'translation or in `lang`. One answer for each, in order; a reference that ' +
    'does not exist in the translation is a 404 that names it. At most 200 verses.',
  faults,
  path,
  query: z.object({
    refs: text(1, 5000).meta({ description: 'References, separated by commas or semicolons.' }),
    lang: languageTag.optional().meta({
      description:
        'Second language for book names. `Johannes 3,16` means verse 16 if this language, or else the ' +
        'translation, writes references that way.',
    }),
  }),
  data: z.array(
    z
      .object({
        reference: z.string().meta({ description: 'Uses the book name of the translation.' }),
        text: z.string(),
      })
      .meta({ id: 'ScriptureVerse' }),
  ),
  example: {
    path: { translation: 'kjv' },
    query: { refs: 'John 11:35' },
    data: [{ reference: 'John 11:35', text: 'Jesus wept.' }],
  },
  handle: ({ path, query }, { scripture }) => scripture.verses(path.translation, query.refs, query.lang),
})

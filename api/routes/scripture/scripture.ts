import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import {
  SearchHit,
  SearchQuery,
  TranslationItem,
  TranslationPath,
  VerseResult,
  VersesQuery,
} from '../../../upstream/scripture/schemas.ts'

const scripture = { tag: 'Scripture', class: 'cheap', envelope: envelopes.data } as const
const faults = ['not_found', 'service_unavailable'] as const

export const listTranslations = route('listScriptureTranslations', 'GET /v1/bible/translations', {
  ...scripture,
  summary: 'List the translations',
  faults: ['service_unavailable'],
  etag: true,
  data: z.array(TranslationItem),
  example: {
    data: [{ code: 'kjv', language: 'English', name: 'King James Version', description: 'King James Version (1769)' }],
  },
  handle: (_request, { scripture }) => scripture.translations(),
})

export const searchScripture = route('searchScripture', 'GET /v1/bible/{translation}/search', {
  ...scripture,
  summary: 'Search verses',
  description: 'Returns up to 100 verses that contain all words, in the order of the books. Ignores case and accents.',
  faults,
  path: TranslationPath,
  query: SearchQuery,
  data: z.array(SearchHit),
  example: {
    path: { translation: 'kjv' },
    query: { q: 'in the beginning' },
    data: [{ book: 'Genesis', chapter: 1, verse: 1, text: 'In the beginning God created the heaven and the earth.' }],
  },
  handle: ({ path, query }, { scripture }) => scripture.search(path.translation, query.q),
})

export const getVerses = route('getScriptureVerses', 'GET /v1/bible/{translation}/verses', {
  ...scripture,
  summary: 'Get verses by reference',
  description:
    'Up to 50 references with commas or semicolons between them: `John 3:16`, `1 Cor 13:4-7`, `Psalm 23`. One without a ' +
    'book is in the book before it: `John 3:16,18; 4:2`. Names and abbreviations in English, in the language of the ' +
    'translation or in `lang`. One result for each, in order; a reference that ' +
    "doesn't exist in the translation is a 404 that names it. At most 200 verses.",
  faults,
  path: TranslationPath,
  query: VersesQuery,
  data: z.array(VerseResult),
  example: {
    path: { translation: 'kjv' },
    query: { refs: 'John 11:35' },
    data: [{ reference: 'John 11:35', text: 'Jesus wept.' }],
  },
  handle: ({ path, query }, { scripture }) => scripture.verses(path.translation, query.refs, query.lang),
})

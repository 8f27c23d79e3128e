import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { TranslationLanguage, TranslationQuery, TranslationResult } from '../../../upstream/translation/schemas.ts'

export const translate = route('translate', 'GET /v1/translation/translate', {
  summary: 'Translate a text',
  description:
    'Keeps mentions, custom emoji, links, code, placeholders and whitespace unchanged. Codes are ISO 639-1, ' +
    'with a region or script where it matters: `pt-BR`, `zh-TW`, `zh-Hant`. `X-Translation-Provider` names the ' +
    'provider, and `X-Translation-Remaining` the characters left today, if the provider limits them.',
  tag: 'Translation',
  class: 'fetch',
  envelope: envelopes.successWithId,
  invalid: 'bad_request',
  faults: ['internal_error'],
  query: TranslationQuery,
  data: TranslationResult,
  example: {
    query: { text: 'Guten Morgen', to: 'en' },
    data: { originalText: 'Guten Morgen', translatedText: 'Good morning', sourceLanguage: 'de', targetLanguage: 'en' },
  },
  async handle(request, { translation }) {
    const translated = await translation.translate(request.query)
    const { provider } = translation
    if (provider) request.set('X-Translation-Provider', provider.name)
    const remaining = provider?.remainingCharacters?.()
    if (remaining !== undefined) request.set('X-Translation-Remaining', String(remaining))
    return translated
  },
})

export const listLanguages = route('listLanguages', 'GET /v1/translation/languages', {
  summary: 'List the target languages',
  tag: 'Translation',
  class: 'cheap',
  envelope: envelopes.successWithId,
  data: z.object({ languages: z.array(TranslationLanguage) }),
  example: { data: { languages: [{ code: 'de', name: 'German' }] } },
  handle: async (_request, { translation }) => ({ languages: await translation.languages() }),
})

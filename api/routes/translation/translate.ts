import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { text } from '../../schemas/common.ts'

const code = z.string().min(1, 'Must be a language code.').max(35, 'Must be a language code, which is shorter.')

const TranslationResult = z
  .object({
    originalText: z.string(),
    translatedText: z.string(),
    sourceLanguage: z.string().meta({ description: 'The detected language if `from` is `auto`. `und` if unknown.' }),
    targetLanguage: z.string(),
  })
  .meta({ id: 'Translation' })

const Language = z
  .object({ code: z.string(), name: z.string().meta({ description: 'In English.' }) })
  .meta({ id: 'Language' })

export const translate = route({
  id: 'translate',
  method: 'GET',
  url: '/v1/translation/translate',
  summary: 'Translate a text',
  description:
    'Keeps mentions, custom emoji, links, code, placeholders and whitespace unchanged. Codes are ISO 639-1, ' +
    'with a region or script where it matters: `pt-BR`, `zh-TW`, `zh-Hant`. `X-Translation-Provider` names who ' +
    'translated, and `X-Translation-Remaining` the characters that are left for today where that is bounded.',
  tag: 'Translation',
  class: 'fetch',
  envelope: envelopes.successWithId,
  invalid: 'bad_request',
  faults: ['internal_error'],
  query: z.object({
    text: text(1, 5000).meta({ description: 'Text to translate.' }),
    to: code.meta({ description: 'Code of the target language.' }),
    from: code.default('auto').meta({ description: 'Code of the source language. `auto` detects it.' }),
  }),
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

export const listLanguages = route({
  id: 'listLanguages',
  method: 'GET',
  url: '/v1/translation/languages',
  summary: 'List the target languages',
  tag: 'Translation',
  class: 'cheap',
  envelope: envelopes.successWithId,
  data: z.object({ languages: z.array(Language) }),
  example: { data: { languages: [{ code: 'de', name: 'German' }] } },
  handle: async (_request, { translation }) => ({ languages: await translation.languages() }),
})

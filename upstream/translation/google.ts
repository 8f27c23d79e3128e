import { z } from 'zod'
import { createUpstream, type UpstreamContext } from '../http/client.ts'
import type { LanguageCode } from './codes.ts'
import { explainRejection, type TranslationProvider } from './provider.ts'

const Answer = z.object({
  data: z.object({
    translations: z.array(z.object({ translatedText: z.string(), detectedSourceLanguage: z.string().nullish() })),
  }),
})
const Languages = z.object({
  data: z.object({ languages: z.array(z.object({ language: z.string(), name: z.string() })) }),
})

const CODES: ReadonlyMap<LanguageCode, string> = new Map([
  ['zh', 'zh-CN'],
  ['he', 'iw'],
  ['jv', 'jw'],
  ['pt-BR', 'pt'],
])

/** Google Cloud Translation, version 2. */
export function createGoogleTranslate(
  context: UpstreamContext,
  { baseUrl, key, timeoutMs }: { baseUrl: string; key: string; timeoutMs: number },
): TranslationProvider {
  const service = createUpstream(context, {
    name: 'The translation service',
    id: 'google-translate',
    baseUrl,
    timeoutMs,
    // Not in the address, where proxies would log it.
    headers: { 'x-goog-api-key': key },
  })

  return {
    name: 'google',
    host: service.host,
    timeoutMs,
    async translate(texts, from, to) {
      // The API takes texts for HTML by default and answers with entities.
      const json = { q: texts, target: codeOf(to), format: 'text', ...(from !== null && { source: codeOf(from) }) }
      const shape = Answer.refine((answer) => answer.data.translations.length === texts.length)
      const { data } = await service
        .get({ path: '/language/translate/v2', json, shape })
        .catch((error: unknown) => explainRejection(error, from, to))
      return data.translations.map((each) => ({
        text: each.translatedText,
        detected: each.detectedSourceLanguage ?? null,
      }))
    },
    async languages() {
      const { data } = await service.get({
        path: '/language/translate/v2/languages',
        // Names come only with the language that they are to be in.
        query: { target: 'en' },
        shape: Languages,
      })
      return data.languages.map(({ language, name }) => ({ code: language, name }))
    },
  }
}

function codeOf(language: LanguageCode): string {
  return CODES.get(language) ?? language
}

import { z } from 'zod'
import { createUpstream, type UpstreamContext } from '../http/client.ts'
import type { LanguageCode } from './codes.ts'
import { explainRejection, type TranslationProvider } from './provider.ts'

const Answer = z.object({
  translations: z.array(z.object({ text: z.string(), detected_source_language: z.string().nullish() })),
})
const Languages = z.array(z.object({ lang: z.string(), name: z.string(), usable_as_target: z.boolean() }))

/** Targets want a variant where there are several; sources have none. */
const TARGETS: ReadonlyMap<LanguageCode, string> = new Map([
  ['en', 'EN-US'],
  ['pt', 'PT-PT'],
  ['zh', 'ZH-HANS'],
  ['zh-CN', 'ZH-HANS'],
  ['zh-TW', 'ZH-HANT'],
  ['no', 'NB'],
])
const SOURCES: ReadonlyMap<LanguageCode, string> = new Map([
  ['pt-BR', 'PT'],
  ['zh-CN', 'ZH'],
  ['zh-TW', 'ZH'],
  ['no', 'NB'],
])

export function createDeepL(
  context: UpstreamContext,
  { baseUrl, key, timeoutMs }: { baseUrl: string; key: string; timeoutMs: number },
): TranslationProvider {
  const service = createUpstream(context, {
    name: 'The translation service',
    id: 'deepl',
    baseUrl,
    timeoutMs,
    headers: { authorization: `DeepL-Auth-Key ${key}` },
  })

  return {
    name: 'deepl',
    host: service.host,
    timeoutMs,
    async translate(texts, from, to) {
      const json = {
        text: texts,
        target_lang: TARGETS.get(to) ?? to.toUpperCase(),
        ...(from !== null && { source_lang: SOURCES.get(from) ?? from.toUpperCase() }),
      }
      const { translations } = await service
        .get({ path: '/v2/translate', json, shape: Answer.refine((it) => it.translations.length === texts.length) })
        .catch((error: unknown) => explainRejection(error, from, to))
      return translations.map((each) => ({ text: each.text, detected: each.detected_source_language ?? null }))
    },
    async languages() {
      const all = await service.get({
        path: '/v3/languages',
        query: { resource: 'translate_text' },
        shape: Languages,
      })
      return all.filter((each) => each.usable_as_target).map(({ lang, name }) => ({ code: lang, name }))
    },
  }
}

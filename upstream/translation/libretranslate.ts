import { z } from 'zod'
import { createUpstream, type UpstreamContext } from '../http/client.ts'
import type { LanguageCode } from './codes.ts'
import { explainRejection, type TranslationProvider } from './provider.ts'

const Detected = z.object({ language: z.string() })
/** Lists, since a list was sent; `detectedLanguage` only where the source was left open. */
const Answer = z.object({
  translatedText: z.array(z.string()),
  detectedLanguage: z.union([z.array(Detected), Detected]).nullish(),
})
const Languages = z.array(z.object({ code: z.string(), name: z.string() }))

/** Codes of LibreTranslate, old and new versions alike: the new ones accept these as other names of theirs. */
const CODES: ReadonlyMap<LanguageCode, string> = new Map([
  ['zh-CN', 'zh'],
  ['zh-TW', 'zt'],
  ['pt-BR', 'pb'],
  ['no', 'nb'],
])

export function createLibreTranslate(
  context: UpstreamContext,
  { baseUrl, key, timeoutMs }: { baseUrl: string; key: string | null; timeoutMs: number },
): TranslationProvider {
  const service = createUpstream(context, { name: 'The translation service', id: 'libretranslate', baseUrl, timeoutMs })

  return {
    name: 'libretranslate',
    host: service.host,
    timeoutMs,
    async translate(texts, from, to) {
      const json = {
        q: texts,
        source: from === null ? 'auto' : codeOf(from),
        target: codeOf(to),
        format: 'text',
        ...(key !== null && { api_key: key }),
      }
      const { translatedText, detectedLanguage } = await service
        .get({ path: '/translate', json, shape: Answer.refine((it) => it.translatedText.length === texts.length) })
        .catch((error: unknown) => explainRejection(error, from, to))
      const detected = Array.isArray(detectedLanguage) ? detectedLanguage : texts.map(() => detectedLanguage)
      return translatedText.map((text, at) => ({ text, detected: detected[at]?.language ?? null }))
    },
    languages: () => service.get({ path: '/languages', shape: Languages }),
  }
}

function codeOf(language: LanguageCode): string {
  return CODES.get(language) ?? language
}

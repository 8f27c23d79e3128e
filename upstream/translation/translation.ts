import { createHash } from 'node:crypto'
import { Fault, type FaultReason } from '../../lib/errors.ts'
import { createCache } from '../http/cache.ts'
import type { UpstreamContext } from '../http/client.ts'
import { failingAs, UpstreamFailure, within } from '../http/failure.ts'
import type { LookupSettings } from '../http/settings.ts'
import { baseOf, BUILT_IN_LANGUAGES, findLanguage, toLanguageList, type LanguageCode } from './codes.ts'
import { createDeepL } from './deepl.ts'
import { createGoogleTranslate } from './google.ts'
import { createLibreTranslate } from './libretranslate.ts'
import { createMyMemory } from './mymemory.ts'
import type { Detection } from './detection.ts'
import { hasWords, takeApart, type Pieces } from './pieces.ts'
import type { TranslationLanguage, TranslationQuery, TranslationResult } from './schemas.ts'
import { withSpacesOf, type Translated, type TranslationProvider } from './provider.ts'

export type Translation = ReturnType<typeof createTranslation>

const HOUR_MS = 60 * 60_000
const DAY_MS = 24 * HOUR_MS

export function createTranslation(context: UpstreamContext, settings: LookupSettings, detection: Detection) {
  const { metrics, now, log } = context
  /** Who translates; null without a provider. */
  const provider = createProvider(context, settings)
  let isReported = false
  const max = settings.cacheMaxEntries
  const done = createCache<Translated>({ name: 'translations', max, ttlMs: HOUR_MS, metrics, now })
  const kept = { name: 'languages', max: 1, ttlMs: DAY_MS, staleMs: 30 * DAY_MS }
  const lists = createCache<readonly TranslationLanguage[]>({ ...kept, metrics, now })

  const translated = async (text: string, from: LanguageCode | null, to: LanguageCode): Promise<Translated> => {
    if (from === to || !hasWords(text)) return { text, detected: from ?? 'und' }
    if (!provider) {
      if (!isReported) log.warn(NOT_CONFIGURED)
      isReported = true
      throw new Fault('internal_error', NOT_CONFIGURED, { reason: 'not_configured' })
    }
    const source = from ?? (provider.wantsSource ? await languageOf(text, detection) : null)
    if (source === to) return { text, detected: source }
    const key = createHash('sha256')
      .update(JSON.stringify([source, to, text]))
      .digest('base64')
    const who = { name: 'The translation service', host: provider.host }
    const work = done.get(key, () => inPieces(provider, takeApart(text), source, to))
    const { text: answer, detected } = await within(provider.timeoutMs, who, work)
    return { text: answer, detected: source ?? detected }
  }

  return {
    provider,
    /**
     * Mentions, links, code, placeholders and white space come through unchanged.
     * @throws {Fault} `bad_request` for a language that is unknown; `internal_error` when there is no provider, or none
     *   that answers.
     */
    translate: ({ text, to, from }: TranslationQuery): Promise<TranslationResult> =>
      failingAs('internal_error', async () => {
        const source = from.toLowerCase() === 'auto' ? null : known(from, 'unknown_source_language')
        const target = known(to, 'unknown_target_language')
        if (text.trim() === '') throw badRequest('empty_text', 'Must contain more than whitespace.')
        const { text: translatedText, detected } = await translated(text, source, target)
        const sourceLanguage = source ?? baseOf(detected ?? 'und')
        return { originalText: text, translatedText, sourceLanguage, targetLanguage: target }
      }),
    /** By name. Never fails: where the provider cannot be asked, an older or the built-in list is given. */
    async languages(): Promise<readonly TranslationLanguage[]> {
      if (!provider) return BUILT_IN_LANGUAGES
      try {
        return await lists.get('all', async () => toLanguageList(await provider.languages()))
      } catch (error) {
        if (error instanceof UpstreamFailure) return BUILT_IN_LANGUAGES
        throw error
      }
    },
  }
}

const NOT_CONFIGURED =
  'Translation is turned off (TRANSLATE_PROVIDER is none). The operator can set it to auto, or also set ' +
  'LIBRETRANSLATE_URL, DEEPL_API_KEY or GOOGLE_TRANSLATE_API_KEY.'

async function languageOf(text: string, detection: Detection): Promise<LanguageCode | null> {
  const { language } = await detection.detect(text)
  return language === 'und' ? null : language
}

/** The translation of all pieces; those that lose a mark are translated again in the parts between their marks. */
async function inPieces(
  provider: TranslationProvider,
  pieces: Pieces,
  from: LanguageCode | null,
  to: LanguageCode,
): Promise<Translated> {
  const answers = await provider.translate(pieces.marked, from, to)
  const restored = answers.map(({ text }, at) => pieces.restore(at, text))
  const detected = detectedIn(answers, pieces)
  const lost = restored.flatMap((text, at) => (text === null ? [at] : []))
  if (lost.length === 0) return { text: pieces.join(restored), detected }

  const cuts = lost.map((at) => pieces.cut(at))
  const wanted = cuts.flatMap((parts) => parts.filter(isWanted))
  const again = wanted.length === 0 ? [] : await provider.translate(wanted, from, to)
  let next = 0
  const whole = cuts.map((parts) =>
    parts.map((part, at) => (isWanted(part, at) ? withSpacesOf(part, again[next++]?.text ?? part) : part)).join(''),
  )
  return { text: pieces.join(restored.map((text, at) => text ?? whole[lost.indexOf(at)] ?? null)), detected }
}

/** What stands between the marks of a cut piece, where it has words. */
function isWanted(part: string, at: number): boolean {
  return at % 2 === 0 && hasWords(part)
}

/** The language of the longest piece, which is detected most reliably. */
function detectedIn(answers: readonly Translated[], { marked }: Pieces): string | null {
  const longest = marked.reduce((best, piece, at) => (piece.length > (marked[best]?.length ?? 0) ? at : best), 0)
  return answers[longest]?.detected ?? null
}

function known(code: string, reason: FaultReason): LanguageCode {
  const language = findLanguage(code)
  if (language === null) {
    throw badRequest(reason, `Unknown language ${code}. GET /v1/translation/languages lists all.`)
  }
  return language
}

function badRequest(reason: FaultReason, message: string): Fault {
  return new Fault('bad_request', message, { reason })
}

function createProvider(
  context: UpstreamContext,
  { translation, timeoutMs }: LookupSettings,
): TranslationProvider | null {
  const { provider, myMemory, libreTranslate, deepL, google } = translation
  switch (provider) {
    case 'none':
      return null
    case 'mymemory':
      return createMyMemory(context, { ...myMemory, timeoutMs })
    case 'libretranslate':
      // A model on the operator's own machine may have to be loaded first.
      return createLibreTranslate(context, { ...libreTranslate, timeoutMs: 4 * timeoutMs })
    case 'deepl':
      return createDeepL(context, { ...deepL, timeoutMs: 1.6 * timeoutMs })
    case 'google':
      return createGoogleTranslate(context, { ...google, timeoutMs: 1.6 * timeoutMs })
  }
}

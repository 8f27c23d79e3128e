import { startStandIn, type Reply, type StandIn } from './stand-in.ts'

export interface Translator extends StandIn {
  /** Treatment of `{{0}}`: it is kept, written with spaces, or lost. */
  marks: 'kept' | 'spaced' | 'lost'
  /** Answers the next translation instead of the usual. */
  next: Reply | null
  /** The texts of every translation that was asked for. */
  readonly asked: string[][]
}

const DICTIONARY: ReadonlyMap<string, string> = new Map([
  ['Guten', 'Good'],
  ['Morgen', 'morning'],
  ['Danke', 'Thanks'],
  ['Hallo', 'Hello'],
  ['Welt', 'world'],
])

/** Like a machine it loses spaces and line breaks at will, and knows few words; the others it repeats. */
function translate(text: string, marks: Translator['marks']): string {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  const translated = words.replaceAll(/\p{L}+/gu, (word) => DICTIONARY.get(word) ?? word)
  if (marks === 'kept') return translated
  return translated.replaceAll(/\{\{(\d+)\}\}/g, marks === 'lost' ? 'X' : '{{ $1 }}')
}

const KNOWN = new Set(['en', 'de', 'es', 'fr', 'nb', 'pb', 'zh', 'zt', 'ar'])

async function startTranslator(
  answer: (
    stand: Omit<Translator, keyof StandIn>,
    request: Parameters<Parameters<typeof startStandIn>[0]>[0],
  ) => Reply | undefined,
): Promise<Translator> {
  const stand: Omit<Translator, keyof StandIn> = { marks: 'kept', next: null, asked: [] }
  const service = await startStandIn((request) => {
    const { next } = stand
    stand.next = null
    return next ?? answer(stand, request)
  })
  return Object.assign(stand, service)
}

export function startLibreTranslate(key: string | null = null): Promise<Translator> {
  return startTranslator((stand, { path, body, headers }) => {
    if (path === '/languages') {
      const isEnglish = headers['accept-language'] === 'en'
      const languages = [
        ['zh-Hans', 'Chinese (Simplified)'],
        ['en', 'English'],
        ['de', isEnglish ? 'German' : 'Deutsch'],
        ['pt-BR', 'Portuguese (Brazil)'],
        ['zh', 'Chinese'],
        ['zt', 'Chinese (Traditional)'],
        ['auto', 'Auto Detect'],
      ]
      return { json: languages.map(([code, name]) => ({ code, name, targets: ['en'] })) }
    }
    if (path !== '/translate') return undefined
    const asked = JSON.parse(body) as { q: string[]; source: string; target: string; format: string; api_key?: string }
    if (key !== null && asked.api_key === undefined) {
      return { status: 400, json: { error: 'Visit https://translate.example/portal to get an API key' } }
    }
    if (key !== null && asked.api_key !== key) return { status: 403, json: { error: 'Invalid API key' } }
    if (!KNOWN.has(asked.target)) return { status: 400, json: { error: `${asked.target} is not supported` } }
    stand.asked.push(asked.q)
    const translatedText = asked.q.map((text) => translate(text, stand.marks))
    const detectedLanguage = asked.q.map((text) => ({ confidence: 93, language: /[ñ¿]/.test(text) ? 'es' : 'de' }))
    return { json: { translatedText, ...(asked.source === 'auto' && { detectedLanguage }) } }
  })
}

export function startDeepL(key: string): Promise<Translator> {
  return startTranslator((stand, { path, body, headers, query }) => {
    if (headers.authorization !== `DeepL-Auth-Key ${key}`) return { status: 403, text: '' }
    if (path === '/v3/languages' && query.get('resource') === 'translate_text') {
      return {
        json: [
          language('de', 'German'),
          language('en', 'English', false),
          language('en-US', 'English (American)'),
          language('zh-Hant', 'Chinese (traditional)'),
        ],
      }
    }
    if (path !== '/v2/translate') return undefined
    const asked = JSON.parse(body) as { text: string[]; target_lang: string; source_lang?: string }
    if (asked.target_lang === 'EN') return { status: 400, json: { message: "Value for 'target_lang' not supported." } }
    stand.asked.push(asked.text)
    return {
      json: {
        translations: asked.text.map((text) => ({
          detected_source_language: asked.source_lang ?? 'DE',
          text: translate(text, stand.marks),
        })),
      },
    }
  })
}

const language = (lang: string, name: string, isTarget = true) => ({
  lang,
  name,
  usable_as_source: true,
  usable_as_target: isTarget,
  status: 'stable',
  features: [],
})

const failing = (code: number, message: string, reason: string): Reply => ({
  status: code,
  json: { error: { code, message, errors: [{ message, domain: 'global', reason }] } },
})

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll("'", '&#39;').replaceAll('"', '&quot;')

export function startGoogleTranslate(key: string): Promise<Translator> {
  return startTranslator((stand, { path, body, headers, query, method }) => {
    if (headers['x-goog-api-key'] !== key)
      return failing(400, 'API key not valid. Please pass a valid API key.', 'badRequest')
    if (path === '/language/translate/v2/languages') {
      const languages = ['iw Hebrew', 'zh-CN Chinese (Simplified)', 'zh Chinese', 'af Afrikaans'].map((line) => {
        const [language = '', ...name] = line.split(' ')
        return query.get('target') === 'en' ? { language, name: name.join(' ') } : { language }
      })
      return { json: { data: { languages } } }
    }
    if (path !== '/language/translate/v2' || method !== 'POST') return undefined
    const asked = JSON.parse(body) as { q: string[]; target: string; source?: string; format?: string }
    if (asked.target === 'tlh') return failing(400, 'Invalid Value', 'invalid')
    stand.asked.push(asked.q)
    const translations = asked.q.map((text) => {
      const translated = translate(text, stand.marks)
      const translatedText = asked.format === 'text' ? translated : escape(translated)
      return asked.source === undefined ? { translatedText, detectedSourceLanguage: 'de' } : { translatedText }
    })
    return { json: { data: { translations } } }
  })
}

const refused = (status: number, translatedText: string): Reply => ({
  status: status === 429 ? 429 : 200,
  json: { responseData: { translatedText }, quotaFinished: null, responseStatus: String(status), matches: '' },
})

/** Counts the characters of a day, which are 5,000 for who has no address, and takes 500 bytes at once. */
export function startMyMemory(): Promise<Translator> {
  let used = 0
  return startTranslator((stand, { path, query }) => {
    if (path !== '/get') return undefined
    const text = query.get('q') ?? ''
    const [source = '', target = ''] = (query.get('langpair') ?? '').split('|')
    used += Array.from(text).length
    if (Buffer.byteLength(text) > 500) return refused(403, 'QUERY LENGTH LIMIT EXCEEDED. MAX ALLOWED QUERY : 500 CHARS')
    if (used > (query.get('de') ? 50_000 : 5000)) {
      return refused(
        429,
        'MYMEMORY WARNING: YOU USED ALL AVAILABLE FREE TRANSLATIONS FOR TODAY. NEXT AVAILABLE IN  02 HOURS 51 MINUTES',
      )
    }
    if (target === 'tlh' || target === 'yo')
      return refused(403, `'${target.toUpperCase()}' IS AN INVALID TARGET LANGUAGE`)
    if (source === target) return refused(403, 'PLEASE SELECT TWO DISTINCT LANGUAGES')
    stand.asked.push([text])
    const translatedText = escape(translate(text, stand.marks))
    const detectedLanguage = source === 'Autodetect' ? 'de' : undefined
    const responseData = { translatedText, match: 0.85, ...(detectedLanguage && { detectedLanguage }) }
    return { json: { responseData, quotaFinished: false, responseDetails: '', responseStatus: 200, matches: [] } }
  })
}

import { decodeHTML } from 'entities/decode'
import { z } from 'zod'
import { Fault } from '../../lib/errors.ts'
import { createUpstream, type Upstream, type UpstreamContext } from '../http/client.ts'
import { UpstreamFailure } from '../http/failure.ts'
import { BUILT_IN_LANGUAGES, type LanguageCode } from './codes.ts'
import { createDailyBudget } from './daily-budget.ts'
import { withSpacesOf, type Translated, type TranslationProvider } from './provider.ts'

interface MyMemoryOptions {
  readonly baseUrl: string
  /** Contact of the operator; gets ten times as many characters. */
  readonly email: string | null
  readonly timeoutMs: number
}

/** The status is in the body, as a number or as text; that of the answer is 200 for most refusals too. */
const Answer = z.object({
  responseData: z.object({ translatedText: z.string().nullable(), detectedLanguage: z.string().nullish() }).nullish(),
  quotaFinished: z.boolean().nullish(),
  responseStatus: z.coerce.number(),
  responseDetails: z.string().nullish(),
})
type Answer = z.output<typeof Answer>

/** Of a request, in UTF-8. */
const MAX_BYTES = 500
const AT_ONCE = 4
const PER_DAY = { anonymous: 5000, withEmail: 50_000 }

/** MyMemory, which translates without an account, within a bound for each address and day. */
export function createMyMemory(context: UpstreamContext, options: MyMemoryOptions): TranslationProvider {
  const { baseUrl, email, timeoutMs } = options
  const service = createUpstream(context, { name: 'The translation service', id: 'mymemory', baseUrl, timeoutMs })
  const perDay = email === null ? PER_DAY.anonymous : PER_DAY.withEmail
  const budget = createDailyBudget({ perDay, date: context.date })

  const translatePart = async (part: string, { from, to }: Pair): Promise<Translated> => {
    if (part.trim() === '') return { text: part, detected: null }
    const answer = await ask(service, {
      q: part.trim(),
      langpair: `${from ?? 'Autodetect'}|${to}`,
      de: email ?? undefined,
    })
    if (isUsedUp(answer)) {
      if (budget.close()) context.log.warn({ perDay }, 'daily quota of free translations exhausted')
      throw usedUp(perDay)
    }
    const translated = answer.responseData?.translatedText ?? ''
    if (answer.responseStatus !== 200 || translated === '') throw explain(answer, { from, to }, service)
    return {
      text: withSpacesOf(part, decodeHTML(translated)),
      detected: answer.responseData?.detectedLanguage ?? null,
    }
  }

  const translateOne = async (whole: string, from: LanguageCode | null, to: LanguageCode): Promise<Translated> => {
    const parts = cutByBytes(whole, MAX_BYTES)
    const done: Translated[] = []
    for (let at = 0; at < parts.length; at += AT_ONCE) {
      const next = parts.slice(at, at + AT_ONCE)
      done.push(...(await Promise.all(next.map((part) => translatePart(part, { from, to })))))
    }
    return { text: done.map(({ text }) => text).join(''), detected: from ?? done[0]?.detected ?? null }
  }

  return {
    name: 'mymemory',
    host: service.host,
    // Long texts take several requests.
    timeoutMs: 3 * timeoutMs,
    wantsSource: true,
    remainingCharacters: () => budget.remaining(),
    async translate(texts, from, to) {
      const length = texts.reduce((sum, text) => sum + Array.from(text).length, 0)
      if (!budget.take(length)) throw usedUp(perDay)
      return Promise.all(texts.map((text) => translateOne(text, from, to)))
    },
    // It has no list of its own.
    languages: async () => BUILT_IN_LANGUAGES,
  }
}

interface Pair {
  /** Null: MyMemory finds out. */
  readonly from: LanguageCode | null
  readonly to: LanguageCode
}

async function ask(service: Upstream, query: Readonly<Record<string, string | undefined>>): Promise<Answer> {
  try {
    return await service.get({ path: '/get', query, shape: Answer })
  } catch (error) {
    // Some refusals have a status of their own, and the same body.
    const body = error instanceof UpstreamFailure ? Answer.safeParse(error.facts.body).data : undefined
    if (body) return body
    throw error
  }
}

function isUsedUp({ responseStatus, quotaFinished, responseData }: Answer): boolean {
  return (
    responseStatus === 429 || quotaFinished === true || /^MYMEMORY WARNING/i.test(responseData?.translatedText ?? '')
  )
}

function usedUp(perDay: number): Fault {
  const more = perDay === PER_DAY.anonymous ? 'MYMEMORY_EMAIL, ' : ''
  const words =
    `The free translation service takes ${perDay.toLocaleString('en')} characters per day, and too few are left ` +
    `today. For more, the operator can set ${more}LIBRETRANSLATE_URL, DEEPL_API_KEY or ` +
    'GOOGLE_TRANSLATE_API_KEY.'
  return new Fault('internal_error', words, { reason: 'no_answer' })
}

function explain({ responseData, responseDetails }: Answer, { from, to }: Pair, { name, host }: Upstream): Error {
  const said = `${responseDetails ?? ''} ${responseData?.translatedText ?? ''}`
  if (!/INVALID (?:TARGET |SOURCE )?LANGUAGE|DISTINCT LANGUAGES/i.test(said)) {
    return new UpstreamFailure({ kind: 'rejected', name, host, cause: said })
  }
  const words = `The translation service doesn't translate from ${from ?? 'this language'} to ${to}.`
  return new Fault('bad_request', words, { reason: 'unknown_target_language', cause: said })
}

/** A text in parts of at most so many bytes of UTF-8, cut after sentences where it can be, else after words. */
function cutByBytes(text: string, maxBytes: number): string[] {
  const parts: string[] = []
  for (let rest = text; rest !== '';) {
    const fits = longestWithin(rest, maxBytes)
    const cut = fits.length === rest.length ? rest.length : cutBefore(fits)
    parts.push(rest.slice(0, cut))
    rest = rest.slice(cut)
  }
  return parts
}

function longestWithin(text: string, maxBytes: number): string {
  let bytes = 0
  let end = 0
  for (const character of text) {
    bytes += Buffer.byteLength(character)
    if (bytes > maxBytes) break
    end += character.length
  }
  return text.slice(0, end)
}

/** Where a part that may not be longer ends best. */
function cutBefore(part: string): number {
  for (const ends of [/[.!?。！？…]/gu, /\s/gu]) {
    const last = [...part.matchAll(ends)].at(-1)
    if (last && last.index > part.length / 3) return last.index + last[0].length
  }
  return part.length
}

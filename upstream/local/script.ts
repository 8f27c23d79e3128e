import type { Candidate } from './protocol.ts'
import { squeezeSpaces } from '../../lib/text.ts'

/** Scripts that practically one language is written in. Kana and Han are distinguished below. */
const ONE_LANGUAGE: readonly (readonly [script: string, language: string])[] = [
  ['Hangul', 'ko'],
  ['Thai', 'th'],
  ['Greek', 'el'],
  ['Hebrew', 'he'],
  ['Georgian', 'ka'],
  ['Armenian', 'hy'],
  ['Khmer', 'km'],
  ['Myanmar', 'my'],
  ['Lao', 'lo'],
  ['Sinhala', 'si'],
  ['Ethiopic', 'am'],
  ['Tamil', 'ta'],
  ['Telugu', 'te'],
  ['Kannada', 'kn'],
  ['Malayalam', 'ml'],
  ['Gujarati', 'gu'],
  ['Gurmukhi', 'pa'],
  ['Bengali', 'bn'],
]

const LETTERS = /\p{L}/gu
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu
const HAN = /\p{Script=Han}/gu
const SCRIPTS = ONE_LANGUAGE.map(([script, language]) => ({
  // linear: a single character of a script of the table above.
  pattern: new RegExp(`\\p{Script=${script}}`, 'gu'),
  language,
}))

/** Links, mentions, custom emoji, code: what is in a chat message and in no language. */
const NOT_WORDS = [/```[^]*?```/g, /`[^`]*`/g, /\bhttps?:\/\/\S+/gi, /<(?:@[!&]?|#|a?:\w+:|t:)\d*(?::\w)?>/gi]

/** The words of a text and nothing else; empty if it has none. */
export function pureText(text: string): string {
  const words = NOT_WORDS.reduce((left, pattern) => left.replaceAll(pattern, ' '), text.normalize('NFC'))
  const plain = squeezeSpaces(words.replaceAll(/[^\p{L}\p{M}'’\s-]+/gu, ' '))
  return /[\p{L}\p{M}](?:.*[\p{L}\p{M}])?/u.exec(plain)?.[0] ?? ''
}

/** The language that the script alone decides, when most letters are of that script. */
export function scriptLanguage(letters: string): Candidate | null {
  const total = count(letters, LETTERS)
  if (total === 0) return null
  const kana = count(letters, KANA)
  const han = count(letters, HAN)
  // Japanese mixes the two; Chinese has no kana, but for a quoted word.
  const shares = [
    { language: kana * 20 >= han ? 'ja' : 'zh', share: (kana + han) / total },
    ...SCRIPTS.map(({ pattern, language }) => ({ language, share: count(letters, pattern) / total })),
  ]
  const best = shares.reduce((a, b) => (b.share > a.share ? b : a))
  if (best.share <= 0.5) return null
  return { language: best.language, confidence: Math.round(best.share * 100) / 100 }
}

const FOREIGN_SCRIPTS = ['Hiragana', 'Katakana', 'Han', ...ONE_LANGUAGE.map(([script]) => script)]
// linear: a run of one class of characters, the scripts of the table above.
const STRANGERS = new RegExp(`[${FOREIGN_SCRIPTS.map((name) => `\\p{Script=${name}}`).join('')}]+`, 'gu')

/** A text that no single script decides, without the quoted words whose scripts would. */
export function withoutStrangers(letters: string): string {
  return squeezeSpaces(letters.replaceAll(STRANGERS, ' '))
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0

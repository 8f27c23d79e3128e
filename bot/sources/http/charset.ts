import { TextDecoder } from 'node:util'

/** Text that is of one character set reads so in it: the average over its letters beyond ASCII, from -1 to 1. */
type Plausibility = (text: string, bytes: Uint8Array) => number

/** Old software of most countries, the likelier first: of two that are as plausible the first is taken. */
const CHARSETS: readonly (readonly [string, Plausibility])[] = [
  ['windows-1252', accents],
  ['windows-1251', script(/^[\u0400-\u04ff]$/)],
  ['koi8-r', script(/^[\u0400-\u04ff]$/)],
  ['windows-1253', script(/^[\u0370-\u03ff]$/)],
  [
    'shift_jis',
    pairs((lead) => lead >= 0x88 && lead <= 0x97, 'の人日大一年本上生時国分子東会行見月今花夜愛恋心空夢君私歌', true),
  ],
  [
    'gb18030',
    pairs(
      (lead) => lead >= 0xb0 && lead <= 0xd7,
      '的一是不了人我在有这中大来上们到说爱你天心情歌月风花雪夜梦好没想海江山水红青年少无东南北西天空音乐',
    ),
  ],
  [
    'euc-jp',
    pairs((lead) => lead >= 0xb0 && lead <= 0xcf, 'の人日大一年本上生時国分子東会行見月今花夜愛恋心空夢君私歌', true),
  ],
  [
    'big5',
    pairs(
      (lead) => lead >= 0xa4 && lead <= 0xc6,
      '的一是不了人我在有這中大來上們到說愛你天心情歌月風花雪夜夢好沒想海江山水紅青年少無東南北西天空音樂',
    ),
  ],
  [
    'euc-kr',
    pairs(
      (lead) => lead >= 0xb0 && lead <= 0xc8,
      '이가다는사랑아나너의에를을고하지그대날내마음도인한만리어기거짓말지서시정은스봄빅',
    ),
  ],
]

/** Marks that people put between words. */
const MARK = /[\s«»‘’“”„–—…·•°№®©™¿¡´`〜、。「」『』・ー！？（）～【】]/
/**
 * Bytes to check from the first one beyond ASCII on, and before it (a word); more would not change the guess, and cost
 * a millisecond.
 */
const [LOOKED_AT_BYTES, BEFORE_BYTES] = [256, 16]

/** Decodes text of unknown encoding that is no UTF-8, in the character set in which it is the most plausible. */
export function decodeByGuess(bytes: Uint8Array): string {
  const from = Math.max(0, bytes.findIndex((byte) => byte > 0x7f) - BEFORE_BYTES)
  const some = bytes.subarray(from, from + LOOKED_AT_BYTES)
  // The last byte may be half a character.
  const isCut = bytes.length > from + LOOKED_AT_BYTES
  let [best] = CHARSETS[0]!
  let most = -Infinity
  for (const [charset, plausibility] of CHARSETS) {
    const text = decodeIn(charset, some) ?? (isCut ? decodeIn(charset, some.subarray(0, -1)) : null)
    const found = text === null ? -1 : plausibility(text, some)
    if (found > most) [best, most] = [charset, found]
  }
  return new TextDecoder(best).decode(bytes)
}

const decoders = new Map<string, TextDecoder>()

/** Null if these bytes are none of it. */
function decodeIn(charset: string, bytes: Uint8Array): string | null {
  const decoder = decoders.get(charset) ?? new TextDecoder(charset, { fatal: true })
  // To make one takes longer than to use it.
  decoders.set(charset, decoder)
  try {
    return decoder.decode(bytes)
  } catch {
    return null
  }
}

/** Western languages have few accents, seldom two in a row and never more. */
function accents(text: string): number {
  const [all, isLetter] = [Array.from(text), (char = '') => /\p{L}/u.test(char)]
  return average(all, (char, at) => {
    if (/[\u0080-\u009f]/.test(char)) return -1
    if (!isLetter(char)) return isLetter(all[at - 1]) && isLetter(all[at + 1]) && char !== '’' ? -1 : 0
    const [before = '', after = ''] = [all[at - 1], all[at + 1]]
    if (!isBeyondAscii(before) && !isBeyondAscii(after)) return 1
    // `Süße`, `größte`: two, in the middle of a word.
    const around = isBeyondAscii(before) ? [all[at - 2], after] : [before, all[at + 2]]
    return around.every((one) => /^[a-z]$/i.test(one ?? '')) ? 0.7 : -1
  })
}

/** Words are of that script alone, and in capitals as a whole, at their beginning or not at all. */
function script(letter: RegExp): Plausibility {
  return (text) => {
    const points: number[] = []
    for (const [word] of text.matchAll(/[\p{L}\p{M}]+/gu)) {
      if (!Array.from(word).some(isBeyondAscii)) continue
      const isOfScript = Array.from(word).every((char) => letter.test(char))
      const isCased = /^(?:\p{Lu}?\p{Ll}+|\p{Lu}+)$/u.test(word)
      points.push(...Array<number>(word.length).fill(isOfScript && isCased ? (word.length > 1 ? 1 : 0.5) : -1))
    }
    for (const char of text) if (isBeyondAscii(char) && !/\p{L}/u.test(char)) points.push(MARK.test(char) ? 0 : -1)
    return points.length === 0 ? 0 : points.reduce((sum, one) => sum + one, 0) / points.length
  }
}

/** Two bytes a character: the usual ones have lead bytes of their own, and a few of them are in every text. */
function pairs(isUsual: (lead: number) => boolean, frequent: string, hasKana = false): Plausibility {
  return (text, bytes) => {
    let at = 0
    return average(Array.from(text), (char) => {
      while (bytes[at] !== undefined && bytes[at]! < 0x80) at += 1
      const lead = bytes[at] ?? 0
      const isHalf = /[\uff61-\uff9f]/.test(char)
      at += isHalf ? 1 : char.codePointAt(0)! > 0xffff ? 4 : 2
      if (frequent.includes(char) || (hasKana && /[\u3041-\u30fe]/.test(char))) return 1
      if (isHalf || /[\u3041-\u30fe]/.test(char) || !/\p{L}/u.test(char))
        return MARK.test(char) || /[\u3000-\u3020\uff01-\uff5e]/.test(char) ? 0 : -1
      return isUsual(lead) ? 0.6 : -0.6
    })
  }
}

function average(chars: readonly string[], pointsOf: (char: string, at: number) => number): number {
  let [sum, count] = [0, 0]
  chars.forEach((char, at) => {
    if (!isBeyondAscii(char)) return
    sum += pointsOf(char, at)
    count += 1
  })
  return count === 0 ? 0 : sum / count
}

function isBeyondAscii(char: string): boolean {
  return char > '\u007f'
}

/** Letters that Unicode does not split into a plain one and a mark, and how people without them on the keyboard write. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ı: 'i',
}

/** Scripts that write without spaces: each of their characters is a word, so that any part of a title is found. */
const SPACELESS = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/gu

/** The words of a text as the index holds them: what FTS5 does not fold is folded here. */
export function wordsOf(text: string): readonly string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .replaceAll(/[ßæœøłđðþı]/g, (letter) => PLAIN[letter] ?? letter)
      .replaceAll(SPACELESS, ' $& ')
      // Apostrophes belong to a word but are not spoken: "don't" is found as "dont" and as "don't".
      .replaceAll(/(?<=\p{L})['’`´](?=\p{L})/gu, '')
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  )
}

/** A single letter as the beginning of a word would match nearly everything, at the cost of ranking it. */
function toTerm(word: string): string {
  return word.length > 1 ? `"${word}"*` : `"${word}"`
}

/** A search of more words would tell nothing more, and each costs a look-up. */
const WORDS_MAX = 16

/** Returns an FTS5 query for rows that hold each word of the text, or one that begins with it; null if it has no words. */
export function matchOf(text: string): string | null {
  const words = wordsOf(text).slice(0, WORDS_MAX)
  return words.length === 0 ? null : words.map(toTerm).join(' ')
}

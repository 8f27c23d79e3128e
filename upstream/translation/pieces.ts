/**
 * A text taken apart for a translator. White space that a translator would lose stands between the pieces, and what
 * it would mangle is replaced within them by marks such as `{{0}}`.
 */
export interface Pieces {
  /** To be translated, in order. */
  readonly marked: readonly string[]
  /** The whole text again, with the pieces translated; null at a piece whose marks did not come back. */
  join(translated: readonly (string | null)[]): string
  /** The translated piece with what its marks stand for; null when a mark was lost, doubled or changed. */
  restore(at: number, translated: string): string | null
  /** The piece cut at its marks, for translators that lose them. Odd places are to be kept as they are. */
  cut(at: number): readonly string[]
}

/** Mentions, custom emoji, times, links, code, placeholders, HTML entities. */
const MANGLED =
  /```[\s\S]*?```|`[^`\n]+`|<(?:@[!&]?\d+|#\d+|a?:\w+:\d+|t:-?\d+(?::\w)?|\/[^<>\n]+:\d+)>|\bhttps?:\/\/[^\s<>]+|\{\{?[^{}\n]*\}?\}|%\d*\$?[sd]\b|&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/giu
const GAP = /(\s*\n\s*|[^\S\n]{2,}|\t)/u
const LETTER = /\p{L}/u
/** Services bound the texts of a request. */
const MAX_PIECES = 50

interface Part {
  readonly text: string
  readonly isPiece: boolean
}

export function takeApart(text: string): Pieces {
  const parts = bounded(split(text))
  const pieces = parts.filter(({ isPiece }) => isPiece).map(({ text: piece }) => piece)
  const marks = pieces.map((piece) => piece.match(MANGLED) ?? [])
  return {
    marked: pieces.map((piece) => withMarks(piece)),
    join(translated) {
      let at = 0
      return parts.map(({ text: part, isPiece }) => (isPiece ? (translated[at++] ?? part) : part)).join('')
    },
    restore(at, translated) {
      const kept = marks[at] ?? []
      const seen = new Set<number>()
      const restored = translated.replaceAll(/\{\{\s*(\d+)\s*\}\}/g, (mark, number: string) => {
        seen.add(Number(number))
        return kept[Number(number)] ?? mark
      })
      const isWhole = kept.every((_, number) => seen.has(number)) && count(translated) === kept.length
      return isWhole ? restored : null
    },
    cut: (at) => (pieces[at] ?? '').split(new RegExp(`(${MANGLED.source})`, MANGLED.flags)),
  }
}

/** Whether there is anything in it to translate. */
export function hasWords(text: string): boolean {
  return LETTER.test(text.replaceAll(MANGLED, ''))
}

/** Pieces with words in them, and everything between and around them. */
function split(text: string): Part[] {
  // Code holds white space of its own, and stays in one piece.
  const code: string[] = []
  const hidden = text.replaceAll(/```[\s\S]*?```/g, (block) => `\u{F0000}${code.push(block) - 1}\u{F0001}`)
  const shown = (part: string) =>
    part.replaceAll(/\u{F0000}(\d+)\u{F0001}/gu, (_, at: string) => code[Number(at)] ?? '')
  return hidden.split(GAP).flatMap((part) => {
    const [, before = '', core = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/u.exec(part) ?? []
    const whole = shown(core)
    return [
      { text: before, isPiece: false },
      { text: whole, isPiece: hasWords(whole) },
      { text: after, isPiece: false },
    ].filter((each) => each.text !== '')
  })
}

/** Neighbours grow together until there are few enough. */
function bounded(parts: readonly Part[]): Part[] {
  const pieces = parts.filter(({ isPiece }) => isPiece).length
  const perPiece = Math.ceil(pieces / MAX_PIECES)
  if (perPiece <= 1) return [...parts]
  const joined: Part[] = []
  let group = ''
  let inGroup = 0
  for (const part of parts) {
    group += part.text
    inGroup += part.isPiece ? 1 : 0
    if (inGroup < perPiece) continue
    joined.push({ text: group, isPiece: true })
    group = ''
    inGroup = 0
  }
  return group === '' ? joined : [...joined, { text: group, isPiece: inGroup > 0 }]
}

function withMarks(piece: string): string {
  let number = 0
  return piece.replaceAll(MANGLED, () => `{{${number++}}}`)
}

function count(translated: string): number {
  return translated.match(/\{\{\s*\d+\s*\}\}/g)?.length ?? 0
}

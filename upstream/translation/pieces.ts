/**
 * A text taken apart for a translator. White space that a translator would lose stands between the pieces, and what
 * it would mangle is replaced within them by marks such as `{{0}}`.
 */
export type Pieces = ReturnType<typeof takeApart>

/** Code, mentions, custom emoji, times, links, placeholders, HTML entities; where two begin at once, the first one counts. */
const MANGLED = [
  /```[^]*?```/g,
  /`[^`\n]+`/g,
  /<(?:@[!&]?\d+|#\d+|a?:\w+:\d+|t:-?\d+(?::\w)?|\/[^<>\n]+:\d+)>/gi,
  /\bhttps?:\/\/[^\s<>]+/gi,
  /\{\{?[^{}\n]*\}?\}/g,
  /%\d*\$?[sd]\b/gi,
  /&(?:#\d+|#x[\da-f]+|[a-z][\da-z]*);/gi,
]
const GAP = /(\s*\n\s*|[^\S\n]{2,}|\t)/u
const LETTER = /\p{L}/u
/** Services bound the texts of a request. */
const MAX_PIECES = 50

interface Part {
  readonly text: string
  readonly isPiece: boolean
}

export function takeApart(text: string) {
  const parts = bounded(split(text))
  const pieces = parts.filter(({ isPiece }) => isPiece).map(({ text: piece }) => piece)
  const marks = pieces.map((piece) => cutAtMangled(piece).filter((_, at) => at % 2 === 1))
  return {
    /** To be translated, in order. */
    marked: pieces.map((piece) => withMarks(piece)),
    /** The whole text again, with the pieces translated; null at a piece whose marks did not come back. */
    join(translated: readonly (string | null)[]): string {
      let at = 0
      return parts.map(({ text: part, isPiece }) => (isPiece ? (translated[at++] ?? part) : part)).join('')
    },
    /** The translated piece with what its marks stand for; null when a mark was lost, doubled or changed. */
    restore(at: number, translated: string): string | null {
      const kept = marks[at] ?? []
      const seen = new Set<number>()
      const restored = translated.replaceAll(/\{\{\s*(\d+)\s*\}\}/g, (mark, number: string) => {
        seen.add(Number(number))
        return kept[Number(number)] ?? mark
      })
      const isWhole = kept.every((_, number) => seen.has(number)) && count(translated) === kept.length
      return isWhole ? restored : null
    },
    /** The piece cut at its marks, for translators that lose them. Odd places are to be kept as they are. */
    cut: (at: number): readonly string[] => cutAtMangled(pieces[at] ?? ''),
  }
}

/** Whether there is anything in it to translate. */
export function hasWords(text: string): boolean {
  return cutAtMangled(text).some((part, at) => at % 2 === 0 && LETTER.test(part))
}

/** A text cut at what is to be kept as it is, which stands at the odd places. */
function cutAtMangled(text: string): string[] {
  const found = MANGLED.flatMap((pattern) => Array.from(text.matchAll(pattern)))
  const parts: string[] = []
  let from = 0
  for (const { 0: mark, index } of found.toSorted((one, other) => one.index - other.index)) {
    if (index < from) continue
    parts.push(text.slice(from, index), mark)
    from = index + mark.length
  }
  return [...parts, text.slice(from)]
}

/** Pieces with words in them, and everything between and around them. */
function split(text: string): Part[] {
  // Code holds white space of its own, and stays in one piece.
  const code: string[] = []
  const hidden = text.replaceAll(/```[\s\S]*?```/g, (block) => `\u{F0000}${code.push(block) - 1}\u{F0001}`)
  const shown = (part: string) =>
    part.replaceAll(/\u{F0000}(\d+)\u{F0001}/gu, (_, at: string) => code[Number(at)] ?? '')
  return hidden.split(GAP).flatMap((part) => {
    const core = part.trim()
    const start = part.length - part.trimStart().length
    const whole = shown(core)
    return [
      { text: part.slice(0, start), isPiece: false },
      { text: whole, isPiece: hasWords(whole) },
      { text: part.slice(start + core.length), isPiece: false },
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
  const parts = cutAtMangled(piece)
  return parts.map((part, at) => (at % 2 === 0 ? part : `{{${(at - 1) / 2}}}`)).join('')
}

function count(translated: string): number {
  return translated.match(/\{\{\s*\d+\s*\}\}/g)?.length ?? 0
}

/** Without white space at either end, with single spaces in between. Linear in the length of the text. */
export function squeezeSpaces(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim()
}

/** The lines of a text joined by spaces, each trimmed. Linear, where a regular expression for it is quadratic. */
export function joinLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim())
  return lines.join(' ')
}

/** Without the run of one character at its end. Linear, where an expression such as `/\/+$/` is quadratic. */
export function trimTrailing(text: string, character: string): string {
  let end = text.length
  while (end > 0 && text[end - 1] === character) end--
  return text.slice(0, end)
}

/** The first `maxChars` UTF-16 units, one fewer where half of a surrogate pair would be left. */
export function truncate(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const last = text.charCodeAt(maxChars - 1)
  const isHalf = last >= 0xd800 && last <= 0xdbff
  return text.slice(0, isHalf ? maxChars - 1 : maxChars)
}

/** Without case, accents and forms of letters such as the ligature ﬁ, to compare by. */
export function fold(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
}

/** What JSON holds; undefined for text that is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns a count with its noun, such as "1 track" or "5,000 tracks". */
export function counted(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`
}

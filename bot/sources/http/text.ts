import { decodeByGuess } from './charset.ts'

/** Titles and authors longer than this are cut; what tokens and messages can hold is more. */
const NAME_MAX_CHARS = 300

/** Characters that draw nothing: zero-width ones, marks of direction, fillers, the blank of Braille. */
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\s]*$/u

/**
 * A title or author fit for a line of text: no control characters, no runs of spaces, not endless; null when nothing of it
 * would be seen.
 */
export function normalizeTitle(text: string | null | undefined): string | null {
  // Tags of megabytes exist.
  const line = (text ?? '')
    .slice(0, 8 * NAME_MAX_CHARS)
    .replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim()
  if (UNSEEN.test(line)) return null
  // Cut between code points, so that no half of a pair is left.
  const points = Array.from(line)
  return points.length <= NAME_MAX_CHARS ? line : `${points.slice(0, NAME_MAX_CHARS - 1).join('')}…`
}

/** A file's name as a title: without its extension, underscores read as spaces. */
export function titleOfFile(name: string): string | null {
  // A number behind a dot is none.
  const stem = name.replace(/\.(?=\d?[A-Za-z])[A-Za-z0-9]{1,5}$/, '')
  return normalizeTitle(stem.includes(' ') ? stem : stem.replaceAll('_', ' '))
}

/** Text of unknown encoding: UTF-8 or UTF-16 where it is valid, otherwise what old software of some country wrote. */
export function decodeText(bytes: Uint8Array): string {
  try {
    const decoder = new TextDecoder(wideEncodingOf(bytes) ?? 'utf-8', { fatal: true })
    const text = decoder.decode(bytes, { stream: true })
    // Bytes often end in the middle of a character, which is dropped unless it is the only one beyond ASCII.
    return /[^\p{ASCII}]/u.test(text) ? text : text + decoder.decode()
  } catch {
    return decodeByGuess(bytes)
  }
}

/** UTF-16, by its mark or by the zeros beside its first letters. */
export function wideEncodingOf([first, second, third, fourth]: Uint8Array): string | null {
  const isLittle = (first === 0xff && second === 0xfe) || (first && second === 0 && third && fourth === 0)
  const isBig = (first === 0xfe && second === 0xff) || (first === 0 && second && third === 0 && fourth)
  return isLittle ? 'utf-16le' : isBig ? 'utf-16be' : null
}

/** Text that was read as Latin-1 and is UTF-8, as in the tags of older formats. Any other text stays as it is. */
export function fixMojibake(text: string): string {
  const bytes = Buffer.from(text, 'latin1')
  if (bytes.toString('latin1') !== text) return text
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return text
  }
}

/** Decodes the value of a header, in which Node.js makes each byte one character. */
export function headerText(value: string): string {
  return decodeText(Buffer.from(value, 'latin1'))
}

/** Returns the end of a double-quoted text that begins there: the next quote that is not escaped. */
export function endOfQuoted(text: string, from: number): number {
  let at = from
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return Math.min(at, text.length)
}

/** A part of a URL's path as people wrote it. */
export function decodedPath(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

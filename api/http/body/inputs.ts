/** Values by name as they arrived, and what is already known to be wrong with some of them, by name. */
export interface RawValues {
  readonly values: Readonly<Record<string, string>>
  readonly faulty: ReadonlyMap<string, string> | null
}

const NOTHING: RawValues = { values: {}, faulty: null }
const REPEATED = 'Send this parameter only once.'
const BAD_ENCODING = 'Must be percent-encoded UTF-8.'

/** A query string read strictly: a parameter given twice or encoded wrongly is kept apart, never guessed at. */
export function readQuery(text: string): RawValues {
  if (text === '') return NOTHING
  const values: Record<string, string> = {}
  let faulty: Map<string, string> | null = null
  for (const pair of text.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decode(equals < 0 ? pair : pair.slice(0, equals))
    if (name === null) continue
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1))
    if (Object.hasOwn(values, name) || faulty?.has(name)) {
      delete values[name]
      faulty = (faulty ?? new Map<string, string>()).set(name, REPEATED)
    } else if (value === null) {
      faulty = (faulty ?? new Map<string, string>()).set(name, BAD_ENCODING)
    } else {
      values[name] = value
    }
  }
  return { values, faulty }
}

/** The values of a path's parameters, percent-decoded. */
export function readPath(names: readonly string[], segments: readonly string[]): RawValues {
  if (names.length === 0) return NOTHING
  const values: Record<string, string> = {}
  let faulty: Map<string, string> | null = null
  for (const [at, name] of names.entries()) {
    const value = decode(segments[at] ?? '', false)
    if (value === null) faulty = (faulty ?? new Map<string, string>()).set(name, BAD_ENCODING)
    else values[name] = value
  }
  return { values, faulty }
}

function decode(text: string, plusIsSpace = true): string | null {
  const spaced = plusIsSpace && text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    return null
  }
}

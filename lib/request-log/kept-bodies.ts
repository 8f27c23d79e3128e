import { isSecretName, redact, withoutAssignedSecrets } from '../redact.ts'
import { parseJson } from '../text.ts'
import { isNestedDeeper } from '../validation/nesting.ts'

/** How long a project keeps the bodies of its failed requests, and how long each is kept. */
export const BODIES_KEPT_MS = 3_600_000
/** Limit of a body, an answer or a query; the rest is cut. */
const MOST_BYTES = 16 * 1024
const MOST_DEPTH = 64
const MOST_HIDDEN = 20
/** Names and texts of a body and a query, at some microseconds each. */
const MOST_TEXTS = 1000
const HIDDEN = '…'

/** Query, body and answer of a failed request, without their secrets. */
export interface KeptBodies {
  readonly query: readonly (readonly [name: string, value: string])[]
  /** JSON where the body was JSON; null if there was none, or none was kept. */
  readonly body: string | null
  readonly answer: string
  /** Why it cannot be sent again as it was; null if it can. */
  readonly lacks: 'upload' | 'unread' | 'cut' | null
  /** Values to enter before it is sent again: the way from `query` or `body`, and whether it was a text or other JSON. */
  readonly hidden: readonly { readonly at: Way; readonly isText: boolean }[]
}

type Way = readonly (string | number)[]

/** Leaves out what looks secret, and what is beyond the limits. */
export function withoutSecrets(query: string, body: string | null, answer: string): KeptBodies {
  const found = new Findings()
  const kept = { query: cleanQuery(query, found), body: body === null ? null : cleanBody(body, found) }
  return { ...kept, answer: cleanBody(answer, new Findings()), hidden: found.hidden, lacks: found.isCut ? 'cut' : null }
}

class Findings {
  readonly hidden: KeptBodies['hidden'][number][] = []
  isCut = false
  #texts = 0

  hide(clean: string, at: Way, isText: boolean): string {
    if (this.hidden.length < MOST_HIDDEN) this.hidden.push({ at: [...at], isText })
    else this.isCut = true
    return clean
  }

  clean(text: string): string {
    this.#texts += 1
    return this.#texts > MOST_TEXTS ? HIDDEN : redact(text)
  }

  cleanName(name: string): string {
    const clean = this.clean(name)
    this.isCut ||= clean !== name
    return clean
  }
}

function cleanQuery(text: string, found: Findings): KeptBodies['query'] {
  const all = text.length > MOST_BYTES ? [] : [...new URLSearchParams(text)]
  found.isCut = text.length > MOST_BYTES
  return all.map(([name, value], i) => {
    return [found.cleanName(name), cleanValue(name, value, ['query', i, 1], found) as string]
  })
}

/** JSON value by value, and other text up to the first secret that it names. */
function cleanBody(text: string, found: Findings): string {
  const bytes = Buffer.from(text)
  const json = bytes.length > MOST_BYTES ? undefined : parsed(text)
  if (json !== undefined) return JSON.stringify(cleanValue('', json, ['body'], found))
  const clean = withoutAssignedSecrets(redact(bytes.toString('utf8', 0, MOST_BYTES)))
  found.isCut ||= clean !== text
  return clean
}

function parsed(text: string): unknown {
  const json = parseJson(text)
  return isNestedDeeper(json, MOST_DEPTH) ? undefined : json
}

/** @param at the way to the value, one list for all of them. */
function cleanValue(name: string, value: unknown, at: (string | number)[], found: Findings): unknown {
  if (value === null || value === '') return value
  if (isSecretName(name)) return found.hide(HIDDEN, at, typeof value === 'string')
  if (typeof value === 'string') {
    const clean = found.clean(value)
    return clean === value ? value : found.hide(clean, at, true)
  }
  if (typeof value !== 'object') return value
  const entries = Object.entries(value).map(([key, one]) => {
    at.push(key)
    const clean = cleanValue(key, one, at, found)
    at.pop()
    return [found.cleanName(key), clean] as const
  })
  return Array.isArray(value) ? entries.map(([, one]) => one) : Object.fromEntries(entries)
}

import { z } from 'zod'
import { DiscordError, invalidForm, type FormErrors } from '../world/errors.ts'
import { castValues } from './casts.ts'

/** The id of anything. */
export const Id = z.string().regex(/^\d{1,20}$/)
/** Bits of permissions, as text or, from some clients, as a number. */
export const Bits = z.union([z.string().regex(/^\d{1,20}$/), z.int().min(0).transform(String)])
export const Slowmode = z.int().min(0).max(21_600)
export const AutoArchive = z.literal([60, 1440, 4320, 10_080])

/** Maximum rounds of casts on a body: one cast uncovers the next where variants are nested. */
const CASTS_MAX = 4

/** The body as this schema reads it; else Discord's 400 with a tree of what is wrong where. */
export function parseBody<T>(schema: z.ZodType<T>, body: unknown): T {
  const parse = () => schema.safeParse(body ?? {}, { reportInput: true })
  let parsed = parse()
  for (let casts = 0; casts < CASTS_MAX && !parsed.success; casts += 1) {
    if (!castValues(body, parsed.error.issues)) break
    parsed = parse()
  }
  if (parsed.success) return parsed.data
  const root: FormErrors = {}
  for (const issue of parsed.error.issues) plant(root, issue)
  throw new DiscordError('invalidForm', root)
}

export interface LimitRange {
  readonly least?: number
  readonly most: number
  readonly usual: number
}

/** The `limit` of a list: a whole number up to `most`, `usual` where it is left out. */
export function readLimit(query: URLSearchParams, { least = 1, most, usual }: LimitRange): number {
  const text = query.get('limit')
  const limit = Number(text ?? usual)
  if (!Number.isInteger(limit)) throw invalidForm('limit', 'NUMBER_TYPE_COERCE', `Value "${text}" is not int.`)
  if (limit > most) throw invalidForm('limit', 'NUMBER_TYPE_MAX', `int value should be less than or equal to ${most}.`)
  if (limit >= least) return limit
  throw invalidForm('limit', 'NUMBER_TYPE_MIN', `int value should be greater than or equal to ${least}.`)
}

/** An id in the query; null where it is left out. */
export function readId(query: URLSearchParams, name: string): string | null {
  const text = query.get(name)
  if (text === null || /^\d{1,20}$/.test(text)) return text
  throw invalidForm(name, 'NUMBER_TYPE_COERCE', `Value "${text}" is not snowflake.`)
}

/** Ids in the query: repeated, or in one text with commas between them. */
export function readIds(query: URLSearchParams, name: string): readonly string[] {
  return query.getAll(name).flatMap((text) => text.split(',').filter((one) => one !== ''))
}

export const readFlag = (query: URLSearchParams, name: string): boolean => {
  const text = query.get(name)?.toLowerCase()
  return text === 'true' || text === '1'
}

/** Compares by age: IDs grow with time, so the shorter is the older. */
export const compareIds = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)

/**
 * A page of things in the order of their ids: those before one (the nearest of them), those after one, or the first.
 * @param items in any order
 */
export function pageById<T>(
  items: Iterable<T>,
  { query, limit, idOf }: { query: URLSearchParams; limit: number; idOf: (item: T) => string },
): T[] {
  const sorted = [...items].toSorted((a, b) => compareIds(idOf(a), idOf(b)))
  const before = readId(query, 'before')
  const after = readId(query, 'after')
  if (before !== null) return sorted.filter((item) => compareIds(idOf(item), before) < 0).slice(-limit)
  return sorted.filter((item) => after === null || compareIds(idOf(item), after) > 0).slice(0, limit)
}

function plant(root: FormErrors, issue: z.core.$ZodIssue): void {
  let node = root
  for (const part of issue.path) {
    const next = node[String(part)]
    const child: FormErrors = next && !Array.isArray(next) ? (next as FormErrors) : {}
    node[String(part)] = child
    node = child
  }
  const before = node['_errors']
  node['_errors'] = [...(Array.isArray(before) ? before : []), wordsOf(issue)]
}

/** Discord's code and message for a value of the wrong type. */
const TYPES: Readonly<Record<string, readonly [code: string, message: string]>> = {
  string: ['STRING_TYPE_CONVERT', 'Could not interpret the value as string.'],
  boolean: ['BOOLEAN_TYPE_CONVERT', 'Must be either true or false.'],
  array: ['LIST_TYPE_CONVERT', 'Only iterables may be used in a ListType'],
  object: ['DICT_TYPE_CONVERT', 'Only dictionaries may be used in a DictType'],
  number: ['NUMBER_TYPE_COERCE', 'The value is not int.'],
  int: ['NUMBER_TYPE_COERCE', 'The value is not int.'],
}

interface Words {
  readonly code: string
  readonly message: string
}

function wordsOf(issue: z.core.$ZodIssue): Words {
  if (issue.code === 'too_big') return boundOf(issue.origin, 'MAX', Number(issue.maximum))
  if (issue.code === 'too_small') return boundOf(issue.origin, 'MIN', Number(issue.minimum))
  if (issue.code === 'invalid_value') {
    return { code: 'BASE_TYPE_CHOICES', message: `Value must be one of {${issue.values.join(', ')}}.` }
  }
  if (issue.code === 'invalid_type') {
    if (issue.input === undefined) return { code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }
    const [code, message] = TYPES[issue.expected] ?? ['BASE_TYPE_INVALID', issue.message]
    return { code, message }
  }
  return { code: 'BASE_TYPE_INVALID', message: issue.message }
}

function boundOf(origin: string, which: 'MAX' | 'MIN', bound: number): Words {
  if (origin === 'number' || origin === 'int') {
    const than = which === 'MAX' ? 'less than or equal to' : 'greater than or equal to'
    return { code: `NUMBER_TYPE_${which}`, message: `int value should be ${than} ${bound}.` }
  }
  const words = which === 'MAX' ? 'or fewer' : 'or more'
  return { code: `BASE_TYPE_${which}_LENGTH`, message: `Must be ${bound} ${words} in length.` }
}

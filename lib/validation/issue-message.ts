import { z } from 'zod'
import { findNearest } from './nearest.ts'

type Issue = z.core.$ZodRawIssue

/** Longer lists of allowed values are cut. */
const MAX_VALUES = 40

/** Explains an invalid value in a sentence that can follow the name of the field. Unknown fields have theirs elsewhere. */
export function issueMessage(issue: Issue): string {
  switch (issue.code) {
    case 'invalid_type':
      return typeMessage(isWhole(issue.inst) ? 'int' : issue.expected, issue.input, issue.path ?? [])
    case 'invalid_value':
      return valueMessage(issue.values, issue.input)
    case 'too_small':
      return sizeMessage(issue.origin, 'at least', { bound: issue.minimum, isInclusive: issue.inclusive !== false })
    case 'too_big':
      return sizeMessage(issue.origin, 'at most', { bound: issue.maximum, isInclusive: issue.inclusive !== false })
    case 'invalid_format':
      return formatMessage(issue)
    case 'not_multiple_of':
      return `Must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `Unknown field: ${issue.keys[0]?.slice(0, MAX_VALUES)}.`
    case 'invalid_union':
      return unionMessage(issue)
    case 'invalid_key':
      return "Contains a field name that isn't allowed."
    case 'invalid_element':
      return "Contains an item that isn't allowed."
    case 'custom':
      return 'Not valid.'
  }
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'an array',
  object: 'an object',
  record: 'an object',
  null: 'null',
}

function isWhole(schema: unknown): boolean {
  return schema instanceof z.ZodNumber && schema.isInt
}

function typeMessage(expected: string, input: unknown, path: readonly PropertyKey[]): string {
  if (input === undefined) return 'This is required.'
  const wanted = TYPES[expected] ?? `of the type ${expected}`
  if (expected === 'string' && typeof input === 'number') {
    const isId = /id$/i.test(String(path.at(-1) ?? '')) || !Number.isSafeInteger(input)
    return `Must be a string: quote it${isId ? ', since long numbers lose digits' : ''}.`
  }
  if (isQuoted(expected, input)) return `Must be ${wanted}, without quotes.`
  const got = typeName(input)
  return got === null ? `Must be ${wanted}.` : `Must be ${wanted}, not ${got}.`
}

/** Whether the text would have been right without its quotes. */
function isQuoted(expected: string, input: unknown): boolean {
  if (typeof input !== 'string') return false
  if (expected === 'boolean') return input === 'true' || input === 'false'
  return (expected === 'number' || expected === 'int') && /^-?\d{1,15}(?:\.\d{1,15})?$/.test(input)
}

/** Null if the type alone does not explain the error. */
function typeName(input: unknown): string | null {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'an array'
  if (typeof input === 'string') return 'a string'
  if (typeof input === 'boolean') return 'true or false'
  if (typeof input === 'object') return 'an object'
  return null
}

function valueMessage(values: readonly unknown[], input: unknown): string {
  const names = values.map(String)
  const listed = `${names.slice(0, MAX_VALUES).join(', ')}${names.length > MAX_VALUES ? ' …' : ''}`
  const wanted = names.length === 1 ? `Must be ${listed}.` : `Must be one of ${listed}.`
  const nearest = typeof input === 'string' && names.length > 1 ? findNearest(input, names) : null
  return nearest === null ? wanted : `${wanted} Did you mean ${nearest}?`
}

/** Explains an unknown item of a list of names, such as `Unknown source "casette".` */
export function unknownItem(what: string, names: readonly string[]) {
  return ({ input }: { readonly input?: unknown }): string => {
    const nearest = findNearest(String(input), names)
    const advice = nearest === null ? `Use ${names.join(', ')}.` : `Did you mean ${nearest}?`
    return `Unknown ${what} "${String(input)}". ${advice}`
  }
}

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['item', 'items'],
  set: ['item', 'items'],
  map: ['entry', 'entries'],
  file: ['byte', 'bytes'],
}

interface Bound {
  readonly bound: number | bigint
  readonly isInclusive: boolean
}

function sizeMessage(origin: string, relation: 'at least' | 'at most', { bound, isInclusive }: Bound): string {
  const unit = UNITS[origin]
  if (unit) {
    if (relation === 'at least' && Number(bound) === 1) return 'Must not be empty.'
    return `Must have ${relation} ${bound.toLocaleString('en')} ${Number(bound) === 1 ? unit[0] : unit[1]}.`
  }
  if (isInclusive) return `Must be ${relation} ${bound}.`
  return `Must be ${relation === 'at least' ? 'more' : 'less'} than ${bound}.`
}

const FORMATS: Readonly<Record<string, string>> = {
  url: 'a URL, such as https://example.com/',
  email: 'an email address',
  uuid: 'a UUID',
  datetime: 'an ISO 8601 time, such as 2027-01-31T18:00:00Z',
  date: 'an ISO 8601 date, such as 2027-01-31',
  time: 'a time, such as 18:00:00',
  duration: 'an ISO 8601 duration, such as PT15M',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  cidrv4: 'an IPv4 range, such as 203.0.113.0/24',
  cidrv6: 'an IPv6 range, such as 2001:db8::/32',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
}

function formatMessage(issue: Extract<Issue, { code: 'invalid_format' }>): string {
  if (issue.format === 'starts_with') return `Must start with \`${String(issue['prefix'])}\`.`
  if (issue.format === 'ends_with') return `Must end with \`${String(issue['suffix'])}\`.`
  if (issue.format === 'includes') return `Must contain \`${String(issue['includes'])}\`.`
  const format = FORMATS[issue.format]
  return format === undefined ? 'Has the wrong format.' : `Must be ${format}.`
}

function unionMessage(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const wanted = new Set(issue.errors.flatMap(([first]) => wantedBy(first)))
  return wanted.size === 0 ? 'Must match one of the allowed forms.' : `Must be ${[...wanted].join(', or ')}.`
}

/** The expected type of one form of a union. */
function wantedBy(issue: z.core.$ZodIssue | undefined): readonly string[] {
  if (issue?.path.length !== 0) return []
  if (issue.code === 'invalid_type') return [TYPES[issue.expected] ?? `of the type ${issue.expected}`]
  return issue.code === 'invalid_value' ? issue.values.map(String) : []
}

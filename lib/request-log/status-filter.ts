import type { StatusRange } from './request-log.ts'

/** The statuses that `404`, `5xx` or `error` (400 and above) means; null for anything else. */
export function statusesOf(text: string): StatusRange | null {
  if (text === 'error') return { least: 400, most: 599 }
  const [, first, rest = ''] = /^([1-5])(xx|\d\d)$/.exec(text) ?? []
  if (first === undefined) return null
  const hundred = Number(first) * 100
  if (rest === 'xx') return { least: hundred, most: hundred + 99 }
  return { least: hundred + Number(rest), most: hundred + Number(rest) }
}

import { hash } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../lib/text.ts'
import { invalidField } from '../http/errors.ts'
import { wholeNumber } from '../../lib/validation/inputs.ts'

/** A part of a list: a handler that returns one answers with `items`, and beside them where the next part begins. */
export class Page<Items> {
  readonly items: Items
  /** Null on the last one. */
  readonly next: string | null

  constructor(items: Items, next: string | null) {
    this.items = items
    this.next = next
  }
}

export const NextCursor = z
  .string()
  .nullable()
  .describe('Send it as `cursor` for the next page. Null on the last page.')

const cursor = z
  .string()
  .max(1000, 'Must have at most 1,000 characters.')
  .exactOptional()
  .describe('`next` of the previous page. Omit it for the first page.')

/** The parameters of a list that answers all of itself where no limit is given. */
export function pageOfAll(most: number) {
  return {
    limit: wholeNumber(1, most).exactOptional().describe('Maximum number of items. Defaults to all.'),
    cursor,
  } as const
}

/** The parameters of a list that is answered in parts. */
export function pageOf(most: number, usual: number) {
  return {
    limit: wholeNumber(1, most)
      .default(usual)
      .meta({ description: 'Maximum number of items.', override: { default: usual } }),
    cursor,
  } as const
}

const CHECK_CHARS = 8

/**
 * A place in a list, as `next` gives it: callers send it back and make none of their own. It names no more than a caller may
 * see anyway; the check at its end tells one that was cut, changed or taken from another list.
 */
export function writeCursor(list: string, place: unknown): string {
  const text = Buffer.from(JSON.stringify(place)).toString('base64url')
  return text + checkOf(list, text)
}

/** @throws {Fault} a validation fault on `query.cursor` for what is no cursor of this list. */
export function readCursor<Place extends z.ZodType>(list: string, sent: string, place: Place): z.output<Place> {
  const text = sent.slice(0, -CHECK_CHARS)
  const isOurs = sent.slice(-CHECK_CHARS) === checkOf(list, text)
  const found = isOurs ? place.safeParse(parseJson(Buffer.from(text, 'base64url').toString('utf8'))) : null
  if (found?.success) return found.data
  throw invalidField('query.cursor', 'Must be the unchanged `next` of the previous page of this list.')
}

function checkOf(list: string, text: string): string {
  return hash('sha256', `${list} ${text}`, 'base64url').slice(0, CHECK_CHARS)
}

import { z } from 'zod'

/** The ids of a kind of button, menu or form. What one is about travels in its id and comes back typed. */
export interface CustomId<A extends readonly unknown[]> {
  readonly name: string
  /** @throws {Error} when the id would be longer than Discord's 100 characters. */
  readonly of: (...about: A) => string
  /** null for what no id of this kind carries: messages may be older than this program. */
  readonly parse: (parts: readonly string[]) => A | null
}

const LONGEST_ID = 100

/** `about` reads what travels as text: numbers as `z.coerce.number()`. */
export function customId<A extends readonly unknown[]>(name: string, about: z.ZodType<A>): CustomId<A> {
  return {
    name,
    of(...values) {
      const id = [name, ...values.map((value) => encodeURIComponent(String(value)))].join(':')
      if (id.length > LONGEST_ID) throw new Error(`The custom ID ${id} is too long.`)
      return id
    },
    parse(parts) {
      const parsed = about.safeParse(parts)
      return parsed.success ? parsed.data : null
    },
  }
}

/** Ids that say no more than their name. */
export function bareId(name: string) {
  return customId(name, z.tuple([]))
}

/** Ids that carry the number of a page. */
export function pageId(name: string, most: number) {
  return customId(name, z.tuple([z.coerce.number().int().min(1).max(most)]))
}

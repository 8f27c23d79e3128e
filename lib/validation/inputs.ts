import { z } from 'zod'
import { SNOWFLAKE } from './snowflake.ts'

/** Text of `min` to `max` Unicode code points; JSON Schema counts the same way. */
export function text(min: number, max: number) {
  return z
    .string()
    .refine((value) => countFits(value, min, max), {
      error: `Must have ${min} to ${max.toLocaleString('en')} characters.`,
    })
    .meta({ minLength: min, maxLength: max })
}

function countFits(value: string, min: number, max: number): boolean {
  // A code point takes one or two units, so most texts need no counting.
  if (value.length > 2 * max) return false
  if (value.length <= max && value.length >= 2 * min) return true
  const count = Array.from(value).length
  return count >= min && count <= max
}

/** A language as BCP 47 writes it. */
export const languageTag = z
  .string()
  .regex(/^[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*$/, 'Must be a language code such as `en` or `pt-BR`.')

/** A Discord id. */
export const Snowflake = z
  .string()
  .regex(SNOWFLAKE, 'Must be a Discord ID of 17 to 20 digits.')
  .meta({ examples: ['81384788765712384'] })

/** A URL that a caller names; where it leads is checked before it is opened. */
export function webAddress(about: string) {
  return z
    .string()
    .regex(/^https?:\/\//i, 'Must be a complete URL, such as `https://example.com/cat.png`.')
    .max(2048, 'Must have at most 2,048 characters.')
    .meta({ description: about, format: 'uri' })
}

/** A yes or no in a query. */
export const flag = z
  .enum(['true', 'false', '1', '0'], { error: 'Must be `true` or `false`.' })
  .transform((value) => value === 'true' || value === '1')
  .meta({ override: ({ jsonSchema }) => void Object.assign(jsonSchema, { type: 'boolean', enum: undefined }) })

/** A whole number in a query: decimal digits and nothing else. */
export function wholeNumber(min: number, max: number) {
  return z
    .string()
    .regex(/^\d{1,9}$/, `Must be a whole number from ${min} to ${max}.`)
    .transform(Number)
    .pipe(z.number().int().min(min, `Must be at least ${min}.`).max(max, `Must be at most ${max}.`))
    .meta({
      // The query carries text that means a number.
      override: ({ jsonSchema }) => {
        delete jsonSchema.pattern
        Object.assign(jsonSchema, { type: 'integer', minimum: min, maximum: max })
      },
    })
}

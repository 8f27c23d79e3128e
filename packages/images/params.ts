import { z } from 'zod'

interface About<T> {
  readonly default: T
  /** One sentence for the reference and for the option of the slash command. */
  readonly about: string
}

interface Range extends About<number> {
  readonly min: number
  readonly max: number
}

/** A whole number. Like all parameters it arrives as the text of a query or of a command's option. */
export function whole({ min, max, default: preset, about }: Range) {
  return z
    .string()
    .regex(/^-?\d{1,9}$/, `Must be a whole number from ${min} to ${max}.`)
    .transform(Number)
    .pipe(z.number().int().min(min, `Must be at least ${min}.`).max(max, `Must be at most ${max}.`))
    .default(preset)
    .meta({ description: about, override: shown({ type: 'integer', minimum: min, maximum: max, default: preset }) })
}

/** Another pattern for each number. */
export const seed = (about = 'Seed of the pattern.') => whole({ min: 0, max: 999_999, default: 1, about })

/** A number with decimals. */
export function decimal({ min, max, default: preset, about }: Range) {
  return z
    .string()
    .regex(/^-?\d{1,9}(?:\.\d{1,9})?$/, `Must be a number from ${min} to ${max}.`)
    .transform(Number)
    .pipe(z.number().min(min, `Must be at least ${min}.`).max(max, `Must be at most ${max}.`))
    .default(preset)
    .meta({ description: about, override: shown({ type: 'number', minimum: min, maximum: max, default: preset }) })
}

/** One of a few words. */
export function oneOf<const T extends readonly [string, ...string[]]>(values: T, options: About<T[number]>) {
  const list = values.map((value) => `\`${value}\``).join(', ')
  return z
    .enum(values, { error: `Must be one of ${list}.` })
    .default(options.default)
    .meta({ description: options.about })
}

/** Yes or no. */
export function flag({ default: preset, about }: About<boolean>) {
  return z
    .enum(['true', 'false', '1', '0'], { error: 'Must be `true` or `false`.' })
    .transform((value) => value === 'true' || value === '1')
    .default(preset)
    .meta({ description: about, override: shown({ type: 'boolean', default: preset }) })
}

const COLOUR = /^#?(?:[0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/

/** A colour: `#5865f2`, `5865f2` or `58f`. A filter gets it as `#rrggbb` in lower case. */
export function colour({ default: preset, about }: About<string>) {
  return z
    .string()
    .regex(COLOUR, 'Must be a colour in hex digits, such as `5865f2`.')
    .transform(longColour)
    .default(longColour(preset))
    .meta({ description: about, override: shown({ type: 'string', pattern: COLOUR.source, default: preset }) })
}

/** Text a person wrote, counted in Unicode code points. May be empty if its default is. */
export function words({ max, default: preset, about }: About<string> & { readonly max: number }) {
  return (
    z
      .string()
      // A code point takes one or two units, so most texts need no counting.
      .refine((value) => value.length <= 2 * max && Array.from(value).length <= max, {
        error: `Must have at most ${max} characters.`,
      })
      .default(preset)
      .meta({ description: about, maxLength: max })
  )
}

/** Red, green and blue of a colour parameter, 0 to 255. */
export function channelsOf(hex: string): [red: number, green: number, blue: number] {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function longColour(text: string): string {
  const digits = text.replace('#', '').toLowerCase()
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}

/** Describes the parameter by its meaning, though it travels as text. */
function shown(means: Readonly<Record<string, unknown>>) {
  return ({ jsonSchema }: { jsonSchema: object }): void => {
    if ('pattern' in jsonSchema) delete jsonSchema.pattern
    if ('enum' in jsonSchema) delete jsonSchema.enum
    Object.assign(jsonSchema, means)
  }
}

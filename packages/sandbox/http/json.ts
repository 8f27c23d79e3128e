/** Integers up to 64 bits. */
const WHOLE = /^-?\d{16,20}$/

/** Gives each value its source text too, which the types of TypeScript do not know yet. */
const parse = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown

/**
 * Parsed JSON, in which integers beyond 53 bits are text: many clients write IDs as numbers, and every digit counts.
 * @throws {SyntaxError} for what is no JSON, and {RangeError} for what is nested too deeply.
 */
export function parseJson(text: string): unknown {
  return parse(text, (_key, value, { source = '' }) =>
    typeof value === 'number' && !Number.isSafeInteger(value) && WHOLE.test(source) ? source : value,
  )
}

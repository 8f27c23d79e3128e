import type { z } from 'zod'

type Issue = z.core.$ZodIssue
type Node = Record<PropertyKey, unknown>

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  [0, false],
  [1, true],
  ...['0', 'false', 'False'].map((text) => [text, false] as const),
  ...['1', 'true', 'True'].map((text) => [text, true] as const),
])

/**
 * Reads values of a body as Discord's forms do, which take an integer for a text (IDs above all), 0 and 1 for Booleans, and
 * digits for an integer, and null for what is left out. Their models are of Schematics, whose words the errors still have.
 * @param issues what a schema found; where a cast helps, the value changes in place.
 * @returns whether any value changed.
 */
export function castValues(body: unknown, issues: readonly Issue[], outer: readonly PropertyKey[] = []): boolean {
  let hasChanged = false
  for (const issue of issues) {
    const path = [...outer, ...issue.path]
    const casts = issue.code === 'invalid_union' ? issue.errors.map((branch) => castValues(body, branch, path)) : []
    if (casts.includes(true) || castAt(body, path, issue)) hasChanged = true
  }
  return hasChanged
}

function castAt(body: unknown, path: readonly PropertyKey[], issue: Issue): boolean {
  const name = path.at(-1)
  const parent = path.slice(0, -1).reduce<unknown>((node, part) => (node as Node | undefined)?.[part], body)
  if (name === undefined || typeof parent !== 'object' || parent === null) return false
  const value = (parent as Node)[name]
  if (value === null && !Array.isArray(parent)) return delete (parent as Node)[name]
  const cast = castOf(issue, value)
  if (cast !== undefined) (parent as Node)[name] = cast
  return cast !== undefined
}

function castOf(issue: Issue, value: unknown): unknown {
  if (issue.code === 'invalid_value') {
    const number = toInteger(value)
    return number !== undefined && issue.values.includes(number) ? number : undefined
  }
  if (issue.code !== 'invalid_type') return undefined
  if (issue.expected === 'string') return Number.isSafeInteger(value) ? String(value) : undefined
  if (issue.expected === 'boolean') return BOOLEANS.get(value)
  return issue.expected === 'number' || issue.expected === 'int' ? toInteger(value) : undefined
}

function toInteger(value: unknown): number | undefined {
  return typeof value === 'string' && /^-?\d{1,15}$/.test(value) ? Number(value) : undefined
}

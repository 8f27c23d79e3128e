import { findNearest } from './nearest.ts'

/** The message about an unknown field, with the nearest known one. */
export function unknownFieldMessage(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  if (nearest !== null) return `Unknown field. Did you mean ${nearest}?`
  return known.length === 0 ? 'Unknown field.' : `Unknown field. Known fields: ${known.join(', ')}.`
}

import { distance } from 'fastest-levenshtein'

/** Longer names are not compared, since each comparison costs the product of both lengths. */
const MAX_COMPARED_LENGTH = 64

/** The message about a field that a JSON object does not know, with the known one that was probably meant. */
export function unknownFieldMessage(name: string, known: readonly string[]): string {
  const nearest = findNearest(name, known)
  if (nearest !== null) return `Unknown field. Did you mean ${nearest}?`
  return known.length === 0 ? 'Unknown field.' : `Unknown field. Known fields: ${known.join(', ')}.`
}

/** Returns null if no known name is similar: equal up to a third of its letters, or the start of the other. */
function findNearest(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED_LENGTH) return null
  const given = name.toLowerCase()
  const candidates = known.map((candidate) => ({ candidate, edits: distance(given, candidate.toLowerCase()) }))
  const similar = candidates.filter(({ candidate, edits }) => {
    const isPrefix = given.length > 1 && candidate.toLowerCase().startsWith(given)
    return isPrefix || edits <= Math.ceil(candidate.length / 3)
  })
  return similar.toSorted((a, b) => a.edits - b.edits)[0]?.candidate ?? null
}

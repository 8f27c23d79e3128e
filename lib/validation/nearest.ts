import { distance } from 'fastest-levenshtein'

/** Longer names are not compared, since each comparison costs the product of both lengths. */
const MAX_COMPARED_LENGTH = 64

/** Returns null if no known name is similar: equal up to a third of its letters, or the start of the other. */
export function findNearest(name: string, known: readonly string[]): string | null {
  if (name.length > MAX_COMPARED_LENGTH) return null
  const given = name.toLowerCase()
  const candidates = known.map((candidate) => ({ candidate, edits: distance(given, candidate.toLowerCase()) }))
  const similar = candidates.filter(({ candidate, edits }) => {
    const isPrefix = given.length > 1 && candidate.toLowerCase().startsWith(given)
    return isPrefix || edits <= Math.ceil(candidate.length / 3)
  })
  return similar.toSorted((a, b) => a.edits - b.edits)[0]?.candidate ?? null
}

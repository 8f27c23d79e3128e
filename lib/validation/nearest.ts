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

/** Shorter names are those of other programs, too. */
const SHORTEST_VARIABLE = 6
const MOST_EDITS = 2

/** Names of variables that are not known, and differ from a known one in a letter or two. */
export function nearMisses(names: readonly string[], known: readonly string[]) {
  return names.flatMap((setting) => {
    if (setting.length < SHORTEST_VARIABLE || known.includes(setting)) return []
    const meant = findNearest(setting, known)
    return meant !== null && distance(setting, meant) <= MOST_EDITS ? [{ setting, meant }] : []
  })
}

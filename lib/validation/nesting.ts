/** Whether JSON has more levels of objects and lists than `most`. Looks at one level after the other, for recursion has an end. */
export function isNestedDeeper(json: unknown, most: number): boolean {
  let level: readonly unknown[] = [json]
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true
    level = level.flatMap((value) => (typeof value === 'object' && value !== null ? Object.values(value) : []))
  }
  return false
}

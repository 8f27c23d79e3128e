import type { KeyPackage } from '../mls/key-package.ts'

/** A member of the group and the key package that it came in with. */
export interface Leaf {
  readonly userId: string
  readonly keyPackage: KeyPackage
}

/** The leaves of the group's ratchet tree, of which the delivery service needs the places alone (RFC 9420 7.7, 7.8). */
export type Leaves = ReturnType<typeof createLeaves>

export function createLeaves() {
  const places: (Leaf | null)[] = []
  return {
    get members(): readonly Leaf[] {
      return places.filter((leaf) => leaf !== null)
    },
    at: (index: number): Leaf | null => places[index] ?? null,
    indexOf: (userId: string): number => places.findIndex((leaf) => leaf?.userId === userId),
    /** Takes the leftmost blank place, or a new one at the right. */
    add(leaf: Leaf) {
      const blank = places.indexOf(null)
      places[blank < 0 ? places.length : blank] = leaf
    },
    blank(index: number) {
      if (index < places.length) places[index] = null
      while (places.length > 0 && places.at(-1) === null) places.pop()
    },
  }
}

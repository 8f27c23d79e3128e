import type { KeyPackage } from '../mls/key-package.ts'

/** A member of the group and the key package that it came in with. */
export interface Leaf {
  readonly userId: string
  readonly keyPackage: KeyPackage
}

/** The leaves of the group's ratchet tree, of which the delivery service needs the places alone (RFC 9420 7.7, 7.8). */
export interface Leaves {
  readonly members: readonly Leaf[]
  at(index: number): Leaf | null
  indexOf(userId: string): number
  /** Takes the leftmost blank place, or a new one at the right. */
  add(leaf: Leaf): void
  blank(index: number): void
}

export function createLeaves(): Leaves {
  const places: (Leaf | null)[] = []
  return {
    get members() {
      return places.filter((leaf) => leaf !== null)
    },
    at: (index) => places[index] ?? null,
    indexOf: (userId) => places.findIndex((leaf) => leaf?.userId === userId),
    add(leaf) {
      const blank = places.indexOf(null)
      places[blank < 0 ? places.length : blank] = leaf
    },
    blank(index) {
      if (index < places.length) places[index] = null
      while (places.length > 0 && places.at(-1) === null) places.pop()
    },
  }
}

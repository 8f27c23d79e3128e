import { findNearest } from '../../../lib/validation/nearest.ts'
import type { WorldProblem } from './read.ts'

/** Things of one kind that a world refers to by name or ID. */
export interface Names<T> {
  /** Undefined where it is not there, or not the only one of its name: the problem is then noted. */
  find(reference: string, path: string): T | undefined
}

interface Named {
  readonly id: string
  readonly name: string
}

/** @param kind as in "No role is called …". */
export function createNames<T extends Named>(
  kind: string,
  all: readonly T[],
  note: (problem: WorldProblem) => void,
): Names<T> {
  const byId = new Map(all.map((one) => [one.id, one]))
  const byName = Map.groupBy(all, ({ name }) => name)
  return {
    find(reference, path) {
      const [found, another] = byName.get(reference) ?? [byId.get(reference)]
      if (another) note({ path, message: `More than one ${kind} is called ${reference}. Refer to it by its ID.` })
      else if (!found) note({ path, message: missing(kind, reference, [...byName.keys()]) })
      return another ? undefined : found
    },
  }
}

function missing(kind: string, reference: string, known: readonly string[]): string {
  const nearest = findNearest(reference, known)
  return `No ${kind} is called ${reference}.${nearest === null ? '' : ` Did you mean ${nearest}?`}`
}

/** Returns the reference to an object in an export: its name if that is unique, else its ID. */
export function createReferences(all: readonly Named[]): (id: string) => string {
  const byName = Map.groupBy(all, ({ name }) => name)
  const names = new Map(all.map(({ id, name }) => [id, name]))
  return (id) => {
    const name = names.get(id)
    return name !== undefined && byName.get(name)?.length === 1 ? name : id
  }
}

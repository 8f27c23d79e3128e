import { createLru } from '../sharing/lru.ts'
import { unplayable, type Fault } from '../errors.ts'

/** A caller's input, as a quarantine identifies it. */
export interface Subject {
  /** A URL, or the path of a file with its time of change. */
  readonly identity: string
  /** Groups that it counts towards, such as its host: after some identities of one group, the group is refused. */
  readonly groups?: readonly SubjectGroup[]
}

interface SubjectGroup {
  readonly id: string
  /** Begins a sentence that goes on with `crashed`: `Files of example.org have`. */
  readonly what: string
  /** After this many identities, the whole group is refused: another URL costs its owner nothing. */
  readonly most: number
}

/** Refuses for a time what has hung or crashed a thread, so that the next thread does not get it. */
export type Quarantine = ReturnType<typeof createQuarantine>

const QUARANTINE_MS = 10 * 60_000
const MAX_ENTRIES = 1000
export function createQuarantine({ forMs = QUARANTINE_MS } = {}) {
  const identities = createLru<string, true>(MAX_ENTRIES, { ttl: forMs })
  const groups = createLru<string, number>(MAX_ENTRIES, { ttl: forMs })
  return {
    /** Identities that are refused now. */
    get size(): number {
      identities.purgeStale()
      return identities.size
    },
    add({ identity, groups: of = [] }: Subject) {
      identities.set(identity, true)
      for (const { id } of of) groups.set(id, (groups.get(id) ?? 0) + 1)
    },
    /** `unplayable`; null if the subject is not refused. */
    refusalOf({ identity, groups: of = [] }: Subject): Fault | null {
      const refused = of.find(({ id, most }) => (groups.get(id) ?? 0) >= most)
      if (!refused && !identities.has(identity)) return null
      const what = refused?.what ?? 'This file has'
      const message = `${what} crashed or blocked an audio reader. Playback is off for ${forMs / 60_000} minutes.`
      return unplayable(message)
    },
  }
}

import { createLru } from '../sharing/lru.ts'
import { unplayable, type Fault } from '../errors.ts'

/** What a caller named, as a quarantine knows it. */
export interface Subject {
  /** A URL, or the path of a file with its time of change. */
  readonly identity: string
  /** The host of a URL: after some identities of one group, the group is refused. */
  readonly group?: string
}

/** Refuses for a time what has hung or crashed a thread, so that the next thread does not get it. */
export interface Quarantine {
  /** Identities that are refused now. */
  readonly size: number
  add(subject: Subject): void
  /** `unplayable`; null if the subject is not refused. */
  refusalOf(subject: Subject): Fault | null
}

const QUARANTINE_MS = 10 * 60_000
const MAX_ENTRIES = 1000
/** So many identities of one group, and the whole group is refused: a URL costs its owner nothing. */
const MAX_PER_GROUP = 3

export function createQuarantine({ forMs = QUARANTINE_MS } = {}): Quarantine {
  const identities = createLru<string, true>(MAX_ENTRIES, { ttl: forMs })
  const groups = createLru<string, number>(MAX_ENTRIES, { ttl: forMs })
  return {
    get size() {
      identities.purgeStale()
      return identities.size
    },
    add({ identity, group }) {
      identities.set(identity, true)
      if (group !== undefined) groups.set(group, (groups.get(group) ?? 0) + 1)
    },
    refusalOf({ identity, group }) {
      const isGroupRefused = group !== undefined && (groups.get(group) ?? 0) >= MAX_PER_GROUP
      if (!isGroupRefused && !identities.has(identity)) return null
      const what = isGroupRefused ? `Files of ${group} have` : 'This file has'
      const message = `${what} crashed or blocked an audio reader. Playback is off for ${forMs / 60_000} minutes.`
      return unplayable(message)
    },
  }
}

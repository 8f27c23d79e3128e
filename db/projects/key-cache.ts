import { createLru } from '../../lib/sharing/lru.ts'
import type { Store } from '../engine/store.ts'

/** Announced when a key, the plan of its project or its pool changes. */
export const KEYS_TOPIC = 'keys'

const MAX_KEYS = 10_000
/** A notification of PostgreSQL may be lost with its connection; a key is looked up again after this. */
const MAX_AGE_MS = 1000

/**
 * Remembers the keys that were found until this process or another one changes any: its own changes count at once, those of
 * others within a second. Keys that do not exist are not remembered: anyone can make those up.
 */
export function rememberKeys<Key extends object>(store: Store, find: (digest: Buffer) => Promise<Key | null>) {
  const known = createLru<string, Key>(
    MAX_KEYS,
    store.engine === 'postgres' ? { ttl: MAX_AGE_MS, ttlResolution: 0 } : {},
  )
  let changes = 0
  store.subscribe(KEYS_TOPIC, () => {
    changes += 1
    known.clear()
  })

  return async (digest: Buffer): Promise<Key | null> => {
    const name = digest.toString('latin1')
    const remembered = known.get(name)
    if (remembered) return remembered
    const [before, start] = [changes, performance.now()]
    const found = await find(digest)
    // Changes made meanwhile may be missing from the answer.
    if (found && before === changes) known.set(name, Object.freeze(found), { start })
    return found
  }
}

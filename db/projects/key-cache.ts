import { LRUCache } from 'lru-cache'
import type { Database } from '../engine/open.ts'

const MAX_KEYS = 10_000

/**
 * Remembers the keys that were found, until any process changes the database. SQLite
 * tells of this connection's changes at every look-up and of other processes' once in a turn of the event loop, so a
 * revoked key is refused from the next turn on. Keys that do not exist are not remembered: anyone can make those up.
 */
export function rememberKeys<Key extends object>(db: Database, find: (digest: Buffer) => Key | null) {
  const known = new LRUCache<string, Key>({ max: MAX_KEYS })
  const otherChanges = db.prepare<[], number>('PRAGMA data_version').pluck()
  const ownChanges = db.prepare<[], number>('SELECT total_changes()').pluck()
  let others: number | undefined
  let own: number | undefined
  let hasAsked = false

  function hasChanged(): boolean {
    const before = { others, own }
    own = ownChanges.get()
    if (!hasAsked) {
      hasAsked = true
      setImmediate(() => (hasAsked = false))
      others = otherChanges.get()
    }
    return own !== before.own || others !== before.others
  }

  return (digest: Buffer): Key | null => {
    if (hasChanged()) known.clear()
    const name = digest.toString('latin1')
    const remembered = known.get(name)
    if (remembered) return remembered
    const found = find(digest)
    if (found) known.set(name, Object.freeze(found))
    return found
  }
}

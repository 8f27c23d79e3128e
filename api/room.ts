import { readFileSync } from 'node:fs'

const MOST_CONNECTIONS = 20_000
/** For music, databases and calls outside; half of them where there are few. */
const MOST_KEPT_FREE = 4096

/**
 * How many connections may be open at once. Each takes one of the files that the system lets this process have: a crowd
 * that took them all would silence the players.
 */
export function mostConnections(limits = readLimits()): number {
  const files = Number(/^Max open files\s+(\d+)/m.exec(limits)?.[1] ?? Infinity)
  return Math.min(MOST_CONNECTIONS, files - Math.min(Math.ceil(files / 2), MOST_KEPT_FREE))
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    // Other systems than Linux do not say.
    return ''
  }
}

import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'

/**
 * Loads a CommonJS package that the module at `from` depends on, its dependencies first, each in a turn of the event loop of its
 * own. A package with many of them holds the thread for as long as all of them take otherwise.
 * @param depth of dependencies that get a turn; those further down are loaded with the package that needs them
 */
export async function loadInTurns(from: string, name: string, depth = 2): Promise<void> {
  const require = createRequire(from)
  try {
    const own = require.resolve(name)
    if (depth > 0) {
      const { dependencies = {} } = require(`${name}/package.json`) as { dependencies?: Record<string, string> }
      for (const dependency of Object.keys(dependencies)) await loadInTurns(own, dependency, depth - 1)
    }
    await nextTurn()
    require(name)
  } catch {
    // One that only its owner can load is loaded with it.
  }
}

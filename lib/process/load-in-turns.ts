import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Files of its own that a module loads at its start; what it loads inside of functions is indented. */
const OWN_FILES = /^(?:(?:(?:const|let|var) .+|module\.exports[\w.]*) = )?[\w.]*\(?require\(['"](\.[^'"]+)['"]\)/gm
/** A file that nothing leads back to. */
const NO_CIRCLE = Infinity

/**
 * Loads a CommonJS package that the module at `from` depends on, its dependencies first, and each file in a turn of the event
 * loop of its own. A package with many of them holds the thread for as long as all of them take otherwise.
 * @param depth of dependencies that get turns; those further down are loaded with the package that needs them
 */
export async function loadInTurns(from: string, name: string, depth = 2): Promise<void> {
  const require = createRequire(from)
  try {
    const own = require.resolve(name)
    if (depth > 0) {
      const { dependencies = {} } = require(`${name}/package.json`) as { dependencies?: Record<string, string> }
      for (const dependency of Object.keys(dependencies)) await loadInTurns(own, dependency, depth - 1)
    }
    await loadFile(own, new Map())
  } catch {
    // One that only its owner can load is loaded with it.
  }
}

/**
 * Loads a file after those that it loads. Files that load each other are left to the first of them, which has an order in mind.
 * @param open files whose own files are being loaded, with how deep they are
 * @returns the least deep of those that lead back to a file that is open
 */
async function loadFile(file: string, open: Map<string, number>): Promise<number> {
  const require = createRequire(file)
  if (file in require.cache) return NO_CIRCLE
  const again = open.get(file)
  if (again !== undefined) return again
  const depth = open.size
  open.set(file, depth)
  let least = NO_CIRCLE
  for (const name of ownFiles(file)) least = Math.min(least, await loadFile(require.resolve(name), open))
  open.delete(file)
  if (least < depth) return least
  await nextTurn()
  require(file)
  return NO_CIRCLE
}

function ownFiles(file: string): string[] {
  return file.endsWith('.json')
    ? []
    : Array.from(readFileSync(file, 'utf8').matchAll(OWN_FILES), ([, name = '']) => name)
}

// Reads TypeScript for Node.js, for `--import`: types are removed once for each version of a file, and the result is kept. Node.js
// itself loads a compiler of 15 MB for it in each process, and keeps it. Plain JavaScript, since that would load it, too.
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** In the installation, where no other user of the machine can plant code, as they could in a folder for temporary files. */
export const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'stripped')

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:') || !url.endsWith('.ts')) return nextLoad(url, context)
    return { format: 'module', source: strip(fileURLToPath(url)).source, shortCircuit: true }
  },
})

/** The JavaScript of a file, with each line and column where it was, and whether the next start finds it made. */
export function strip(path) {
  const text = readFileSync(path, 'utf8')
  const head = `// ${hash('sha256', process.version + text)}\n`
  const kept = join(FOLDER, `${hash('sha256', path)}.js`)
  const before = readIfThere(kept)
  if (before.startsWith(head)) return { source: before.slice(head.length), isKept: true }
  const source = stripSilently(text)
  return { source, isKept: keep(kept, head + source) }
}

/** Without the warning that the function may change: the version of Node.js is the project's own. */
function stripSilently(text) {
  const emit = process.emitWarning.bind(process)
  process.emitWarning = () => {}
  try {
    return stripTypeScriptTypes(text)
  } finally {
    process.emitWarning = emit
  }
}

function readIfThere(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Whole or not at all: other processes read it meanwhile. @returns false where the folder is read-only */
function keep(path, text) {
  const part = `${path}.${process.pid}.${Math.random()}`
  try {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(part, text)
    renameSync(part, path)
    return true
  } catch {
    // The next start does it again.
    return false
  }
}

// Reads our TypeScript and the packages' JavaScript for Node.js, for `--import`: types and comments are removed once for each
// version of a file, and the result is kept. Node.js itself loads a compiler of 15 MB for the types in each process, and keeps it.
// Plain JavaScript, since that would load it, too.
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { registerHooks, stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compact } from './compact.mjs'

/** In the installation, where no other user of the machine can plant code, as they could in a folder for temporary files. */
export const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'stripped')

/** Another way of making a file makes another file. */
const WAY = hash('sha256', process.version + readFileSync(join(import.meta.dirname, 'compact.mjs'), 'utf8'))

registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith('file:')) return nextLoad(url, context)
    if (url.endsWith('.ts')) return { format: 'module', source: strip(fileURLToPath(url)).source, shortCircuit: true }
    const loaded = nextLoad(url, context)
    const { source } = loaded
    if (!source || !/\.[cm]?js$/.test(url)) return loaded
    const text = typeof source === 'string' ? source : Buffer.from(source).toString()
    return { ...loaded, source: shorten(fileURLToPath(url), text).source }
  },
})

/** The JavaScript of a file, with each token in the line where it was, and whether the next start finds it made. */
export function strip(path) {
  return make(path, readFileSync(path, 'utf8'), (text) => compact(stripSilently(text)))
}

/** The same for JavaScript, whose text was read already. */
export function shorten(path, text) {
  return make(path, text, compact)
}

function make(path, text, change) {
  const head = `// ${hash('sha256', WAY + text)}\n`
  const kept = join(FOLDER, `${hash('sha256', path)}.js`)
  const before = readIfThere(kept)
  if (before.startsWith(head)) return { source: before.slice(head.length), isKept: true }
  const source = change(text)
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

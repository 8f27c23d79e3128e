// Removes the types of all the code that a service runs, as each start would: `npm run strip`. For installations that their
// services cannot write to (images, systemd): each start would load the compiler for it, 15 MB in each process.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, strip } from './strip-types.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
/** In the root; with these no service starts. */
const LEFT_OUT = new Set(['node_modules', 'test', 'bench', 'docs', 'client', 'conformance', 'data', 'deploy'])

/** @returns how many files of a folder and those below it were not kept, of how many */
function stripFolder(folder, isLeftOut = () => false) {
  let [all, failed] = [0, 0]
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || isLeftOut(entry.name)) continue
    if (entry.isDirectory()) {
      const below = stripFolder(path)
      all += below.all
      failed += below.failed
    } else if (/(?<!\.d)\.ts$/.test(entry.name)) {
      all += 1
      if (!strip(path).isKept) failed += 1
    }
  }
  return { all, failed }
}

const { all, failed } = stripFolder(ROOT, (name) => LEFT_OUT.has(name))
console.log(`${all - failed} of ${all} files are ready in ${FOLDER}.`)
if (failed > 0) process.exitCode = 1

// Removes the types and comments of all the code that a service runs, as each start would: `npm run strip`. For installations that
// their services cannot write to (images, systemd): each start would load the compiler for it, 15 MB in each process.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FOLDER, shorten, strip } from './strip-types.mjs'

const ROOT = join(import.meta.dirname, '..', '..')
/** In the root; with these no service starts. */
const LEFT_OUT = new Set(['node_modules', 'test', 'bench', 'docs', 'client', 'conformance', 'data', 'deploy'])

/** The largest of those that a running service has loaded. The rest are made again at each start, in 20 ms. */
const PACKAGES = [
  '@discordjs',
  '@ioredis',
  '@koa',
  '@noble',
  '@sapphire',
  '@vladfrangu',
  'discord-api-types',
  'discord.js',
]
PACKAGES.push('entities', 'ioredis', 'libopus-wasm', 'p-queue', 'prom-client', 'qs', 'undici', 'ws', 'zod')

const OURS = { name: /(?<!\.d)\.ts$/, make: strip }
const OTHERS = { name: /\.[cm]?js$/, make: (path) => shorten(path, readFileSync(path, 'utf8')) }

/** @returns how many files of a folder and those below it were not kept, of how many */
function makeFolder(folder, kind, isLeftOut = () => false) {
  let [all, failed] = [0, 0]
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name)
    if (entry.name.startsWith('.') || entry.name === 'node_modules' || isLeftOut(entry.name)) continue
    if (entry.isDirectory()) {
      const below = makeFolder(path, kind)
      all += below.all
      failed += below.failed
    } else if (kind.name.test(entry.name)) {
      all += 1
      if (!kind.make(path).isKept) failed += 1
    }
  }
  return { all, failed }
}

const made = [makeFolder(ROOT, OURS, (name) => LEFT_OUT.has(name))]
for (const name of PACKAGES) {
  const folder = join(ROOT, 'node_modules', name)
  if (existsSync(folder)) made.push(makeFolder(folder, OTHERS))
}
const [all, failed] = ['all', 'failed'].map((count) => made.reduce((sum, one) => sum + one[count], 0))
console.log(`${all - failed} of ${all} files are ready in ${FOLDER}.`)
if (failed > 0) process.exitCode = 1

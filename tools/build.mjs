// Makes dist/, the JavaScript that services run, out of the TypeScript. `tools/node.sh` calls it where a source is newer than
// dist/. Plain JavaScript, so that Node.js loads no compiler for it.
import { build } from 'esbuild'
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const DIST = join(ROOT, 'dist')
/** A file whose modification time is that of the sources. */
const STAMP = join(DIST, '.built')
/** A service that still runs may load parts of the build before this one. */
const KEPT_MS = 7 * 86_400_000

/** Programs and threads. `programFile` in lib/installation.ts finds them. */
const PROGRAMS = [
  'service/admin/main',
  'api/docs/thread',
  'bot/audio/node/worker',
  'bot/sources/library/reader-worker',
  'bot/sources/youtube/helper/main',
  'db/engine/reader/reader-thread',
  'jobs/figures/figure-worker',
  'jobs/images/pool/worker',
  'jobs/main',
  'service/lavalink-node/main',
  'lib/workers/spawner-process',
  'main',
  'service/cluster/lease-thread',
  'service/demo/composer',
  'upstream/local/local-worker',
]

const startedAt = new Date()
try {
  const { outputFiles } = await build({
    absWorkingDir: ROOT,
    entryPoints: PROGRAMS.map((name) => `${name}.ts`),
    outbase: ROOT,
    outdir: DIST,
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    packages: 'external',
    // Packages of this repository that run in the service's own processes.
    alias: { ...entriesOf('packages/figures'), ...entriesOf('packages/images') },
    format: 'esm',
    platform: 'node',
    target: 'node24',
    // V8 keeps the text of all code.
    minifyWhitespace: true,
    minifySyntax: true,
    sourcemap: true,
    sourcesContent: false,
    write: false,
    logLevel: 'error',
  })
  for (const { path, contents } of outputFiles) writeIfChanged(path, contents)
  removeOld(new Set(outputFiles.map(({ path }) => path)))
  writeIfChanged(STAMP, Buffer.alloc(0))
  utimesSync(STAMP, startedAt, startedAt)
} catch (error) {
  console.error(`dist/ could not be built: ${error.message}`)
  console.error('Where services cannot write to the installation, run `npm run build` as its owner after each update.')
  process.exitCode = 1
}

/** The files of a package by the names under which it exports them. */
function entriesOf(folder) {
  const { name, exports } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'))
  const entries = Object.entries(exports).filter(([, file]) => file.endsWith('.ts'))
  return Object.fromEntries(entries.map(([path, file]) => [join(name, path), `./${join(folder, file)}`]))
}

/** Whole or not at all: other processes read it meanwhile, and may build as well. */
function writeIfChanged(path, contents) {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  const part = `${path}.${process.pid}`
  mkdirSync(dirname(path), { recursive: true })
  try {
    writeFileSync(part, contents)
    renameSync(part, path)
  } finally {
    rmSync(part, { force: true })
  }
}

function removeOld(current) {
  for (const entry of readdirSync(DIST, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (!entry.isFile() || path === STAMP || current.has(path)) continue
    if (statSync(path).mtimeMs < startedAt.getTime() - KEPT_MS) rmSync(path, { force: true })
  }
}

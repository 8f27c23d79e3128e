/**
 * Runs the tests that hold for both databases, once on SQLite and once on PostgreSQL, and fails where a statement of a
 * repository ran on one of them only, or on none: `npm run test:engines`. Statements are found by V8's own coverage.
 */
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ENGINES = ['SQLite', 'PostgreSQL'] as const
type Engine = (typeof ENGINES)[number]

/** Tables of one engine only, and why. */
const OF_ONE_ENGINE: Readonly<Record<string, string>> = {
  'db/music/library.ts': 'an index of the disk of this machine, in SQLite',
  'db/music/library-shelves.ts': 'the same',
  'db/music/library-track.ts': 'the same',
  'db/music/source-failures.ts': 'what failed from this machine, in SQLite',
  'db/scripture.ts': 'a cache on the disk of this machine, in SQLite',
  'db/projects/shared-key-reader.ts': 'keys of several services; one reads them in `key-reader.ts`',
}

/** Queries that only several services run. */
const OF_SEVERAL_SERVICES = ['SELECT 1 AS found FROM service_heartbeat']

/** A piece of code with how often it ran; an inner one overrules those around it. */
interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface Script {
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

const root = fileURLToPath(new URL('../..', import.meta.url))
const tests = globSync('test/**/*.test.ts', { cwd: root }).filter((path) =>
  read(path).includes('describeOnEachEngine('),
)
const repositories = globSync('db/{people,projects,music,webhooks,requests,.}/*.ts', { cwd: root })
  .filter((path) => !(path in OF_ONE_ENGINE) && read(path).includes('sql`'))
  .toSorted()

const missing = ENGINES.flatMap((engine) => {
  const scripts = run(engine)
  return repositories.flatMap((path) =>
    notRun(path, scripts).map((line) => `${path}:${line} did not run on ${engine}.`),
  )
})
if (missing.length > 0) {
  process.stderr.write(`${missing.join('\n')}\n`)
  process.exitCode = 1
} else process.stdout.write(`All statements of ${repositories.length} repositories ran on ${ENGINES.join(' and ')}.\n`)

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8')
}

/** @returns what ran, by path. */
function run(engine: Engine): ReadonlyMap<string, readonly Script[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-engines-'))
  try {
    const { status } = spawnSync(join(root, 'node_modules/.bin/mocha'), ['--grep', `on ${engine}`, ...tests], {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, NODE_V8_COVERAGE: folder },
    })
    if (status !== 0) throw new Error(`The tests on ${engine} failed.`)
    const scripts = readdirSync(folder).flatMap(
      (name) => (JSON.parse(readFileSync(join(folder, name), 'utf8')) as { result: readonly Script[] }).result,
    )
    return Map.groupBy(scripts, ({ url }) => url.replace(`file://${root}`, ''))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** @returns the lines of the statements of a file that did not run. */
function notRun(path: string, scripts: ReadonlyMap<string, readonly Script[]>): readonly number[] {
  const text = read(path)
  const of = scripts.get(path) ?? []
  return [...text.matchAll(/\bsql`/g)]
    .filter(({ index }) => !isOfOneEngine(text, index))
    .filter(({ index }) => !of.some((script) => countAt(script, index) > 0))
    .map(({ index }) => text.slice(0, index).split('\n').length)
}

/** Chosen by the engine right before it. */
function isOfOneEngine(text: string, offset: number): boolean {
  const [before, after] = [text.slice(Math.max(0, offset - 150), offset), text.slice(offset, offset + 100)]
  return before.includes("engine === 'postgres'") || OF_SEVERAL_SERVICES.some((start) => after.includes(start))
}

/** Node removes types without moving the rest, so offsets are those of the file. */
function countAt({ functions }: Script, offset: number): number {
  const around = functions
    .flatMap(({ ranges }) => ranges)
    .filter(({ startOffset, endOffset }) => startOffset <= offset && offset < endOffset)
  return around.toSorted((a, b) => lengthOf(a) - lengthOf(b))[0]?.count ?? 0
}

function lengthOf({ startOffset, endOffset }: Range): number {
  return endOffset - startOffset
}

/** Runs the tests of one file in a process of its own, with any of its mutants on; `mutants.ts` says which. */
import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { pathToFileURL } from 'node:url'
import Mocha from 'mocha'
import { mutate } from './mutate.ts'

export interface Order {
  /** Null: the code as it is. */
  readonly mutant: number | null
  /** Full titles; null: all tests. */
  readonly titles: readonly string[] | null
}

export interface TestSeen {
  readonly title: string
  readonly durationMs: number
  /** The mutants to whose places the test came. */
  readonly reached: number[]
}

export interface Outcome {
  /** The title of the first test that failed, and why. */
  readonly failed: { readonly title: string; readonly why: string } | null
  readonly tests: readonly TestSeen[]
  /** Mutants whose place was reached while the tests were loaded; these must be on from the start. */
  readonly atLoad: readonly number[]
}

const [file = '', tests = '[]', timeoutMs = '20000', atStart = ''] = process.argv.slice(2)
const { source, mutants } = mutate(file, readFileSync(file, 'utf8'))
const url = pathToFileURL(file).href
registerHooks({
  load: (wanted, context, next) =>
    wanted === url ? { format: 'module-typescript', source, shortCircuit: true } : next(wanted, context),
})

let active = atStart === '' ? null : Number(atStart)
const hits = new Uint32Array(mutants.length)
/** No test needs a place so often: the mutant has made a loop endless. */
const MOST_HITS = 3_000_000
Object.assign(globalThis, {
  __mutant(id: number): boolean {
    const count = (hits[id] as number) + 1
    hits[id] = count
    if (id === active && count > MOST_HITS) throw new Error('This loop does not end.')
    return id === active
  },
})

// As mocha's command line has it: a failure that nothing waits for fails the test.
process.on('unhandledRejection', (reason) => {
  throw reason
})

const mocha = new Mocha({ timeout: Number(timeoutMs), reporter: function Silent() {} as never })
mocha.cleanReferencesAfterRun(false)
for (const test of JSON.parse(tests) as string[]) mocha.addFile(test)
await mocha.loadFilesAsync()
const atLoad = taken()

const suites: Mocha.Suite[] = []
const collect = (suite: Mocha.Suite): void => {
  suites.push(suite)
  suite.suites.forEach(collect)
}
collect(mocha.suite)
const testsOf = new Map(suites.map((suite) => [suite, suite.tests]))

/** The places that were reached since the last call. */
function taken(): number[] {
  const reached = mutants.map(({ id }) => id).filter((id) => hits[id])
  hits.fill(0)
  return reached
}

function run({ mutant, titles }: Order): Promise<Outcome> {
  const chosen = titles && new Set(titles)
  for (const [suite, all] of testsOf) {
    suite.tests = chosen ? all.filter((test) => chosen.has(test.fullTitle())) : all
    suite.bail(mutant !== null)
  }
  active = mutant
  hits.fill(0)
  const seen: TestSeen[] = []
  let failed: Outcome['failed'] = null
  const { promise, resolve } = Promise.withResolvers<Outcome>()
  const runner = mocha.run(() => resolve({ failed, tests: seen, atLoad }))
  runner.on('fail', (test, error: unknown) => {
    failed ??= { title: test.fullTitle(), why: String(error).split('\n', 1)[0] ?? '' }
  })
  runner.on('test end', (test) => {
    seen.push({ title: test.fullTitle(), durationMs: test.duration ?? 0, reached: taken() })
  })
  runner.on('hook end', (hook) => {
    const last = seen.at(-1)
    // What is closed belongs to the test before, what is opened to the one after.
    if (last && hook.title.startsWith('"after')) last.reached.push(...taken())
  })
  return promise
}

process.on('message', (order: Order) => void run(order).then((outcome) => process.send?.(outcome)))
process.once('disconnect', () => process.exit())
process.send?.('ready')

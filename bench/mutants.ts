/**
 * Mutation testing of the core: makes small faults in the files of `mutants/targets.ts`, one at a time and in memory only,
 * and runs the tests that come to the place. A fault that no test sees is a promise that no test holds.
 *
 *     npm run mutants [-- --only bot/player/phase.ts,api] [--sample 50] [--jobs 2] [--seed 1]
 *
 * Ends with 1 where less than 95 % are caught, or where the list of equivalent ones is wrong.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRandom } from '../lib/random/seeded-random.ts'
import { mutate, type Mutant } from './mutants/mutate.ts'
import { openSession } from './mutants/session.ts'
import { TARGETS, type Equivalent, type Target } from './mutants/targets.ts'

const GOAL = 0.95
const ROOT = join(import.meta.dirname, '..')

const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    sample: { type: 'string', default: 'Infinity' },
    jobs: { type: 'string', default: '2' },
    seed: { type: 'string', default: '1' },
    verbose: { type: 'boolean', default: false },
  },
})

interface Score {
  readonly file: string
  readonly tried: number
  readonly caught: number
  readonly equivalent: number
  readonly seconds: number
  readonly survivors: readonly string[]
  /** Entries of the list of equivalent mutants that are no mutants, or are caught after all. */
  readonly wrong: readonly string[]
}

async function score({ file, tests, equivalent = [] }: Target): Promise<Score> {
  const startedMs = performance.now()
  const path = join(ROOT, file)
  const text = readFileSync(path, 'utf8')
  const lines = text.split('\n')
  const all = mutate(path, text).mutants
  const meant = ({ change, on = '' }: Equivalent, mutant: Mutant) =>
    change === mutant.change && (lines[mutant.line - 1] ?? '').includes(on)
  const isExcused = (mutant: Mutant) => equivalent.some((it) => meant(it, mutant))
  const session = await openSession(
    path,
    tests.map((test) => join(ROOT, test)),
  )
  const survivors: string[] = []
  const wrong = equivalent
    .filter((it) => !all.some((mutant) => meant(it, mutant)))
    .map(({ change, on = '' }) => `there is no ${change} on ${on}`)
  const chosen = sampled(all)
  for (const mutant of chosen) {
    const verdict = await session.judge(mutant.id)
    const told = `${file}:${mutant.line}  ${mutant.change}  (${verdict.why})`
    if (values.verbose) console.log(verdict.is, told)
    if (verdict.is !== 'caught' && !isExcused(mutant)) survivors.push(told)
    if (verdict.is === 'caught' && isExcused(mutant)) wrong.push(`not equivalent: ${told}`)
  }
  session.close()
  const excused = chosen.filter(isExcused).length
  const tried = chosen.length - excused
  const seconds = (performance.now() - startedMs) / 1000
  return { file, tried, caught: tried - survivors.length, equivalent: excused, seconds, survivors, wrong }
}

function sampled(mutants: readonly Mutant[]): readonly Mutant[] {
  const size = Number(values.sample)
  if (mutants.length <= size) return mutants
  const random = createRandom(Number(values.seed))
  const chosen = mutants.map((mutant) => ({ mutant, at: random() })).toSorted((a, b) => a.at - b.at)
  return chosen.slice(0, size).map(({ mutant }) => mutant)
}

const percent = (part: number, whole: number) => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)} %`)

const wanted = values.only.split(',')
const targets = TARGETS.filter(({ file }) => wanted.some((start) => file.startsWith(start)))
const waiting = [...targets]
const scores: Score[] = []
async function work(): Promise<void> {
  for (let target = waiting.shift(); target; target = waiting.shift()) {
    const done = await score(target).catch((error: Error) => console.error(error.message))
    if (!done) continue
    console.error(`${done.file}: ${percent(done.caught, done.tried)} in ${done.seconds.toFixed(0)} s`)
    scores.push(done)
  }
}
await Promise.all(Array.from({ length: Number(values.jobs) }, work))

const inOrder = targets.flatMap(({ file }) => scores.filter((it) => it.file === file))
const sum = (field: 'tried' | 'caught' | 'equivalent') => inOrder.reduce((total, it) => total + it[field], 0)
for (const line of inOrder.flatMap(({ survivors }) => survivors)) console.log(line)
console.log('\n| File | Mutants | Caught | Equivalent | Score |\n| --- | --: | --: | --: | --: |')
for (const it of inOrder) {
  console.log(`| ${it.file} | ${it.tried} | ${it.caught} | ${it.equivalent} | ${percent(it.caught, it.tried)} |`)
}
console.log(
  `| All | ${sum('tried')} | ${sum('caught')} | ${sum('equivalent')} | ${percent(sum('caught'), sum('tried'))} |`,
)
for (const { file, wrong } of inOrder) {
  for (const change of wrong) console.log(`${file}, in the list of equivalent mutants: ${change}`)
}
const isWrong = scores.length < targets.length || inOrder.some(({ wrong }) => wrong.length > 0)
process.exitCode = sum('caught') < GOAL * sum('tried') || isWrong ? 1 : 0

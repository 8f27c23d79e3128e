/**
 * `npm run faults`: breaks one part after the other of a whole service with real parts (main.ts in a process of its own,
 * the stand-in Discord in another, Redis, ffmpeg, Chromium) and looks whether it keeps what docs/reliability.md promises.
 * Prints one line for each experiment and a table in Markdown; the exit code is 1 when one failed.
 *
 * `-- --only 1,4b` runs some (4: all that begin so), `--write` puts the table into docs/reliability.md,
 * `--jobs 200` queues so many jobs where jobs are killed, `--operations 600 --seeds 1,2` are the random walks. Linux only.
 *
 * To add one, write a file in tools/bench/faults/experiments/ and add what it exports to index.ts there. An experiment is one
 * object (`faults/experiment.ts`). Its `run` gets `CommandContext` (`faults/tools.ts`): `await tools.service()` is a service that
 * runs, on a data folder of its own with a project, a bot and two keys; `service.call/music/admin/kill/start` act on it;
 * `await tools.discord()` is the Discord that it is connected to, which outlives it; `discord.listen()` puts an ear into
 * its voice channel that knows every frame of the track `TRACKS.noise`, so that gaps and jumps are measured where they
 * are heard. `tools.must(isSo, 'what was seen, with numbers')` is the criterion; throw `NotRun` where this machine does
 * not allow it. What `tools` gave is closed by the runner, which also checks what must be so after each experiment
 * (`faults/invariants.ts`): status is prompt, answers carry request ids, players that play are heard, SIGTERM ends it
 * within 10 s, no process is left, no secret is in the log, the database is whole.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir, availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { EXPERIMENTS } from './faults/experiments/index.ts'
import { makeLibrary } from './faults/music.ts'
import { lineOf, runOne, type Outcome } from './faults/run.ts'
import { tableOf } from './faults/table.ts'
import { writeBetween } from './write-between.ts'

const { values } = parseArgs({
  options: {
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
    jobs: { type: 'string', default: '30' },
    operations: { type: 'string', default: '600' },
    seeds: { type: 'string', default: '1' },
  },
})
const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'reliability.md')
const MARKS = { begin: '<!-- what `npm run faults -- --write` saw -->', end: '<!-- end -->' }
const wanted = values.only?.split(',').map((one) => one.trim())
if (wanted && values.write) throw new Error('Only the whole suite is written down: leave out --only or --write.')

const startMs = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'bandstand-faults-'))
const libraryDir = join(folder, 'library')
const material = {
  libraryDir,
  frames: makeLibrary(libraryDir),
  jobs: Number(values.jobs),
  operations: Number(values.operations),
  seeds: values.seeds.split(',').map(Number),
}
const load = loadavg()[0]?.toFixed(1)
const outcomes: Outcome[] = []
for (const experiment of EXPERIMENTS) {
  if (wanted && !wanted.some((one) => isMeant(one, experiment.number))) continue
  const outcome = await runOne(experiment, material)
  console.log(lineOf(outcome))
  outcomes.push(outcome)
}
rmSync(folder, { recursive: true, force: true })

const many = (result: Outcome['result']) => outcomes.filter((one) => one.result === result).length
const counts = `${many('PASS')} passed, ${many('FAIL')} failed, ${many('not run')} not run`
const minutes = ((performance.now() - startMs) / 60_000).toFixed(1)
const when = new Date().toISOString().slice(0, 16).replace('T', ', ')
const text = `${when} UTC, ${availableParallelism()} cores, load ${load} at the start: ${counts}, ${minutes} minutes.\n\n${tableOf(outcomes)}`
console.log(`\n${text}`)
if (values.write) writeBetween(PAGE, MARKS, text)
process.exitCode = many('FAIL') > 0 ? 1 : 0
// Pending work of an experiment that ran out of time must not keep the program running.
setTimeout(() => process.exit(), 5000).unref()

/** 4 means 4 and 4a, but not 40. */
function isMeant(word: string, number: string): boolean {
  return number === word || (number.startsWith(word) && /^[a-z]/.test(number.slice(word.length)))
}

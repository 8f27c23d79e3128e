/**
 * One bot on three services, with 48 shards, 100,000 guilds and 100 players that are heard: how long it takes to start, what
 * a guild costs in memory, and what players, callers and receivers of events notice when something breaks. Real processes,
 * PostgreSQL and Redis; Discord is the sandbox, in this process. Ends with a table and a verdict; the exit code is 1 when a
 * goal is missed. The full size takes 8 GB of memory.
 *
 *     npm run bench:cluster [-- --rounds 20 --faults kill,stop,… --shards 48 --guilds 100000 --players 100 --seed N]
 *
 * Faults: kill, node, stop, cut (from Redis), database (from PostgreSQL), both, postgres, redis, rolling.
 * `--services 3`, `--nodes 2` (0: services make the sound themselves), `--max-concurrency 16`, `--logs FOLDER` keeps the logs of
 * all services. `--rounds 0` measures the start, and what players cost that no one disturbs.
 *
 * A round of all nine takes a minute and a half: `--shards 6 --guilds 600 --players 10` ends within half an hour.
 */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { printCosts } from './cluster/costs.ts'
import { FAULTS } from './cluster/faults.ts'
import { runRound, type Outcome } from './cluster/round.ts'
import { openStage, type Size, type Stage } from './cluster/stage.ts'
import { createVerdict, lineOf, tableOf } from './cluster/verdict.ts'

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    faults: { type: 'string', default: Object.keys(FAULTS).join(',') },
    services: { type: 'string', default: '3' },
    nodes: { type: 'string', default: '2' },
    shards: { type: 'string', default: '48' },
    guilds: { type: 'string', default: '100000' },
    players: { type: 'string', default: '100' },
    'max-concurrency': { type: 'string', default: '16' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    logs: { type: 'string' },
  },
})
const size: Size = {
  services: Number(values.services),
  nodes: Number(values.nodes),
  shards: Number(values.shards),
  guilds: Number(values.guilds),
  players: Number(values.players),
  maxConcurrency: Number(values['max-concurrency']),
}
const rounds = Number(values.rounds)
const names = values.faults.split(',').filter((name) => name !== 'node' || size.nodes > 0)
for (const name of names)
  if (!FAULTS[name]) throw new Error(`There is no fault ${name}: ${Object.keys(FAULTS).join(', ')}.`)

function keepLogs({ installed }: Stage): void {
  if (values.logs === undefined) return
  mkdirSync(values.logs, { recursive: true })
  const machines = [
    ...installed.services.map((one) => [one.name, one] as const),
    ...installed.nodes.map((one, at) => [`node-${at}`, one] as const),
  ]
  for (const [name, machine] of machines) writeFileSync(join(values.logs, `${name}.log`), machine.output())
}

const startedMs = performance.now()
const verdict = createVerdict(size)
const stage = await openStage(size)
const outcomes = new Map<string, Outcome[]>(names.map((name) => [name, []]))
let broken: Error | null = null
try {
  verdict.start(stage)
  if (rounds === 0) await printCosts(stage, size.players, size.guilds)
  let seed = Number(values.seed)
  if (rounds > 0) console.log(`seeds ${seed + 1} to ${seed + rounds * names.length}`)
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) {
      const outcome = await runRound(stage, size, { fault: FAULTS[name]!, seed: (seed += 1) })
      outcomes.get(name)?.push(outcome)
      console.log(lineOf(name, FAULTS[name]!, outcome))
      keepLogs(stage)
    }
  }
} catch (error) {
  broken = error as Error
} finally {
  keepLogs(stage)
}
const tookS = (performance.now() - startedMs) / 1000
console.log(`\n${tableOf(outcomes)}\n\n${(tookS / 60).toFixed(1)} minutes in all\n`)
if (broken) console.log(`Ended early: ${broken.message}`)
process.exitCode = verdict.end(outcomes, broken !== null)
await stage.close()
// What a service that was killed still waited for must not keep the program.
setTimeout(() => process.exit(), 5000).unref()

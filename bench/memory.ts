/**
 * What does an idle service hold, and one with a few players? Prints the proportional set size (PSS) of each process:
 * memory that several processes share counts for each in part, so that the numbers add up. Linux only.
 * `npm run bench:memory -- --rest-minutes 10 --players 10 --env RENDERER_IDLE_SECONDS=0`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { descendantsOf } from '../test/support/descendants.ts'
import { startService } from '../test/support/service.ts'
import { PLAYING_ALONE } from './faults/players.ts'
import { pssMiB } from './growth/service.ts'
import { openPlaces, play } from './places.ts'
import { LAUNCHER } from './process.ts'

const { values } = parseArgs({
  options: {
    'rest-minutes': { type: 'string', default: '10' },
    players: { type: 'string', default: '10' },
    'play-seconds': { type: 'string', default: '60' },
    env: { type: 'string', multiple: true, default: [] },
  },
})

const GOAL_MIB = { rest: 130, playing: 160 }

/** By what their command lines have; the first that fits. `isCounted`: the goals are for these together. */
const ROLES = [
  { name: 'sandbox', has: 'sandbox/main', isCounted: false },
  { name: 'renderer', has: 'jobs/main', isCounted: false },
  { name: 'Chromium', has: 'chrom', isCounted: false },
  { name: 'Redis', has: 'redis', isCounted: true },
  { name: 'spawner', has: 'spawner-process', isCounted: true },
  { name: 'others', has: '', isCounted: true },
] as const

/** Children may end in between. */
function pssIfThere(pid: number): number {
  try {
    return pssMiB(pid)
  } catch {
    return 0
  }
}

function report(title: string, pid: number, goalMiB: number): void {
  let counted = pssMiB(pid)
  const sums = new Map<string, number>([['service', counted]])
  for (const child of descendantsOf(pid)) {
    const role = ROLES.find(({ has }) => child.command.includes(has)) ?? ROLES[5]
    const mib = pssIfThere(child.pid)
    sums.set(role.name, (sums.get(role.name) ?? 0) + mib)
    if (role.isCounted) counted += mib
  }
  const parts = [...sums].map(([name, mib]) => `${name} ${mib.toFixed(0)}`).join(', ')
  const verdict = counted <= goalMiB ? 'met' : 'missed'
  console.log(
    `${title}: ${counted.toFixed(0)} MiB (goal ${goalMiB}: ${verdict}) without sandbox and renderer; ${parts}`,
  )
}

// As an operator runs it: the renderer is there, and sleeps.
const { RENDER_CONCURRENCY: _, ...playing } = PLAYING_ALONE
const given = Object.fromEntries(values.env.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
const started = { hasRenderer: true, env: { ...playing, ...given }, execPath: LAUNCHER }
// The first start fills the caches of code; operators restart more often than they install.
await (await startService(started)).stop()
const service = await startService(started)
try {
  const pid = service.process.pid ?? 0
  report('when ready', pid, GOAL_MIB.rest)
  await sleep(Number(values['rest-minutes']) * 60_000)
  report(`after ${values['rest-minutes']} min at rest`, pid, GOAL_MIB.rest)
  const places = await openPlaces(service, service.demo.botId, Number(values.players))
  for (const place of places) await play(service, place, service.demo.queries[0] ?? '')
  await sleep(Number(values['play-seconds']) * 1000)
  report(`with ${values.players} players`, pid, GOAL_MIB.playing)
} finally {
  await service.stop()
}

/**
 * Memory of an idle service, and of one with a few players. Prints the proportional set size (PSS) of each process:
 * memory that several processes share counts for each in part, so that the numbers add up. Linux only.
 * `npm run bench:memory -- --rest-minutes 10 --players 10 --env RENDERER_IDLE_SECONDS=0`
 * `npm run bench:memory -- --rest-minutes 0 --load-minutes 10 --limit 384` calls the API and opens pages while they play, in a
 * control group with that limit, the stand-in outside of it. Where none can be made it says so, and only compares.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { startService } from '../../test/support/service.ts'
import { PLAYING_ALONE } from './faults/players.ts'
import { pssMiB } from './own-service.ts'
import { loadFor, openRepeating, type LoadReport } from './memory-load.ts'
import { argsOf, descendantsOf, LAUNCHER } from '../stage/process.ts'
import { ownAtMost, report } from './report.ts'
import { moveStandIn, openControlGroup, type ControlGroup } from '../stage/control-group.ts'

const { values } = parseArgs({
  options: {
    'rest-minutes': { type: 'string', default: '10' },
    players: { type: 'string', default: '10' },
    'play-seconds': { type: 'string', default: '60' },
    // Opus passes through; `harbour lights` is an MP3, each of whose players has an ffmpeg that shows under others.
    query: { type: 'string', default: 'snowfall waltz' },
    'load-minutes': { type: 'string', default: '0' },
    // MiB; 0: none.
    limit: { type: 'string', default: '0' },
    env: { type: 'string', multiple: true, default: [] },
  },
})

const GOAL_MIB = { rest: 130, playing: 160 }

/** Process roles by a part of the command line; the first that fits. `isCounted`: the goals are for these together. */
const ROLES = [
  { name: 'sandbox', has: 'packages/sandbox/main', isCounted: false },
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

/** @param goalMiB null where it is not over yet */
function tell(when: string, pid: number, goalMiB: number | null): void {
  let counted = pssMiB(pid)
  const sums = new Map<string, number>([['service', counted]])
  for (const child of descendantsOf(pid)) {
    const role = ROLES.find(({ has }) => argsOf(child).includes(has)) ?? ROLES[5]
    const mib = pssIfThere(child.pid)
    sums.set(role.name, (sums.get(role.name) ?? 0) + mib)
    if (role.isCounted) counted += mib
  }
  console.log([...sums].map(([name, mib]) => `${name} ${mib.toFixed(0)}`).join(', '))
  const goal = goalMiB === null ? null : ownAtMost(goalMiB)
  report({ what: `memory (PSS) of service and Redis, ${when}`, own: counted, unit: ' MiB', beside: null, goal })
}

function tellLoad(minutes: number, load: LoadReport): void {
  const { peakMiB, packets, lost, longestGapMs, answers, refused, updates, group } = load
  const limit = Number(values.limit)
  const verdict = limit === 0 ? '' : ` (${limit}: ${peakMiB <= limit ? 'fits' : 'does not fit'})`
  console.log(
    `${minutes} min of players, API and dashboard: at most ${peakMiB.toFixed(0)} MiB held${verdict}; ` +
      `${packets} packets, ${lost} lost, longest gap ${longestGapMs.toFixed(0)} ms; ${answers} answers, ` +
      `${refused.length} not 2xx ${refused.slice(0, 5).join(', ')}; ${updates} updates of the open page`,
  )
  if (!group) return
  const { anonymous, mapped, reclaims, kills } = group
  console.log(
    `the group of ${limit} MiB: at most ${anonymous.toFixed(0)} MiB without a file, ${mapped.toFixed(0)} of files in use; ` +
      `full ${reclaims} times, ${kills} processes killed`,
  )
}

function openGroup(): ControlGroup | null {
  const limitMiB = Number(values.limit)
  if (limitMiB === 0) return null
  try {
    return openControlGroup(limitMiB, LAUNCHER)
  } catch (error) {
    console.log(`No control group: ${(error as Error).message}`)
    return null
  }
}

// Same setup as an operator's: the renderer is there, and sleeps.
const { RENDER_CONCURRENCY: _, ...playing } = PLAYING_ALONE
const given = Object.fromEntries(values.env.map((pair) => pair.split(/=(.*)/s).slice(0, 2)))
const group = openGroup()
const execPath = group?.launcher ?? LAUNCHER
const started = { hasRenderer: true, env: { ...playing, ...given }, execPath }
// The first start fills the caches of code; operators restart more often than they install.
await (await startService(started)).stop()
const stopMoving = group && moveStandIn(group, process.pid)
const service = await startService(started)
try {
  const pid = service.process.pid ?? 0
  tell('when ready', pid, null)
  await sleep(Number(values['rest-minutes']) * 60_000)
  tell(`after ${values['rest-minutes']} min at rest`, pid, GOAL_MIB.rest)
  const places = await openRepeating(service, Number(values.players), values.query)
  await sleep(Number(values['play-seconds']) * 1000)
  tell(`with ${values.players} players`, pid, GOAL_MIB.playing)
  const minutes = Number(values['load-minutes'])
  if (minutes > 0) tellLoad(minutes, await loadFor(service, { places, minutes, group }))
} finally {
  stopMoving?.()
  await service.stop()
  group?.remove()
}

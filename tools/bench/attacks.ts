/**
 * What a caller who wants to break the service does to the others: twenty players of two projects pass music through
 * while a third project, on the free plan with a bot of its own, asks for work whose size it chooses. For each kind: the
 * gaps between the packets of the others, as the stand-in Discord received them, how long their requests take, and what
 * the attacker is answered. Beside each number stands the same service with no attack, right before and after it, since
 * the speed of a shared machine changes within minutes. p99.9 is that of windows of 30 s at most, on average: as much time
 * with the attack as without. At the end a table with verdicts; all at 60 s take twenty minutes.
 * `npm run bench:attacks -- [--seconds 60] [--only reads,shuffles] [--players 20] [--out results.jsonl] [--continue]`
 */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type RunningService, startService } from '../../test/support/service.ts'
import { serve } from '../../test/support/web.ts'
import { attackerOf, type Attack, type Attacker } from './attacks/attacks.ts'
import { silentMp3 } from './attacks/audio.ts'
import { SIZED_ATTACKS } from './attacks/sized.ts'
import { MOST_RATIO, MOST_REQUEST_MS, openResults, tableOf } from './attacks/results.ts'
import { startHostileWeb } from './attacks/web-thread.ts'
import { addTenant, type Tenant } from './attacks/tenant.ts'
import { startAttack } from './attacks/start.ts'
import { measure, openPlaces, play, withTone, type Measured, type Place } from '../stage/places.ts'
import { preferStandIn } from '../stage/process.ts'
import { numberInWords, ownAtMost, ratioAtMost, report } from './report.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    players: { type: 'string', default: '20' },
    only: { type: 'string' },
    out: { type: 'string', default: join(tmpdir(), 'bandstand-attacks.jsonl') },
    continue: { type: 'boolean', default: false },
  },
})
const SECONDS = Number(values.seconds)
const PLAYERS = Number(values.players)
/** The longer a time, the longer the longest gaps in it: they are compared over windows of one length. */
const WINDOW_SECONDS = Math.min(SECONDS, 30)
/** What an attack has left behind must not count as the next one's. */
const PAUSE_MS = 2000
const ATTACKER_GUILDS = 5
const PROBES_PER_SECOND = 10
const PROBE_LIMIT_MS = 10_000

/** Another project's own web server, whose song is played again and again in a guild of its own. */
interface Honest {
  readonly tenant: Tenant
  readonly place: Place
  readonly url: string
}

interface Probed {
  readonly p99Ms: number
  readonly slowestMs: number
  readonly slowestPlayMs: number
  readonly failed: number
  readonly failures: readonly string[]
}

/** The slowest of what the others ask for meanwhile, and what went wrong. */
async function probe(tenants: readonly Tenant[], honest: Honest, signal: AbortSignal): Promise<Probed> {
  const failures: string[] = []
  const ask = async (tenant: Tenant, ...[method, path, body]: Parameters<Tenant['call']>): Promise<number> => {
    const startMs = performance.now()
    const limit = sleep(PROBE_LIMIT_MS).then(() => ({ status: 0, body: null }))
    const answer = await Promise.race([tenant.call(method, path, body).catch(() => ({ status: 0, body: null })), limit])
    if (answer.status !== 200) failures.push(`${method} ${path}: ${answer.status} ${answer.body?.error?.message ?? ''}`)
    return performance.now() - startMs
  }
  const times: Promise<number>[] = []
  const reads = async (): Promise<void> => {
    for (let turn = 0; !signal.aborted; turn++) {
      const tenant = tenants[turn % tenants.length]!
      const { guildId } = tenant.places[turn % tenants[0]!.places.length] ?? tenant.places[0]!
      const routes = ['/v1/status', `/v1/music/guilds/${guildId}/player`, '/v1/music/search?q=benchmark%20tone']
      times.push(ask(tenant, 'GET', routes[turn % routes.length]!))
      await sleep(1000 / PROBES_PER_SECOND)
    }
  }
  const plays: number[] = []
  const play = async (): Promise<void> => {
    const { tenant, place, url } = honest
    const player = `/v1/music/guilds/${place.guildId}`
    while (!signal.aborted) {
      const body = { query: `${url}/song.mp3?${Math.random()}`, channelId: place.channelId }
      plays.push(await ask(tenant, 'POST', `${player}/play`, body))
      await sleep(500)
      times.push(ask(tenant, 'POST', `${player}/skip`))
    }
  }
  await Promise.all([reads(), play()])
  const sorted = (await Promise.all(times)).toSorted((a, b) => a - b)
  const slowestMs = sorted.at(-1) ?? 0
  return {
    p99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? 0,
    slowestMs,
    slowestPlayMs: Math.max(...plays),
    failed: failures.length,
    failures,
  }
}

interface Phase extends Probed {
  readonly gaps: Measured
}

type Web = Awaited<ReturnType<typeof startHostileWeb>>

interface Scene {
  readonly service: RunningService
  readonly tenants: readonly Tenant[]
  readonly honest: Honest
}

/** @param seconds a multiple of the window. */
async function watch({ service, tenants, honest }: Scene, seconds: number): Promise<Phase> {
  const over = new AbortController()
  const probing = probe(tenants, honest, over.signal)
  const windows: Measured[] = []
  for (let passed = 0; passed < seconds; passed += WINDOW_SECONDS) {
    const parts = await Promise.all(
      tenants.map(({ places, userId }) => measure(service, places, { userId, seconds: WINDOW_SECONDS })),
    )
    windows.push({ ...parts[0]!, ...worst(parts), p999: Math.max(...parts.map(({ p999 }) => p999)) })
  }
  over.abort()
  return { gaps: together(windows), ...(await probing) }
}

function worst(parts: readonly Measured[]): Pick<Measured, 'longest' | 'lost' | 'packets'> {
  return {
    longest: Math.max(...parts.map(({ longest }) => longest)),
    lost: parts.reduce((sum, { lost }) => sum + lost, 0),
    packets: parts.reduce((sum, { packets }) => sum + packets, 0),
  }
}

function together(windows: readonly Measured[]): Measured {
  const p999 = windows.reduce((sum, window) => sum + window.p999, 0) / windows.length
  return { ...windows[0]!, ...worst(windows), p999 }
}

function tell(attack: Attack, phase: Phase, idle: Phase): void {
  const { gaps, slowestMs, slowestPlayMs, failed, failures } = phase
  const what = `while ${attack.name}`
  const beside = { whom: 'no attack', value: idle.gaps.p999 }
  report({ what: `p99.9 of the gaps ${what}`, own: gaps.p999, unit: ' ms', beside, goal: ratioAtMost(MOST_RATIO) })
  report({ what: `packets lost ${what}`, own: gaps.lost, unit: '', beside: null, goal: ownAtMost(0) })
  const usual = { whom: 'no attack', value: idle.p99Ms }
  report({
    what: `p99 of other requests ${what}`,
    own: phase.p99Ms,
    unit: ' ms',
    beside: usual,
    goal: ratioAtMost(MOST_RATIO),
  })
  const slow = { whom: 'no attack', value: idle.slowestMs }
  report({
    what: `slowest other request ${what}`,
    own: slowestMs,
    unit: ' ms',
    beside: slow,
    goal: ownAtMost(MOST_REQUEST_MS),
  })
  const slowPlay = { whom: 'no attack', value: idle.slowestPlayMs }
  report({
    what: `slowest play of others ${what}`,
    own: slowestPlayMs,
    unit: ' ms',
    beside: slowPlay,
    goal: ownAtMost(MOST_REQUEST_MS),
  })
  report({ what: `others' requests failed ${what}`, own: failed, unit: '', beside: null, goal: ownAtMost(0) })
  for (const failure of new Set(failures)) console.log(`  failed: ${failure}`)
}

async function run(libraryDir: string, web: Web, honestWeb: string): Promise<void> {
  const env = {
    EGRESS_ALLOW_HOSTS: '127.0.0.1',
    LIBRARY_DIR: libraryDir,
    PLAYER_ALONE_SECONDS: '86400',
    LOG_LEVEL: 'warn',
  }
  const service = await startService({ env })
  try {
    const tenants = [
      await addTenant(service, 'scale', Math.ceil(PLAYERS / 2)),
      await addTenant(service, 'advanced', Math.floor(PLAYERS / 2)),
    ]
    const attacker = attackerOf(await addTenant(service, 'free', ATTACKER_GUILDS), web.url)
    await sleep(3000)
    for (const tenant of tenants)
      for (const place of tenant.places)
        await play(
          { call: (method, path, options) => tenant.call(method, path, options?.body) },
          place,
          'benchmark tone',
        )
    preferStandIn(service.process.pid ?? 0)
    const [owner] = tenants as [Tenant, Tenant]
    const [place] = await openPlaces(service, owner.userId, 1)
    const honest = { tenant: owner, place: place!, url: honestWeb }
    await sleep(4000)
    await attackAll({ service, tenants, honest }, attacker, web)
    const { body } = await service.call('GET', '/v1/status')
    console.log(`\nup for ${body.uptime} s; the log says:\n${summary(service.output())}`)
  } finally {
    await service.stop()
  }
}

/** One after the other, but for those that an earlier run has measured. */
async function attackAll(scene: Scene, attacker: Attacker, web: Web): Promise<void> {
  const file = openResults(values.out, { isContinued: values.continue })
  const only = values.only?.split(',')
  const isWanted = ({ name }: Attack) => !only || only.some((one) => name.includes(one))
  const isMeasured = ({ name }: Attack) => file.results.some((result) => result.name === name)
  let before = await calm(scene)
  for (const attack of SIZED_ATTACKS.filter((one) => isWanted(one) && !isMeasured(one))) {
    console.log(`\n## ${attack.name}`)
    await web.takeRequests()
    const attacking = startAttack(attack, attacker)
    const phase = await watch(scene, SECONDS)
    await attacking.stop()
    await sleep(PAUSE_MS)
    const after = await calm(scene)
    const idle = { ...before, gaps: together([before.gaps, after.gaps]) }
    before = after
    tell(attack, phase, idle)
    const said = [...attacking.answers].toSorted(([, a], [, b]) => b - a).slice(0, 3)
    for (const [answer, count] of said) console.log(`  attacker: ${count} × ${answer}`)
    const { longest: longestMs, p999: p999Ms, lost } = phase.gaps
    console.log(
      `  longest gap ${numberInWords(longestMs)} ms; ${await web.takeRequests()} requests to the attacker's web`,
    )
    const { slowestMs, slowestPlayMs, failed } = phase
    const gaps = { p999Ms, idleP999Ms: idle.gaps.p999, longestMs, lost }
    file.add({ name: attack.name, ...gaps, slowestMs, slowestPlayMs, failed, answer: said[0]?.[0] ?? '' })
  }
  console.log(`\n${tableOf(file.results)}`)
}

async function calm(scene: Scene): Promise<Phase> {
  const phase = await watch(scene, WINDOW_SECONDS)
  console.log(`\nno attack: p99.9 ${phase.gaps.p999.toFixed(1)} ms, slowest request ${phase.slowestMs.toFixed(0)} ms`)
  return phase
}

/** Warnings and errors of the log, each with how often it came. */
function summary(output: string): string {
  const counts = new Map<string, number>()
  for (const line of output.split('\n')) {
    const said = /"level":(\d+).*"msg":"([^"]*)"/.exec(line)
    if (said && Number(said[1]) >= 40) counts.set(said[2] ?? '', (counts.get(said[2] ?? '') ?? 0) + 1)
  }
  return [...counts].map(([text, count]) => `  ${count} × ${text}`).join('\n')
}

const web = await startHostileWeb()
const song = silentMp3()
const honest = await serve((_, response) => void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(song))
try {
  await withTone(SECONDS * (SIZED_ATTACKS.length + 2) * 2 + 300, (libraryDir) => run(libraryDir, web, honest.url))
} finally {
  await Promise.all([web.close(), honest.close()])
}

/**
 * Measures the effect of a hostile caller on others: twenty players of two projects pass music through while a third
 * project, on the free plan with a bot of its own, asks for work whose size it chooses. For each kind: the gaps between
 * the packets of the others, as the stand-in Discord received them, how long their requests take, and the answers to
 * the attacker. The attacks take turns over some rounds. Beside each number stands the same service with no attack,
 * right before and after it, since the speed of a shared machine changes within minutes. At the end a table with
 * verdicts, after nine minutes.
 * `npm run bench:attacks -- [--seconds 6] [--rounds 3] [--only reads,shuffles] [--players 20]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { type RunningService, startService } from '../../test/support/service.ts'
import { serve } from '../../test/support/web.ts'
import type { Attack, AttackerFacts } from './attacks/attacks.ts'
import { silentMp3 } from './attacks/audio.ts'
import { GAME_HOSTS, SIZED_ATTACKS } from './attacks/sized.ts'
import { MOST_RATIO, MOST_REQUEST_MS, resultOf, tableOf, type Met, type Result, type Round } from './attacks/results.ts'
import { startHostileWeb } from './attacks/web-thread.ts'
import { addTenant, type Tenant } from './attacks/tenant.ts'
import { startAttack } from './attacks/start.ts'
import { measure, openPlaces, play, withTone, type Place } from '../stage/places.ts'
import { preferStandIn } from '../stage/process.ts'
import { numberInWords, ownAtMost, ratioAtMost, report } from './report.ts'

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '6' },
    rounds: { type: 'string', default: '3' },
    players: { type: 'string', default: '20' },
    only: { type: 'string' },
  },
})
const SECONDS = Number(values.seconds)
const ROUNDS = Number(values.rounds)
const PLAYERS = Number(values.players)
/** After-effects of an attack must not count as the next one's. */
const PAUSE_MS = 2000
const ATTACKER_GUILDS = 5
/** Long queues are filled at the pace that the service allows. */
const PREPARING_SECONDS = 900
const PROBES_PER_SECOND = 40
const PROBE_LIMIT_MS = 10_000

/** Another project's own web server, whose song is played again and again in a guild of its own. */
interface Honest {
  readonly tenant: Tenant
  readonly place: Place
  readonly url: string
}

type Probed = Pick<Met, 'requestsMs' | 'slowestPlayMs' | 'failures'>

/** Measures the durations and failures of the others' requests meanwhile. */
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
  const requestsMs = (await Promise.all(times)).toSorted((a, b) => a - b)
  return { requestsMs, slowestPlayMs: Math.max(...plays), failures }
}

type Web = Awaited<ReturnType<typeof startHostileWeb>>

interface Scene {
  readonly service: RunningService
  readonly tenants: readonly Tenant[]
  readonly honest: Honest
}

/** Threads that sleep when they have no work are awake in both halves of a comparison. */
async function warmUp([tenant]: readonly Tenant[], { tenant: owner, place, url }: Honest): Promise<void> {
  await tenant?.call('GET', '/v1/music/search?q=benchmark%20tone')
  const body = { query: `${url}/song.mp3?${Math.random()}`, channelId: place.channelId }
  const player = `/v1/music/guilds/${place.guildId}`
  await owner.call('POST', `${player}/play`, body)
  await owner.call('POST', `${player}/skip`)
}

async function watch({ service, tenants, honest }: Scene): Promise<Met> {
  await warmUp(tenants, honest)
  const over = new AbortController()
  const probing = probe(tenants, honest, over.signal)
  const parts = await Promise.all(
    tenants.map(({ places, userId }) => measure(service, places, { userId, seconds: SECONDS })),
  )
  over.abort()
  return {
    gapP999Ms: Math.max(...parts.map(({ p999 }) => p999)),
    longestGapMs: Math.max(...parts.map(({ longest }) => longest)),
    lost: parts.reduce((sum, { lost }) => sum + lost, 0),
    ...(await probing),
  }
}

function tell(name: string, result: Result): void {
  const { p50Ms, p99Ms, gapP999Ms, slowestMs, slowestPlayMs, lost, failed } = result
  const beside = (what: string, { attacked, idle }: Result['p99Ms'], goal: Parameters<typeof report>[0]['goal']) =>
    report({
      what: `${what} while ${name}`,
      own: attacked,
      unit: ' ms',
      beside: { whom: 'no attack', value: idle },
      goal,
    })
  console.log(`\n## ${name}`)
  beside('p50 of other requests', p50Ms, null)
  beside('p99 of other requests', p99Ms, ratioAtMost(MOST_RATIO))
  beside('p99.9 of the gaps', gapP999Ms, ratioAtMost(MOST_RATIO))
  beside('slowest other request', slowestMs, ownAtMost(MOST_REQUEST_MS))
  beside('slowest play of others', slowestPlayMs, ownAtMost(MOST_REQUEST_MS))
  report({ what: `packets lost while ${name}`, own: lost, unit: '', beside: null, goal: ownAtMost(0) })
  report({ what: `others' requests failed while ${name}`, own: failed, unit: '', beside: null, goal: ownAtMost(0) })
}

async function run(libraryDir: string, web: Web, honestWeb: string): Promise<void> {
  const env = {
    EGRESS_ALLOW_HOSTS: ['127.0.0.1', ...GAME_HOSTS].join(','),
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
    const { call: _, ...attacker } = await addTenant(service, 'free', ATTACKER_GUILDS)
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
    await attackAll({ service, tenants, honest }, { ...attacker, web: { url: web.url, gamePort: web.gamePort } }, web)
    const { body } = await service.call('GET', '/v1/status')
    console.log(`\nup for ${body.uptime} s; the log says:\n${summary(service.output())}`)
  } catch (error) {
    const { exitCode, signalCode } = service.process
    console.log(`the service: ${exitCode ?? signalCode ?? 'runs'}\n${service.output().slice(-2000)}`)
    throw error
  } finally {
    await service.stop()
  }
}

/** All in turn, and again. */
async function attackAll(scene: Scene, attacker: AttackerFacts, web: Web): Promise<void> {
  const only = values.only?.split(',')
  const attacks = SIZED_ATTACKS.filter(({ name }) => !only || only.some((one) => name.includes(one)))
  const rounds = new Map<Attack, Round[]>(attacks.map((attack) => [attack, []]))
  let before = await watch(scene)
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [attack, past] of rounds) {
      console.log(`\n${attack.name}, round ${round} of ${ROUNDS}`)
      const attacked = await watchAttack(scene, { attack, attacker, web })
      await sleep(PAUSE_MS)
      const after = await watch(scene)
      past.push({ attacked, idle: [before, after] })
      before = after
    }
  }
  const results = new Map([...rounds].map(([{ name }, past]) => [name, resultOf(past)]))
  for (const [name, result] of results) tell(name, result)
  console.log(`\n${tableOf(results)}`)
}

async function watchAttack(
  scene: Scene,
  { attack, attacker, web }: { readonly attack: Attack; readonly attacker: AttackerFacts; readonly web: Web },
): Promise<Met> {
  await web.takeRequests()
  const attacking = await startAttack(attack, attacker)
  const met = await watch(scene)
  const answers = await attacking.stop()
  for (const failure of new Set(met.failures)) console.log(`  failed: ${failure}`)
  const said = [...answers].toSorted(([, a], [, b]) => b - a).slice(0, 3)
  for (const [answer, count] of said) console.log(`  attacker: ${count} × ${answer}`)
  const longest = numberInWords(met.longestGapMs)
  console.log(`  longest gap ${longest} ms; ${await web.takeRequests()} requests to the attacker's web`)
  return met
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
  await withTone(SECONDS * ROUNDS * (SIZED_ATTACKS.length + 2) * 2 + PREPARING_SECONDS, (libraryDir) =>
    run(libraryDir, web, honest.url),
  )
} finally {
  await Promise.all([web.close(), honest.close()])
}

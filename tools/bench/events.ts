/**
 * One event to 2,000 sockets while 50 players play, what that does to the players' sound, and the memory of 5,000 idle
 * sockets. `npm run bench:events [players] [seconds]`
 */
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { startService, type RunningService } from '../../test/support/service.ts'
import { startListeners } from './listeners.ts'
import { LAUNCHER } from '../stage/process.ts'
import { HEADINGS, measure, print, startConcert, withTone, type Concert } from '../stage/places.ts'
import { ownAtMost, ratioAtMost, report } from './report.ts'

const PLAYERS = Number(process.argv[2] ?? 50)
const SECONDS = Number(process.argv[3] ?? 20)
const SOCKETS = 2000
const IDLE_SOCKETS = 5000
const EVENT_EVERY_MS = 500

type Listeners = ReturnType<typeof startListeners>

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}

/** Sockets that hear nothing for now. */
async function measureMemory(service: RunningService, listeners: Listeners): Promise<void> {
  const pid = service.process.pid ?? 0
  // Leftovers of the start are gone by then.
  await listeners.open(500, 'botStopped')
  await listeners.order({ closeAll: true })
  await sleep(10_000)
  const before = residentBytes(pid)
  await listeners.open(IDLE_SOCKETS, 'botStopped')
  await sleep(5000)
  const after = residentBytes(pid)
  const [empty, loaded] = [before, after].map((bytes) => bytes / 1024 / 1024) as [number, number]
  console.log(`resident memory: ${empty.toFixed(1)} MiB; with ${IDLE_SOCKETS} idle sockets ${loaded.toFixed(1)} MiB`)
  const beside = { whom: 'without them', value: empty }
  report({ what: `memory with ${IDLE_SOCKETS} idle sockets`, own: loaded, unit: ' MiB', beside, goal: null })
  const grown = {
    what: `memory that ${IDLE_SOCKETS} idle sockets take`,
    own: loaded - empty,
    unit: ' MiB',
    beside: null,
  }
  report({ ...grown, goal: ownAtMost(200) })
  await listeners.order({ closeAll: true })
  await sleep(1000)
}

interface FanOut {
  /** Milliseconds from the first socket to each. */
  readonly spread: number[]
  /** Milliseconds from the request that caused the event to each, including the player's work before it emits the event. */
  readonly whole: number[]
  /** The slowest socket of each event, from the first one. */
  readonly slowest: number[]
  lost: number
}

/** Each skip in a looping queue emits `trackStarted`. */
async function fanOut(service: RunningService, listeners: Listeners, guildId: string): Promise<FanOut> {
  const result: FanOut = { spread: [], whole: [], slowest: [], lost: 0 }
  const deadline = performance.now() + SECONDS * 1000
  while (performance.now() < deadline) {
    let askedMs = 0
    const times = await listeners.hear(async () => {
      askedMs = performance.timeOrigin + performance.now()
      const { status } = await service.call('POST', `/v1/music/guilds/${guildId}/skip`)
      if (status !== 200) throw new Error(`skip answered ${status}`)
    })
    const heard = times.filter((time) => time !== null)
    const first = Math.min(...heard)
    result.slowest.push(Math.max(...heard) - first)
    result.lost += times.length - heard.length
    for (const time of heard) {
      result.spread.push(time - first)
      result.whole.push(time - askedMs)
    }
    await sleep(EVENT_EVERY_MS)
  }
  return result
}

function percentile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

function percentiles(times: readonly number[]): string {
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => percentile(times, share).toFixed(1))
  return `p50 ${p50} ms, p99 ${p99} ms, longest ${longest} ms`
}

async function measureFanOut(service: RunningService, listeners: Listeners, concert: Concert): Promise<void> {
  const { places, userId } = concert
  const whom = { userId, seconds: SECONDS }
  const { guildId, voiceChannelId: channelId } = service.demo
  const path = `/v1/music/guilds/${guildId}`
  for (let i = 0; i < 2; i++)
    await service.call('POST', `${path}/play`, { body: { query: 'benchmark tone', channelId } })
  await service.call('PATCH', `${path}/player`, { body: { loop: 'queue' } })
  await listeners.open(SOCKETS, 'trackStarted')
  await sleep(3000)
  console.log(HEADINGS)
  const calm = await measure(service, places, whom)
  print('no events', calm)
  const [sound, { spread, whole, slowest, lost }] = await Promise.all([
    measure(service, places, whom),
    fanOut(service, listeners, guildId),
  ])
  print('an event each half second', sound)
  console.log(`${spread.length + lost} deliveries of ${(spread.length + lost) / SOCKETS} events, ${lost} lost`)
  console.log(`from the first socket to each: ${percentiles(spread)}`)
  const last = slowest.map((ms) => ms.toFixed(0)).join(', ')
  console.log(`from the first socket to the last, event by event: ${last} ms`)
  console.log(`from the request to each: ${percentiles(whole)}`)
  report({
    what: `p99 from the first of ${SOCKETS} sockets that hears an event to each`,
    own: percentile(spread, 0.99),
    unit: ' ms',
    beside: { whom: 'p50', value: percentile(spread, 0.5) },
    goal: ownAtMost(60),
  })
  report({
    what: `p99.9 of the gaps between packets of ${PLAYERS} players meanwhile`,
    own: sound.p999,
    unit: ' ms',
    beside: { whom: 'no events', value: calm.p999 },
    goal: ratioAtMost(1.33),
  })
}

await withTone(SECONDS * 2 + 180, async (libraryDir) => {
  const service = await startService({
    env: { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' },
    execPath: LAUNCHER,
  })
  const listeners = startListeners(service)
  try {
    await measureMemory(service, listeners)
    await measureFanOut(service, listeners, await startConcert(service, PLAYERS))
  } finally {
    listeners.child.kill()
    await service.stop()
  }
})

/**
 * One event to 2,000 sockets while 50 players play, what that does to the players' sound, and the memory of 5,000 idle
 * sockets. `npm run bench:events [players] [seconds]`
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeAudio } from '../test/support/audio-files.ts'
import { startService, type RunningService } from '../test/support/service.ts'
import type { ListenerOrder, ListenerReport } from './event-listeners.ts'
import { HEADINGS, measure, openPlaces, playEverywhere, print, type Place } from './places.ts'
import { preferStandIn } from './process.ts'

const PLAYERS = Number(process.argv[2] ?? 50)
const SECONDS = Number(process.argv[3] ?? 20)
const SOCKETS = 2000
const IDLE_SOCKETS = 5000
const EVENT_EVERY_MS = 500

function startListeners(service: RunningService) {
  const child = fork(join(import.meta.dirname, 'event-listeners.ts'))
  const port = Number(new URL(service.demo.baseUrl).port)
  const order = async (order: ListenerOrder): Promise<ListenerReport> => {
    child.send(order)
    return (await once(child, 'message'))[0]
  }
  return {
    child,
    order,
    open: (count: number, events: string) => order({ open: { port, key: service.demo.keys.linked, count, events } }),
    /** When each socket heard what `cause` brings about. */
    async hear(cause: () => Promise<unknown>): Promise<readonly (number | null)[]> {
      await order({ await: true })
      const report = once(child, 'message')
      await cause()
      const [{ heard }] = (await report) as [{ heard: readonly (number | null)[] }]
      return heard
    },
  }
}

type Listeners = ReturnType<typeof startListeners>

function residentBytes(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024
}

/** Sockets that hear nothing for now. */
async function measureMemory(service: RunningService, listeners: Listeners): Promise<void> {
  const pid = service.process.pid ?? 0
  // What the start left behind is gone by then.
  await listeners.open(500, 'botStopped')
  await listeners.order({ closeAll: true })
  await sleep(10_000)
  const before = residentBytes(pid)
  await listeners.open(IDLE_SOCKETS, 'botStopped')
  await sleep(5000)
  const after = residentBytes(pid)
  const [empty, loaded, grown] = [before, after, after - before].map((bytes) => (bytes / 1024 / 1024).toFixed(1))
  console.log(
    `resident memory: ${empty} MiB; with ${IDLE_SOCKETS} idle sockets ${loaded} MiB: ${grown} more (goal: < 200)`,
  )
  await listeners.order({ closeAll: true })
  await sleep(1000)
}

interface FanOut {
  /** From the first socket to each. */
  readonly spread: number[]
  /** From the request that caused the event to each; what the player does before it tells is in it. */
  readonly whole: number[]
  /** The slowest socket of each event, from the first one. */
  readonly slowest: number[]
  lost: number
}

/** A skip in a queue that goes round tells `trackStarted` each time. */
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

function percentiles(times: readonly number[]): string {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1)
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`
}

async function measureFanOut(service: RunningService, listeners: Listeners, places: readonly Place[]): Promise<void> {
  const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
  const whom = { userId: applications[0].id, seconds: SECONDS }
  const { guildId, voiceChannelId: channelId } = service.demo
  const path = `/v1/music/guilds/${guildId}`
  for (let i = 0; i < 2; i++)
    await service.call('POST', `${path}/play`, { body: { query: 'benchmark tone', channelId } })
  await service.call('PATCH', `${path}/player`, { body: { loop: 'queue' } })
  await listeners.open(SOCKETS, 'trackStarted')
  await sleep(3000)
  console.log(HEADINGS)
  print('no events', await measure(service, places, whom))
  const [sound, { spread, whole, slowest, lost }] = await Promise.all([
    measure(service, places, whom),
    fanOut(service, listeners, guildId),
  ])
  print('an event each half second', sound)
  console.log(`${spread.length + lost} deliveries of ${(spread.length + lost) / SOCKETS} events, ${lost} lost`)
  console.log(`from the first socket to each: ${percentiles(spread)} (goal: p99 below 60 ms)`)
  const last = slowest.map((ms) => ms.toFixed(0)).join(', ')
  console.log(`from the first socket to the last, event by event: ${last} ms`)
  console.log(`from the request to each: ${percentiles(whole)}`)
}

const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
const tags = { title: 'Benchmark Tone', artist: 'Bench' }
makeAudio(join(folder, 'tone.ogg'), {
  seconds: SECONDS * 2 + 180,
  tags,
  options: ['-c:a', 'libopus', '-b:a', '128k'],
})
const service = await startService({ env: { LIBRARY_DIR: folder, PLAYER_ALONE_SECONDS: '86400' } })
const listeners = startListeners(service)
try {
  await measureMemory(service, listeners)
  const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
  const places = await openPlaces(service, applications[0].id, PLAYERS)
  await playEverywhere(service, places)
  if (!preferStandIn(service.process.pid ?? 0)) console.log('  (the stand-in has no priority: its waiting shows too)')
  await measureFanOut(service, listeners, places)
} finally {
  listeners.child.kill()
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}

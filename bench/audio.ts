/**
 * Fifty players, each in a guild of its own of the stand-in Discord, pass an Ogg Opus file through: first while the API
 * is idle, then while it answers 500 requests a second; with the audio thread, then with the players on the main thread.
 * Everything shares this machine: the stand-in, which measures, and the load. `npm run bench:audio [players] [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PacketReport } from '../sandbox/voice/server.ts'
import { makeAudio } from '../test/support/audio-files.ts'
import { startService, type RunningService } from '../test/support/service.ts'
import { load } from './load.ts'
import { cpuSeconds, preferStandIn } from './process.ts'

const PLAYERS = Number(process.argv[2] ?? 50)
const SECONDS = Number(process.argv[3] ?? 20)
const PER_SECOND = 500

interface Place {
  readonly guildId: string
  readonly channelId: string
}

interface Measured {
  readonly p50: number
  readonly p99: number
  readonly p999: number
  readonly longest: number
  readonly packets: number
  readonly lost: number
  readonly late: number
  /** Percent of one core. */
  readonly cpuPerPlayer: number
}

async function openPlaces(service: RunningService, applicationId: string): Promise<Place[]> {
  const places: Place[] = []
  for (let i = 0; i < PLAYERS; i++) {
    const facts = { name: `Guild ${i + 1}`, applications: [applicationId] }
    const { body: guild } = await service.sandbox('POST', '/sandbox/guilds', facts)
    const channel = guild.channels.find((one: { type: string }) => one.type === 'voice')
    places.push({ guildId: guild.id, channelId: channel.id })
  }
  return places
}

async function measure(service: RunningService, places: readonly Place[], userId: string): Promise<Measured> {
  const path = ({ guildId }: Place) => `/sandbox/guilds/${guildId}/members/${userId}/packets`
  for (const place of places) await service.sandbox('GET', `${path(place)}?reset=true`)
  const pid = service.process.pid ?? 0
  const [cpuBefore, startMs] = [cpuSeconds(pid), performance.now()]
  await sleep(SECONDS * 1000)
  const cpu = (cpuSeconds(pid) - cpuBefore) / ((performance.now() - startMs) / 1000)
  const reports: PacketReport[] = []
  for (const place of places) reports.push((await service.sandbox('GET', path(place))).body)
  const mean = (pick: (report: PacketReport) => number) => sum(reports.map(pick)) / reports.length
  return {
    p50: mean(({ gapMs }) => gapMs.median),
    p99: mean(({ gapMs }) => gapMs.p99),
    p999: mean(({ gapMs }) => gapMs.p999),
    longest: Math.max(...reports.map(({ gapMs }) => gapMs.longest)),
    packets: sum(reports.map(({ packets }) => packets)),
    lost: sum(reports.map(({ lost }) => lost)),
    late: sum(reports.map(({ lateness }) => lateness.late)),
    cpuPerPlayer: (cpu * 100) / places.length,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

function print(name: string, { p50, p99, p999, longest, packets, lost, late, cpuPerPlayer }: Measured): void {
  const gaps = [p50, p99, p999, longest].map((ms) => ms.toFixed(1).padStart(7)).join(' ')
  const rest = [packets, lost, late].map((n) => String(n).padStart(8)).join(' ')
  console.log(`${name.padEnd(24)} ${gaps} ${rest} ${cpuPerPlayer.toFixed(2).padStart(9)} %`)
}

async function run(threads: number, libraryDir: string): Promise<void> {
  const env = { AUDIO_THREADS: String(threads), LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' }
  const service = await startService({ env })
  try {
    const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
    const userId: string = applications[0].id
    const places = await openPlaces(service, userId)
    for (const { guildId, channelId } of places) {
      const body = { query: 'benchmark tone', channelId }
      const { status, body: said } = await service.call('POST', `/v1/music/guilds/${guildId}/play`, { body })
      if (status !== 200) throw new Error(`play answered ${status}: ${JSON.stringify(said)}`)
    }
    if (!preferStandIn(service.process.pid ?? 0)) console.log('  (the stand-in has no priority: its waiting shows too)')
    await sleep(5000)
    const where = threads > 0 ? 'audio thread' : 'main thread'
    const idle = await measure(service, places, userId)
    print(`${where}, API idle`, idle)
    const url = `${service.demo.baseUrl}/v1/music/guilds/${places[0]?.guildId}/player`
    const loading = load(url, service.demo.keys.linked, { perSecond: PER_SECOND, forMs: SECONDS * 1000 + 2000 })
    await sleep(500)
    const busy = await measure(service, places, userId)
    print(`${where}, API busy`, busy)
    const { perSecond, answers, medianMs } = await loading
    console.log(`  ${perSecond.toFixed(0)} requests/s, median ${medianMs.toFixed(1)} ms, ${JSON.stringify(answers)}`)
    console.log(
      `  p99.9 of the gaps busy : idle = ${(busy.p999 / idle.p999).toFixed(2)} (goal with the thread: below 1.33)`,
    )
  } finally {
    await service.stop()
  }
}

const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
try {
  const seconds = SECONDS * 2 + 120
  const tags = { title: 'Benchmark Tone', artist: 'Bench' }
  makeAudio(join(folder, 'tone.ogg'), { seconds, tags, options: ['-c:a', 'libopus', '-b:a', '128k'] })
  console.log(`${PLAYERS} players passing Opus through, ${SECONDS} s each; gaps in ms (mean over players)`)
  console.log('                             p50     p99   p99.9 longest  packets     lost  >100 ms  CPU/player')
  for (const threads of [1, 0]) await run(threads, folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

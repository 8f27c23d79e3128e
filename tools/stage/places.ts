import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PacketReport } from 'bandstand-sandbox/voice'
import { makeAudio } from '../../test/support/audio-files.ts'
import type { RunningService } from '../../test/support/service.ts'
import { cpuSeconds, preferStandIn } from './process.ts'

/** The part of a running service that is needed here. */
type Stage = Pick<RunningService, 'sandbox' | 'call' | 'process'>

export interface Place {
  readonly guildId: string
  readonly channelId: string
  /** The bot that plays there, and its key; defaults to the demo's. */
  readonly bot?: { readonly userId: string; readonly key?: string }
}

export interface Concert {
  readonly places: readonly Place[]
  /** The bot that plays. */
  readonly userId: string
}

export type Measured = Awaited<ReturnType<typeof measure>>

/** Guilds of the stand-in, with the bot in each. */
export async function openPlaces(
  service: Pick<Stage, 'sandbox'>,
  applicationId: string,
  count: number,
): Promise<Place[]> {
  const places: Place[] = []
  for (let i = 0; i < count; i++) {
    const facts = { name: `Guild ${i + 1}`, applications: [applicationId] }
    const { body: guild } = await service.sandbox('POST', '/sandbox/guilds', facts)
    const channel = guild.channels.find((one: { type: string }) => one.type === 'voice')
    places.push({ guildId: guild.id, channelId: channel.id })
  }
  return places
}

/** Tries of a play that a busy service refuses, as a caller does. */
const TRIES = 5
const AGAIN_MS = 1000

/** @throws {Error} when it is refused. */
export async function play(service: Pick<Stage, 'call'>, place: Place, query: string): Promise<void> {
  const { guildId, channelId, bot } = place
  for (let tries = 1; ; tries++) {
    const { status, body } = await service.call('POST', `/v1/music/guilds/${guildId}/play`, {
      body: { query, channelId },
      ...(bot?.key !== undefined && { key: bot.key }),
    })
    if (status === 200) return
    if (status !== 503 || tries === TRIES) throw new Error(`play answered ${status}: ${JSON.stringify(body)}`)
    await sleep(AGAIN_MS)
  }
}

/** A player in each of them, with the tone. */
export async function playEverywhere(service: RunningService, places: readonly Place[]): Promise<void> {
  for (const place of places) await play(service, place, 'benchmark tone')
}

/** Packet gaps of all players over some seconds, as the stand-in received them. `userId` plays where no other bot is named. */
export async function measure(
  service: Stage,
  places: readonly Place[],
  { userId, seconds }: { userId: string; seconds: number },
) {
  const path = ({ guildId, bot }: Place) => `/sandbox/guilds/${guildId}/members/${bot?.userId ?? userId}/packets`
  for (const place of places) await service.sandbox('GET', `${path(place)}?reset=true`)
  const pid = service.process.pid ?? 0
  const [cpuBefore, startMs] = [cpuSeconds(pid), performance.now()]
  await sleep(seconds * 1000)
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
    /** Percent of one core. */
    cpuPerPlayer: (cpu * 100) / places.length,
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}

export const HEADINGS =
  '                             p50     p99   p99.9 longest  packets     lost  >100 ms  CPU/player'

export function print(name: string, { p50, p99, p999, longest, packets, lost, late, cpuPerPlayer }: Measured): void {
  const gaps = [p50, p99, p999, longest].map((ms) => ms.toFixed(1).padStart(7)).join(' ')
  const rest = [packets, lost, late].map((n) => String(n).padStart(8)).join(' ')
  console.log(`${name.padEnd(24)} ${gaps} ${rest} ${cpuPerPlayer.toFixed(2).padStart(9)} %`)
}

/** A library that holds one long piece of Opus, `benchmark tone`, for as long as `use` takes. */
export async function withTone(seconds: number, use: (libraryDir: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
  try {
    const tags = { title: 'Benchmark Tone', artist: 'Bench' }
    makeAudio(join(folder, 'tone.ogg'), { seconds, tags, options: ['-c:a', 'libopus', '-b:a', '128k'] })
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Players in guilds of their own, all with the tone. */
export async function startConcert(service: RunningService, count: number): Promise<Concert> {
  const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
  const userId: string = applications[0].id
  const places = await openPlaces(service, userId, count)
  await playEverywhere(service, places)
  if (!preferStandIn(service.process.pid ?? 0)) console.log('  (the stand-in has no priority: its waiting shows too)')
  return { places, userId }
}

/**
 * What a player costs: one that passes Opus through, one that plays a kept track, one whose track is encoded, and one
 * with a filter; with few and with many of them, each in a guild of its own of the stand-in Discord, which counts what
 * arrives. `npm run bench:players -- [counts, such as 1,10,50,100] [seconds for each]`
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeAudio } from '../test/support/audio-files.ts'
import { eventually, startService, type RunningService } from '../test/support/service.ts'
import { measure, openPlaces, type Place } from './places.ts'
import { childCpuSeconds, cpuSeconds, ffmpegMiB, preferStandIn, residentMiB } from './process.ts'
import { ownAtMost, report } from './report.ts'

const COUNTS = (process.argv[2] ?? '1,10,50,100').split(',').map(Number)
const SECONDS = Number(process.argv[3] ?? 15)
/** Encoding takes a part of a core for each: more of them than that measure the machine, not the service. */
const MOST_ENCODED = 50
const TRACK_SECONDS = 30
/** One for each player that encodes. */
const TRACKS = COUNTS.filter((one) => one <= MOST_ENCODED).reduce((sum, count) => sum + count, 0)

/** What each kind cost with the most of its players. */
interface Cost {
  readonly players: number
  /** Percent of a core for each. */
  readonly cpu: number
  readonly mib: number
  readonly lost: number
}

interface Run {
  readonly service: RunningService
  readonly userId: string
  readonly places: readonly Place[]
}

function print(columns: readonly (string | number)[]): void {
  console.log(columns.map((column, i) => (i === 0 ? String(column).padEnd(12) : String(column).padStart(12))).join(''))
}

async function withService<T>(libraryDir: string, use: (run: Run) => Promise<T>): Promise<T> {
  const service = await startService({ env: { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' } })
  try {
    const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
    const userId: string = applications[0].id
    return await use({ service, userId, places: await openPlaces(service, userId, Math.max(...COUNTS)) })
  } finally {
    await service.stop()
  }
}

async function play({ service }: Run, { guildId, channelId }: Place, query: string): Promise<void> {
  const { status, body } = await service.call('POST', `/v1/music/guilds/${guildId}/play`, {
    body: { query, channelId },
  })
  if (status !== 200) throw new Error(`play answered ${status}: ${JSON.stringify(body)}`)
}

/** The library is read while the service runs already. */
async function inLibrary(service: RunningService, query: string): Promise<void> {
  const path = `/v1/music/search?q=${encodeURIComponent(query)}`
  await eventually(
    async () => (await service.call('GET', path)).body.data.length,
    (count) => count === 1,
    60_000,
  )
}

/** What the service takes with nobody to play for, in cores. */
async function idleCores(pid: number): Promise<number> {
  const before = cpuSeconds(pid)
  await sleep(5000)
  return (cpuSeconds(pid) - before) / 5
}

async function metric({ service }: Run, name: string): Promise<number> {
  const text = await (await fetch(`${service.demo.baseUrl}/metrics`)).text()
  return Number(new RegExp(`^bandstand_${name}\\S* (\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

/** Players that neither decode nor encode: the same ones play on while more of them come. */
async function steady(name: string, run: Run, query: string): Promise<Cost> {
  const { service, userId, places } = run
  const pid = service.process.pid ?? 0
  await inLibrary(service, query)
  // Once, so that it is measured and kept, and all code has run.
  await play(run, places[0]!, query)
  if (name === 'kept')
    await eventually(
      () => metric(run, 'audio_tracks_kept_total'),
      (count) => count === 1,
      60_000,
    )
  await service.call('DELETE', `/v1/music/guilds/${places[0]!.guildId}/player`)
  await sleep(2000)
  const before = residentMiB(pid)
  const idle = await idleCores(pid)
  let open = 0
  let cost: Cost | null = null
  for (const count of COUNTS) {
    for (const place of places.slice(open, count)) await play(run, place, query)
    open = count
    preferStandIn(pid)
    await sleep(3000)
    const [nulled, lateBefore] = [
      await metric(run, 'audio_frames_nulled_total'),
      await metric(run, 'audio_frames_late_total'),
    ]
    const { cpuPerPlayer, packets, lost } = await measure(service, places.slice(0, count), { userId, seconds: SECONDS })
    const memory = (residentMiB(pid) - before) / count
    const [silent, late] = [
      (await metric(run, 'audio_frames_nulled_total')) - nulled,
      (await metric(run, 'audio_frames_late_total')) - lateBefore,
    ]
    const cpu = cpuPerPlayer - (idle * 100) / count
    print([name, count, `${cpu.toFixed(2)} %`, memory.toFixed(2), packets, lost, silent, late])
    cost = { players: count, cpu, mib: memory, lost: lost + silent }
  }
  return cost!
}

/** Players whose tracks are encoded, each a file of its own, from the beginning to the end: everything is counted. */
async function encoded(name: string, run: Run, patch: object | null): Promise<Cost> {
  const { service, userId, places } = run
  const pid = service.process.pid ?? 0
  const idle = await idleCores(pid)
  let used = 0
  let cost: Cost | null = null
  await inLibrary(service, `track number ${999 + TRACKS}`)
  for (const count of COUNTS.filter((one) => one <= MOST_ENCODED)) {
    const cpu = () => cpuSeconds(pid) + childCpuSeconds(pid)
    const [before, startMs] = [cpu(), performance.now()]
    const mine = places.slice(0, count)
    for (const place of mine) {
      await play(run, place, `track number ${String(1000 + used++)}`)
      if (patch) await service.call('PATCH', `/v1/music/guilds/${place.guildId}/player`, { body: patch })
    }
    const startedMs = performance.now() - startMs
    const { packets, lost } = await measure(service, mine, { userId, seconds: 5 })
    const children = ffmpegMiB(pid) / count
    await sleep(Math.max(0, startMs + startedMs + TRACK_SECONDS * 1000 + 2000 - performance.now()))
    const seconds = (performance.now() - startMs) / 1000
    const share = ((cpu() - before - idle * seconds) * 100) / (TRACK_SECONDS * count)
    print([name, count, `${share.toFixed(2)} %`, `${children.toFixed(2)} *`, packets, lost, '', ''])
    for (const { guildId } of mine) await service.call('DELETE', `/v1/music/guilds/${guildId}/player`)
    cost = { players: count, cpu: share, mib: children, lost }
  }
  return cost!
}

const alone = (what: string, own: number, unit: string) => ({ what, own, unit, beside: null })

/** Of the most players of each kind. */
function tell(passed: Cost, kept: Cost, dear: Readonly<Record<'encoded' | 'filtered', Cost>>): void {
  const beside = { whom: 'passed through', value: passed.cpu }
  const cpu = (what: string, { players, cpu: value }: Cost) =>
    alone(`CPU of each of ${players} players, ${what}`, value, ' %')
  report({ ...cpu('passed through', passed), goal: ownAtMost(0.8) })
  report({ ...cpu('kept tracks', kept), beside, goal: ownAtMost(0.8) })
  report({ ...cpu('encoded for the first time', dear.encoded), beside, goal: ownAtMost(2) })
  report({ ...cpu('under a filter', dear.filtered), beside, goal: null })
  report({ ...alone(`memory of each of ${kept.players} players, kept tracks`, kept.mib, ' MiB'), goal: ownAtMost(2) })
  report({ ...alone(`frames lost or silent, ${kept.players} players, kept tracks`, kept.lost, ''), goal: ownAtMost(0) })
}

const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
try {
  // As loud as players make tracks by themselves, so that Opus passes through as it is.
  const level = ['-af', 'volume=-1dB']
  const seconds = COUNTS.length * (SECONDS + 60) + 120
  const opus = join(folder, 'plain', 'tone.ogg')
  makeAudio(opus, { seconds, tags: { title: 'Plain Tone' }, options: [...level, '-c:a', 'libopus', '-b:a', '128k'] })
  makeAudio(join(folder, 'plain', 'tone.mp3'), { seconds, tags: { title: 'Kept Tone' }, options: level })
  const [first, ...others] = Array.from({ length: TRACKS }, (_, i) =>
    join(folder, 'many', `track number ${1000 + i}.mp3`),
  )
  makeAudio(first!, { seconds: TRACK_SECONDS, options: level })
  for (const other of others) copyFileSync(first!, other)
  console.log(
    `${COUNTS.join(', ')} players, ${SECONDS} s each; CPU of the service for each player, in percent of a core,`,
  )
  console.log('memory in MiB for each; * memory of its ffmpeg instead.')
  print(['', 'players', 'CPU', 'MiB', 'packets', 'lost', 'nulled', 'late'])
  const passed = await withService(join(folder, 'plain'), (run) => steady('passed', run, 'plain tone'))
  const kept = await withService(join(folder, 'plain'), (run) => steady('kept', run, 'kept tone'))
  const many = (name: string, patch: object | null) =>
    withService(join(folder, 'many'), (run) => encoded(name, run, patch))
  tell(passed, kept, {
    encoded: await many('encoded', null),
    filtered: await many('filtered', { filters: { lowPass: { smoothing: 4 } } }),
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

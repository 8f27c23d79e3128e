/**
 * The cost of a player: one that passes Opus through, one that plays a kept track, one whose track is encoded, and one
 * with a filter; with few and with many of them, each in a guild of its own of the stand-in Discord, which counts what
 * arrives. `npm run bench:players -- [counts, such as 1,10,50,100] [seconds for each] [kinds, such as passed,encoded]`
 */
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, type RunningService, startService } from '../../test/support/service.ts'
import { makeAudio } from '../../test/support/audio-files.ts'
import { measure, openPlaces, play, type Place } from '../stage/places.ts'
import { childCpuSeconds, cpuSeconds, ffmpegMiB, preferStandIn, residentMiB } from '../stage/process.ts'
import { ownAtMost, report } from './report.ts'

const COUNTS = (process.argv[2] ?? '1,10,50,100').split(',').map(Number)
/** Tracks are kept at a low priority, which takes minutes beside other work. */
const PATIENT_MS = 600_000
const SECONDS = Number(process.argv[3] ?? 15)
const KINDS = new Set((process.argv[4] ?? 'passed,kept,encoded,filtered').split(','))
/** Encoding takes a part of a core for each: more of them than that measure the machine, not the service. */
const MOST_ENCODED = 50
const SONG_SECONDS = 180
const CLIP_SECONDS = 30
const SETTLE_MS = 10_000
/** One for each player that encodes. */
const TRACKS = COUNTS.filter((one) => one <= MOST_ENCODED).reduce((sum, count) => sum + count, 0)

/** The cost of each kind with the most of its players. */
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

/** The library is read while the service runs already. */
async function inLibrary(service: RunningService, query: string): Promise<void> {
  const path = `/v1/music/search?q=${encodeURIComponent(query)}`
  await eventually(
    async () => (await service.call('GET', path)).body.data.length,
    (count) => count === 1,
    PATIENT_MS,
  )
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
  await play(service, places[0]!, query)
  if (name === 'kept')
    await eventually(
      () => metric(run, 'audio_tracks_kept_total'),
      (count) => count === 1,
      PATIENT_MS,
    )
  await service.call('DELETE', `/v1/music/guilds/${places[0]!.guildId}/player`)
  // Garbage of the start is collected in this time.
  await sleep(SETTLE_MS)
  const before = residentMiB(pid)
  let open = 0
  let cost: Cost | null = null
  for (const count of COUNTS) {
    for (const place of places.slice(open, count)) await play(service, place, query)
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
    print([name, count, `${cpuPerPlayer.toFixed(2)} %`, memory.toFixed(2), packets, lost, silent, late])
    cost = { players: count, cpu: cpuPerPlayer, mib: memory, lost: lost + silent }
  }
  return cost!
}

/** Starts players whose tracks no one played before, each a file of its own, and counts everything from there on. */
async function startNew(run: Run, count: number, firstTrack: number, patch: object | null) {
  const { service, userId } = run
  const pid = service.process.pid ?? 0
  const cpu = () => cpuSeconds(pid) + childCpuSeconds(pid)
  const [before, startMs] = [cpu(), performance.now()]
  const mine = run.places.slice(0, count)
  for (const [i, place] of mine.entries()) {
    await play(service, place, `track number ${firstTrack + i}`)
    if (patch) await service.call('PATCH', `/v1/music/guilds/${place.guildId}/player`, { body: patch })
  }
  const allStarted = performance.now()
  const { packets, lost } = await measure(service, mine, { userId, seconds: 5 })
  return {
    packets,
    lost,
    mib: ffmpegMiB(pid) / count,
    /** Resolves that many milliseconds after the last one was started. */
    until: (ms: number) => sleep(Math.max(0, allStarted + ms - performance.now())),
    /** Seconds of CPU that all of them took so far. */
    used: () => cpu() - before,
    seconds: () => (performance.now() - startMs) / 1000,
    end: async () => {
      for (const { guildId } of mine) await service.call('DELETE', `/v1/music/guilds/${guildId}/player`)
    },
  }
}

/** The number of players of each round, and the first of their tracks. */
const rounds = COUNTS.filter((one) => one <= MOST_ENCODED).map((count, i, all) => {
  return { count, firstTrack: 1000 + all.slice(0, i).reduce((sum, one) => sum + one, 0) }
})

/**
 * Players whose tracks, as long as songs are, are encoded, measured and kept. Once all are kept, nothing is left but what
 * players of kept tracks cost: that is measured, and taken for the rest of the songs.
 */
async function encoded(run: Run): Promise<Cost> {
  await inLibrary(run.service, `track number ${999 + TRACKS}`)
  let cost: Cost | null = null
  for (const { count, firstTrack } of rounds) {
    const started = await startNew(run, count, firstTrack, null)
    const isKept = (kept: number) => kept === firstTrack - 1000 + count
    await eventually(() => metric(run, 'audio_tracks_kept_total'), isKept, PATIENT_MS)
    // Until the last of them has gone over to what is kept.
    await sleep(2000)
    const [used, seconds] = [started.used(), started.seconds()]
    await sleep(5000)
    const later = (started.used() - used) / (started.seconds() - seconds)
    const cpu = ((used + later * Math.max(0, SONG_SECONDS - seconds)) * 100) / (SONG_SECONDS * count)
    const { packets, lost, mib } = started
    print(['encoded', count, `${cpu.toFixed(2)} %`, `${mib.toFixed(2)} *`, packets, lost, '', ''])
    await started.end()
    cost = { players: count, cpu, mib, lost }
  }
  return cost!
}

/** Players whose tracks are encoded all along, from the beginning to the end. */
async function filtered(run: Run): Promise<Cost> {
  await inLibrary(run.service, `track number ${999 + TRACKS}`)
  let cost: Cost | null = null
  for (const { count, firstTrack } of rounds) {
    const started = await startNew(run, count, firstTrack, { filters: { lowPass: { smoothing: 4 } } })
    await started.until(CLIP_SECONDS * 1000 + 2000)
    const cpu = (started.used() * 100) / (CLIP_SECONDS * count)
    const { packets, lost, mib } = started
    print(['filtered', count, `${cpu.toFixed(2)} %`, `${mib.toFixed(2)} *`, packets, lost, '', ''])
    await started.end()
    cost = { players: count, cpu, mib, lost }
  }
  return cost!
}

type Costs = { [Kind in 'passed' | 'kept' | 'encoded' | 'filtered']: Cost | null }

/** Reports the results with the most players of each kind. */
function tell({ passed, kept, encoded: first, filtered }: Costs): void {
  const beside = passed && { whom: 'passed through', value: passed.cpu }
  const cpu = (name: string, { players, cpu: own }: Cost) => {
    return { what: `CPU of each of ${players} players, ${name}`, own, unit: ' %', beside }
  }
  if (passed) report({ ...cpu('passed through', passed), beside: null, goal: ownAtMost(0.8) })
  if (kept) report({ ...cpu('kept tracks', kept), goal: ownAtMost(0.8) })
  if (first) report({ ...cpu('songs of 3 minutes encoded for the first time', first), goal: ownAtMost(2) })
  if (filtered) report({ ...cpu('under a filter', filtered), goal: null })
  if (!kept) return
  const { players, mib, lost } = kept
  const of = (what: string) => ({ what: `${what} ${players} players, kept tracks`, beside: null })
  report({ ...of('memory of each of'), own: mib, unit: ' MiB', goal: ownAtMost(2) })
  report({ ...of('frames lost or silent,'), own: lost, unit: '', goal: ownAtMost(0) })
}

const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
try {
  // Same loudness as players give tracks, so that Opus passes through unchanged.
  const level = ['-af', 'volume=-1dB']
  const seconds = COUNTS.length * (SECONDS + 60) + 120
  const opus = join(folder, 'plain', 'tone.ogg')
  makeAudio(opus, { seconds, tags: { title: 'Plain Tone' }, options: [...level, '-c:a', 'libopus', '-b:a', '128k'] })
  makeAudio(join(folder, 'plain', 'tone.mp3'), { seconds, tags: { title: 'Kept Tone' }, options: level })
  for (const [library, length] of Object.entries({ songs: SONG_SECONDS, clips: CLIP_SECONDS })) {
    const path = (i: number) => join(folder, library, `track number ${1000 + i}.mp3`)
    const first = makeAudio(path(0), { seconds: length, options: level })
    for (let i = 1; i < TRACKS; i++) copyFileSync(first, path(i))
  }
  console.log(
    `${COUNTS.join(', ')} players, ${SECONDS} s each; CPU of the service for each player, idle work included, in percent of a core,`,
  )
  console.log('memory in MiB for each; * memory of its ffmpeg instead.')
  print(['', 'players', 'CPU', 'MiB', 'packets', 'lost', 'nulled', 'late'])
  const of = async (kind: keyof Costs, library: string, use: (run: Run) => Promise<Cost>) =>
    KINDS.has(kind) ? await withService(join(folder, library), use) : null
  tell({
    passed: await of('passed', 'plain', (run) => steady('passed', run, 'plain tone')),
    kept: await of('kept', 'plain', (run) => steady('kept', run, 'kept tone')),
    encoded: await of('encoded', 'songs', encoded),
    filtered: await of('filtered', 'clips', filtered),
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

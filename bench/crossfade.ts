/**
 * What it costs to play a track of three minutes that passes through and ends in a crossfade of 12 s, beside encoding that
 * track once, both in CPU time of this machine. The players are in guilds of their own of the stand-in Discord; passing
 * through is measured for a while and taken for the rest of the track, the crossfade from before the next track is opened
 * until it sounds alone. `npm run bench:crossfade [players]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFfmpeg } from '../bot/audio/ffmpeg/ffmpeg.ts'
import { makeAudio } from '../test/support/audio-files.ts'
import { eventually, startService, type RunningService } from '../test/support/service.ts'
import { openPlaces, play, type Place } from './places.ts'
import { childCpuSeconds, cpuSeconds, preferStandIn } from './process.ts'
import { median, ratioAtMost, report } from './report.ts'

/** Tracks are measured at a low priority, which takes minutes beside other work. */
const PATIENT_MS = 300_000
/** All of them mix at the same time, for which the audio thread has codecs. */
const PLAYERS = Number(process.argv[2] ?? 10)
const TRACK_SECONDS = 180
const CROSSFADE_SECONDS = 12
const STEADY_SECONDS = 15
/** The next track is opened 22 s before the end. */
const FROM_SECONDS = TRACK_SECONDS - 30
const AFTER_SECONDS = 2
const ENCODINGS = 3
/** Noise and a tone, as loud as players make tracks on their own, so that Opus passes through as it is. */
const SOUND = ['-af', 'aeval=val(0)+0.35*(random(0)-0.5)|val(0)+0.35*(random(1)-0.5),volume=-1.4dB']

interface Cost {
  /** Seconds of CPU for each player: the whole track with its crossfade. */
  readonly track: number
  /** What the crossfade added to that. */
  readonly crossfade: number
}

async function metric({ demo }: RunningService, name: string): Promise<number> {
  const text = await (await fetch(`${demo.baseUrl}/metrics`)).text()
  return Number(new RegExp(`^bandstand_${name}\\S* (\\d+)`, 'm').exec(text)?.[1] ?? 0)
}

/** Seconds of CPU of the service and of the programs of it that have ended; the stand-in continues, and is left out. */
function used({ process: { pid = 0 } }: RunningService): number {
  return cpuSeconds(pid) + childCpuSeconds(pid)
}

/** @returns how many cores it takes meanwhile. */
async function coresDuring(service: RunningService, seconds: number): Promise<number> {
  const [before, startMs] = [used(service), performance.now()]
  await sleep(seconds * 1000)
  return (used(service) - before) / ((performance.now() - startMs) / 1000)
}

/** Both tracks are in the library, and measured. */
async function warmUp(service: RunningService, place: Place): Promise<void> {
  for (const [at, query] of ['first side', 'second side'].entries()) {
    const found = () => service.call('GET', `/v1/music/search?q=${encodeURIComponent(query)}`)
    await eventually(
      async () => (await found()).body.data.length,
      (count) => count === 1,
      PATIENT_MS,
    )
    await play(service, place, query)
    await eventually(
      () => metric(service, 'audio_tracks_measured_total'),
      (count) => count > at,
      PATIENT_MS,
    )
    await service.call('DELETE', `/v1/music/guilds/${place.guildId}/player`)
  }
  await sleep(2000)
}

async function measureIn(library: string): Promise<Cost> {
  const service = await startService({ env: { LIBRARY_DIR: library, PLAYER_ALONE_SECONDS: '86400' } })
  try {
    return await measure(service)
  } finally {
    await service.stop()
  }
}

async function measure(service: RunningService): Promise<Cost> {
  const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
  const places = await openPlaces(service, applications[0].id, PLAYERS)
  await warmUp(service, places[0]!)
  const everywhere = async (method: string, path: string, body?: object): Promise<void> => {
    for (const { guildId } of places) {
      const { status } = await service.call(method, `/v1/music/guilds/${guildId}${path}`, { body })
      if (status !== 200) throw new Error(`${method} ${path} answered ${status}.`)
    }
  }
  const encodedBefore = await metric(service, 'audio_transcodes_total')
  for (const place of places) await play(service, place, 'first side')
  await everywhere('PATCH', '/player', { crossfadeMs: CROSSFADE_SECONDS * 1000 })
  for (const place of places) await play(service, place, 'second side')
  preferStandIn(service.process.pid ?? 0)
  await sleep(3000)
  const steady = await coresDuring(service, STEADY_SECONDS)

  const seekMs = performance.now()
  await everywhere('PATCH', '/player', { positionMs: FROM_SECONDS * 1000 })
  const seekSeconds = (performance.now() - seekMs) / 1000
  await sleep(2000)
  const seconds = TRACK_SECONDS - FROM_SECONDS + seekSeconds + AFTER_SECONDS
  const crossing = await coresDuring(service, seconds)
  await assertCrossed(service, places)
  const encoded = (await metric(service, 'audio_transcodes_total')) - encodedBefore
  if (encoded > 0) throw new Error(`${encoded} tracks were encoded that should have passed through.`)
  const crossfade = ((crossing - steady) * seconds) / PLAYERS
  return { crossfade, track: (steady * TRACK_SECONDS) / PLAYERS + crossfade }
}

/** @throws where the track did not end in a crossfade of full length. */
async function assertCrossed(service: RunningService, places: readonly Place[]): Promise<void> {
  const expected = `track ended at ${(TRACK_SECONDS - CROSSFADE_SECONDS) * 1000} ms: it is over`
  for (const { guildId } of places) {
    const { body } = await service.call('GET', `/v1/music/guilds/${guildId}/player/trace`)
    const texts = (body.data.entries as { text: string }[]).map(({ text }) => text)
    if (!texts.includes(expected)) throw new Error(`No crossfade in guild ${guildId}: ${texts.slice(-5).join('; ')}`)
  }
}

/** Seconds of CPU, with the encoder that tracks are kept with, from a file that costs little to decode. */
async function encodeOnce(path: string): Promise<number> {
  const ffmpeg = createFfmpeg()
  const before = childCpuSeconds(process.pid)
  const input = { from: 'file', path } as const
  const run = await ffmpeg.run({ input, startSeconds: 0, gainDb: 0, layers: [], graph: '' })
  for await (const chunk of run.output as AsyncIterable<Buffer>) void chunk
  const failure = await run.ended
  if (failure) throw failure
  return childCpuSeconds(process.pid) - before
}

const folder = mkdtempSync(join(tmpdir(), 'bandstand-bench-'))
try {
  const library = join(folder, 'library')
  for (const title of ['First Side', 'Second Side']) {
    const options = [...SOUND, '-c:a', 'libopus', '-b:a', '128k']
    makeAudio(join(library, `${title}.ogg`), { seconds: TRACK_SECONDS, tags: { title }, options })
  }
  const plain = makeAudio(join(folder, 'plain.flac'), { seconds: TRACK_SECONDS, options: SOUND })
  console.log(`${PLAYERS} players, tracks of ${TRACK_SECONDS} s, a crossfade of ${CROSSFADE_SECONDS} s`)
  const encodings = [await encodeOnce(plain)]
  const cost = await measureIn(library)
  while (encodings.length < ENCODINGS) encodings.push(await encodeOnce(plain))
  console.log(`  encoding: ${encodings.map((one) => one.toFixed(2)).join(', ')} s of CPU`)
  const beside = { whom: 'encoding it once', value: median(encodings) }
  const what = `CPU of a track of 3 minutes that passes through, with a crossfade of ${CROSSFADE_SECONDS} s`
  report({ what, own: cost.track, unit: ' s', beside, goal: ratioAtMost(1.1) })
  report({ what: 'CPU of the crossfade in it', own: cost.crossfade, unit: ' s', beside, goal: null })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Fifty players, each in a guild of its own of the stand-in Discord, pass an Ogg Opus file through: first while the API
 * is idle, then while it answers 500 requests a second; with the audio thread, then with the players on the main thread.
 * Everything shares this machine: the stand-in, which measures, and the load. `npm run bench:audio [players] [seconds]`
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeAudio } from '../test/support/audio-files.ts'
import { startService } from '../test/support/service.ts'
import { load } from './load.ts'
import { HEADINGS, measure, openPlaces, playEverywhere, print } from './places.ts'
import { preferStandIn } from './process.ts'

const PLAYERS = Number(process.argv[2] ?? 50)
const SECONDS = Number(process.argv[3] ?? 20)
const PER_SECOND = 500

async function run(threads: number, libraryDir: string): Promise<void> {
  const env = { AUDIO_THREADS: String(threads), LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' }
  const service = await startService({ env })
  try {
    const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
    const userId: string = applications[0].id
    const places = await openPlaces(service, userId, PLAYERS)
    await playEverywhere(service, places)
    if (!preferStandIn(service.process.pid ?? 0)) console.log('  (the stand-in has no priority: its waiting shows too)')
    await sleep(5000)
    const where = threads > 0 ? 'audio thread' : 'main thread'
    const idle = await measure(service, places, { userId, seconds: SECONDS })
    print(`${where}, API idle`, idle)
    const url = `${service.demo.baseUrl}/v1/music/guilds/${places[0]?.guildId}/player`
    const loading = load(url, service.demo.keys.linked, { perSecond: PER_SECOND, forMs: SECONDS * 1000 + 2000 })
    await sleep(500)
    const busy = await measure(service, places, { userId, seconds: SECONDS })
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
  console.log(HEADINGS)
  for (const threads of [1, 0]) await run(threads, folder)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

/**
 * Fifty players, each in a guild of its own of the stand-in Discord, pass an Ogg Opus file through: first while the API
 * is idle, then while it answers 500 requests a second; with the audio thread, then with the players on the main thread.
 * Everything shares this machine: the stand-in, which measures, and the load. `npm run bench:audio [players] [seconds]`
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../test/support/service.ts'
import { load } from './load.ts'
import { HEADINGS, measure, print, startConcert, withTone } from '../stage/places.ts'
import { ownAtMost, ratioAtMost, report } from './report.ts'

const PLAYERS = Number(process.argv[2] ?? 50)
const SECONDS = Number(process.argv[3] ?? 20)
const PER_SECOND = 500

async function run(threads: number, libraryDir: string): Promise<void> {
  const env = { AUDIO_THREADS: String(threads), LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' }
  const service = await startService({ env })
  try {
    const { places, userId } = await startConcert(service, PLAYERS)
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
    report({
      what: `p99.9 of the gaps between packets of ${PLAYERS} players, API busy, players in the ${where}`,
      own: busy.p999,
      unit: ' ms',
      beside: { whom: 'API idle', value: idle.p999 },
      goal: threads > 0 ? ratioAtMost(1.33) : null,
    })
    if (threads === 0) return
    const cost = { what: 'CPU of a player that passes Opus through, API busy', own: busy.cpuPerPlayer, unit: ' %' }
    report({ ...cost, beside: { whom: 'API idle', value: idle.cpuPerPlayer }, goal: null })
    const lost = { what: `packets lost of ${busy.packets}, API busy`, own: busy.lost, unit: '', beside: null }
    report({ ...lost, goal: ownAtMost(0) })
  } finally {
    await service.stop()
  }
}

await withTone(SECONDS * 2 + 120, async (libraryDir) => {
  console.log(`${PLAYERS} players passing Opus through, ${SECONDS} s each; gaps in ms (mean over players)`)
  console.log(HEADINGS)
  for (const threads of [1, 0]) await run(threads, libraryDir)
})

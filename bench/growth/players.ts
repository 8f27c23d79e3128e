import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../test/support/service.ts'
import { openManyPlaces } from '../many-places.ts'
import { measure, playEverywhere, withTone } from '../places.ts'
import { LAUNCHER, preferStandIn } from '../process.ts'
import { IN_STEP, type Dimension } from './dimension.ts'
import { serviceMiB } from './service.ts'

const SECONDS = 10
/** Play before all others, so that both threads are awake and the start is over when memory is read for the first time. */
const FIRST = 2
const SETTLE_MS = 10_000
/** Until V8 has collected what a start, or many joins, left, and the threads that only those used have ended. */
const REST_MS = 75_000

/** Players in guilds of their own that pass Opus through, on two audio threads. */
export const players: Dimension = {
  name: 'players',
  of: 'players',
  sizes: [10, 50, 200],
  async measure(size) {
    let readings: Awaited<ReturnType<Dimension['measure']>> = []
    await withTone(600, async (libraryDir) => {
      const env = { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400', AUDIO_THREADS: '2' }
      const service = await startService({ env, execPath: LAUNCHER })
      try {
        const pid = service.process.pid ?? 0
        const places = await openManyPlaces(service, size)
        await playEverywhere(service, places.slice(0, FIRST))
        await sleep(REST_MS)
        const memory = serviceMiB(service)
        await playEverywhere(service, places.slice(FIRST))
        if (!preferStandIn(pid)) console.log('  (the stand-in has no priority: its waiting shows too)')
        await sleep(SETTLE_MS)
        const { cpuPerPlayer, lost, p999 } = await measure(service, places, {
          userId: service.demo.botId,
          seconds: SECONDS,
        })
        await sleep(REST_MS - SETTLE_MS)
        readings = [
          {
            what: 'CPU of the service, of a core',
            value: cpuPerPlayer * size,
            unit: ' %',
            atMost: IN_STEP,
            floor: 0.5,
          },
          {
            what: 'memory that they take (PSS)',
            value: ((serviceMiB(service) - memory) * size) / (size - FIRST),
            unit: ' MiB',
            atMost: IN_STEP,
            floor: 5,
          },
          { what: 'frames lost', value: lost, unit: '', atMost: 0, floor: 1 },
          { what: 'p99.9 of the gaps', value: p999, unit: ' ms', atMost: 0.2, floor: 20 },
        ]
      } finally {
        await service.stop()
      }
    })
    return readings
  },
}

import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../test/support/service.ts'
import { startListeners } from '../listeners.ts'
import { play, withTone } from '../places.ts'
import { IN_STEP, type Dimension } from './dimension.ts'
import { mainThreadMs, serviceMiB } from './service.ts'

const EVENTS = 10

/** Sockets of one key that all hear of the same event. */
export const sockets: Dimension = {
  name: 'sockets',
  of: 'event sockets',
  sizes: [500, 2000, 5000],
  async measure(size) {
    let readings: Awaited<ReturnType<Dimension['measure']>> = []
    await withTone(300, async (libraryDir) => {
      const service = await startService({ env: { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' } })
      const listeners = startListeners(service)
      try {
        const { guildId, voiceChannelId: channelId } = service.demo
        for (let i = 0; i < 2; i += 1) await play(service, { guildId, channelId }, 'benchmark tone')
        await service.call('PATCH', `/v1/music/guilds/${guildId}/player`, { body: { loop: 'queue' } })
        await sleep(3000)
        const before = serviceMiB(service)
        await listeners.open(size, 'trackStarted')
        await sleep(3000)
        const memory = serviceMiB(service) - before
        const spreads: number[] = []
        const held = await mainThreadMs(service, EVENTS, async () => {
          const times = await listeners.hear(() => service.call('POST', `/v1/music/guilds/${guildId}/skip`))
          const heard = times.filter((time) => time !== null)
          if (heard.length < size) throw new Error(`${size - heard.length} sockets did not hear of it.`)
          spreads.push(Math.max(...heard) - Math.min(...heard))
        })
        const spread = spreads.toSorted((a, b) => a - b)[EVENTS >> 1] ?? Number.NaN
        readings = [
          { what: 'memory that they take (PSS)', value: memory, unit: ' MiB', atMost: IN_STEP, floor: 1 },
          { what: 'from the first to the last that hears', value: spread, unit: ' ms', atMost: IN_STEP, floor: 2 },
          { what: 'main thread for an event', value: held, unit: ' ms', atMost: IN_STEP, floor: 2 },
        ]
      } finally {
        listeners.child.kill()
        await service.stop()
      }
    })
    return readings
  },
}

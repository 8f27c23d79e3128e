import { startService } from '../../test/support/service.ts'
import { play, withTone } from '../places.ts'
import { HARDLY, IN_STEP, medianMs, type Dimension } from './dimension.ts'
import { mainThreadMs } from './service.ts'

const ROUNDS = 20

/** A queue of so many tracks, of one player: commands, the whole of it, a page of it, and what each change costs. */
export const queue: Dimension = {
  name: 'queue',
  of: 'tracks that wait',
  // What is added while it is measured fits in too.
  sizes: [100, 1000, 4950],
  bound: '5,000 wait in one queue',
  async measure(size) {
    let readings: Awaited<ReturnType<Dimension['measure']>> = []
    await withTone(900, async (libraryDir) => {
      const service = await startService({ env: { LIBRARY_DIR: libraryDir, PLAYER_ALONE_SECONDS: '86400' } })
      try {
        const { guildId, voiceChannelId: channelId } = service.demo
        const path = `/v1/music/guilds/${guildId}`
        for (let i = 0; i <= size; i += 1) await play(service, { guildId, channelId }, 'benchmark tone')
        const call = (method: string, to: string, body?: object) =>
          service.call(method, `${path}/${to}`, { ...(body && { body }) })
        const volume = (i: number) => call('PATCH', 'player', { volume: 50 + (i % 40) })
        const ms = { unit: ' ms', atMost: HARDLY, floor: 2 }
        readings = [
          { what: 'change the volume', value: await medianMs(ROUNDS, volume), ...ms },
          { what: 'main thread for it', value: await mainThreadMs(service, ROUNDS, volume), ...ms, atMost: 0.6 },
          {
            what: 'add a track',
            value: await medianMs(ROUNDS, () => play(service, { guildId, channelId }, 'tone')),
            ...ms,
          },
          { what: 'a page of 25', value: await medianMs(ROUNDS, () => call('GET', 'queue?limit=25')), ...ms },
          {
            what: 'all of it with the player',
            value: await medianMs(ROUNDS, () => call('GET', 'player')),
            ...ms,
            atMost: IN_STEP,
          },
        ]
      } finally {
        await service.stop()
      }
    })
    return readings
  },
}

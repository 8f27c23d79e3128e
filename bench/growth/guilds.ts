import { setTimeout as sleep } from 'node:timers/promises'
import { startService } from '../../test/support/service.ts'
import { openPlaces } from '../places.ts'
import { cpuSeconds } from '../process.ts'
import { HARDLY, IN_STEP, medianMs, type Dimension } from './dimension.ts'
import { serviceMiB } from './service.ts'

/** Guilds that a bot is in, with two channels and a few members each. */
export const guilds: Dimension = {
  name: 'guilds',
  of: 'guilds of a bot',
  sizes: [100, 1000, 10_000],
  async measure(size) {
    const service = await startService()
    try {
      const pid = service.process.pid ?? 0
      const { body: applications } = await service.sandbox('GET', '/sandbox/applications')
      await sleep(2000)
      const [memory, cpu] = [serviceMiB(service), cpuSeconds(pid)]
      const places = await openPlaces(service, applications[0].id, size)
      await sleep(3000)
      const used = (cpuSeconds(pid) - cpu) * 1000
      const at = (i: number) => places[(i * 7919) % places.length]?.guildId
      const none = await medianMs(50, (i) => service.call('GET', `/v1/music/guilds/${at(i)}/player`))
      return [
        { what: 'CPU of the service to join all', value: used, unit: ' ms', atMost: IN_STEP, floor: 100 },
        {
          what: 'memory that they take (PSS)',
          value: serviceMiB(service) - memory,
          unit: ' MiB',
          atMost: IN_STEP,
          floor: 5,
        },
        { what: 'ask for the player of one', value: none, unit: ' ms', atMost: HARDLY, floor: 1 },
        {
          what: 'list the players',
          value: await medianMs(50, () => service.call('GET', '/v1/music/players')),
          unit: ' ms',
          atMost: HARDLY,
          floor: 1,
        },
      ]
    } finally {
      await service.stop()
    }
  },
}

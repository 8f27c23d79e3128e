import { setTimeout as sleep } from 'node:timers/promises'
import type { InstalledService } from '../../test/support/installation.ts'
import { pick } from './pick.ts'
import type { Scene } from './scene.ts'

export interface Fault {
  readonly what: string
  /** The longest silence of any player that is allowed. */
  readonly silenceMs: number
  /** Breaks something and mends it, once others have taken over. @returns what was broken. */
  run(scene: Scene): Promise<string>
}

const BACK_WITHIN_MS = 5000
const STOPPED_MS = 20_000
/** Nearly twice the life of a lease, or three times. */
const CUT_MS = { least: 5000, more: 4000 }
const AWAY_MS = 1000
/** A player counts as heard for half a second after its last frame. */
const UNHEARD_MS = 600

type Link = 'redisLink' | 'databaseLink'

/** No packet passes for a while, and no connection is closed, as when a cable is pulled. */
async function cutOff(scene: Scene, links: readonly Link[], isTakenOver: boolean): Promise<string> {
  const victim = await scene.pickService()
  for (const link of links) victim[link].cut()
  await sleep(CUT_MS.least + scene.random() * CUT_MS.more)
  await scene.whenHealed(isTakenOver ? victim : undefined)
  for (const link of links) victim[link].restore()
  return victim.name
}

/** In an order that differs from round to round. */
function shuffled(services: readonly InstalledService[], random: () => number): readonly InstalledService[] {
  return services
    .map((service) => ({ service, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ service }) => service)
}

/** By the names that `--faults` takes. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  kill: {
    what: 'kill -9 of a service, started again once others run its shards',
    silenceMs: BACK_WITHIN_MS,
    async run(scene) {
      const victim = await scene.pickService()
      await victim.kill('SIGKILL')
      await scene.whenHealed(victim)
      await victim.start()
      return victim.name
    },
  },
  node: {
    what: 'kill -9 of an audio node, started again once its players sound',
    silenceMs: BACK_WITHIN_MS,
    async run(scene) {
      const { nodes } = scene.installed
      const victim = pick(scene.random, nodes)
      await victim.kill('SIGKILL')
      await sleep(UNHEARD_MS)
      await scene.whenHealed()
      await victim.start()
      return `node ${nodes.indexOf(victim)}`
    },
  },
  stop: {
    what: 'SIGSTOP of a service, SIGCONT after 20 s',
    silenceMs: BACK_WITHIN_MS,
    async run(scene) {
      const victim = await scene.pickService()
      victim.signal('SIGSTOP')
      await sleep(STOPPED_MS)
      victim.signal('SIGCONT')
      return victim.name
    },
  },
  cut: {
    what: 'no network between a service and Redis for 5 to 9 s',
    silenceMs: BACK_WITHIN_MS,
    run: (scene) => cutOff(scene, ['redisLink'], true),
  },
  database: {
    what: 'no network between a service and PostgreSQL for 5 to 9 s',
    silenceMs: BACK_WITHIN_MS,
    run: (scene) => cutOff(scene, ['databaseLink'], false),
  },
  both: {
    what: 'no network between a service and both Redis and PostgreSQL for 5 to 9 s',
    silenceMs: BACK_WITHIN_MS,
    run: (scene) => cutOff(scene, ['redisLink', 'databaseLink'], true),
  },
  postgres: {
    what: 'restart of PostgreSQL, 1 s away',
    silenceMs: BACK_WITHIN_MS,
    async run({ installed: { postgres }, random }) {
      const how = random() < 0.5 ? 'SIGINT' : 'SIGKILL'
      await postgres.stop(how)
      await sleep(AWAY_MS)
      await postgres.start()
      return how
    },
  },
  redis: {
    what: 'kill -9 of Redis, started again after 1 s',
    silenceMs: BACK_WITHIN_MS,
    async run({ installed: { redis } }) {
      await redis.kill('SIGKILL')
      await sleep(AWAY_MS)
      await redis.start()
      return 'SIGKILL'
    },
  },
  rolling: {
    what: 'rolling restart of all services (SIGTERM), each once the one before it runs',
    silenceMs: 1000,
    async run(scene) {
      const order = shuffled(scene.installed.services, scene.random)
      for (const service of order) {
        await service.kill('SIGTERM')
        await service.start()
        await scene.whenHealed()
      }
      return order.map(({ name }) => name).join('')
    },
  },
}

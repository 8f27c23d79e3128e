import { setTimeout as sleep } from 'node:timers/promises'
import type { Installation, InstalledService } from '../../test/support/installation.ts'
import type { Machine } from '../../test/support/machine.ts'
import { pick } from './pick.ts'

export interface Fault {
  readonly what: string
  /** The longest silence of any player that is allowed. */
  readonly silenceMs: number
  /** Breaks something and mends it. @returns what was broken. */
  run(installed: Installation, random: () => number): Promise<string>
}

const BACK_WITHIN_MS = 5000
const RESTART_AFTER_MS = 8000
const STOPPED_MS = 20_000
const CUT_MS = 15_000
const AWAY_MS = 1000
/** A service that has started takes its share of the shards. */
const SETTLE_MS = 5000

/** Kills one of them, and starts it again a while later. */
async function killOne<T extends Machine>(machines: readonly T[], random: () => number): Promise<T> {
  const victim = pick(random, machines)
  await victim.kill('SIGKILL')
  await sleep(RESTART_AFTER_MS)
  await victim.start()
  return victim
}

type Link = 'redisLink' | 'databaseLink'

/** No packet passes for a while, and no connection is closed, as when a cable is pulled. */
async function cutOff(victim: InstalledService, links: readonly Link[]): Promise<string> {
  for (const link of links) victim[link].cut()
  await sleep(CUT_MS)
  for (const link of links) victim[link].restore()
  return victim.name
}

/** By the names that `--faults` takes. */
export const FAULTS: Readonly<Record<string, Fault>> = {
  kill: {
    what: 'kill -9 of a service, started again after 8 s',
    silenceMs: BACK_WITHIN_MS,
    async run({ services }, random) {
      const victim = await killOne(services, random)
      return victim.name
    },
  },
  node: {
    what: 'kill -9 of an audio node, started again after 8 s',
    silenceMs: BACK_WITHIN_MS,
    async run({ nodes }, random) {
      const victim = await killOne(nodes, random)
      return `node ${nodes.indexOf(victim)}`
    },
  },
  stop: {
    what: 'SIGSTOP of a service, SIGCONT after 20 s',
    silenceMs: BACK_WITHIN_MS,
    async run({ services }, random) {
      const victim = pick(random, services)
      victim.signal('SIGSTOP')
      await sleep(STOPPED_MS)
      victim.signal('SIGCONT')
      return victim.name
    },
  },
  cut: {
    what: 'no network between a service and Redis for 15 s',
    silenceMs: BACK_WITHIN_MS,
    run: ({ services }, random) => cutOff(pick(random, services), ['redisLink']),
  },
  database: {
    what: 'no network between a service and PostgreSQL for 15 s',
    silenceMs: BACK_WITHIN_MS,
    run: ({ services }, random) => cutOff(pick(random, services), ['databaseLink']),
  },
  both: {
    what: 'no network between a service and both Redis and PostgreSQL for 15 s',
    silenceMs: BACK_WITHIN_MS,
    run: ({ services }, random) => cutOff(pick(random, services), ['redisLink', 'databaseLink']),
  },
  postgres: {
    what: 'restart of PostgreSQL, 1 s away',
    silenceMs: BACK_WITHIN_MS,
    async run({ postgres }, random) {
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
    async run({ redis }) {
      await redis.kill('SIGKILL')
      await sleep(AWAY_MS)
      await redis.start()
      return 'SIGKILL'
    },
  },
  rolling: {
    what: 'rolling restart of all services (SIGTERM)',
    silenceMs: 1000,
    async run({ services }) {
      for (const service of services) {
        await service.kill('SIGTERM')
        await service.start()
        await sleep(SETTLE_MS)
      }
      return 'all'
    },
  },
}

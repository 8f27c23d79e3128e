import { hostname } from 'node:os'
import type { Redis } from 'ioredis'
import { settleWithin } from '../../lib/deadline.ts'
import { announce, listPresent, PRESENCE_EVERY_MS, repeat, withdraw, type Heartbeat } from '../queue/heartbeat.ts'
import { jobTypesOf } from '../queue/job.ts'
import type { RendererState } from './renderer-process.ts'
import type { QueueCounts } from '../queue/job-reader.ts'

/** The service's own renderer, as far as its sleep is concerned. */
interface SleepingRenderer {
  state(): RendererState
  wake(): void
}

export interface StandbyOptions {
  readonly redis: Redis
  readonly prefix: string
  readonly renderer: SleepingRenderer
  readonly concurrency: number
  /** Whether Chromium is there for it. */
  readonly hasBrowser: () => boolean
  readonly counts: () => Promise<readonly QueueCounts[]>
}

const CLOSE_MS = 1000

/**
 * Announces the service's own renderer in its place while it sleeps, to all services on the same Redis, and wakes it for
 * their jobs and for those that a crash left behind. The service wakes it for its own jobs without this.
 */
export function startStandby(options: StandbyOptions): { close(): Promise<void> } {
  const { redis, prefix, renderer } = options
  const id = `${hostname()}-${process.pid}-standby`
  let isAnnounced = false

  const turn = async () => {
    const isAway = isStandingBy(renderer)
    if (!isAway && isAnnounced) await withdraw(redis, prefix, id)
    isAnnounced = isAway
    if (!isAway) return
    await announce(redis, prefix, presenceOf(id, options))
    if (await isWanted(options)) renderer.wake()
  }
  const turns = repeat(PRESENCE_EVERY_MS, turn)
  return {
    async close() {
      turns.stop()
      if (isAnnounced) await settleWithin(CLOSE_MS, withdraw(redis, prefix, id))
    },
  }
}

function isStandingBy(renderer: SleepingRenderer): boolean {
  const state = renderer.state()
  return state === 'asleep' || state === 'starting'
}

/** Job types that the service's own renderer will take once it is awake; empty when it runs and announces itself. */
export function standbyTypes({ renderer, hasBrowser }: Pick<StandbyOptions, 'renderer' | 'hasBrowser'>) {
  return isStandingBy(renderer) ? jobTypesOf(hasBrowser()) : []
}

function presenceOf(id: string, { hasBrowser, concurrency }: StandbyOptions): Heartbeat {
  const has = hasBrowser()
  const own = { types: jobTypesOf(has), hasBrowser: has, concurrency, running: 0, isAsleep: true }
  return { id, host: hostname(), pid: process.pid, ...own }
}

/** Jobs wait, or are left with workers that are all gone. */
async function isWanted({ redis, prefix, hasBrowser, counts }: StandbyOptions): Promise<boolean> {
  const own = new Set(jobTypesOf(hasBrowser()))
  const queues = (await counts()).filter(({ type }) => own.has(type))
  if (queues.some(({ pending }) => pending > 0)) return true
  if (!queues.some(({ processing }) => processing > 0)) return false
  return (await listPresent(redis, prefix)).every(({ isAsleep }) => isAsleep)
}

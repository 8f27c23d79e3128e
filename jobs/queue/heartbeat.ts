import { z } from 'zod'
import type { JobType } from './job.ts'

/** Status that a worker reports at an interval while it lives. */
export const Heartbeat = z.object({
  id: z.string(),
  host: z.string(),
  pid: z.number(),
  types: z.array(z.string()).readonly(),
  hasBrowser: z.boolean(),
  concurrency: z.number(),
  running: z.number(),
  /** Whether its service starts it with the next job. */
  isAsleep: z.boolean().default(false),
})

export type Heartbeat = Omit<z.infer<typeof Heartbeat>, 'types'> & { readonly types: readonly JobType[] }

export const PRESENCE_EVERY_MS = 3000
/** A worker that reports nothing for this long is gone. */
const PRESENCE_MS = 12_000

/** Commands of both our ioredis and the one that Bull brings. */
interface Commands {
  set(key: string, value: string, unit: 'PX', ms: number): Promise<unknown>
  del(key: string): Promise<unknown>
  sadd(key: string, member: string): Promise<unknown>
  srem(key: string, ...members: string[]): Promise<unknown>
  smembers(key: string): Promise<string[]>
  mget(...keys: string[]): Promise<(string | null)[]>
}

export async function announce(redis: Commands, prefix: string, presence: Heartbeat): Promise<void> {
  await Promise.all([
    redis.set(`${prefix}:worker:${presence.id}`, JSON.stringify(presence), 'PX', PRESENCE_MS),
    redis.sadd(`${prefix}:workers`, presence.id),
  ])
}

export async function withdraw(redis: Commands, prefix: string, id: string): Promise<void> {
  await Promise.all([redis.del(`${prefix}:worker:${id}`), redis.srem(`${prefix}:workers`, id)])
}

/** All live workers, on all machines. */
export async function listPresent(redis: Commands, prefix: string): Promise<readonly Heartbeat[]> {
  const ids = await redis.smembers(`${prefix}:workers`)
  if (ids.length === 0) return []
  const told = await redis.mget(...ids.map((id) => `${prefix}:worker:${id}`))
  const gone = ids.filter((_, i) => told[i] === null)
  if (gone.length > 0) await redis.srem(`${prefix}:workers`, ...gone)
  return told.flatMap((text) => read(text) ?? [])
}

/** Null for what no worker of ours wrote. */
function read(text: string | null): Heartbeat | null {
  try {
    return Heartbeat.parse(JSON.parse(text ?? '')) as Heartbeat
  } catch {
    return null
  }
}

/** At once and then again and again, never twice at the same time; failures are for the next time. */
export function repeat(everyMs: number, work: () => Promise<void>): { stop(): void } {
  let isBusy = false
  const turn = () => {
    if (isBusy) return
    isBusy = true
    work()
      .catch(() => undefined)
      .finally(() => (isBusy = false))
  }
  turn()
  const timer = setInterval(turn, everyMs)
  return { stop: () => clearInterval(timer) }
}

import { once } from 'node:events'
import { createRedisRateLimiter } from '../../api/limits/limiter-redis.ts'
import { connectRedis } from '../../jobs/redis/redis-client.ts'
import { createLog } from '../../lib/log.ts'
import { mustAsk } from './meter.ts'

/** A process whose ten clients charge one project each time they are sent `{ nowMs, each }`, and answer what they got. */
const [path = ''] = process.argv.slice(2)
const log = createLog('silent')
const redis = connectRedis({ path }, log)
const clock = { nowMs: 0 }
// A busy machine may be slower than the usual deadline; here nothing may be let through.
const meter = createRedisRateLimiter({ redis, log, now: () => clock.nowMs, deadlineMs: 10_000 })
const ask = mustAsk('crowd', 'standard', 'cheap')

async function client(requests: number): Promise<number> {
  let allowed = 0
  for (let i = 0; i < requests; i++) if ((await meter.charge(ask)).allowed) allowed++
  return allowed
}

async function run({ nowMs, each }: { nowMs: number; each: number }): Promise<void> {
  clock.nowMs = nowMs
  const allowed = await Promise.all(Array.from({ length: 10 }, () => client(each)))
  process.send?.({ allowed: allowed.reduce((sum, it) => sum + it), failOpenCount: meter.failOpenCount() })
}

process.on('message', (order: { nowMs: number; each: number }) => void run(order))
process.once('disconnect', () => redis.disconnect())
await once(redis, 'ready')
process.send?.('ready')

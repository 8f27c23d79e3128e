import { once } from 'node:events'
import { createRedisMeter } from '../../api/meter-redis.ts'
import { connectRedis } from '../../jobs/redis-client.ts'
import { createLog } from '../../log.ts'
import { mustAsk } from './meter.ts'

/** A process whose ten clients charge one project for as long as they are told, then tell what they got. */
const [path = '', forMs = '0'] = process.argv.slice(2)
const log = createLog('silent')
const redis = connectRedis({ path }, log)
// A busy machine may be slower than the usual deadline; here nothing may be let through.
const meter = createRedisMeter({ redis, log, deadlineMs: 10_000 })
await once(redis, 'ready')
process.send?.('ready')
await once(process, 'message')

const ask = mustAsk('shared', 'scale', 'cheap')
const untilMs = performance.now() + Number(forMs)
let allowed = 0
let asked = 0

async function client(): Promise<void> {
  while (performance.now() < untilMs) {
    asked++
    if ((await meter.charge(ask)).allowed) allowed++
  }
}

await Promise.all(Array.from({ length: 10 }, client))
process.send?.({ allowed, asked, letThrough: meter.letThrough() })
redis.disconnect()
process.disconnect?.()

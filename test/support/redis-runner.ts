import { startRedis } from '../../jobs/redis.ts'
import { createLog } from '../../log.ts'

/** A child process that runs the embedded Redis as the service does, until it is killed. */
await startRedis({ dataDir: process.argv[2] ?? '', url: null, log: createLog('silent') })
process.send?.('ready')

import { startRedis } from '../../jobs/redis/redis.ts'
import { createLog } from '../../lib/log.ts'

/** A child process that runs the embedded Redis as the service does, until it is killed. */
const lines: unknown[] = []
const log = createLog('warn', { write: (line: string) => void lines.push(JSON.parse(line)) })
const server = await startRedis({ dataDir: process.argv[2] ?? '', url: null, log })
process.send?.({ address: server.address, lines })
if (!server.address) process.disconnect?.()

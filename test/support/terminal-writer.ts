import { createLog } from '../../lib/log.ts'
import { standardOutput } from '../../lib/terminal-output.ts'

/** Logs as a service does, then greets. Its argument is the level. */
const level = process.argv[2] ?? 'info'
const output = standardOutput(level)
const log = createLog(level, output)
log.info({ name: 'Band', guilds: 2 }, 'bot connected')
log.info({ path: '/healthz' }, 'request answered')
output.write('\nBandstand is ready.\n')
log.warn({ token: 'never shown' }, 'disk nearly full')
await output.close()

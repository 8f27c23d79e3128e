import { createLog } from '../../lib/log.ts'
import { bufferedOutput } from '../../lib/log-output.ts'

/** Writes more lines than anything holds, says so, and ends in order when it is told to. */
const output = bufferedOutput()
const log = createLog('info', output)
for (let i = 0; i < 5000; i++) log.info({ i, filler: 'x'.repeat(2000) }, 'line')
process.send?.('written')
process.once('message', () => void output.close().then(() => process.disconnect?.()))

import { runProcess } from '../../lib/process/run-process.ts'
import { readEnvironment, readTelemetryVariables } from './environment.ts'

await runProcess({
  name: 'The node',
  readSettings() {
    Object.assign(process.env, { ...readTelemetryVariables(), ...process.env })
    return readEnvironment(process.env)
  },
  logging: ({ log, secrets }) => ({ level: log.level, secrets }),
  // pm2's kill_timeout is longer still.
  stopWithinMs: () => 10_000,
  async start(config, { log, signal }) {
    const { openNode } = await import('./open-node.ts')
    const node = await openNode(config, { log, signal })
    return {
      async close() {
        await node.close()
        log.info({}, 'node stopped')
      },
    }
  },
})

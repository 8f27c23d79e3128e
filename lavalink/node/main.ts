import { once } from 'node:events'
import { createLog } from '../../lib/log.ts'
import type { LogOutput } from '../../lib/log-output.ts'
import { standardOutput } from '../../lib/terminal-output.ts'
import { readEnvironment } from './environment.ts'

/** The last resort when something does not let go; pm2's kill_timeout is longer still. */
const STOP_WITHIN_MS = 10_000

const stopping = new AbortController()
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref(), {
  once: true,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
process.on('message', (message) => {
  if (message === 'shutdown') stopping.abort()
})

let output: LogOutput | null = null
try {
  const config = readEnvironment(process.env)
  output = standardOutput(config.log.level)
  const log = createLog(config.log.level, output, config.secrets)
  process.on('unhandledRejection', (err) => log.error({ err }, 'promise rejected unhandled'))
  const { openNode } = await import('./open-node.ts')
  const node = await openNode(config, { log, signal: stopping.signal })
  if (process.connected) process.send?.('ready')
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  await node.close()
  log.info({}, 'node stopped')
} catch (error) {
  const wasStopped = stopping.signal.aborted && error === stopping.signal.reason
  if (!wasStopped) {
    process.stderr.write(`The node could not start.\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
  await output?.close()
  // What a failed start could not close would keep the process alive.
  process.exit()
}
await output.close()
// An IPC channel of a parent keeps a process alive for ever.
if (process.connected) process.disconnect()

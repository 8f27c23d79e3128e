import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readConfig } from './config.ts'
import { createLog } from './lib/log.ts'
import type { LogOutput } from './lib/log-output.ts'
import { standardOutput } from './lib/terminal-output.ts'
import { describeTakenPort, findTakenPorts } from './service/port-check.ts'

/** The last resort when something does not let go; pm2's kill_timeout is longer still. */
const STOP_WITHIN_MS = 10_000

const stopping = new AbortController()
stopping.signal.addEventListener('abort', () => setTimeout(() => process.exit(1), STOP_WITHIN_MS).unref(), {
  once: true,
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
// pm2 on Windows and `shutdown_with_message` send words instead of signals.
process.on('message', (message) => {
  if (message === 'shutdown') stopping.abort()
})

let output: LogOutput | null = null
try {
  // A variable from the shell wins over the file.
  if (existsSync('.env')) process.loadEnvFile('.env')
  const config = readConfig(process.env)
  const taken = await findTakenPorts(config)
  if (taken.some(({ setting }) => setting === 'PORT')) throw new Error(taken.map(describeTakenPort).join('\n'))
  output = standardOutput(config.log.level)
  const log = createLog(config.log.level, output, config.secrets)
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'))

  for (const { port, holder } of taken) log.warn({ port, holder }, 'sandbox port in use, using a free one')
  // Loading the service takes a second, which a taken port need not wait for.
  const { startService } = await import('./service/service.ts')
  const service = await startService(config, log, stopping.signal)
  if (!stopping.signal.aborted) {
    // By the log's way, so that it stands below what came before it.
    output.write(service.greeting)
    if (process.connected) process.send?.('ready')
    await once(stopping.signal, 'abort')
  }
  await service.close()
} catch (error) {
  const wasStopped = stopping.signal.aborted && error === stopping.signal.reason
  if (!wasStopped) {
    process.stderr.write(`Bandstand did not start.\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
  await output?.close()
  // What a failed start could not close would keep the process alive.
  process.exit()
}
await output.close()
// An IPC channel of a parent keeps a process alive for ever.
if (process.connected) process.disconnect()

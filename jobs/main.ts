import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readConfig, SURROUNDINGS } from '../config.ts'
import { createLog } from '../lib/log.ts'
import type { LogOutput } from '../lib/log-output.ts'
import { standardOutput } from '../lib/terminal-output.ts'
import { redisSocket } from './redis/redis-paths.ts'
import { rendererSettings, type RendererSettings } from './worker/renderer-settings.ts'
import { openRenderer } from './worker/open-renderer.ts'
import { JOB_ENV } from './worker/settings.ts'

// A renderer, as a child of the service or alone (`npm run worker`): it takes jobs from the queue until it has
// to stop, and leaves what it cannot finish in time to others.

const RENDERER_VARIABLES = [
  ...Object.keys(JOB_ENV),
  'REDIS_URL',
  'DATA_DIR',
  'EGRESS_ALLOW_HOSTS',
  'LOG_LEVEL',
  ...SURROUNDINGS,
]

/** When something does not let go. */
const END_MS = 5000

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort())
process.on('message', (message) => {
  if (message === 'shutdown') stopping.abort()
})

let output: LogOutput | null = null
try {
  const isOfService = process.argv.includes('--of-service')
  const settings = isOfService ? await toldByService() : readSettings()
  output = standardOutput(settings.logLevel)
  const log = createLog(settings.logLevel, output).child({ part: 'renderer' })
  process.on('unhandledRejection', (err) => log.error({ err }, 'unhandled promise rejection'))
  const onStuck = () => {
    log.error('job does not stop; renderer exits')
    process.exitCode = 1
    stopping.abort()
  }
  const renderer = await openRenderer(settings, { log, isOfService, onStuck, signal: stopping.signal })
  if (process.connected) process.send?.('ready')
  if (!stopping.signal.aborted) await once(stopping.signal, 'abort')
  setTimeout(() => process.exit(1), settings.graceMs + END_MS).unref()
  await renderer.close()
} catch (error) {
  const wasStopped = stopping.signal.aborted && error === stopping.signal.reason
  if (!wasStopped) {
    process.stderr.write(`The renderer did not start.\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
  await output?.close()
  // What a failed start could not close would keep the process alive.
  process.exit()
}
await output.close()
if (process.connected) process.disconnect()
// What a stuck job holds must not keep it alive.
if (process.exitCode === 1) process.exit()

/** Takes what renderers need out of the shell and `.env`; the file may hold the service's secrets as well. */
function readSettings(): RendererSettings {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  const all = { ...file, ...process.env }
  const config = readConfig(Object.fromEntries(RENDERER_VARIABLES.map((name) => [name, all[name]])))
  const { url } = config.redis
  const address = url ? { url } : { path: redisSocket(config.dataDir) }
  return rendererSettings(config, address, { share: 1, graceMs: 25_000 })
}

async function toldByService(): Promise<RendererSettings> {
  // The service's end, however it comes, is the renderer's too.
  process.once('disconnect', () => stopping.abort())
  const [settings] = (await once(process, 'message')) as [RendererSettings]
  return settings
}

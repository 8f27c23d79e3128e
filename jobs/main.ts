import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { readConfig, SURROUNDINGS } from '../config.ts'
import { runProcess } from '../lib/process/run-process.ts'
import { redisSocket } from './redis/redis-paths.ts'
import { IDLE } from './worker/renderer-process.ts'
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

/** When something does not let go, after the time that jobs get. */
const END_MS = 5000

const isOfService = process.argv.includes('--of-service')

await runProcess<RendererSettings>({
  name: 'The renderer',
  readSettings: (stop) => (isOfService ? readFromService(stop) : readSettings()),
  logging: ({ logLevel }) => ({ level: logLevel }),
  stopWithinMs: ({ graceMs }) => graceMs + END_MS,
  start(settings, { log, signal, stop }) {
    const onStuck = () => {
      log.error('job does not stop; renderer exits')
      process.exitCode = 1
      stop()
    }
    const onIdle = () => {
      process.send?.(IDLE)
      stop()
    }
    return openRenderer(settings, { log: log.child({ part: 'renderer' }), isOfService, onStuck, onIdle, signal })
  },
})

/** Takes what renderers need out of the shell and `.env`; the file may hold the service's secrets as well. */
function readSettings(): RendererSettings {
  const file = existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {}
  const all = { ...file, ...process.env }
  const config = readConfig(Object.fromEntries(RENDERER_VARIABLES.map((name) => [name, all[name]])))
  const { url } = config.redis
  const address = url ? { url } : { path: redisSocket(config.dataDir) }
  return rendererSettings(config, address, { share: 1, graceMs: 25_000 })
}

async function readFromService(stop: () => void): Promise<RendererSettings> {
  // The service's end, however it comes, is the renderer's too.
  process.once('disconnect', stop)
  const [settings] = (await once(process, 'message')) as [RendererSettings]
  return settings
}

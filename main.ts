import { existsSync } from 'node:fs'
import { readConfig } from './config.ts'
import { runProcess } from './lib/process/run-process.ts'
import { createStartTimings } from './lib/process/start-timings.ts'
import { describeTakenPort, findTakenPorts } from './service/start/port-check.ts'

const timings = createStartTimings()
timings.end('Node.js, settings code')

await runProcess({
  name: 'Bandstand',
  async readSettings() {
    // A variable from the shell wins over the file.
    if (existsSync('.env')) process.loadEnvFile('.env')
    const config = readConfig(process.env)
    const taken = await findTakenPorts(config)
    if (taken.some(({ setting }) => setting === 'PORT')) throw new Error(taken.map(describeTakenPort).join('\n'))
    timings.end('settings and ports')
    return { config, taken }
  },
  logging: ({ config }) => ({ level: config.log.level, secrets: config.secrets }),
  // pm2's kill_timeout is longer still.
  stopWithinMs: ({ config }) => config.api.drainMs + 10_000,
  async start({ config, taken }, { log, signal }) {
    for (const { port, holder } of taken) log.warn({ port, holder }, 'sandbox port in use, using a free one')
    for (const former of config.formerSettings) log.warn(former, 'setting still works, but has another name now')
    for (const one of config.retired) log.warn(one, 'setting no longer has an effect')
    for (const one of config.misspelled) log.warn(one, 'unknown setting ignored, check its spelling')
    // A taken port need not wait for its modules.
    const { startService } = await import('./service/service.ts')
    const service = await startService(config, log, signal, (phase) => timings.end(phase))
    timings.end('service')
    return { ...service, greeting: `${service.greeting}${timings.text()}` }
  },
})

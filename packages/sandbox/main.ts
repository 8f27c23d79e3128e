import { promisify } from 'node:util'
import { pino } from 'pino'
import { z } from 'zod'
import { startSandbox } from './start.ts'
import { StartFailure } from './state.ts'

/** The stand-in Discord as a child process: forked with IPC, it reports `{ ready }` and ends with its parent. */
const options = z
  .object({ SANDBOX_PORT: z.coerce.number().int().min(0).max(65_535), SANDBOX_STATE: z.string().min(1).optional() })
  .extend({
    // Discord's limits of REST and of identifies.
    SANDBOX_LIMITS: z
      .enum(['on', 'off'])
      .default('on')
      .transform((text) => text === 'on'),
    /** Whether the bot of the demo has Activities. */
    SANDBOX_ACTIVITIES: z
      .enum(['on', 'off'])
      .transform((text) => text === 'on')
      .optional(),
    SANDBOX_HEARTBEAT_MS: z.coerce.number().int().positive().optional(),
    LOG_LEVEL: z.string().default('info'),
  })
  .parse(process.env)

/** Pretty lines for a terminal; programs get JSON. */
const readable = () =>
  pino.transport({
    target: 'pino-pretty',
    options: { translateTime: 'SYS:HH:MM:ss', singleLine: true, colorize: process.stdout.hasColors() },
  })

/** Logs like the service, since the lines of both are mixed. */
const log = pino(
  {
    level: options.LOG_LEVEL,
    base: { part: 'sandbox' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label) => ({ level: label }) },
  },
  process.stdout.isTTY ? readable() : pino.destination(1),
)
const { SANDBOX_PORT: port, SANDBOX_STATE: stateFile = null, SANDBOX_HEARTBEAT_MS: heartbeatMs } = options
const { SANDBOX_LIMITS: limits, SANDBOX_ACTIVITIES: activities } = options
const sandbox = await startSandbox({
  port,
  stateFile,
  log,
  limits,
  ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  ...(activities === undefined ? {} : { activities }),
}).catch(refuse)

/** Tells the parent why it cannot start; what is no message for a person is a stack trace for the log. */
async function refuse(error: unknown): Promise<never> {
  const failed = error instanceof StartFailure ? error.message : null
  if (failed === null) log.error({ err: error }, 'sandbox failed to start')
  else if (process.connected) await promisify((done: () => void) => process.send?.({ failed }, done))()
  else process.stderr.write(`${failed}\n`)
  process.exit(1)
}

let ending = false
async function end(why: string): Promise<void> {
  if (ending) return
  ending = true
  log.info({ why }, 'sandbox stopping')
  await sandbox.close()
  if (process.connected) process.disconnect()
}

process.on('SIGTERM', () => void end('SIGTERM'))
// Ctrl-C reaches the parent too, which still says good-bye to this Discord before it lets go of it.
process.on('SIGINT', () => process.connected || void end('SIGINT'))
const Links = z.object({ links: z.array(z.object({ name: z.string(), url: z.url({ protocol: /^https?$/ }) })).max(10) })
process.on('message', (message) => {
  const told = Links.safeParse(message)
  if (told.success) sandbox.setLinks(told.data.links)
})
process.on('disconnect', () => void end('parent process exited'))

const { url, certificate, demo } = sandbox
process.send?.({ ready: { url, certificate, demo } })
log.info({ url }, 'sandbox ready')

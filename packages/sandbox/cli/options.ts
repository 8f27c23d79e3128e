import { parseArgs, type ParseArgsConfig } from 'node:util'
import own from '../package.json' with { type: 'json' }

const PORT = 8090
const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'silent']

export const VERSION = own.version

export const HELP = `bandstand-sandbox ${VERSION} – Discord in a box: REST, gateway and encrypted voice, offline

  bandstand-sandbox [options]       start; by default with a demo guild and one bot
  bandstand-sandbox check FILE      check a world file, with the path of each mistake
  bandstand-sandbox export [URL]    print the world of a running sandbox as a file

  --port N             port (default ${PORT}); another one if it is taken; 0 takes any free one
  --world FILE         guilds, members, messages and bots to start with: JSON or YAML
  --state FILE         keep bots, their tokens and commands in this file
  --certificate FILE   write the certificate of the voice server here, for NODE_EXTRA_CA_CERTS
  --no-limits          show Discord's rate limits in headers without enforcing them
  --freeze TIME        stop the clock at this time, such as 2027-01-31T18:00:00Z
  --log LEVEL          ${LEVELS.join(', ')} (default warn)
  --json               one line of JSON when it is ready, and for errors
  -h, --help           this text
  -v, --version        the version

Point a bot at it: discord.js takes rest: { api: 'http://127.0.0.1:${PORT}/api' }. A bot that you can't change starts with
NODE_OPTIONS='--import bandstand-sandbox/foreign-bot' and SANDBOX_URL.
`

/** A wrong command line; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Options {
  readonly command: 'serve' | 'check' | 'export' | 'help' | 'version'
  /** The file for `check`, the URL for `export`. */
  readonly target: string
  readonly port: number
  readonly world: string | null
  readonly state: string | null
  readonly certificateFile: string | null
  readonly limits: boolean
  readonly freezeAtMs: number | null
  readonly logLevel: string
}

const text = { type: 'string' } as const
const FLAGS = {
  port: text,
  world: text,
  state: text,
  certificate: text,
  freeze: text,
  'no-limits': { type: 'boolean' },
  log: text,
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const satisfies ParseArgsConfig['options']

/** @throws {UsageError} */
export function readOptions(args: readonly string[]): Options {
  const { values, positionals } = parse(args)
  const [command = 'serve', target, ...others] = positionals
  if (others.length > 0) throw new UsageError(`Unknown argument: ${others[0]}. See --help.`)
  const options = {
    port: readPort(values.port),
    world: values.world ?? null,
    state: values.state ?? null,
    certificateFile: values.certificate ?? null,
    limits: values['no-limits'] !== true,
    freezeAtMs: readTime(values.freeze),
    logLevel: readLevel(values.log),
  }
  if (values.help) return { ...options, command: 'help', target: '' }
  if (values.version) return { ...options, command: 'version', target: '' }
  if (command === 'serve' && target === undefined) return { ...options, command, target: '' }
  if (command === 'check' && target !== undefined) return { ...options, command, target }
  if (command === 'export') return { ...options, command, target: readUrl(target) }
  throw new UsageError(
    command === 'check' ? 'check needs a world file: bandstand-sandbox check world.yaml' : unknown(command),
  )
}

const unknown = (command: string) => `Unknown command: ${command}. Use check, export, or none to start. See --help.`

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message.split('. ')[0]}. See --help.`, { cause: error })
  }
}

function readPort(value = String(PORT)): number {
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && value !== '') return port
  throw new UsageError(`--port must be a whole number from 0 to 65535, not "${value}".`)
}

function readTime(value: string | undefined): number | null {
  if (value === undefined) return null
  const atMs = Date.parse(value)
  if (!Number.isNaN(atMs)) return atMs
  throw new UsageError(`--freeze must be an ISO 8601 time, such as 2027-01-31T18:00:00Z, not "${value}".`)
}

function readLevel(value = 'warn'): string {
  if (LEVELS.includes(value)) return value
  throw new UsageError(`--log must be one of ${LEVELS.join(', ')}, not "${value}".`)
}

function readUrl(value = `http://127.0.0.1:${PORT}`): string {
  if (URL.canParse(value) && /^https?:/.test(value)) return value
  throw new UsageError(`export needs the URL of a sandbox, such as http://127.0.0.1:${PORT}, not "${value}".`)
}

/** `2 guilds, 1 bot`. */
export function describe(counts: Readonly<Record<string, number>>): string {
  const words = Object.entries(counts).map(([name, count]) => `${count} ${count === 1 ? name.slice(0, -1) : name}`)
  return words.join(', ')
}

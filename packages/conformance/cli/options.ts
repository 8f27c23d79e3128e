import { parseArgs } from 'node:util'

/** A wrong option of the command line; the message says what to change. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export interface Options {
  readonly command: 'run' | 'list' | 'sandbox' | 'certificate' | 'help' | 'version'
  readonly url: string
  readonly password: string
  /** An already running sandbox; null starts one. */
  readonly sandboxUrl: string | null
  readonly sandboxPort: number
  readonly hasVoice: boolean
  readonly mediaHost: string
  readonly mediaPublicHost: string | null
  readonly mediaPort: number
  readonly playlist: string | null
  readonly search: string | null
  readonly only: readonly string[]
  readonly seconds: number
  readonly jobs: number
  readonly bail: boolean
  readonly slow: boolean
  readonly strict: boolean
  readonly quiet: boolean
  readonly json: string | null
  readonly junit: string | null
}

const text = { type: 'string' } as const
const flag = { type: 'boolean' } as const
const FLAGS = {
  url: text,
  password: text,
  sandbox: text,
  'sandbox-port': text,
  'no-voice': flag,
  'media-host': text,
  'media-public': text,
  'media-port': text,
  playlist: text,
  search: text,
  only: { type: 'string', multiple: true },
  timeout: text,
  jobs: text,
  bail: flag,
  slow: flag,
  strict: flag,
  quiet: flag,
  json: text,
  junit: text,
  list: flag,
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'v' },
} as const

export const HELP = `lavalink-conformance – does a server implement the documented Lavalink v4?

  npx lavalink-conformance --url http://127.0.0.1:2333 --password youshallnotpass
  npx lavalink-conformance sandbox         run only the stand-in Discord, for a server that must start after it
  npx lavalink-conformance certificate     explain how to make a server trust the stand-in Discord

The server
  --url URL               its address (http://127.0.0.1:2333)
  --password PASSWORD     its password; LAVALINK_PASSWORD in the environment is better, since others can't see it
  --playlist IDENTIFIER   a playlist on this server; without it, playlist checks are skipped
  --search IDENTIFIER     a search on this server, such as "ytsearch:lanterns"

Discord and sounds
  --sandbox URL           a stand-in Discord that is already running; otherwise one is started
  --sandbox-port PORT     port of the started one (default: any free port)
  --no-voice              no stand-in Discord: checks that need voice are skipped
  --media-host HOST       address on which test sounds are served (127.0.0.1)
  --media-public HOST     how the server reaches them, where that is another name
  --media-port PORT       (any free one)

The run
  --only PATTERN          checks or categories, such as voice or filters.time*; may be repeated or have commas
  --jobs N                checks at the same time (4)
  --timeout SECONDS       of a check (30); some take longer and have their own
  --slow                  also the checks that wait for minutes
  --bail                  stop at the first failure
  --list                  name the checks and stop

The report
  --json FILE             as JSON; - is the standard output
  --junit FILE            as JUnit XML
  --strict                failed “should” checks count, too
  --quiet                 no progress

Ends with 0 when all checks pass, 1 when some fail, 2 when it cannot run.
`

/** @throws {UsageError} */
export function parseOptions(args: readonly string[], environmentPassword: string | undefined): Options {
  const { values, positionals } = parse(args)
  const sandboxUrl = values.sandbox === undefined ? null : address('--sandbox', values.sandbox)
  return {
    command: commandOf(values, positionals),
    url: address('--url', values.url ?? 'http://127.0.0.1:2333'),
    password: values.password ?? environmentPassword ?? 'youshallnotpass',
    sandboxUrl,
    sandboxPort: number('--sandbox-port', values['sandbox-port'] ?? '0', [0, 65_535]),
    hasVoice: values['no-voice'] !== true,
    mediaHost: values['media-host'] ?? '127.0.0.1',
    mediaPublicHost: values['media-public'] ?? null,
    mediaPort: number('--media-port', values['media-port'] ?? '0', [0, 65_535]),
    playlist: values.playlist ?? null,
    search: values.search ?? null,
    only: (values.only ?? []).flatMap((one) => one.split(',')).filter((one) => one !== ''),
    seconds: number('--timeout', values.timeout ?? '30', [1, 3600]),
    jobs: number('--jobs', values.jobs ?? '4', [1, 32]),
    bail: values.bail === true,
    slow: values.slow === true,
    strict: values.strict === true,
    quiet: values.quiet === true,
    json: values.json ?? null,
    junit: values.junit ?? null,
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: FLAGS, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

function commandOf(
  { list, help, version }: { list?: boolean; help?: boolean; version?: boolean },
  positionals: readonly string[],
): Options['command'] {
  if (help === true) return 'help'
  if (version === true) return 'version'
  if (list === true) return 'list'
  const [command, more] = positionals
  if (command === undefined) return 'run'
  if (more === undefined && (command === 'run' || command === 'sandbox' || command === 'certificate')) return command
  throw new UsageError(`Unknown: ${positionals.join(' ')}. The commands are run, sandbox and certificate.`)
}

function address(name: string, value: string): string {
  const url = URL.parse(value)
  if (url?.protocol !== 'http:' && url?.protocol !== 'https:')
    throw new UsageError(`${name} takes an address that begins with http:// or https://, not ${value}.`)
  const path = url.pathname.endsWith('/') ? url.pathname.slice(0, -1) : url.pathname
  return url.origin + path
}

function number(name: string, value: string, [least, most]: readonly [number, number]): number {
  const parsed = Number(value)
  if (!Number.isInteger(parsed) || parsed < least || parsed > most)
    throw new UsageError(`${name} takes a whole number from ${least} to ${most}, not ${value}.`)
  return parsed
}

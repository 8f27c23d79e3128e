import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { demoTracks } from './made-once.ts'
import { program } from './program.ts'

const root = join(import.meta.dirname, '..', '..')

/** Free ports, and no music but that of this machine. */
const OWN_MACHINE = { PORT: '0', LAVALINK_PORT: '0', SANDBOX_PORT: '0', MUSIC_SOURCES: 'library,http' }

/** DATA_DIR/demo.json: where everything of the demo is. */
export interface Demo {
  readonly baseUrl: string
  readonly sandboxUrl: string
  /** Signs its holder in to the dashboard; another one at each start. */
  readonly dashboardUrl: string
  readonly projectId: string
  readonly botId: string
  readonly guildId: string
  readonly voiceChannelId: string
  readonly secondVoiceChannelId: string
  readonly textChannelId: string
  readonly keys: { readonly linked: string; readonly unlinked: string }
  readonly queries: readonly string[]
}

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly body: any
}

/**
 * Room for what loading the modules makes: V8 otherwise copies it a dozen times. Only in the workers of `npm test`, since
 * benchmarks measure the memory that it changes.
 */
const START_ARGS =
  process.env['MOCHA_WORKER_ID'] === undefined ? [] : ['--max-semi-space-size=16', '--min-semi-space-size=16']

/** The whole service as an operator runs it: a process of its own, with the stand-in Discord beside it. */
export interface RunningService {
  readonly dataDir: string
  readonly demo: Demo
  readonly process: ChildProcess
  /** Text written to standard output and standard error. */
  output(): string
  /** Waits until the output has this text: the log is written behind what it tells of, so it may follow an answer. */
  logged(text: string): Promise<void>
  /** Calls the API with the linked demo key by default. */
  call(method: string, path: string, options?: { body?: unknown; key?: string | null }): Promise<Answer>
  /** Calls the stand-in's control interface. */
  sandbox(method: string, path: string, body?: unknown): Promise<Answer>
  kill(signal: NodeJS.Signals): Promise<void>
  /** Stops it and removes its data. */
  stop(): Promise<void>
}

export function makeDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'bandstand-test-'))
}

export interface ServiceOptions {
  readonly dataDir?: string
  readonly env?: Readonly<Record<string, string>>
  /** Whether it does jobs: its renderer and the browser take half of a start's time. Defaults to false. */
  readonly hasRenderer?: boolean
  /** Program that runs it: tools/node.sh as in production. Defaults to the Node.js of this process. */
  readonly execPath?: string
  /** Whether it finds the demo tracks made, as at each start but the first. Defaults to true. */
  readonly hasTracks?: boolean
}

/** Starts the service on free ports and waits until it says that it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const { dataDir = makeDataDir(), env, hasRenderer = false, hasTracks = true, execPath } = options
  if (hasTracks && !existsSync(join(dataDir, 'demo'))) {
    cpSync(await demoTracks(), join(dataDir, 'demo'), { recursive: true })
  }
  const given = { ...(!hasRenderer && { RENDER_CONCURRENCY: '0' }), ...env }
  const launched = await launchService(dataDir, given, execPath === undefined ? {} : { execPath })
  const demo: Demo = JSON.parse(readFileSync(join(dataDir, 'demo.json'), 'utf8'))
  return {
    ...launched,
    dataDir,
    demo,
    call: (method, path, { body, key = demo.keys.linked } = {}) =>
      fetchJson(demo.baseUrl + path, method, body, key === null ? {} : { authorization: `Bearer ${key}` }),
    sandbox: (method, path, body) => fetchJson(demo.sandboxUrl + path, method, body, {}),
    async stop() {
      await launched.kill('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

interface LaunchOptions {
  /** Script in the project. Defaults to the service. */
  readonly script?: string
  /** Defaults to the Node.js of this process, without the settings that tools/node.sh has. */
  readonly execPath?: string
}

/** Far above what a busy machine takes. */
const START_WITHIN_MS = 90_000

/** The same where there may be no sandbox, and so no demo. */
export async function launchService(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
  { script = 'main.ts', execPath }: LaunchOptions = {},
): Promise<Pick<RunningService, 'process' | 'output' | 'logged' | 'kill'>> {
  const child = fork(execPath === undefined ? program(script) : join(root, script), {
    cwd: root,
    ...(execPath === undefined ? { execArgv: START_ARGS } : { execPath }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    env: { ...process.env, ...OWN_MACHINE, DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...env },
  })
  let output = ''
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()))
  // Less than the time limit of a test, so that a start that hangs leaves nothing behind that keeps mocha alive.
  const watchdog = setTimeout(() => child.kill('SIGKILL'), START_WITHIN_MS)
  await ready(child, () => output).finally(() => clearTimeout(watchdog))
  return {
    process: child,
    output: () => output,
    async logged(text) {
      await eventually(
        () => output,
        (soFar) => soFar.includes(text),
      )
    },
    async kill(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = once(child, 'exit')
      child.kill(signal)
      await gone
    },
  }
}

async function ready(child: ChildProcess, output: () => string): Promise<void> {
  const died = once(child, 'exit').then(([code, signal]) => {
    throw new Error(`The service ended with ${code ?? signal} before it was ready:\n${output()}`)
  })
  const said = new Promise<void>((resolve) => {
    child.on('message', (message) => message === 'ready' && resolve())
  })
  await Promise.race([said, died])
}

/** No one waits longer for an answer. */
const ANSWER_WITHIN_MS = 90_000

export async function fetchJson(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? null : JSON.parse(text) }
}

/**
 * Waits until something is true, looking often. Patient, since how fast a machine is proves nothing: a test whose
 * promise is a time hands in `withinMs`.
 * @throws {Error} with the last value when it never is.
 */
export async function eventually<T>(
  look: () => Promise<T> | T,
  isIt: (value: T) => boolean,
  withinMs = 60_000,
): Promise<T> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const value = await look()
    if (isIt(value)) return value
    if (performance.now() > deadline)
      throw new Error(`Not so within ${withinMs} ms; last seen: ${JSON.stringify(value)}`)
    await sleep(25)
  }
}

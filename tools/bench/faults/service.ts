import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { admin } from '../../../test/support/admin.ts'
import { eventually, fetchJson, makeDataDir } from '../../../test/support/service.ts'
import type { Discord } from './discord.ts'
import { TRACKS } from './music.ts'
import { argsOf } from '../../stage/process.ts'
import { watchChildren, type Census } from './processes.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')
const READY_WITHIN_MS = 40_000

type Env = Readonly<Record<string, string>>

/** A service in a process of its own, on a data folder with a project (plan scale), its bot and two keys. */
export type Service = Awaited<ReturnType<typeof makeService>>

interface CallOptions {
  readonly body?: unknown
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

interface ServiceOptions {
  readonly discord: Discord
  readonly libraryDir: string
  readonly env: Env
  /** Made when left out. */
  readonly dataDir?: string
  /** Instead of node itself: a program that ends up as node. */
  readonly execPath?: string
  /** The file for its standard output, instead of a pipe. */
  readonly logFile?: string
}

/** Fills the folder and describes the service; `start` starts it. */
export async function makeService({ discord, libraryDir, ...options }: ServiceOptions) {
  const { dataDir = makeDataDir(), logFile } = options
  const given = {
    DATA_DIR: dataDir,
    LIBRARY_DIR: libraryDir,
    SANDBOX: 'off',
    MUSIC_SOURCES: 'library,http',
    DISCORD_API_URL: `${discord.url}/api`,
    NODE_EXTRA_CA_CERTS: discord.certificateFile,
    PORT: '0',
    LOG_LEVEL: 'info',
    // There to be killed.
    RENDERER_IDLE_SECONDS: '0',
    ...options.env,
  }
  const run = (args: string[], stdin = '') => admin(args, { dataDir, stdin, env: given })
  const { guildId, voiceChannelId: channelId, applicationId: botId, botToken } = discord.demo
  const projectId: string = (await run(['project', 'create', 'Faults', '--plan', 'scale', '--json'])).json.id
  await run(['bot', 'add', '--project', projectId, '--json'], botToken)
  const key = async (...more: string[]) =>
    (await run(['key', 'create', '--project', projectId, '--json', ...more])).json.key as string
  const keys = { linked: await key('--bot', botId), unlinked: await key() }

  const censuses: Census[] = []
  /** Answers that broke the contract. */
  const wrongAnswers: string[] = []
  const state = { child: null as ChildProcess | null, output: '', before: '', baseUrl: '' }

  /** Returns the output from the pipe, and from the file if there is one. */
  function output(): string {
    return state.output + (logFile === undefined ? '' : readFileSync(logFile, 'utf8'))
  }

  function launch(env: Env): ChildProcess {
    const child = fork(join(ROOT, 'main.ts'), {
      cwd: ROOT,
      execPath: options.execPath ?? process.execPath,
      stdio: ['ignore', logFile === undefined ? 'pipe' : openSync(logFile, 'a'), 'pipe', 'ipc'],
      env: { ...process.env, ...given, ...env },
    })
    state.before += state.output
    state.output = ''
    const listen = (chunk: Buffer) => (state.output += chunk.toString())
    child.stdout?.on('data', listen)
    child.stderr?.on('data', listen)
    state.child = child
    censuses.push(watchChildren(child.pid ?? 0))
    return child
  }

  /** Calls the API, with the linked key by default. The body as well as the request id of every answer is checked. */
  async function call(method: string, path: string, { body, key, headers = {} }: CallOptions = {}) {
    const sent = key === undefined ? keys.linked : key
    const answer = await fetchJson(state.baseUrl + path, method, body, {
      ...headers,
      ...(sent && { authorization: `Bearer ${sent}` }),
    })
    const id = answer.headers.get('x-request-id')
    if (!path.startsWith('/v1')) return answer
    if (!id) wrongAnswers.push(`${method} ${path}: ${answer.status} without X-Request-Id`)
    if (answer.status >= 400 && answer.body?.requestId !== id) wrongAnswers.push(`${method} ${path}: another requestId`)
    return answer
  }

  return {
    dataDir,
    projectId,
    botId,
    guildId,
    channelId,
    keys,
    wrongAnswers,
    /** The address of the present process; another one after each start. */
    get baseUrl() {
      return state.baseUrl
    },
    get process() {
      if (!state.child) throw new Error('The service was never started.')
      return state.child
    },
    get pid() {
      return state.child?.pid ?? 0
    },
    get isRunning() {
      return state.child !== null && state.child.exitCode === null && state.child.signalCode === null
    },
    /** The output of the present process. */
    output,
    /** The output of all its processes. */
    everything: () => state.before + output(),
    /** Starts it (again) and waits until its bot is connected, or until it said something else. */
    async start({ env = {}, until = '"bot connected"' }: { readonly env?: Env; readonly until?: string } = {}) {
      const child = launch(env)
      await eventually(
        () => ({ said: output(), isOver: child.exitCode !== null || child.signalCode !== null }),
        ({ said, isOver }) => isOver || said.includes(until),
        READY_WITHIN_MS,
      )
      const line = output()
        .split('\n')
        .find((one) => one.includes('"service started"'))
      if (!line) throw new Error(`The service ended before it was ready:\n${output()}`)
      state.baseUrl = JSON.parse(line).baseUrl
      // The first start reads the library meanwhile. A key that does not work here finds nothing, ever.
      await eventually(
        () => call('GET', `/v1/music/search?q=${encodeURIComponent(TRACKS.noise)}`),
        ({ status, body }) => status !== 200 || body.data.length > 0,
        READY_WITHIN_MS,
      )
    },
    /** Starts it where it must refuse. @returns how it ended, and its words. */
    async startInVain(env: Env = {}) {
      const [code] = await once(launch(env), 'close')
      return { code, words: state.output }
    },
    /** Ends it and waits until it is gone. @returns the exit code; null after a signal. */
    async kill(signal: NodeJS.Signals) {
      const { child } = state
      if (!child || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null
      censuses.at(-1)?.look()
      const gone = once(child, 'exit')
      child.kill(signal)
      const [code] = await gone
      return code
    },
    call,
    /** Calls a music route of the demo guild. @throws {Error} when it answers other than 200. @returns `data`. */
    async music(method: string, path: string, body?: unknown) {
      const { status, body: said } = await call(method, `/v1/music/guilds/${guildId}${path}`, { body })
      if (status !== 200) throw new Error(`${method} ${path} answered ${status}: ${JSON.stringify(said)}`)
      return said.data
    },
    /** The same as `Discord.control`, for helpers that want a service. */
    sandbox: (method: string, path: string, body?: unknown) => discord.control(method, path, body),
    /** One command line of the admin program on its folder. */
    admin: (...args: string[]) => run(args),
    /** Everything that its processes started and that still runs. */
    leftOver: () => censuses.flatMap((one) => one.left()).map((one) => `${one.pid} ${argsOf(one).slice(0, 120)}`),
    dispose() {
      for (const census of censuses) census.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

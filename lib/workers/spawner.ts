import { AsyncLocalStorage } from 'node:async_hooks'
import { fork, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { childEnv, listenTo, setNice } from './child-process.ts'
import { SOCKET_NAME, TOKEN_CHARS, type FromSpawner, type SpawnOrder, type ToSpawner } from './spawner-protocol.ts'
import { programFile } from '../installation.ts'

/** A child that takes longer to start finds the spawner hanging. */
const START_MS = 10_000
const CLOSE_MS = 2000
const HEAP_MIB = 32
const NODE = [process.execPath, `--max-old-space-size=${HEAP_MIB}`, '--no-warnings']
/** A shell that waits for a line and becomes the rest of its words; its folder goes with a parent that dies before. */
const WAIT = 'folder=$1; shift; read -r _ || { rm -rf "$folder"; exit; }; exec "$@" </dev/null'

/** `unknown`: the spawner died before it. */
export type ExitStatus = number | 'killed' | 'unknown'

export interface SpawnedChild {
  readonly pid: number
  readonly stdin: Socket
  readonly stdout: Socket
  readonly stderr: Socket
  /** Never rejects. What the child wrote may come later. */
  readonly exited: Promise<ExitStatus>
}

/**
 * Starts child processes from a separate small process. A process forks in the requesting thread, and all its
 * memory is marked for copying meanwhile, in which no thread of it can touch a new page: 18 ms at 300 MB, 35 at 600 MB.
 */
export type Spawner = ReturnType<typeof createSpawner>

/** @param inherited open files that each child is given as 3, 4, … */
export function createSpawner(inherited: readonly number[] = []) {
  // A spawner that is started for one track must not carry its mark.
  const outside = AsyncLocalStorage.snapshot()
  let life: SpawnerLife | null = null
  let isClosed = false
  const alive = (): SpawnerLife => {
    if (isClosed) throw new Error('The spawner is closed.')
    if (!life?.isAlive) life = outside(() => new SpawnerLife(inherited))
    return life
  }
  return {
    /**
     * Forks now, while nothing plays. What waits is a shell of half a megabyte; it becomes the small process, which takes 11
     * MiB, with the first child.
     */
    warmUp: () => void alive(),
    /**
     * Replaces a spawner that dies or hangs, and repeats the order.
     * @throws {Error} with the `code` of `spawn` when the child cannot be started.
     */
    async start(order: SpawnOrder): Promise<SpawnedChild> {
      try {
        return await alive().start(order)
      } catch (error) {
        if (!(error instanceof SpawnerDied)) throw error
        return alive().start(order)
      }
    },
    /** Ends all children. */
    async close() {
      isClosed = true
      await life?.close()
    },
  }
}

class SpawnerDied extends Error {
  override readonly message = 'The spawner process exited.'
}

interface Starting {
  readonly streams: Socket[]
  pid: number | null
  readonly outcome: PromiseWithResolvers<SpawnedChild>
  readonly exit: PromiseWithResolvers<ExitStatus>
}

class SpawnerLife {
  readonly #folder = join(tmpdir(), `bandstand-spawner-${randomBytes(6).toString('hex')}`)
  readonly #server: Server
  readonly #process: ChildProcess
  readonly #starting = new Map<string, Starting>()
  readonly #running = new Map<string, (status: ExitStatus) => void>()
  #isAlive = true
  #isAwake = false

  constructor(inherited: readonly number[]) {
    this.#server = createServer((socket) => this.#receiveStream(socket)).unref()
    // First, since it removes the folder when this process dies.
    this.#process = fork(programFile('lib/workers/spawner-process'), [this.#folder, String(inherited.length)], {
      execPath: '/bin/sh',
      execArgv: ['-c', WAIT, 'sh', this.#folder, ...NODE],
      env: childEnv(),
      // Ctrl-C in the terminal reaches the service alone.
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit', ...inherited, 'ipc'],
    })
    this.#listen()
    // The audio thread's own priority is for frames.
    setNice(this.#process.pid, 0)
    listenTo(this.#process, (message) => this.#receive(message as FromSpawner))
    this.#process.once('error', () => this.#onEnd())
    this.#process.once('exit', () => this.#onEnd())
    this.#process.unref()
    const wakeUp = this.#process.stdin as Socket | null
    wakeUp?.unref().on('error', () => undefined)
    this.#hold()
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  #listen(): void {
    try {
      mkdirSync(this.#folder, { mode: 0o700 })
      this.#server.listen(join(this.#folder, SOCKET_NAME))
    } catch (error) {
      this.#kill()
      throw error
    }
  }

  async start(order: SpawnOrder): Promise<SpawnedChild> {
    if (!this.#isAlive) throw new SpawnerDied()
    this.#wake()
    const token = randomBytes((TOKEN_CHARS * 3) / 4).toString('base64url')
    const [outcome, exit] = [Promise.withResolvers<SpawnedChild>(), Promise.withResolvers<ExitStatus>()]
    const starting: Starting = { streams: [], pid: null, outcome, exit }
    this.#starting.set(token, starting)
    this.#hold()
    const watchdog = setTimeout(() => this.#kill(), START_MS)
    try {
      // If this fails, the exit of the process follows.
      this.#process.send({ ...order, token } satisfies ToSpawner, () => undefined)
      return await outcome.promise
    } catch (error) {
      for (const stream of starting.streams) stream?.destroy()
      throw error
    } finally {
      clearTimeout(watchdog)
      this.#starting.delete(token)
      this.#hold()
    }
  }

  async close(): Promise<void> {
    if (!this.#isAlive) return
    this.#process.ref()
    const gone = once(this.#process, 'exit')
    const watchdog = setTimeout(() => this.#kill(), CLOSE_MS)
    if (!this.#isAwake) this.#process.stdin?.end()
    if (this.#process.connected) this.#process.disconnect()
    await gone
    clearTimeout(watchdog)
  }

  /** Wakes the process. Messages sent meanwhile wait in the channel. */
  #wake(): void {
    if (this.#isAwake) return
    this.#isAwake = true
    this.#process.stdin?.end('\n')
  }

  /** Keeps this process from ending while there is something to wait for. */
  #hold(): void {
    const isBusy = this.#starting.size + this.#running.size > 0
    if (isBusy) this.#process.channel?.ref()
    else this.#process.channel?.unref()
  }

  #kill(): void {
    this.#process.kill('SIGKILL')
  }

  #receive(message: FromSpawner): void {
    const { token } = message
    const starting = this.#starting.get(token)
    if ('exitCode' in message) {
      this.#running.get(token)?.(message.exitCode ?? 'killed')
      this.#running.delete(token)
      this.#hold()
    } else if ('error' in message) {
      const { message: text, code } = message.error
      starting?.outcome.reject(Object.assign(new Error(text), { code }))
    } else if (starting) {
      starting.pid = message.pid
      this.#running.set(token, starting.exit.resolve)
      settle(starting)
    }
  }

  /** Reads the head. The rest stays in the stream for its reader. */
  #receiveStream(socket: Socket): void {
    socket.on('error', () => undefined)
    const onReadable = () => {
      const head = (socket.read(TOKEN_CHARS + 1) as Buffer | null)?.toString('latin1')
      if (head === undefined) return
      socket.off('readable', onReadable)
      const token = head.slice(0, TOKEN_CHARS)
      const starting = this.#starting.get(token)
      if (!starting) return void socket.destroy()
      starting.streams[Number(head.at(-1))] = socket
      settle(starting)
    }
    socket.on('readable', onReadable)
  }

  #onEnd(): void {
    if (!this.#isAlive) return
    this.#isAlive = false
    this.#server.close()
    rmSync(this.#folder, { recursive: true, force: true })
    for (const { outcome } of this.#starting.values()) outcome.reject(new SpawnerDied())
    for (const resolve of this.#running.values()) resolve('unknown')
    this.#running.clear()
  }
}

function settle({ streams, pid, outcome, exit }: Starting): void {
  const [stdin, stdout, stderr] = streams
  if (pid === null || !stdin || !stdout || !stderr) return
  // The child never writes to it, but its end is seen only by reading.
  stdin.resume()
  outcome.resolve({ pid, stdin, stdout, stderr, exited: exit.promise })
}

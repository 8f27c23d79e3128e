import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { makeDataDir } from '../../support/service.ts'
import { rmSync } from 'node:fs'

const MAIN =
  process.env['NODE_MAIN'] ?? join(import.meta.dirname, '..', '..', '..', 'service', 'lavalink-node', 'main.ts')
const PASSWORD = 'a password of tests'

/** Our node as operators run it: `npm run node`, a process of its own. */
export interface LavalinkNode {
  readonly port: number
  readonly password: string
  readonly process: ChildProcess
  /** What it wrote. */
  output(): string
  /** Ends it without a goodbye. */
  kill(): Promise<void>
  /** Starts another one in its place. */
  restart(): Promise<void>
  /** Ends it and removes its data. */
  close(): Promise<void>
}

export interface NodeOptions {
  /** PEM of the stand-in Discord's voice server. */
  readonly certificateFile: string
  readonly env?: Readonly<Record<string, string>>
}

export async function startNode({ certificateFile, env }: NodeOptions): Promise<LavalinkNode> {
  const [port, dataDir] = [await freePort(), makeDataDir()]
  let output = ''
  const start = async (): Promise<ChildProcess> => {
    const child = fork(MAIN, {
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      env: {
        ...process.env,
        LAVALINK_PORT: String(port),
        LAVALINK_PASSWORD: PASSWORD,
        DATA_DIR: dataDir,
        MUSIC_SOURCES: 'library,http',
        EGRESS_ALLOW_HOSTS: '127.0.0.1',
        LAVALINK_VOICE_HOSTS: 'localhost',
        LOG_LEVEL: 'warn',
        NODE_EXTRA_CA_CERTS: certificateFile,
        ...env,
      },
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => (output += chunk.toString()))
    const died = once(child, 'exit').then(() => {
      throw new Error(`The node ended while it started:\n${output}`)
    })
    await Promise.race([once(child, 'message'), died])
    return child
  }
  let child = await start()
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const gone = once(child, 'exit')
    child.kill(signal)
    await gone
  }
  return {
    port,
    password: PASSWORD,
    get process() {
      return child
    },
    output: () => output,
    kill: () => end('SIGKILL'),
    async restart() {
      child = await start()
    },
    async close() {
      await end('SIGTERM')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Returns a free port, which the node reuses after a restart. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from '../../lib/log.ts'
import { endLeftover, findServerProgram, launchServer, type RedisChild } from './embedded-redis.ts'
import { redisFolder, redisSocket } from './redis-paths.ts'

/** Address of Redis: a unix socket of this machine, or REDIS_URL. */
export type RedisAddress = { readonly path: string } | { readonly url: string }

export interface RedisServer {
  /** null: there is no Redis here, and what needs one does without. */
  readonly address: RedisAddress | null
  /** Ends the embedded server; all that it acknowledged is in its file. */
  close(): Promise<void>
}

interface RedisServerOptions {
  readonly dataDir: string
  /** A Redis that is shared with other machines (REDIS_URL); then none is started here. */
  readonly url: string | null
  readonly log: Logger
}

const FIRST_RESTART_MS = 100
const LAST_RESTART_MS = 10_000
/** A server that ran for as long was all right; the next restart is quick again. */
const SETTLED_MS = 30_000
/** The start of the service does not wait for longer than this; what needs Redis connects when it is there. */
const FIRST_READY_MS = 5000

/**
 * The Redis that limits and jobs use. Without REDIS_URL it is a `redis-server` of our own on a unix socket in DATA_DIR,
 * which is started again when it dies and ends with this process however that ends.
 */
export async function startRedis({ dataDir, url, log }: RedisServerOptions): Promise<RedisServer> {
  if (url) return { address: { url }, close: () => Promise.resolve() }
  const program = await findServerProgram()
  if (!program) {
    log.warn('redis-server not installed; the service runs without it')
    return { address: null, close: () => Promise.resolve() }
  }
  const paths = { folder: redisFolder(dataDir), socket: redisSocket(dataDir) }
  const stopping = new AbortController()
  let child: RedisChild | null = null
  let restartMs = FIRST_RESTART_MS

  async function runOnce(): Promise<void> {
    await endLeftover(paths)
    if (stopping.signal.aborted) return
    const startedMs = performance.now()
    child = launchServer(program as string, paths)
    const end = await child.ended
    child = null
    if (stopping.signal.aborted) return
    if (performance.now() - startedMs > SETTLED_MS) restartMs = FIRST_RESTART_MS
    log.error({ ...end, restartMs }, 'redis exited')
  }

  async function supervise(): Promise<void> {
    while (!stopping.signal.aborted) {
      await runOnce().catch((err: unknown) => log.error({ err, restartMs }, 'redis failed to start'))
      await sleep(restartMs, undefined, { signal: stopping.signal }).catch(() => undefined)
      restartMs = Math.min(restartMs * 2, LAST_RESTART_MS)
    }
  }

  const supervised = supervise()
  await untilReady(() => child, stopping.signal)
  return {
    address: { path: paths.socket },
    async close() {
      stopping.abort()
      await child?.stop()
      await supervised
    },
  }
}

async function untilReady(child: () => RedisChild | null, signal: AbortSignal): Promise<void> {
  const deadlineMs = performance.now() + FIRST_READY_MS
  while (performance.now() < deadlineMs && !signal.aborted) {
    if (await child()?.isReady()) return
    await sleep(20)
  }
}

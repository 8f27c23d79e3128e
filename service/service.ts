import type { Config } from '../config.ts'
import { openRepositories } from '../db/repositories.ts'
import { settleWithin } from '../lib/deadline.ts'
import type { Logger } from '../lib/log.ts'
import { assertOneDatabase } from './start/one-database.ts'
import { openSandbox, withSandbox } from './sandbox.ts'
import type { OpenService } from './open-service.ts'

export interface Service extends OpenService {
  /** Finishes requests, leaves all channels, saves the players and closes everything. */
  close(): Promise<void>
}

/** Time for a failed start to close what it has opened. */
const CLEANUP_MS = 5000

/**
 * Builds the whole service; `service/` has its parts. What is opened last is closed first: the API lets go before the
 * bots, they before the audio threads, everything before the database. A DATA_DIR that cannot be used is refused before most
 * modules are loaded, which takes seconds of a slow processor; the sandbox's process starts while they are.
 * @param onPhase told of each phase of the start that ends before the last one
 * @throws {Error} that says why it cannot start, at most 5 s after that is known; the reason of `signal` when that aborts.
 */
export async function startService(
  config: Config,
  log: Logger,
  signal: AbortSignal = new AbortController().signal,
  onPhase: (phase: string) => void = () => undefined,
): Promise<Service> {
  assertOneDatabase(config)
  const opened = new AsyncDisposableStack()
  const close = () => opened.disposeAsync()
  try {
    const stores = opened.adopt(await openRepositories(config, log), (it) => it.close())
    onPhase('database')
    const starting = openSandbox(config, stores, { log, signal })
    const [{ openService }, sandbox] = await Promise.all([import('./open-service.ts'), starting])
    onPhase(sandbox ? 'modules, sandbox' : 'modules')
    if (sandbox) opened.adopt(sandbox, (it) => it.close())
    const settings = sandbox ? withSandbox(config, sandbox) : config
    return { ...(await openService({ config: settings, log, signal, stores, sandbox }, opened)), close }
  } catch (error) {
    await settleWithin(CLEANUP_MS, close())
    throw error
  }
}

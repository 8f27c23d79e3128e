import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../test/support/service.ts'
import { startDiscord, type Discord, type DiscordOptions } from './discord.ts'
import { checkDatabase, checkRunning, checkStopped } from './invariants.ts'
import type { Frames } from './music.ts'
import { makeService, type Service } from './service.ts'

export type { Service } from './service.ts'

/** Material that experiments share: made once. */
export interface Material {
  readonly libraryDir: string
  readonly frames: Frames
  /** The number of jobs that experiments with jobs queue. */
  readonly jobs: number
  /** The number of operations of each random walk, and the seeds of the walks. */
  readonly operations: number
  readonly seeds: readonly number[]
}

/** The tools of an experiment. All that comes from them is closed afterwards, however the experiment ends. */
export interface Tools {
  readonly material: Material
  /** Adds a part of the criterion: `seen` describes the observation in numbers. The experiment fails if it is false. */
  must(isSo: boolean, seen: string): void
  /** Worth telling, good or bad. */
  saw(seen: string): void
  /** The one Discord of this experiment; it is as the first call wants it. */
  discord(options?: DiscordOptions): Promise<Discord>
  /** A service that runs, its bot connected to that Discord. Its invariants are checked after the experiment. */
  service(options?: StartOptions): Promise<Service>
  /** Closed after the experiment, the last one first. */
  own<T>(thing: T, close: (thing: T) => unknown): T
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly dataDir?: string
  /** The experiment starts it on its own. */
  readonly isStarted?: boolean
  /** Whether the experiment corrupts its database on purpose. */
  readonly isSpoiled?: boolean
  /** Instead of node itself: a program that ends up as node. */
  readonly execPath?: string
  /** The file for its standard output, instead of a pipe. */
  readonly logFile?: string
}

export function openTools(material: Material) {
  const owned = new AsyncDisposableStack()
  const services: { readonly service: Service; readonly isSpoiled: boolean }[] = []
  const [seen, failures]: [string[], string[]] = [[], []]
  let discord: Promise<Discord> | null = null

  const tools: Tools = {
    material,
    must(isSo, text) {
      seen.push(isSo ? text : `NOT: ${text}`)
      if (!isSo) failures.push(text)
    },
    saw: (text) => void seen.push(text),
    discord: (options = {}) => (discord ??= openDiscord(options)),
    async service({ isStarted = true, isSpoiled = false, ...options } = {}) {
      const { libraryDir } = material
      const service = await makeService({ discord: await tools.discord(), libraryDir, env: {}, ...options })
      owned.defer(async () => {
        await service.kill('SIGKILL')
        service.dispose()
      })
      services.push({ service, isSpoiled })
      if (isStarted) await service.start()
      return service
    },
    own: (thing, close) =>
      owned.adopt(thing, async (it) => {
        await close(it)
      }),
  }

  async function openDiscord(options: DiscordOptions): Promise<Discord> {
    return owned.adopt(await startDiscord(material.frames, options), (it) => it.close())
  }

  return {
    tools,
    seen,
    failures,
    /** Checks every service that was used. */
    async checkInvariants() {
      const secrets = discord ? [(await discord).demo.botToken] : []
      for (const { service, isSpoiled } of services) {
        const running = service.isRunning ? await checkRunning(service) : service.wrongAnswers
        const stopped = await checkStopped(service, secrets)
        const database = isSpoiled ? [] : checkDatabase(service)
        failures.push(...running, ...stopped, ...database)
      }
    },
    close: (): Promise<void> => owned.disposeAsync(),
  }
}

/** Waits until something is so. @returns how long that took. @throws {Error} that names it when it never is. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>, withinMs: number): Promise<number> {
  const startMs = performance.now()
  await eventually(
    async () => ((await isSo()) ? what : `not yet: ${what}`),
    (now) => now === what,
    withinMs,
  )
  return Math.round(performance.now() - startMs)
}

export { sleep }

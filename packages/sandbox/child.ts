import { fork } from 'node:child_process'
import { once } from 'node:events'
import { extname, join } from 'node:path'
import { z } from 'zod'

const HEAP_MIB = 1024
/** V8's default of 64 MiB fills up while a large world is built, and is never returned. */
const SEMI_SPACE_MIB = 8
/** Short, because the sandbox has sockets to close and nothing to save. */
const STOP_WITHIN_MS = 3_000

/** Why it cannot start, for the person who starts it. */
const Failed = z.object({ failed: z.string() })

const Ready = z.object({
  ready: z.object({
    url: z.string(),
    certificate: z.string(),
    demo: z.object({
      guildId: z.string(),
      voiceChannelId: z.string(),
      secondVoiceChannelId: z.string(),
      textChannelId: z.string(),
      applicationId: z.string(),
      botToken: z.string(),
    }),
  }),
})

export type SandboxFacts = z.infer<typeof Ready>['ready']

/** The stand-in Discord in a process of its own. */
export interface SandboxChild extends SandboxFacts {
  /** Pages of the bot's own that the sandbox's page leads to: `dashboard`, `docs`, or any other name. */
  setLinks(links: readonly { readonly name: string; readonly url: string }[]): void
  close(): Promise<void>
}

export interface SandboxChildOptions {
  /** 0 takes any free one. */
  readonly port: number
  readonly stateFile: string
  readonly logLevel: string
  /** Environment variables of the process besides its settings. Defaults to none. */
  readonly env?: Readonly<Record<string, string>>
  /** Whether Discord's rate limits of REST and of identifies are enforced. Defaults to true. */
  readonly limits?: boolean
  /** Heartbeat interval sent to bots. Defaults to Discord's. */
  readonly heartbeatMs?: number
  /** Whether the bot of the demo has Activities. Defaults to what it had in an earlier run. */
  readonly activities?: boolean
  /** The process ended on its own; the bots in it are gone. */
  onExit(code: number | null): void
}

/**
 * Resolves when it is ready.
 * @throws {Error} that says why it cannot start; the reason of `signal` when that aborts. The process is gone then.
 */
export async function forkSandbox(options: SandboxChildOptions, signal?: AbortSignal): Promise<SandboxChild> {
  const { port, stateFile, logLevel, env, heartbeatMs, limits = true, activities } = options
  // TypeScript here, JavaScript in the package.
  const main = join(import.meta.dirname, `main${extname(import.meta.filename)}`)
  const child = fork(main, {
    execArgv: [`--max-old-space-size=${HEAP_MIB}`, `--max-semi-space-size=${SEMI_SPACE_MIB}`],
    env: {
      ...env,
      SANDBOX_PORT: String(port),
      SANDBOX_STATE: stateFile,
      LOG_LEVEL: logLevel,
      SANDBOX_LIMITS: limits ? 'on' : 'off',
      ...(activities === undefined ? {} : { SANDBOX_ACTIVITIES: activities ? 'on' : 'off' }),
      ...(heartbeatMs === undefined ? {} : { SANDBOX_HEARTBEAT_MS: String(heartbeatMs) }),
    },
  })
  let isClosing = false
  const exited = once(child, 'exit')
  child.once('exit', (code) => {
    if (!isClosing) options.onExit(code)
  })
  try {
    const died = exited.then(() => {
      throw new Error('The sandbox exited during its start. See its log for the cause.')
    })
    const [message] = await Promise.race([once(child, 'message', { signal }), died])
    const failure = Failed.safeParse(message)
    if (failure.success) throw new Error(failure.data.failed)
    const { ready } = Ready.parse(message)
    const setLinks: SandboxChild['setLinks'] = (links) => {
      // A sandbox that has just gone has said so by `onExit`.
      if (child.connected) child.send({ links }, () => undefined)
    }
    return { ...ready, setLinks, close }
  } catch (error) {
    await close()
    throw error
  }

  async function close(): Promise<void> {
    isClosing = true
    if (child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGTERM')
    const patience = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS)
    await exited
    clearTimeout(patience)
  }
}

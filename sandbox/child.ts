import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'

const READY_WITHIN_MS = 15_000
/** It has sockets to close and nothing to save. */
const STOP_WITHIN_MS = 3_000

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
  close(): Promise<void>
}

export interface SandboxChildOptions {
  /** 0 takes any free one. */
  readonly port: number
  readonly stateFile: string
  readonly logLevel: string
  /** How often bots are told to beat; as seldom as Discord asks for it unless told. */
  readonly heartbeatMs?: number
  /** The process ended by itself; the bots in it are gone. */
  onExit(code: number | null): void
}

/** @throws {Error} when it does not come up within 15 s. */
export async function forkSandbox(options: SandboxChildOptions): Promise<SandboxChild> {
  const { port, stateFile, logLevel, heartbeatMs } = options
  const child = fork(fileURLToPath(new URL('main.ts', import.meta.url)), {
    env: {
      SANDBOX_PORT: String(port),
      SANDBOX_STATE: stateFile,
      LOG_LEVEL: logLevel,
      ...(heartbeatMs === undefined ? {} : { SANDBOX_HEARTBEAT_MS: String(heartbeatMs) }),
    },
  })
  let isClosing = false
  const exited = once(child, 'exit')
  child.once('exit', (code) => {
    if (!isClosing) options.onExit(code)
  })
  const timeout = AbortSignal.timeout(READY_WITHIN_MS)
  try {
    const died = exited.then(() => {
      throw new Error('The sandbox ended while it started; its log says why.')
    })
    const [message] = await Promise.race([once(child, 'message', { signal: timeout }), died])
    const { ready } = Ready.parse(message)
    return { ...ready, close }
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

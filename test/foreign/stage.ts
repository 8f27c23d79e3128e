import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import { makeAudio } from '../support/audio-files.ts'
import { eventually, fetchJson, type Answer } from '../support/service.ts'

/** Tone that the bots play. */
export const TONE_HZ = 440
const SONG_SECONDS = 60
const ANSWER_WITHIN_MS = 30_000

/** A sandbox as `npx` starts it, with Discord's limits, and a song. */
export interface Stage {
  readonly sandbox: Sandbox
  /** Ogg Opus, which is sent unchanged, and MP3 for libraries that decode everything. */
  readonly song: { readonly ogg: string; readonly mp3: string }
  /** A member who acts, and one who listens. */
  readonly members: readonly [string, string]
  control(method: string, path: string, body?: unknown): Promise<Answer>
  /** A bot of a foreign library, logged in as an application of its own. */
  startBot(library: string): Promise<ForeignBot>
  close(): Promise<void>
}

/** Calls that a test makes to a bot; each is a function in the library's file. */
type Call = 'start' | 'register' | 'say' | 'edit' | 'react' | 'remove' | 'upload' | Further | 'join' | 'leave' | 'close'

/** Calls to discord.py: a direct message, and an attempt at voice. */
type Further = 'write' | 'speak'

export interface ForeignBot {
  readonly userId: string
  /** Events that the bot received, and its errors: `message !ping`. */
  readonly told: readonly string[]
  call(call: Call, ...args: readonly unknown[]): Promise<unknown>
  /** Resolves when the bot was told this, and how often. */
  hears(what: string, times?: number): Promise<void>
  close(): Promise<void>
}

export async function openStage(): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'bandstand-foreign-'))
  const song = {
    ogg: makeAudio(join(folder, 'song.ogg'), { seconds: SONG_SECONDS, options: ['-c:a', 'libopus', '-b:a', '64k'] }),
    mp3: makeAudio(join(folder, 'song.mp3'), { seconds: SONG_SECONDS }),
  }
  const sandbox = await startSandbox({
    port: 0,
    stateFile: null,
    limits: false,
    demoMember: false,
    log: pino({ level: 'silent' }),
  })
  const certificateFile = join(folder, 'certificate.pem')
  writeFileSync(certificateFile, sandbox.certificate)
  const control: Stage['control'] = (method, path, body) => fetchJson(`${sandbox.url}/sandbox${path}`, method, body, {})
  const [actor = '', listener = ''] = sandbox.demo.memberIds
  return {
    sandbox,
    song,
    members: [actor, listener],
    control,
    async startBot(library) {
      const { body } = await control('POST', '/applications', { name: library, guildIds: [sandbox.demo.guildId] })
      return startBot(library, { url: sandbox.url, token: body.token, certificateFile })
    },
    async close() {
      await sandbox.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Starting {
  readonly url: string
  readonly token: string
  readonly certificateFile: string
}

interface Reply {
  readonly id?: number
  readonly result?: unknown
  readonly error?: string
  readonly told?: { readonly what: string; readonly detail?: string }
}

/** Only the address of the API differs from a bot on Discord; voice is TLS, whose certificate the process trusts. */
async function startBot(library: string, { url, token, certificateFile }: Starting): Promise<ForeignBot> {
  const child = fork(join(import.meta.dirname, 'bot.mjs'), [library], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_EXTRA_CA_CERTS: certificateFile },
  })
  const told: string[] = []
  const waiting = new Map<number, (reply: Reply) => void>()
  let lastId = 0
  child.on('message', (reply: Reply) => {
    if (reply.told) told.push(`${reply.told.what} ${reply.told.detail ?? ''}`.trim())
    else waiting.get(reply.id ?? 0)?.(reply)
  })
  const exited = once(child, 'exit').then(([code]) => {
    throw new Error(`The bot of ${library} ended with ${code}; it was told: ${told.slice(-10).join(', ')}`)
  })
  exited.catch(() => undefined)

  const call: ForeignBot['call'] = async (name, ...args) => {
    const id = ++lastId
    const answered = new Promise<Reply>((resolve) => waiting.set(id, resolve))
    child.send({ id, call: name, args })
    const timeout = AbortSignal.timeout(ANSWER_WITHIN_MS)
    const late = once(timeout, 'abort').then(() => {
      throw new Error(`${library} did not ${name} in time; it was told: ${told.slice(-10).join(', ')}`)
    })
    const { result, error } = await Promise.race([answered, exited, late])
    if (error !== undefined) throw new Error(`${library}: ${error}`)
    return result
  }

  const { userId } = (await call('start', { url, token })) as { userId: string }
  return {
    userId,
    told,
    call,
    async hears(what, times = 1) {
      await eventually(
        () => told.filter((one) => one === what).length,
        (count) => count >= times,
        ANSWER_WITHIN_MS,
      ).catch(() => {
        throw new Error(`${library} was not told «${what}»; it was told: ${told.slice(-12).join(', ')}`)
      })
    },
    async close() {
      await call('close')
      child.disconnect()
      await once(child, 'exit')
    },
  }
}

import { Bot } from '../discord/bot.ts'
import { TestGuild } from '../discord/test-guild.ts'
import { connectSandbox } from '../discord/sandbox.ts'
import { openMedia, type MediaOptions } from '../media/server.ts'
import type { Verdict } from '../server/protocol.ts'
import type { ServerAddress } from '../server/rest.ts'
import { ServerView } from '../server/views.ts'

/** Identifiers of a playlist and a search on this server, which the suite cannot know by itself. */
interface Fixtures {
  readonly playlist: string | null
  readonly search: string | null
}

export interface SuiteOptions {
  readonly server: ServerAddress
  /** Null: no check of voice runs. */
  readonly sandboxUrl: string | null
  readonly media: MediaOptions
  readonly fixtures: Fixtures
}

/** Faults in the messages of one kind. */
interface KindVerdicts {
  messages: number
  readonly documented: string[]
  readonly library: string[]
}

/** State that all checks of a run share. */
export type SuiteContext = Awaited<ReturnType<typeof openSuite>>

const FAULTS_KEPT = 20
const INFO_TIMEOUT_MS = 15_000

/** @throws {Error} that says what cannot be reached. */
export async function openSuite({ server, sandboxUrl, media: at, fixtures }: SuiteOptions) {
  /** The server's own description; null if it gives none. */
  const info = await askInfo(server)
  const sandbox = sandboxUrl === null ? null : await connectSandbox(sandboxUrl)
  const bot = sandbox === null ? null : await Bot.logIn(sandbox, await sandbox.createBot())
  const media = await openMedia(at)
  /** Verdicts by the op of the messages, or the type of events. */
  const verdicts = new Map<string, KindVerdicts>()
  return {
    server,
    media,
    bot,
    fixtures,
    info,
    verdicts,
    /** Every message of every socket, as it came. */
    judged: (message: unknown, { kind, documented, library }: Verdict): void => {
      const own = verdicts.get(kind) ?? { messages: 0, documented: [], library: [] }
      verdicts.set(kind, own)
      own.messages++
      keep(own.documented, documented, message)
      keep(own.library, library, message)
    },
    createGuild: () => TestGuild.create(need(sandbox), need(bot)),
    async close() {
      bot?.close()
      await media.close()
    },
  }
}

function keep(faults: string[], fault: string | null, message: unknown): void {
  if (fault !== null && faults.length < FAULTS_KEPT) faults.push(`${fault} in ${JSON.stringify(message)}`)
}

function need<T>(value: T | null): T {
  if (value === null) throw new Error('There is no sandbox.')
  return value
}

async function askInfo({ url, password }: ServerAddress): Promise<ServerView | null> {
  const signal = AbortSignal.timeout(INFO_TIMEOUT_MS)
  const response = await fetch(`${url}/v4/info`, { headers: { authorization: password }, signal }).catch(
    (error: unknown) => {
      throw new Error(`${url} does not answer.`, { cause: error })
    },
  )
  if (response.status === 401 || response.status === 403)
    throw new Error(`${url} refuses the password (${response.status}); give it with --password.`)
  const { data } = ServerView.safeParse(await response.json().catch(() => null))
  return data ?? null
}

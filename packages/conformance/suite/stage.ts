import type { TestGuild } from '../discord/test-guild.ts'
import type { Media } from '../media/server.ts'
import { createRest, type Answer, type Rest, type ServerAddress } from '../server/rest.ts'
import { LoadView, TrackView } from '../server/views.ts'
import { Session, type SessionOptions } from '../server/session.ts'
import type { SuiteContext } from './suite-context.ts'
import { eventually, holds, shaped, skip } from './expect.ts'

/** The tools of a check. Everything that it opens here is closed after it. */
export interface Stage {
  readonly server: ServerAddress
  readonly media: Media
  readonly suite: SuiteContext
  readonly rest: Rest
  readonly signal: AbortSignal
  /** A socket and its session, after `ready`. */
  connect(options?: Partial<SessionOptions>): Promise<Session>
  /** A socket of which nothing was read yet. */
  dial(options?: Partial<SessionOptions>): Promise<Session>
  /** A guild of this check's own; skips the check where there is no sandbox. */
  createGuild(): Promise<TestGuild>
  load(identifier: string): Promise<LoadView>
  /** The one track that an address of a sound gives. */
  track(identifier: string): Promise<TrackView>
  /** A bot in a voice channel with a listener beside it, connected through the server. */
  joined(): Promise<Playing>
  /** The same, and this sound plays. */
  playing(identifier: string, patch?: Record<string, unknown>): Promise<Playing>
}

export type Playing = Awaited<ReturnType<typeof join>>

/** A guild in which there is no voice: for checks of players that need none. */
export const SOME_GUILD = '817327181659111454'
const SOME_USER = '170939974227541168'

const LINES_KEPT = 60
const LINE_CHARS = 400

export interface OpenStage extends Stage {
  /** The last requests and messages, for the report of a failure. */
  readonly transcript: readonly string[]
  close(): Promise<void>
}

export function openStage(suite: SuiteContext, signal: AbortSignal): OpenStage {
  const { server, media } = suite
  const transcript: string[] = []
  const closers: (() => Promise<void>)[] = []
  const record = (line: string): void => {
    transcript.push(line.length > LINE_CHARS ? `${line.slice(0, LINE_CHARS)}…` : line)
    if (transcript.length > LINES_KEPT) transcript.shift()
  }
  const rest = createRest(server, record, signal)

  const dial: Stage['dial'] = async (options = {}) => {
    const userId = options.userId ?? suite.bot?.id ?? SOME_USER
    const tools = { server, rest, record, onVerdict: suite.judged }
    const session = await Session.open({ userId, ...options }, tools)
    closers.push(() => session.close())
    return session
  }
  const connect: Stage['connect'] = async (options) => {
    const session = await dial(options)
    await session.ready()
    return session
  }
  const createGuild: Stage['createGuild'] = async () => {
    if (suite.bot === null) return skip('There is no sandbox to speak in (--no-voice).')
    const testGuild = await suite.createGuild()
    closers.push(() => testGuild.close())
    return testGuild
  }
  const base = { server, media, suite, rest, signal, dial, connect, createGuild }
  const joined = () => join(base)
  return {
    ...base,
    transcript,
    joined,
    load: (identifier) => load(rest, identifier),
    track: (identifier) => loadTrack(rest, identifier),
    async playing(identifier, patch = {}) {
      const { encoded } = await loadTrack(rest, identifier)
      const playing = await joined()
      await playing.update({ track: { encoded }, ...patch })
      return playing
    },
    async close() {
      // Close in reverse order; a failure to close one must not keep the rest open.
      await Promise.allSettled(closers.toReversed().map((close) => close()))
    },
  }
}

async function join({ createGuild, connect }: Pick<Stage, 'createGuild' | 'connect'>) {
  const testGuild = await createGuild()
  const listener = await testGuild.listen()
  const session = await connect()
  const { guildId } = testGuild
  /** The voice data that the client passed on. */
  const voice = await testGuild.join()
  await session.update(guildId, { voice })
  await eventually('the voice client of the bot is connected', () => testGuild.isConnected())
  return {
    session,
    testGuild,
    listener,
    guildId,
    voice,
    update: (body: unknown) => session.update(guildId, body),
    player: () => session.player(guildId),
  }
}

async function load(rest: Rest, identifier: string): Promise<LoadView> {
  const answer = await rest('GET', '/v4/loadtracks', { query: { identifier } })
  holds('loadtracks answers 200.', answer.status === 200, 'status 200', `${answer.status} ${answer.text}`)
  return shaped('The answer is a load result.', LoadView, answer.body)
}

async function loadTrack(rest: Rest, identifier: string): Promise<TrackView> {
  const result = await load(rest, identifier)
  holds('The address of a sound loads as a track.', result.loadType === 'track', 'loadType track', result)
  return shaped('The track has its token.', TrackView, result.data)
}

/** Whether an answer is a refusal for the client's own fault. */
export function refused(what: string, answer: Answer, status = 400): void {
  holds(what, answer.status === status, `status ${status}`, `${answer.status} ${answer.text}`)
}

import { SessionState } from '../../server/schemas.ts'
import { MessageView, StatsView } from '../../server/views.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { rest, RESUMING, source, websocket } from '../../suite/docs.ts'
import { equal, eventually, holds, shaped } from '../../suite/expect.ts'
import { SOME_GUILD, type Stage } from '../../suite/stage.ts'

export async function updateSession(stage: Stage, sessionId: string, body: unknown) {
  const answer = await stage.rest('PATCH', `/v4/sessions/${sessionId}`, { body })
  equal('The session takes the update.', answer.status, 200)
  const { resuming, timeout } = shaped('The answer is a session.', SessionState, answer.body)
  return { resuming, timeout }
}

function framesOf(message: unknown): StatsView['frameStats'] {
  return MessageView.safeParse(message).data?.op === 'stats' ? StatsView.safeParse(message).data?.frameStats : null
}

export const SESSION_CHECKS: readonly Check[] = [
  must('sessions.ready', websocket('ready-op'), {
    title: 'The first message is ready, with a session id and resumed false.',
    async run(stage) {
      const session = await stage.dial()
      const { resumed } = await session.ready()
      equal('resumed', resumed, false)
      equal('op of the first message', session.firstOp, 'ready')
    },
  }),
  must('sessions.header', RESUMING, {
    title: 'The handshake answers Session-Resumed: false for a new session.',
    run: async (stage) => equal('Session-Resumed', (await stage.dial()).resumedHeader, 'false'),
  }),
  must('sessions.unique', websocket('ready-op'), {
    title: 'Every socket has a session of its own, also of the same bot.',
    async run(stage) {
      const [one, other] = [await stage.connect(), await stage.connect()]
      holds('The ids differ.', one.id !== other.id, 'two ids', one.id)
    },
  }),
  must('sessions.defaults', rest('update-session'), {
    title: 'A new session does not resume, and its timeout is 60 seconds.',
    async run(stage) {
      const { id } = await stage.connect()
      equal('The session', await updateSession(stage, id, {}), { resuming: false, timeout: 60 })
    },
  }),
  must('sessions.update', rest('update-session'), {
    title: 'resuming and timeout change, each by itself.',
    async run(stage) {
      const { id } = await stage.connect()
      equal('resuming', await updateSession(stage, id, { resuming: true }), { resuming: true, timeout: 60 })
      equal('timeout', await updateSession(stage, id, { timeout: 7 }), { resuming: true, timeout: 7 })
      equal('both', await updateSession(stage, id, { resuming: false, timeout: 9 }), { resuming: false, timeout: 9 })
    },
  }),
  should('sessions.unknown-fields', source('io/SessionRestHandler.kt'), {
    title: 'Fields of a session that are not documented are ignored.',
    async run(stage) {
      const { id } = await stage.connect()
      equal('The session', await updateSession(stage, id, { surprise: 1 }), { resuming: false, timeout: 60 })
    },
  }),
  must('sessions.end', RESUMING, {
    title: 'A session that does not resume ends with its socket.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, {})
      await session.close()
      await eventually('the session is gone', async () => (await stage.rest('GET', session.path())).status === 404)
    },
  }),
  must('sessions.end-voice', RESUMING, {
    title: 'Its voice connections are closed then.',
    async run(stage) {
      const { session, testGuild } = await stage.playing(stage.media.wave('tone-440', 30))
      equal('The bot is connected.', await testGuild.isConnected(), true)
      await session.close()
      await eventually('the bot is not connected', async () => !(await testGuild.isConnected()))
    },
  }),
  must('sessions.cut', RESUMING, {
    title: 'A socket that is cut ends its session as one that is closed.',
    async run(stage) {
      const session = await stage.connect()
      await session.close('cut')
      await eventually('the session is gone', async () => (await stage.rest('GET', session.path())).status === 404)
    },
  }),
  should('sessions.stats-first', source('io/SocketContext.kt'), {
    title: 'The first stats come right after ready.',
    run: async (stage) => void (await (await stage.connect()).stats({ withinMs: 5000 })),
  }),
  must('sessions.stats', websocket('stats-op'), {
    title: 'stats come at least once a minute.',
    seconds: 75,
    run: async (stage) => void (await (await stage.connect()).stats({ withinMs: 65_000 })),
  }),
  must('sessions.stats-frames', websocket('frame-stats'), {
    title: 'The stats of a session that has played for a minute count its frames: about 3000.',
    isSlow: true,
    seconds: 200,
    async run(stage) {
      const { session } = await stage.playing(stage.media.wave('tone-440', 200))
      const frames = await session.find('stats with frames', framesOf, { withinMs: 190_000 })
      holds('About 3000 were sent.', frames.sent > 2500 && frames.sent < 3100, '2500 to 3100', frames)
    },
  }),
  must('sessions.isolated', websocket('event-op'), {
    title: 'A session hears nothing of the players of another one.',
    async run(stage) {
      const stranger = await stage.connect()
      const { session, guildId, update } = await stage.playing(stage.media.wave('tone-440', 20))
      await session.event('TrackStartEvent', guildId)
      await update({ track: { encoded: null } })
      await session.event('TrackEndEvent', guildId)
      const seen = stranger.arrivals.filter(({ value }) => (value as { guildId?: string }).guildId !== undefined)
      equal('What the other session heard', seen, [])
    },
  }),
]

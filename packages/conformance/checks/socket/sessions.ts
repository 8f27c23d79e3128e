import { SessionState } from '../../server/schemas.ts'
import { MessageView, StatsView } from '../../server/views.ts'
import type { Check } from '../../suite/check.ts'
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
  {
    id: 'sessions.ready',
    level: 'must',
    title: 'The first message is ready, with a session id and resumed false.',
    link: websocket('ready-op'),
    async run(stage) {
      const session = await stage.dial()
      const { resumed } = await session.ready()
      equal('resumed', resumed, false)
      equal('op of the first message', session.firstOp, 'ready')
    },
  },
  {
    id: 'sessions.header',
    level: 'must',
    title: 'The handshake answers Session-Resumed: false for a new session.',
    link: RESUMING,
    run: async (stage) => equal('Session-Resumed', (await stage.dial()).resumedHeader, 'false'),
  },
  {
    id: 'sessions.unique',
    level: 'must',
    title: 'Every socket has a session of its own, also of the same bot.',
    link: websocket('ready-op'),
    async run(stage) {
      const [one, other] = [await stage.connect(), await stage.connect()]
      holds('The ids differ.', one.id !== other.id, 'two ids', one.id)
    },
  },
  {
    id: 'sessions.defaults',
    level: 'must',
    title: 'A new session does not resume, and its timeout is 60 seconds.',
    link: rest('update-session'),
    async run(stage) {
      const { id } = await stage.connect()
      equal('The session', await updateSession(stage, id, {}), { resuming: false, timeout: 60 })
    },
  },
  {
    id: 'sessions.update',
    level: 'must',
    title: 'resuming and timeout change, each by itself.',
    link: rest('update-session'),
    async run(stage) {
      const { id } = await stage.connect()
      equal('resuming', await updateSession(stage, id, { resuming: true }), { resuming: true, timeout: 60 })
      equal('timeout', await updateSession(stage, id, { timeout: 7 }), { resuming: true, timeout: 7 })
      equal('both', await updateSession(stage, id, { resuming: false, timeout: 9 }), { resuming: false, timeout: 9 })
    },
  },
  {
    id: 'sessions.unknown-fields',
    level: 'should',
    title: 'Fields of a session that are not documented are ignored.',
    link: source('io/SessionRestHandler.kt'),
    async run(stage) {
      const { id } = await stage.connect()
      equal('The session', await updateSession(stage, id, { surprise: 1 }), { resuming: false, timeout: 60 })
    },
  },
  {
    id: 'sessions.end',
    level: 'must',
    title: 'A session that does not resume ends with its socket.',
    link: RESUMING,
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, {})
      await session.close()
      await eventually('the session is gone', async () => (await stage.rest('GET', session.path())).status === 404)
    },
  },
  {
    id: 'sessions.end-voice',
    level: 'must',
    title: 'Its voice connections are closed then.',
    link: RESUMING,
    async run(stage) {
      const { session, testGuild } = await stage.playing(stage.media.wave('tone-440', 30))
      equal('The bot is connected.', await testGuild.isConnected(), true)
      await session.close()
      await eventually('the bot is not connected', async () => !(await testGuild.isConnected()))
    },
  },
  {
    id: 'sessions.cut',
    level: 'must',
    title: 'A socket that is cut ends its session as one that is closed.',
    link: RESUMING,
    async run(stage) {
      const session = await stage.connect()
      await session.close('cut')
      await eventually('the session is gone', async () => (await stage.rest('GET', session.path())).status === 404)
    },
  },
  {
    id: 'sessions.stats-first',
    level: 'should',
    title: 'The first stats come right after ready.',
    link: source('io/SocketContext.kt'),
    run: async (stage) => void (await (await stage.connect()).stats({ withinMs: 5000 })),
  },
  {
    id: 'sessions.stats',
    level: 'must',
    title: 'stats come at least once a minute.',
    link: websocket('stats-op'),
    seconds: 75,
    run: async (stage) => void (await (await stage.connect()).stats({ withinMs: 65_000 })),
  },
  {
    id: 'sessions.stats-frames',
    level: 'must',
    title: 'The stats of a session that has played for a minute count its frames: about 3000.',
    link: websocket('frame-stats'),
    isSlow: true,
    seconds: 200,
    async run(stage) {
      const { session } = await stage.playing(stage.media.wave('tone-440', 200))
      const frames = await session.find('stats with frames', framesOf, { withinMs: 190_000 })
      holds('About 3000 were sent.', frames.sent > 2500 && frames.sent < 3100, '2500 to 3100', frames)
    },
  },
  {
    id: 'sessions.isolated',
    level: 'must',
    title: 'A session hears nothing of the players of another one.',
    link: websocket('event-op'),
    async run(stage) {
      const stranger = await stage.connect()
      const { session, guildId, update } = await stage.playing(stage.media.wave('tone-440', 20))
      await session.event('TrackStartEvent', guildId)
      await update({ track: { encoded: null } })
      await session.event('TrackEndEvent', guildId)
      const seen = stranger.arrivals.filter(({ value }) => (value as { guildId?: string }).guildId !== undefined)
      equal('What the other session heard', seen, [])
    },
  },
]

import type { Session } from '../../server/session.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { RESUMING, source, websocket } from '../../suite/docs.ts'
import { equal, eventually, holds, within } from '../../suite/expect.ts'
import { loudness, SILENT } from '../../sound/measure.ts'
import { SOME_GUILD, type Stage } from '../../suite/stage.ts'
import { updateSession } from './sessions.ts'

/** A session that may come back, whose socket was cut. */
async function cutOff(stage: Stage, session: Session, timeout = 60): Promise<void> {
  await updateSession(stage, session.id, { resuming: true, timeout })
  await session.close('cut')
}

const resume = (stage: Stage, session: Session) => stage.dial({ headers: { 'session-id': session.id } })

/** The server has to notice the cut first; until then it takes the session for a live one. */
async function resumed(stage: Stage, session: Session): Promise<Session> {
  let back: Session | null = null
  await eventually('the session resumes', async () => {
    back = await resume(stage, session)
    if ((await back.ready()).resumed === true) return true
    await back.close()
    return false
  })
  if (back === null) throw new Error('There is no session.')
  return back
}

export const RESUMING_CHECKS: readonly Check[] = [
  must('resuming.ready', RESUMING, {
    title: 'A session that resumes says so in ready, which comes first, and keeps its id.',
    async run(stage) {
      const session = await stage.connect()
      await cutOff(stage, session)
      const back = await resumed(stage, session)
      const { resumed: isResumed, sessionId } = await back.ready()
      equal('ready', { isResumed, sessionId }, { isResumed: true, sessionId: session.id })
      equal('op of the first message', back.firstOp, 'ready')
    },
  }),
  must('resuming.header', RESUMING, {
    title: 'The handshake of a session that resumes answers Session-Resumed: true.',
    async run(stage) {
      const session = await stage.connect()
      await cutOff(stage, session)
      equal('Session-Resumed', (await resumed(stage, session)).resumedHeader, 'true')
    },
  }),
  must('resuming.players', RESUMING, {
    title: 'Its players are as they were.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { volume: 61, paused: true })
      await cutOff(stage, session)
      const back = await resumed(stage, session)
      await back.ready()
      const { volume, paused } = await back.player(SOME_GUILD)
      equal('The player', { volume, paused }, { volume: 61, paused: true })
    },
  }),
  must('resuming.music', RESUMING, {
    title: 'The music goes on while the client is away, and can be controlled after it.',
    async run(stage) {
      const { session, listener, guildId } = await stage.playing(stage.media.wave('tone-440', 60))
      await listener.until('the music', (sound) => loudness(sound) > SILENT)
      await cutOff(stage, session)
      const away = await listener.hear(2000)
      holds('It is heard while the client is away.', loudness(away) > SILENT, 'sound', loudness(away))
      const back = await resumed(stage, session)
      await back.ready()
      await back.update(guildId, { paused: true })
      await listener.until('silence', (sound) => loudness(sound) < SILENT)
    },
  }),
  must('resuming.missed', RESUMING, {
    title: 'Events that came meanwhile follow ready, in their order and once.',
    seconds: 40,
    async run(stage) {
      const { session, guildId, listener } = await stage.playing(stage.media.wave('tone-440', 3))
      await session.event('TrackStartEvent', guildId)
      await cutOff(stage, session)
      await listener.until('the end of the track', (sound) => loudness(sound) < SILENT, {
        windowMs: 1500,
        withinMs: 15_000,
      })
      const back = await resumed(stage, session)
      await back.ready()
      await back.event('TrackEndEvent', guildId)
      // A repeated event would have arrived before a later one.
      await back.update(guildId, { track: { encoded: (await stage.track(stage.media.wave('tone-550', 9))).encoded } })
      await back.event('TrackStartEvent', guildId)
      equal('The events', back.events(guildId), ['TrackEndEvent:finished', 'TrackStartEvent'])
    },
  }),
  should('resuming.updates', source('io/SocketContext.kt'), {
    title: 'A player update of every player follows.',
    async run(stage) {
      const { session, guildId } = await stage.playing(stage.media.wave('tone-440', 60))
      await session.event('TrackStartEvent', guildId)
      await cutOff(stage, session)
      const back = await resumed(stage, session)
      await back.ready()
      const { connected } = await back.playerUpdate(guildId, () => true, { withinMs: 2000 })
      equal('connected', connected, true)
    },
  }),
  must('resuming.position', websocket('player-state'), {
    title: 'Its position went on meanwhile.',
    async run(stage) {
      const { session, guildId, listener } = await stage.playing(stage.media.wave('tone-440', 60))
      await listener.until('the music', (sound) => loudness(sound) > SILENT)
      const before = (await session.player(guildId)).state
      await cutOff(stage, session)
      await listener.hear(3000)
      const back = await resumed(stage, session)
      await back.ready()
      const { position, time } = (await back.player(guildId)).state
      within('Position less clock, in ms', position - before.position - (time - before.time), -1200, 1200)
    },
  }),
  must('resuming.again', RESUMING, {
    title: 'A session resumes more than once.',
    async run(stage) {
      const session = await stage.connect()
      await cutOff(stage, session)
      const back = await resumed(stage, session)
      await back.ready()
      await back.close('cut')
      equal('The third socket', (await (await resumed(stage, session)).ready()).sessionId, session.id)
    },
  }),
  should('resuming.closed', source('io/SocketServer.kt'), {
    title: 'It resumes as well after a client closed its socket properly.',
    async run(stage) {
      const session = await stage.connect()
      await updateSession(stage, session.id, { resuming: true })
      await session.close()
      equal('sessionId', (await (await resumed(stage, session)).ready()).sessionId, session.id)
    },
  }),
  must('resuming.timeout', RESUMING, {
    title: 'After its timeout a session is gone, its voice too, and does not resume.',
    seconds: 40,
    async run(stage) {
      const { session, testGuild } = await stage.playing(stage.media.wave('tone-440', 60))
      await cutOff(stage, session, 1)
      await eventually('the bot is not connected', async () => !(await testGuild.isConnected()), 15_000)
      const back = await resume(stage, session)
      const { resumed: isResumed, sessionId } = await back.ready()
      equal('Session-Resumed', back.resumedHeader, 'false')
      equal('resumed', isResumed, false)
      holds('The id is another one.', sessionId !== session.id, 'another id', sessionId)
    },
  }),
  must('resuming.within', RESUMING, {
    title: 'Until its timeout a session waits.',
    async run(stage) {
      const { session, testGuild, listener } = await stage.playing(stage.media.wave('tone-440', 60))
      await cutOff(stage, session, 20)
      await listener.hear(4000)
      equal('The bot is connected.', await testGuild.isConnected(), true)
    },
  }),
  must('resuming.unknown', RESUMING, {
    title: 'An unknown Session-Id gives a new session, and the header says false.',
    async run(stage) {
      const back = await stage.dial({ headers: { 'session-id': 'nosuchsession' } })
      const { resumed: isResumed, sessionId } = await back.ready()
      equal('Session-Resumed', back.resumedHeader, 'false')
      equal('resumed', isResumed, false)
      holds('The id is not the one asked for.', sessionId !== 'nosuchsession', 'another id', sessionId)
    },
  }),
  must('resuming.off', RESUMING, {
    title: 'A session for which resuming is off does not resume.',
    async run(stage) {
      const session = await stage.connect()
      await session.close()
      await eventually('the session is gone', async () => (await stage.rest('GET', session.path())).status === 404)
      const back = await resume(stage, session)
      equal('Session-Resumed', back.resumedHeader, 'false')
      equal('resumed', (await back.ready()).resumed, false)
    },
  }),
  should('resuming.live', source('io/SocketServer.kt'), {
    title: 'A session whose socket is open cannot be taken over.',
    async run(stage) {
      const session = await stage.connect()
      await updateSession(stage, session.id, { resuming: true })
      const other = await resume(stage, session)
      equal('resumed', (await other.ready()).resumed, false)
      await session.update(SOME_GUILD, {})
    },
  }),
]

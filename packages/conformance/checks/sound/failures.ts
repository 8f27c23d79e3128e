import { must, should, type Check } from '../../suite/check.ts'
import { rest, source, websocket } from '../../suite/docs.ts'
import { equal, holds, oneOf, within } from '../../suite/expect.ts'
import type { Playing, Stage } from '../../suite/stage.ts'
import { isSound } from './heard.ts'

/** A track that loads, and whose file is gone when it is to be played. */
async function vanished(stage: Stage): Promise<Playing> {
  const { url, vanish } = stage.media.vanishing()
  const { encoded } = await stage.track(url)
  const playing = await stage.joined()
  vanish()
  await playing.update({ track: { encoded } })
  return playing
}

export const FAILURE_CHECKS: readonly Check[] = [
  must('failures.exception', websocket('trackexceptionevent'), {
    title: 'A track that cannot be opened throws a TrackExceptionEvent.',
    seconds: 40,
    async run(stage) {
      const { session, guildId } = await vanished(stage)
      await session.event('TrackExceptionEvent', guildId, { withinMs: 25_000 })
    },
  }),
  must('failures.load-failed', websocket('track-end-reason'), {
    title: 'It ends as loadFailed, after the exception.',
    seconds: 40,
    async run(stage) {
      const { session, guildId } = await vanished(stage)
      const { reason } = await session.event('TrackEndEvent', guildId, { withinMs: 25_000 })
      equal('reason', reason, 'loadFailed')
      const seen = session.events(guildId).filter((name) => name !== 'TrackStartEvent')
      equal('The events', seen, ['TrackExceptionEvent', 'TrackEndEvent:loadFailed'])
    },
  }),
  must('failures.exception-facts', websocket('exception-object'), {
    title: 'The exception has a message, a severity, a cause and its stack trace; the track is the one that failed.',
    seconds: 40,
    async run(stage) {
      const { session, guildId } = await vanished(stage)
      const { exception, track } = await session.event('TrackExceptionEvent', guildId, { withinMs: 25_000 })
      holds('There is a cause.', exception.cause !== '', 'a text', exception.cause)
      holds(
        'The track has its address.',
        track?.info.uri?.startsWith(stage.media.url) === true,
        stage.media.url,
        track?.info.uri,
      )
    },
  }),
  must('failures.severity', websocket('severity'), {
    title: 'The severity of the exception is one of common, suspicious and fault.',
    seconds: 40,
    async run(stage) {
      const { session, guildId } = await vanished(stage)
      const { exception } = await session.event('TrackExceptionEvent', guildId, { withinMs: 25_000 })
      oneOf('severity', exception.severity, ['common', 'suspicious', 'fault'])
    },
  }),
  must('failures.next', websocket('track-end-reason'), {
    title: 'After a failure the next track plays.',
    seconds: 40,
    async run(stage) {
      const { session, guildId, update, listener } = await vanished(stage)
      await session.event('TrackEndEvent', guildId, { withinMs: 25_000 })
      await update({ track: { encoded: (await stage.track(stage.media.wave('tone-440', 20))).encoded } })
      await listener.until('sound', isSound)
    },
  }),
  must('failures.mid-track', websocket('trackexceptionevent'), {
    title: 'A track whose transfer breaks off throws an exception or ends; the player does not hang.',
    seconds: 60,
    async run(stage) {
      const { session, guildId } = await stage.playing(stage.media.broken('cut', 4))
      const { reason } = await session.event('TrackEndEvent', guildId, { withinMs: 45_000 })
      holds('It ended by itself.', reason === 'finished' || reason === 'loadFailed', 'finished or loadFailed', reason)
    },
  }),
  should('failures.mid-track-exception', source('player/EventEmitter.kt'), {
    title: 'The break is told as a TrackExceptionEvent before the end.',
    seconds: 60,
    async run(stage) {
      const { session, guildId } = await stage.playing(stage.media.broken('cut', 4))
      await session.event('TrackEndEvent', guildId, { withinMs: 45_000 })
      const seen = session.events(guildId)
      equal('The events but the last', seen.slice(0, -1), ['TrackStartEvent', 'TrackExceptionEvent'])
    },
  }),
  must('failures.stuck', websocket('trackstuckevent'), {
    title: 'A track that gives no sound any more is reported by a TrackStuckEvent.',
    seconds: 60,
    async run(stage) {
      const { session, guildId } = await stage.playing(stage.media.broken('stall', 4))
      await session.event('TrackStartEvent', guildId)
      const { track } = await session.event('TrackStuckEvent', guildId, { withinMs: 50_000 })
      holds(
        'The track has its address.',
        track?.info.uri?.startsWith(stage.media.url) === true,
        stage.media.url,
        track?.info.uri,
      )
    },
  }),
  should('failures.stuck-threshold', source('config/ServerConfig.kt'), {
    title: 'The threshold is 10 seconds, as Lavalink’s default.',
    seconds: 60,
    async run(stage) {
      const { session, guildId } = await stage.playing(stage.media.broken('stall', 4))
      const { thresholdMs } = await session.event('TrackStuckEvent', guildId, { withinMs: 50_000 })
      within('thresholdMs', thresholdMs, 9000, 11_000)
    },
  }),
  must('failures.stuck-free', rest('update-player'), {
    title: 'A stuck track can be replaced.',
    seconds: 60,
    async run(stage) {
      const { session, guildId, update, listener } = await stage.playing(stage.media.broken('stall', 3))
      await session.event('TrackStuckEvent', guildId, { withinMs: 50_000 })
      await update({ track: { encoded: (await stage.track(stage.media.wave('tone-440', 20))).encoded } })
      await listener.until('sound', isSound)
    },
  }),
]

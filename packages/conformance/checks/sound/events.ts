import type { StateView } from '../../server/views.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { rest, source, websocket } from '../../suite/docs.ts'
import { equal, holds, oneOf, within } from '../../suite/expect.ts'
import type { Playing, Stage } from '../../suite/stage.ts'
import { heardSeconds, isSilent, isSound, isTone } from './heard.ts'

const LONG = 60

/** Plays a track and waits for its start event. */
async function started(stage: Stage, url: string, patch: Record<string, unknown> = {}): Promise<Playing> {
  const playing = await stage.playing(url, patch)
  await playing.session.event('TrackStartEvent', playing.guildId)
  return playing
}

async function ended(playing: Playing, reason: string, withinMs?: number) {
  const options = withinMs === undefined ? {} : { withinMs }
  const event = await playing.session.event('TrackEndEvent', playing.guildId, options)
  equal('reason', event.reason, reason)
  return event
}

export const EVENT_CHECKS: readonly Check[] = [
  must('events.start', websocket('trackstartevent'), {
    title: 'TrackStartEvent comes with the track when it starts.',
    async run(stage) {
      const track = await stage.track(stage.media.wave('tone-440', LONG))
      const { session, guildId, update } = await stage.joined()
      await update({ track: { encoded: track.encoded } })
      const event = await session.event('TrackStartEvent', guildId)
      equal('encoded', event.track?.encoded, track.encoded)
      equal('identifier', event.track?.info.identifier, track.info.identifier)
    },
  }),
  must('events.finished', websocket('track-end-reason'), {
    title: 'A track that plays to its end ends as finished, after its length, and the player has none then.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('tone-440', 4))
      const begunMs = Date.now()
      await ended(playing, 'finished', 15_000)
      within('It took, in ms', Date.now() - begunMs, 2800, 7500)
      equal('track', (await playing.player()).track, null)
      await playing.listener.until('silence', isSilent)
    },
  }),
  must('events.whole', websocket('track-end-reason'), {
    title: 'A finished track was heard to its last second.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('stairs', 6), { position: 3000 })
      const last = playing.listener.until('the last half second', (sound) => isTone(400 + 30 * 11)(sound), {
        windowMs: 100,
      })
      await Promise.all([last, ended(playing, 'finished', 15_000)])
    },
  }),
  must('events.stopped', rest('update-player-track'), {
    title: 'encoded null stops the track: it ends as stopped, and there is silence.',
    async run(stage) {
      const playing = await started(stage, stage.media.wave('tone-440', LONG))
      await playing.listener.until('sound', isSound)
      equal('track', (await playing.update({ track: { encoded: null } })).track, null)
      await ended(playing, 'stopped')
      await playing.listener.until('silence', isSilent)
    },
  }),
  must('events.replaced', websocket('track-end-reason'), {
    title: 'A new track replaces the one that plays: first its end as replaced, then the start of the new one.',
    async run(stage) {
      const next = await stage.track(stage.media.wave('tone-880', LONG))
      const playing = await started(stage, stage.media.wave('tone-440', LONG))
      await playing.listener.until('a tone of 440 Hz', isTone(440))
      const from = playing.session.mark()
      await playing.update({ track: { encoded: next.encoded } })
      await playing.listener.until('a tone of 880 Hz', isTone(880))
      await playing.session.event('TrackStartEvent', playing.guildId, { from })
      equal('The events', playing.session.events(playing.guildId, from), ['TrackEndEvent:replaced', 'TrackStartEvent'])
    },
  }),
  must('events.replaced-track', websocket('trackendevent'), {
    title: 'The end of a replaced track names that track, not the new one.',
    async run(stage) {
      const url = stage.media.wave('tone-440', LONG)
      const next = await stage.track(stage.media.wave('tone-880', LONG))
      const playing = await started(stage, url)
      await playing.update({ track: { encoded: next.encoded } })
      equal('uri', (await ended(playing, 'replaced')).track?.info.uri, url)
    },
  }),
  must('events.no-replace', rest('update-player'), {
    title: 'With noReplace=true a new track changes nothing while one plays.',
    async run(stage) {
      const next = await stage.track(stage.media.wave('tone-880', LONG))
      const url = stage.media.wave('tone-440', LONG)
      const { session, guildId, listener } = await started(stage, url)
      await listener.until('a tone of 440 Hz', isTone(440))
      const from = session.mark()
      const query = { noReplace: 'true' }
      const { track } = await session.update(guildId, { track: { encoded: next.encoded } }, { query })
      equal('uri of the answer', track?.info.uri, url)
      holds('The tone is the same.', isTone(440)(await listener.hear(1000)), '440 Hz', 'something else')
      equal('The events', session.events(guildId, from), [])
    },
  }),
  must('events.no-replace-idle', rest('update-player'), {
    title: 'With noReplace=true a track is played where none plays.',
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-880', LONG))
      const { session, guildId, listener } = await stage.joined()
      await session.update(guildId, { track: { encoded } }, { query: { noReplace: 'true' } })
      await listener.until('a tone of 880 Hz', isTone(880))
    },
  }),
  must('events.user-data', rest('update-player-track'), {
    title: 'userData comes back in the player and in every event of the track.',
    async run(stage) {
      const userData = { requester: '170939974227541168', nested: { list: [1, 'two', null] } }
      const { encoded } = await stage.track(stage.media.wave('tone-440', LONG))
      const playing = await stage.joined()
      equal('The answer', (await playing.update({ track: { encoded, userData } })).track?.userData, userData)
      equal('The start', (await playing.session.event('TrackStartEvent', playing.guildId)).track?.userData, userData)
      equal('The player', (await playing.player()).track?.userData, userData)
      await playing.update({ track: { encoded: null } })
      equal('The end', (await ended(playing, 'stopped')).track?.userData, userData)
    },
  }),
  must('events.user-data-later', rest('update-player-track'), {
    title: 'userData alone changes that of the track that plays, and the music goes on.',
    async run(stage) {
      const { session, guildId, listener, update } = await started(stage, stage.media.wave('tone-440', LONG))
      await listener.until('sound', isSound)
      const from = session.mark()
      const { track } = await update({ track: { userData: { vote: 3 } } })
      equal('userData', track?.userData, { vote: 3 })
      holds('The music goes on.', isSound(await listener.hear(800)), 'sound', 'silence')
      equal('The events', session.events(guildId, from), [])
    },
  }),
  must('events.updates', websocket('player-update-op'), {
    title: 'Player updates come while a track plays, each with a later position.',
    seconds: 40,
    async run(stage) {
      const { session, guildId, listener } = await started(stage, stage.media.wave('tone-440', LONG))
      await listener.until('sound', isSound)
      const first = await session.playerUpdate(guildId, ({ position }) => position > 0, { withinMs: 12_000 })
      const isLater = ({ position }: StateView) => position > first.position + 500
      const second = await session.playerUpdate(guildId, isLater, { withinMs: 12_000 })
      within('Position less clock, in ms', second.position - first.position - (second.time - first.time), -1000, 1000)
      equal('connected', second.connected, true)
      // -1 until the first heartbeat of the voice gateway was answered.
      within('ping', second.ping, -1, 5000)
    },
  }),
  must('events.end-time', rest('update-player'), {
    title: 'A track ends at its end time, as finished.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('tone-440', LONG), { position: 10_000, endTime: 12_500 })
      await playing.listener.until('sound', isSound)
      const begunMs = Date.now()
      await ended(playing, 'finished', 8000)
      within('It took, in ms', Date.now() - begunMs, 1000, 5000)
      await playing.listener.until('silence', isSilent)
    },
  }),
  must('events.end-time-later', rest('update-player'), {
    title: 'An end time can be set while a track plays.',
    async run(stage) {
      const playing = await started(stage, stage.media.wave('stairs', LONG))
      const heard = await heardSeconds(playing)
      await playing.update({ endTime: Math.round((heard + 3) * 1000) })
      await ended(playing, 'finished', 8000)
    },
  }),
  must('events.end-time-reset', rest('update-player'), {
    title: 'endTime null resets an end time.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('tone-440', LONG), { endTime: 3000 })
      await playing.listener.until('sound', isSound)
      await playing.update({ endTime: null })
      await playing.listener.hear(4000)
      equal(
        'No track ended.',
        playing.session.events(playing.guildId).filter((name) => name.startsWith('TrackEnd')),
        [],
      )
      holds('The music goes on.', isSound(await playing.listener.hear(300)), 'sound', 'silence')
    },
  }),
  must('events.once', websocket('event-types'), {
    title: 'Each track has one start and one end.',
    async run(stage) {
      const playing = await stage.playing(stage.media.wave('tone-440', 2))
      await ended(playing, 'finished', 15_000)
      await playing.listener.hear(1500)
      const seen = playing.session.events(playing.guildId)
      equal('The events', seen, ['TrackStartEvent', 'TrackEndEvent:finished'])
    },
  }),
  must('events.destroy', rest('destroy-player'), {
    title: 'A destroyed player is silent, and its bot’s voice connection is closed.',
    async run(stage) {
      const { session, guildId, listener, testGuild } = await started(stage, stage.media.wave('tone-440', LONG))
      await listener.until('sound', isSound)
      equal('The answer', (await stage.rest('DELETE', session.path(guildId))).status, 204)
      await listener.until('silence', isSilent)
      equal('The bot is connected.', await testGuild.isConnected(), false)
    },
  }),
  should('events.destroy-quiet', source('io/SocketContext.kt'), {
    title: 'A destroyed player sends no further updates.',
    async run(stage) {
      const { session, guildId, listener } = await started(stage, stage.media.wave('tone-440', LONG))
      await stage.rest('DELETE', session.path(guildId))
      await listener.hear(1000)
      const from = session.mark()
      await listener.hear(6500)
      const late = session.arrivals
        .slice(from)
        .filter(({ value }) => (value as { guildId?: string }).guildId === guildId)
      equal('What came', late, [])
    },
  }),
  must('events.no-end-of-nothing', websocket('event-types'), {
    title: 'To stop a player that plays nothing sends no event.',
    async run(stage) {
      const { session, guildId, listener, update } = await stage.joined()
      await update({ track: { encoded: null } })
      await listener.hear(800)
      oneOf('The events', session.events(guildId).length, [0])
    },
  }),
]

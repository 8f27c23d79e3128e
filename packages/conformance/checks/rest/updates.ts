import { must, should, type Check } from '../../suite/check.ts'
import { protocol, rest, source } from '../../suite/docs.ts'
import { equal, holds, skip, within } from '../../suite/expect.ts'
import { refused, SOME_GUILD, type Stage } from '../../suite/stage.ts'

/** The update is refused with 400, and leaves no player behind. */
async function refuses(stage: Stage, bodies: readonly unknown[]): Promise<void> {
  const session = await stage.connect()
  for (const body of bodies) refused(JSON.stringify(body), await session.patch(SOME_GUILD, body))
}

const VOICE = { token: 'token', endpoint: 'localhost:1', sessionId: 'session', channelId: '817327181659111400' }

export const UPDATE_CHECKS: readonly Check[] = [
  must('updates.volume', rest('update-player'), {
    title: 'The volume is kept, from 0 to 1000.',
    async run(stage) {
      const session = await stage.connect()
      for (const volume of [0, 1, 55, 150, 1000]) {
        equal('volume', (await session.update(SOME_GUILD, { volume })).volume, volume)
      }
    },
  }),
  must('updates.volume-range', rest('update-player'), {
    title: 'A volume outside of 0 to 1000 is refused, or brought into the range.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { volume: 50 })
      for (const volume of [1001, 100_000, -1]) {
        const { status } = await session.patch(SOME_GUILD, { volume })
        holds('The server takes or refuses it.', status === 200 || status === 400, '200 or 400', status)
        within(`The volume after ${volume}`, (await session.player(SOME_GUILD)).volume, 0, 1000)
      }
    },
  }),
  must('updates.paused', rest('update-player'), {
    title: 'paused is kept until it is changed.',
    async run(stage) {
      const session = await stage.connect()
      equal('paused', (await session.update(SOME_GUILD, { paused: true })).paused, true)
      equal('paused after another update', (await session.update(SOME_GUILD, { volume: 90 })).paused, true)
      equal('paused', (await session.update(SOME_GUILD, { paused: false })).paused, false)
    },
  }),
  must('updates.untouched', rest('update-player'), {
    title: 'What an update leaves out stays as it is.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { volume: 33, paused: true, filters: { volume: 0.5 } })
      const { volume, paused, filters } = await session.update(SOME_GUILD, {})
      equal('The player', { volume, paused, filters }, { volume: 33, paused: true, filters: { volume: 0.5 } })
    },
  }),
  must('updates.filters', rest('filters'), {
    title: 'The filters are answered as they were set.',
    async run(stage) {
      const session = await stage.connect()
      const filters = {
        volume: 1.5,
        equalizer: [{ band: 0, gain: 0.25 }],
        timescale: { speed: 1.25, pitch: 1, rate: 1 },
        tremolo: { frequency: 2, depth: 0.5 },
      }
      const { filters: kept } = await session.update(SOME_GUILD, { filters })
      for (const [name, value] of Object.entries(filters)) equal(name, kept[name], value)
    },
  }),
  must('updates.filters-replace', rest('update-player'), {
    title: 'New filters override all that were there before.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { filters: { volume: 0.5, tremolo: { frequency: 2, depth: 0.5 } } })
      const { filters } = await session.update(SOME_GUILD, { filters: { vibrato: { frequency: 2, depth: 0.5 } } })
      equal(
        'The names',
        Object.keys(filters).filter((name) => name !== 'pluginFilters'),
        ['vibrato'],
      )
      equal('Without any', (await session.update(SOME_GUILD, { filters: {} })).filters, {})
    },
  }),
  should('updates.filters-defaults', protocol('filters.kt'), {
    title: 'What a filter leaves out is answered with its default.',
    async run(stage) {
      const session = await stage.connect()
      const { filters } = await session.update(SOME_GUILD, { filters: { timescale: { speed: 1.5 } } })
      equal('timescale', filters['timescale'], { speed: 1.5, pitch: 1, rate: 1 })
    },
  }),
  should('updates.plugin-filters', rest('plugin-filters'), {
    title: 'Filters of plug-ins that are not there are taken without complaint.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { filters: { pluginFilters: { 'no-such-plugin': { depth: 1 } } } })
    },
  }),
  must('updates.both-tracks', rest('update-player'), {
    title: 'track together with encodedTrack or identifier is 400.',
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-440', 5))
      await refuses(stage, [
        { track: { encoded }, encodedTrack: encoded },
        { track: { encoded }, identifier: 'x' },
      ])
    },
  }),
  must('updates.encoded-and-identifier', rest('update-player-track'), {
    title: 'encoded and identifier exclude each other: 400.',
    async run(stage) {
      const url = stage.media.wave('tone-440', 5)
      const { encoded } = await stage.track(url)
      await refuses(stage, [{ track: { encoded, identifier: url } }, { encodedTrack: encoded, identifier: url }])
    },
  }),
  must('updates.end-time', rest('update-player'), {
    title: 'An end time that is not greater than 0 is 400.',
    run: (stage) => refuses(stage, [{ endTime: 0 }, { endTime: -1000 }]),
  }),
  must('updates.end-time-null', rest('update-player'), {
    title: 'endTime null is taken, also where nothing plays.',
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { endTime: null })
    },
  }),
  must('updates.voice-missing', rest('voice-state'), {
    title: 'A voice state without token, endpoint, session id or channel is 400.',
    async run(stage) {
      const names = Object.keys(VOICE)
      await refuses(
        stage,
        names.map((name) => ({ voice: { ...VOICE, [name]: undefined } })),
      )
    },
  }),
  must('updates.voice-blank', rest('voice-state'), {
    title: 'A voice state with an empty field is 400.',
    async run(stage) {
      await refuses(
        stage,
        Object.keys(VOICE).map((name) => ({ voice: { ...VOICE, [name]: '' } })),
      )
    },
  }),
  must('updates.voice-channel-null', rest('voice-state'), {
    title: 'channelId may not be null in an update: 400.',
    run: (stage) => refuses(stage, [{ voice: { ...VOICE, channelId: null } }]),
  }),
  should('updates.refused-creates-nothing', source('player/PlayerRestHandler.kt'), {
    title: 'A refused update creates no player.',
    async run(stage) {
      const session = await stage.connect()
      await session.patch(SOME_GUILD, { endTime: -1 })
      await session.patch(SOME_GUILD, { voice: { ...VOICE, token: '' } })
      equal('The player', (await stage.rest('GET', session.path(SOME_GUILD))).status, 404)
    },
  }),
  must('updates.identifier-none', rest('update-player-track'), {
    title: 'An identifier that gives no track is 400.',
    run: (stage) => refuses(stage, [{ track: { identifier: 'no-source-knows-this' } }]),
  }),
  should('updates.identifier-fails', source('player/PlayerRestHandler.kt'), {
    title: 'An identifier that cannot be loaded is 400.',
    run: (stage) => refuses(stage, [{ track: { identifier: stage.media.status(500) } }]),
  }),
  must('updates.identifier-many', rest('update-player-track'), {
    title: 'An identifier that gives a playlist or a search is 400.',
    async run(stage) {
      const { playlist, search } = stage.suite.fixtures
      const many = [playlist, search].filter((identifier) => identifier !== null)
      if (many.length === 0)
        return skip(
          'No http address is a playlist or a search; --playlist and --search name what is one on this server.',
        )
      await refuses(
        stage,
        many.map((identifier) => ({ track: { identifier } })),
      )
    },
  }),
  must('updates.encoded-garbage', rest('update-player-track'), {
    title: 'An encoded track that is none is refused, and nothing plays.',
    async run(stage) {
      const session = await stage.connect()
      const { status } = await session.patch(SOME_GUILD, { track: { encoded: 'garbage' } })
      holds('It is refused.', status >= 400, 'a status of 400 or more', status)
      const answer = await stage.rest('GET', session.path(SOME_GUILD))
      if (answer.status === 200) equal('Nothing plays.', (await session.player(SOME_GUILD)).track, null)
    },
  }),
  must('updates.stop-nothing', rest('update-player-track'), {
    title: 'encoded null is taken where nothing plays.',
    async run(stage) {
      const session = await stage.connect()
      equal('track', (await session.update(SOME_GUILD, { track: { encoded: null } })).track, null)
    },
  }),
  must('updates.seek-nothing', rest('update-player'), {
    title: 'A position is taken where nothing plays.',
    async run(stage) {
      const session = await stage.connect()
      equal('track', (await session.update(SOME_GUILD, { position: 5000 })).track, null)
    },
  }),
  must('updates.unknown-fields', protocol('mapper.kt'), {
    title: 'Fields that are not documented are ignored.',
    async run(stage) {
      const session = await stage.connect()
      const body = { volume: 60, surprise: { deep: [1] }, filters: { surprise: 1 } }
      equal('volume', (await session.update(SOME_GUILD, body)).volume, 60)
    },
  }),
]

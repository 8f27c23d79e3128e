import type { Check } from '../../suite/check.ts'
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
  {
    id: 'updates.volume',
    level: 'must',
    title: 'The volume is kept, from 0 to 1000.',
    link: rest('update-player'),
    async run(stage) {
      const session = await stage.connect()
      for (const volume of [0, 1, 55, 150, 1000]) {
        equal('volume', (await session.update(SOME_GUILD, { volume })).volume, volume)
      }
    },
  },
  {
    id: 'updates.volume-range',
    level: 'must',
    title: 'A volume outside of 0 to 1000 is refused, or brought into the range.',
    link: rest('update-player'),
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { volume: 50 })
      for (const volume of [1001, 100_000, -1]) {
        const { status } = await session.patch(SOME_GUILD, { volume })
        holds('The server takes or refuses it.', status === 200 || status === 400, '200 or 400', status)
        within(`The volume after ${volume}`, (await session.player(SOME_GUILD)).volume, 0, 1000)
      }
    },
  },
  {
    id: 'updates.paused',
    level: 'must',
    title: 'paused is kept until it is changed.',
    link: rest('update-player'),
    async run(stage) {
      const session = await stage.connect()
      equal('paused', (await session.update(SOME_GUILD, { paused: true })).paused, true)
      equal('paused after another update', (await session.update(SOME_GUILD, { volume: 90 })).paused, true)
      equal('paused', (await session.update(SOME_GUILD, { paused: false })).paused, false)
    },
  },
  {
    id: 'updates.untouched',
    level: 'must',
    title: 'What an update leaves out stays as it is.',
    link: rest('update-player'),
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { volume: 33, paused: true, filters: { volume: 0.5 } })
      const { volume, paused, filters } = await session.update(SOME_GUILD, {})
      equal('The player', { volume, paused, filters }, { volume: 33, paused: true, filters: { volume: 0.5 } })
    },
  },
  {
    id: 'updates.filters',
    level: 'must',
    title: 'The filters are answered as they were set.',
    link: rest('filters'),
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
  },
  {
    id: 'updates.filters-replace',
    level: 'must',
    title: 'New filters override all that were there before.',
    link: rest('update-player'),
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
  },
  {
    id: 'updates.filters-defaults',
    level: 'should',
    title: 'What a filter leaves out is answered with its default.',
    link: protocol('filters.kt'),
    async run(stage) {
      const session = await stage.connect()
      const { filters } = await session.update(SOME_GUILD, { filters: { timescale: { speed: 1.5 } } })
      equal('timescale', filters['timescale'], { speed: 1.5, pitch: 1, rate: 1 })
    },
  },
  {
    id: 'updates.plugin-filters',
    level: 'should',
    title: 'Filters of plug-ins that are not there are taken without complaint.',
    link: rest('plugin-filters'),
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { filters: { pluginFilters: { 'no-such-plugin': { depth: 1 } } } })
    },
  },
  {
    id: 'updates.both-tracks',
    level: 'must',
    title: 'track together with encodedTrack or identifier is 400.',
    link: rest('update-player'),
    async run(stage) {
      const { encoded } = await stage.track(stage.media.wave('tone-440', 5))
      await refuses(stage, [
        { track: { encoded }, encodedTrack: encoded },
        { track: { encoded }, identifier: 'x' },
      ])
    },
  },
  {
    id: 'updates.encoded-and-identifier',
    level: 'must',
    title: 'encoded and identifier exclude each other: 400.',
    link: rest('update-player-track'),
    async run(stage) {
      const url = stage.media.wave('tone-440', 5)
      const { encoded } = await stage.track(url)
      await refuses(stage, [{ track: { encoded, identifier: url } }, { encodedTrack: encoded, identifier: url }])
    },
  },
  {
    id: 'updates.end-time',
    level: 'must',
    title: 'An end time that is not greater than 0 is 400.',
    link: rest('update-player'),
    run: (stage) => refuses(stage, [{ endTime: 0 }, { endTime: -1000 }]),
  },
  {
    id: 'updates.end-time-null',
    level: 'must',
    title: 'endTime null is taken, also where nothing plays.',
    link: rest('update-player'),
    async run(stage) {
      const session = await stage.connect()
      await session.update(SOME_GUILD, { endTime: null })
    },
  },
  {
    id: 'updates.voice-missing',
    level: 'must',
    title: 'A voice state without token, endpoint, session id or channel is 400.',
    link: rest('voice-state'),
    async run(stage) {
      const names = Object.keys(VOICE)
      await refuses(
        stage,
        names.map((name) => ({ voice: { ...VOICE, [name]: undefined } })),
      )
    },
  },
  {
    id: 'updates.voice-blank',
    level: 'must',
    title: 'A voice state with an empty field is 400.',
    link: rest('voice-state'),
    async run(stage) {
      await refuses(
        stage,
        Object.keys(VOICE).map((name) => ({ voice: { ...VOICE, [name]: '' } })),
      )
    },
  },
  {
    id: 'updates.voice-channel-null',
    level: 'must',
    title: 'channelId may not be null in an update: 400.',
    link: rest('voice-state'),
    run: (stage) => refuses(stage, [{ voice: { ...VOICE, channelId: null } }]),
  },
  {
    id: 'updates.refused-creates-nothing',
    level: 'should',
    title: 'A refused update creates no player.',
    link: source('player/PlayerRestHandler.kt'),
    async run(stage) {
      const session = await stage.connect()
      await session.patch(SOME_GUILD, { endTime: -1 })
      await session.patch(SOME_GUILD, { voice: { ...VOICE, token: '' } })
      equal('The player', (await stage.rest('GET', session.path(SOME_GUILD))).status, 404)
    },
  },
  {
    id: 'updates.identifier-none',
    level: 'must',
    title: 'An identifier that gives no track is 400.',
    link: rest('update-player-track'),
    run: (stage) => refuses(stage, [{ track: { identifier: 'no-source-knows-this' } }]),
  },
  {
    id: 'updates.identifier-fails',
    level: 'should',
    title: 'An identifier that cannot be loaded is 400.',
    link: source('player/PlayerRestHandler.kt'),
    run: (stage) => refuses(stage, [{ track: { identifier: stage.media.status(500) } }]),
  },
  {
    id: 'updates.identifier-many',
    level: 'must',
    title: 'An identifier that gives a playlist or a search is 400.',
    link: rest('update-player-track'),
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
  },
  {
    id: 'updates.encoded-garbage',
    level: 'must',
    title: 'An encoded track that is none is refused, and nothing plays.',
    link: rest('update-player-track'),
    async run(stage) {
      const session = await stage.connect()
      const { status } = await session.patch(SOME_GUILD, { track: { encoded: 'garbage' } })
      holds('It is refused.', status >= 400, 'a status of 400 or more', status)
      const answer = await stage.rest('GET', session.path(SOME_GUILD))
      if (answer.status === 200) equal('Nothing plays.', (await session.player(SOME_GUILD)).track, null)
    },
  },
  {
    id: 'updates.stop-nothing',
    level: 'must',
    title: 'encoded null is taken where nothing plays.',
    link: rest('update-player-track'),
    async run(stage) {
      const session = await stage.connect()
      equal('track', (await session.update(SOME_GUILD, { track: { encoded: null } })).track, null)
    },
  },
  {
    id: 'updates.seek-nothing',
    level: 'must',
    title: 'A position is taken where nothing plays.',
    link: rest('update-player'),
    async run(stage) {
      const session = await stage.connect()
      equal('track', (await session.update(SOME_GUILD, { position: 5000 })).track, null)
    },
  },
  {
    id: 'updates.unknown-fields',
    level: 'must',
    title: 'Fields that are not documented are ignored.',
    link: protocol('mapper.kt'),
    async run(stage) {
      const session = await stage.connect()
      const body = { volume: 60, surprise: { deep: [1] }, filters: { surprise: 1 } }
      equal('volume', (await session.update(SOME_GUILD, body)).volume, 60)
    },
  },
]

import { z } from 'zod'
import { Exception, LoadResult, Playlist, Track } from '../../server/schemas.ts'
import { ExceptionView } from '../../server/views.ts'
import { must, should, type Check } from '../../suite/check.ts'
import { rest, source, websocket } from '../../suite/docs.ts'
import { equal, holds, oneOf, shaped, skip, within } from '../../suite/expect.ts'
import { refused } from '../../suite/stage.ts'

export const TRACK_CHECKS: readonly Check[] = [
  must('tracks.track', rest('track-result-data'), {
    title: 'The address of an audio file loads as one track in the documented shape.',
    async run(stage) {
      const { data } = await stage.load(stage.media.wave('tone-440', 8))
      shaped('The track has its documented shape.', Track, data)
    },
  }),
  must('tracks.info', rest('track-info'), {
    title: 'The track of a file says its address, its length, and that it can be sought and is no stream.',
    async run(stage) {
      const url = stage.media.wave('tone-440', 8)
      const { info } = await stage.track(url)
      equal('uri', info.uri, url)
      equal('identifier', info.identifier, url)
      equal('sourceName', info.sourceName, 'http')
      equal('isStream', info.isStream, false)
      equal('isSeekable', info.isSeekable, true)
      equal('position', info.position, 0)
      within('length', info.length, 7900, 8100)
    },
  }),
  must('tracks.fresh', rest('track'), {
    title: 'A loaded track has an empty userData and a pluginInfo object.',
    async run(stage) {
      const track = await stage.track(stage.media.wave('tone-440', 8))
      equal('userData', track.userData, {})
      holds(
        'pluginInfo is an object.',
        typeof track.pluginInfo === 'object' && track.pluginInfo !== null,
        'an object',
        track.pluginInfo,
      )
    },
  }),
  must('tracks.mp3', rest('track-loading'), {
    title: 'An MP3 file loads as a track with its length.',
    async run(stage) {
      const { info } = await stage.track(stage.media.mp3(10))
      within('length', info.length, 9000, 11_000)
    },
  }),
  must('tracks.stream', rest('track-info'), {
    title: 'A radio stream loads as a track that is a stream and cannot be sought.',
    async run(stage) {
      const { info } = await stage.track(stage.media.stream())
      equal('isStream', info.isStream, true)
      equal('isSeekable', info.isSeekable, false)
    },
  }),
  should('tracks.redirect', rest('track-loading'), {
    title: 'An address that redirects loads what it leads to.',
    async run(stage) {
      const { info } = await stage.track(stage.media.redirect(stage.media.wave('tone-440', 8)))
      within('length', info.length, 7900, 8100)
    },
  }),
  must('tracks.address-intact', rest('track-loading'), {
    title: 'An identifier arrives as it was encoded, with its own query and signs.',
    async run(stage) {
      const url = `${stage.media.wave('tone-440', 5)}?a=1&b=x%20y`
      equal('uri', (await stage.track(url)).info.uri, url)
    },
  }),
  must('tracks.empty', rest('empty-result-data'), {
    title: 'What no source knows is empty.',
    async run(stage) {
      const result = await stage.load('no-source-knows-this')
      equal('loadType', result.loadType, 'empty')
      shaped('It has the documented shape.', LoadResult, result)
    },
  }),
  should('tracks.not-found', rest('load-result-type'), {
    title: 'An address that answers 404 is empty, as with Lavalink’s http source.',
    async run(stage) {
      const result = await stage.load(stage.media.status(404))
      oneOf('loadType', result.loadType, ['empty', 'error'])
      equal('loadType', result.loadType, 'empty')
    },
  }),
  must('tracks.error', rest('error-result-data'), {
    title: 'An address that cannot be loaded is an error with an exception, in an answer of 200.',
    async run(stage) {
      const result = await stage.load(stage.media.status(500))
      holds('The result is an error.', result.loadType === 'error', 'loadType error', result)
      shaped('It has an exception.', Exception, result.data)
    },
  }),
  must('tracks.error-message', websocket('exception-object'), {
    title: 'The exception of an error has a message for people.',
    async run(stage) {
      const result = await stage.load(stage.media.status(500))
      holds('The result is an error.', result.loadType === 'error', 'loadType error', result)
      const { message } = shaped('It has an exception.', ExceptionView, result.data)
      holds('It has a message.', (message ?? '') !== '', 'a text', message)
    },
  }),
  must('tracks.no-audio', rest('load-result-type'), {
    title: 'A web page is no track.',
    async run(stage) {
      oneOf('loadType', (await stage.load(stage.media.page())).loadType, ['error', 'empty'])
    },
  }),
  must('tracks.unreachable', rest('error-result-data'), {
    title: 'An address where nothing listens is no track, and the answer comes all the same.',
    async run(stage) {
      oneOf('loadType', (await stage.load('http://127.0.0.1:9/tone.mp3')).loadType, ['error', 'empty'])
    },
  }),
  must('tracks.no-identifier', rest('track-loading'), {
    title: 'Without an identifier the request is 400.',
    run: async (stage) => refused('loadtracks without identifier', await stage.rest('GET', '/v4/loadtracks')),
  }),
  must('tracks.result', rest('track-loading-result'), {
    title: 'Every load answers a loadType and its data.',
    async run(stage) {
      const { media } = stage
      for (const identifier of [media.wave('tone-440', 3), media.stream(), media.status(500), 'no-source-knows-this']) {
        shaped(identifier, LoadResult, await stage.load(identifier))
      }
    },
  }),
  must('tracks.playlist-info', rest('playlist-info'), {
    title: 'A playlist has a name, and its selected track is one of it or -1.',
    async run(stage) {
      const identifier = stage.suite.fixtures.playlist
      if (identifier === null)
        return skip('No http address is a playlist; --playlist names what is one on this server.')
      const { info, tracks } = shaped('The playlist', Playlist, (await stage.load(identifier)).data)
      within('selectedTrack', info.selectedTrack, -1, tracks.length - 1)
    },
  }),
  must('tracks.playlist', rest('playlist-result-data'), {
    title: 'A playlist loads with its name, the selected track and its tracks.',
    async run(stage) {
      const identifier = stage.suite.fixtures.playlist
      if (identifier === null)
        return skip('No http address is a playlist; --playlist names what is one on this server.')
      const result = await stage.load(identifier)
      holds('It is a playlist.', result.loadType === 'playlist', 'loadType playlist', result)
      const { tracks } = shaped('The playlist has its documented shape.', Playlist, result.data)
      holds('It has tracks.', tracks.length > 0, 'at least one', tracks.length)
    },
  }),
  must('tracks.search', rest('search-result-data'), {
    title: 'A search loads as a list of tracks.',
    async run(stage) {
      const identifier = stage.suite.fixtures.search
      if (identifier === null)
        return skip(
          'ytsearch:, ytmsearch: and scsearch: need the internet; --search names a search that this server can do.',
        )
      const result = await stage.load(identifier)
      holds('It is a search.', result.loadType === 'search', 'loadType search', result)
      const tracks = shaped('It is a list of tracks.', z.array(Track), result.data)
      holds('It has tracks.', tracks.length > 0, 'at least one', tracks.length)
    },
  }),
  must('tracks.search-prefixes', rest('track-loading'), {
    title: 'The search prefixes of enabled sources give a search, nothing or an error, never a track.',
    seconds: 40,
    async run(stage) {
      const sources = stage.suite.info?.sourceManagers ?? []
      const prefixes = { youtube: ['ytsearch:', 'ytmsearch:'], soundcloud: ['scsearch:'] }
      const asked = Object.entries(prefixes).flatMap(([name, own]) => (sources.includes(name) ? own : []))
      if (asked.length === 0) return skip('The server has neither YouTube nor SoundCloud.')
      for (const prefix of asked) {
        oneOf(prefix, (await stage.load(`${prefix}paper lanterns`)).loadType, ['search', 'empty', 'error'])
      }
    },
  }),
  must('tracks.without-session', rest('track-loading'), {
    title: 'Tracks load without a session.',
    run: async (stage) => void (await stage.track(stage.media.wave('tone-500', 3))),
  }),
  should('tracks.at-once', source('player/AudioLoaderRestHandler.kt'), {
    title: 'Ten loads at the same time are all answered, each with its own track.',
    seconds: 40,
    async run(stage) {
      const urls = Array.from({ length: 10 }, (_, i) => stage.media.wave(`tone-${300 + i}`, 2))
      const tracks = await Promise.all(urls.map((url) => stage.track(url)))
      equal(
        'Each has its own address.',
        tracks.map(({ info }) => info.uri),
        urls,
      )
    },
  }),
]

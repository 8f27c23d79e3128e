import { z } from 'zod'
import { Exception, LoadResult, Playlist, Track } from '../../server/schemas.ts'
import { ExceptionView } from '../../server/views.ts'
import type { Check } from '../../suite/check.ts'
import { rest, source, websocket } from '../../suite/docs.ts'
import { equal, holds, oneOf, shaped, skip, within } from '../../suite/expect.ts'
import { refused } from '../../suite/stage.ts'

export const TRACK_CHECKS: readonly Check[] = [
  {
    id: 'tracks.track',
    level: 'must',
    title: 'The address of an audio file loads as one track in the documented shape.',
    link: rest('track-result-data'),
    async run(stage) {
      const { data } = await stage.load(stage.media.wave('tone-440', 8))
      shaped('The track has its documented shape.', Track, data)
    },
  },
  {
    id: 'tracks.info',
    level: 'must',
    title: 'The track of a file says its address, its length, and that it can be sought and is no stream.',
    link: rest('track-info'),
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
  },
  {
    id: 'tracks.fresh',
    level: 'must',
    title: 'A loaded track has an empty userData and a pluginInfo object.',
    link: rest('track'),
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
  },
  {
    id: 'tracks.mp3',
    level: 'must',
    title: 'An MP3 file loads as a track with its length.',
    link: rest('track-loading'),
    async run(stage) {
      const { info } = await stage.track(stage.media.mp3(10))
      within('length', info.length, 9000, 11_000)
    },
  },
  {
    id: 'tracks.stream',
    level: 'must',
    title: 'A radio stream loads as a track that is a stream and cannot be sought.',
    link: rest('track-info'),
    async run(stage) {
      const { info } = await stage.track(stage.media.stream())
      equal('isStream', info.isStream, true)
      equal('isSeekable', info.isSeekable, false)
    },
  },
  {
    id: 'tracks.redirect',
    level: 'should',
    title: 'An address that redirects loads what it leads to.',
    link: rest('track-loading'),
    async run(stage) {
      const { info } = await stage.track(stage.media.redirect(stage.media.wave('tone-440', 8)))
      within('length', info.length, 7900, 8100)
    },
  },
  {
    id: 'tracks.address-intact',
    level: 'must',
    title: 'An identifier arrives as it was encoded, with its own query and signs.',
    link: rest('track-loading'),
    async run(stage) {
      const url = `${stage.media.wave('tone-440', 5)}?a=1&b=x%20y`
      equal('uri', (await stage.track(url)).info.uri, url)
    },
  },
  {
    id: 'tracks.empty',
    level: 'must',
    title: 'What no source knows is empty.',
    link: rest('empty-result-data'),
    async run(stage) {
      const result = await stage.load('no-source-knows-this')
      equal('loadType', result.loadType, 'empty')
      shaped('It has the documented shape.', LoadResult, result)
    },
  },
  {
    id: 'tracks.not-found',
    level: 'should',
    title: 'An address that answers 404 is empty, as with Lavalink’s http source.',
    link: rest('load-result-type'),
    async run(stage) {
      const result = await stage.load(stage.media.status(404))
      oneOf('loadType', result.loadType, ['empty', 'error'])
      equal('loadType', result.loadType, 'empty')
    },
  },
  {
    id: 'tracks.error',
    level: 'must',
    title: 'An address that cannot be loaded is an error with an exception, in an answer of 200.',
    link: rest('error-result-data'),
    async run(stage) {
      const result = await stage.load(stage.media.status(500))
      holds('The result is an error.', result.loadType === 'error', 'loadType error', result)
      shaped('It has an exception.', Exception, result.data)
    },
  },
  {
    id: 'tracks.error-message',
    level: 'must',
    title: 'The exception of an error has a message for people.',
    link: websocket('exception-object'),
    async run(stage) {
      const result = await stage.load(stage.media.status(500))
      holds('The result is an error.', result.loadType === 'error', 'loadType error', result)
      const { message } = shaped('It has an exception.', ExceptionView, result.data)
      holds('It has a message.', (message ?? '') !== '', 'a text', message)
    },
  },
  {
    id: 'tracks.no-audio',
    level: 'must',
    title: 'A web page is no track.',
    link: rest('load-result-type'),
    async run(stage) {
      oneOf('loadType', (await stage.load(stage.media.page())).loadType, ['error', 'empty'])
    },
  },
  {
    id: 'tracks.unreachable',
    level: 'must',
    title: 'An address where nothing listens is no track, and the answer comes all the same.',
    link: rest('error-result-data'),
    async run(stage) {
      oneOf('loadType', (await stage.load('http://127.0.0.1:9/tone.mp3')).loadType, ['error', 'empty'])
    },
  },
  {
    id: 'tracks.no-identifier',
    level: 'must',
    title: 'Without an identifier the request is 400.',
    link: rest('track-loading'),
    run: async (stage) => refused('loadtracks without identifier', await stage.rest('GET', '/v4/loadtracks')),
  },
  {
    id: 'tracks.result',
    level: 'must',
    title: 'Every load answers a loadType and its data.',
    link: rest('track-loading-result'),
    async run(stage) {
      const { media } = stage
      for (const identifier of [media.wave('tone-440', 3), media.stream(), media.status(500), 'no-source-knows-this']) {
        shaped(identifier, LoadResult, await stage.load(identifier))
      }
    },
  },
  {
    id: 'tracks.playlist-info',
    level: 'must',
    title: 'A playlist has a name, and its selected track is one of it or -1.',
    link: rest('playlist-info'),
    async run(stage) {
      const identifier = stage.suite.fixtures.playlist
      if (identifier === null)
        return skip('No http address is a playlist; --playlist names what is one on this server.')
      const { info, tracks } = shaped('The playlist', Playlist, (await stage.load(identifier)).data)
      within('selectedTrack', info.selectedTrack, -1, tracks.length - 1)
    },
  },
  {
    id: 'tracks.playlist',
    level: 'must',
    title: 'A playlist loads with its name, the selected track and its tracks.',
    link: rest('playlist-result-data'),
    async run(stage) {
      const identifier = stage.suite.fixtures.playlist
      if (identifier === null)
        return skip('No http address is a playlist; --playlist names what is one on this server.')
      const result = await stage.load(identifier)
      holds('It is a playlist.', result.loadType === 'playlist', 'loadType playlist', result)
      const { tracks } = shaped('The playlist has its documented shape.', Playlist, result.data)
      holds('It has tracks.', tracks.length > 0, 'at least one', tracks.length)
    },
  },
  {
    id: 'tracks.search',
    level: 'must',
    title: 'A search loads as a list of tracks.',
    link: rest('search-result-data'),
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
  },
  {
    id: 'tracks.search-prefixes',
    level: 'must',
    title: 'The search prefixes of enabled sources give a search, nothing or an error, never a track.',
    link: rest('track-loading'),
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
  },
  {
    id: 'tracks.without-session',
    level: 'must',
    title: 'Tracks load without a session.',
    link: rest('track-loading'),
    run: async (stage) => void (await stage.track(stage.media.wave('tone-500', 3))),
  },
  {
    id: 'tracks.at-once',
    level: 'should',
    title: 'Ten loads at the same time are all answered, each with its own track.',
    link: source('player/AudioLoaderRestHandler.kt'),
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
  },
]

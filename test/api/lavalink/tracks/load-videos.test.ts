import { expect } from 'chai'
import type { FoundTrack } from '../../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { LONGEST } from '../../../../api/lavalink/protocol/json.ts'
import type { LoadResult } from '../../../../api/lavalink/protocol/load-result.ts'
import { createTrackService, type TrackServiceOptions } from '../../../../api/lavalink/tracks/create-track-service.ts'
import { Fault, unplayable } from '../../../../lib/errors.ts'
import { createLog } from '../../../../lib/log.ts'
import { loadWords } from '../../../support/load-words.ts'
import { faultOf } from '../../../support/web.ts'

const log = createLog('silent')
const { signal } = new AbortController()
const CALLER = { projectId: 'p1', keyId: 'k1', plan: 'standard' } as const
const OTHER = { ...CALLER, projectId: 'p2' }

function video(identifier: string): TrackInfo {
  return {
    title: `Video ${identifier[0]}`,
    author: 'Quay',
    lengthMs: 1000,
    identifier,
    isStream: false,
    uri: `https://www.youtube.com/watch?v=${identifier}`,
    artworkUrl: null,
    isrc: null,
    sourceName: 'youtube',
    probe: null,
  }
}

describe('loadtracks of YouTube and of bots that ask too much', () => {
  const [first, second, third] = ['a', 'b', 'c'].map((letter) => video(letter.repeat(11))) as [
    TrackInfo,
    TrackInfo,
    TrackInfo,
  ]
  const LIST = `PL${'x'.repeat(32)}`
  const asked: string[] = []
  let sources: TrackServiceOptions['sources']
  let held: PromiseWithResolvers<void> | null

  beforeEach(() => {
    asked.length = 0
    held = null
    const videos = [first, second, third]
    sources = {
      names: ['youtube', 'http'],
      async find(url) {
        asked.push(url)
        await held?.promise
        if (url.includes('crash')) throw new Error('secret of ours')
        if (url.includes(LIST)) return { tracks: videos, playlist: 'Tides' }
        if (url.includes('playlist?')) throw unplayable('This playlist is private.', 'private')
        const found = videos.find(({ identifier }) => url.endsWith(identifier))
        if (found) return { tracks: [found], playlist: null }
        const file = { ...first, identifier: url, sourceName: 'http', isStream: true, lengthMs: 0 }
        return { tracks: [file], playlist: null }
      },
      search: async (text, { source = 'all', songsOnly }) => {
        asked.push(`${songsOnly ? 'songs' : 'search'} ${source} ${text}`)
        return source === 'spotify' || text === 'nothing' ? [] : [Object.assign({ source: 'youtube' }, first)]
      },
      related: async () => [second, third].map((track): FoundTrack => Object.assign({ source: 'youtube' }, track)),
      keep: (url, projectId) => void asked.push(`keep ${projectId} ${url}`),
      open: () => Promise.reject(new Error('not here')),
    }
  })

  const service = (loadMs = 5000) => createTrackService({ sources, log, loadMs })
  const found = async (identifier: string) => loadWords(await service().load(identifier, CALLER, signal))
  const resolve = (identifier: string) => service().resolve(identifier, CALLER, signal)
  const WATCH = 'https://www.youtube.com/watch?v='

  it('loads a list with the video of it that the link names selected', async () => {
    const list = 'playlist Tides 1 Video a, Video b, Video c'
    expect(await found(`${WATCH}${second.identifier}&list=${LIST}&index=2`)).to.equal(list)
    expect(await found(`https://youtu.be/${second.identifier}?list=${LIST}`)).to.equal(list)
    expect(await found(`${WATCH}${'z'.repeat(11)}&list=${LIST}`)).to.equal(list.replace(' 1 ', ' -1 '))
    expect(await found(`https://www.youtube.com/playlist?list=${LIST}`)).to.equal(list.replace(' 1 ', ' -1 '))
    expect(await found(LIST), 'by its id alone').to.equal(list.replace(' 1 ', ' -1 '))
  })

  it('loads the video alone where its list is not to be had, and with what follows where it is a mix', async () => {
    expect(await found(`${WATCH}${first.identifier}&list=PL${'p'.repeat(32)}`)).to.equal('track youtube Video a')
    expect(await found(`${WATCH}${first.identifier}&list=RD${first.identifier}`)).to.equal(
      'playlist Mix - Video a 0 Video a, Video b, Video c',
    )
    sources = { ...sources, related: async () => [] }
    expect(await found(`${WATCH}${first.identifier}&list=RD${first.identifier}`)).to.equal('track youtube Video a')
  })

  it('searches all sources, songs alone where YouTube Music is meant, and what plays for a song of Spotify', async () => {
    sources = { ...sources, names: ['youtube', 'spotify'] }
    for (const prefix of ['search', 'ytsearch', 'ytmsearch', 'spsearch']) {
      expect(await found(`${prefix}:tides`), prefix).to.equal('search youtube Video a')
    }
    expect(asked).to.deep.equal([
      'search all tides',
      'search youtube tides',
      'songs youtube tides',
      'search spotify tides',
      'search all tides',
    ])
  })

  it('loads a video by its id, as Lavalink does', async () => {
    expect(await found(third.identifier)).to.equal('track youtube Video c')
    sources = { ...sources, names: ['http'] }
    expect(await found(third.identifier)).to.equal('empty')
  })

  it('gives a stream the longest length that there is, and says that it cannot be sought', async () => {
    const result = await service().load('https://radio.example/live', CALLER, signal)
    const { info } = (result as Extract<LoadResult, { loadType: 'track' }>).data
    expect(info).to.include({ isStream: true, isSeekable: false, length: LONGEST })
  })

  it('keeps files that members sent along, whose addresses expire', async () => {
    const upload = 'https://cdn.discordapp.com/attachments/1/2/song.mp3?ex=66&is=55&hm=44'
    await found(upload)
    await found('https://example.org/attachments/1/2/song.mp3')
    expect(asked.filter((line) => line.startsWith('keep'))).to.deep.equal([`keep p1 ${upload}`])
  })

  it('says nothing of its own bugs', async () => {
    const result = await service().load('https://example.org/crash', CALLER, signal)
    expect(loadWords(result)).to.equal('error fault Something went wrong while looking up the track.')
    expect(JSON.stringify(result)).not.to.contain('secret')
  })

  it('gives up after its time, and as soon as the caller does', async () => {
    held = Promise.withResolvers()
    expect(loadWords(await service(5).load('https://example.org/slow', CALLER, signal))).to.match(
      /^error suspicious .*time/,
    )
    expect((await faultOf(service(5).resolve('https://example.org/slow', CALLER, signal))).code).to.equal('bad_request')
    const calling = new AbortController()
    const loading = service().load('https://example.org/slow', CALLER, calling.signal)
    calling.abort(new Error('gone'))
    const gone = await loading.then(
      () => null,
      (error: unknown) => error,
    )
    expect(gone).to.have.property('message', 'gone')
    held.resolve()
  })

  it('lets one project fill its share, refuses what is beyond in words, and serves the next one at once', async () => {
    held = Promise.withResolvers()
    const tracks = service(60_000)
    const flood = Array.from({ length: 97 }, () => tracks.load('https://example.org/a', CALLER, signal))
    const refused = await flood[96]
    expect(loadWords(refused as LoadResult)).to.match(/^error suspicious .*track loads/)
    const other = tracks.load('https://example.org/b', OTHER, signal)
    await Promise.resolve()
    expect(asked.filter((url) => url.endsWith('/a'))).to.have.length(32)
    expect(asked.filter((url) => url.endsWith('/b'))).to.have.length(1)
    held.resolve()
    expect(loadWords(await other)).to.match(/^track/)
    expect((await Promise.all(flood)).filter(({ loadType }) => loadType === 'track')).to.have.length(96)
  })

  it('resolves an identifier to exactly one track, for a player', async () => {
    expect(await resolve(`${WATCH}${first.identifier}`)).to.deep.equal(first)
    for (const [identifier, message] of [
      ['ytsearch:nothing', 'Nothing was found'],
      [LIST, 'leads to a playlist or a search'],
    ] as const) {
      const fault = await faultOf(resolve(identifier))
      expect([fault.code, fault.message]).to.satisfy(
        ([code, text]: string[]) => code === 'bad_request' && text?.includes(message),
      )
    }
    expect(await faultOf(resolve(`https://www.youtube.com/playlist?list=PL${'p'.repeat(32)}`))).to.be.instanceOf(Fault)
  })
})

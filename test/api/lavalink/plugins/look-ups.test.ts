import { expect } from 'chai'
import type { FoundList, FoundTrack, ListRequest } from '../../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { createLoadSearch, type SearchObject, type SearchType } from '../../../../api/lavalink/plugins/load-search.ts'
import { createFindLyrics, toLyricsObject, toOlderLyrics } from '../../../../api/lavalink/plugins/lyrics.ts'
import { toVersionObject } from '../../../../api/lavalink/protocol/info.ts'
import { createNodeInfo } from '../../../../api/lavalink/tracks/node-info.ts'
import { Fault } from '../../../../lib/errors.ts'
import { createLyrics } from '../../../../upstream/music/lyrics.ts'
import { closing } from '../../../support/closing.ts'
import { createTestContext } from '../../../support/upstreams/context.ts'
import { lyricsRecord, startLyrics, type LyricsStandIn } from '../../../support/upstreams/song-lore.ts'
import { faultOf } from '../../../support/web.ts'

const CALLER = { projectId: 'p1', keyId: 'k1', plan: 'standard' } as const
const { signal } = new AbortController()

const TRACK: TrackInfo = {
  title: 'Night Ferry',
  author: 'The Harbour Lights',
  lengthMs: 214_000,
  identifier: '1',
  isStream: false,
  uri: null,
  artworkUrl: null,
  isrc: null,
  sourceName: 'deezer',
  probe: null,
}

describe('the search of LavaSearch', () => {
  let asked: string[]
  let fail: (what: string) => boolean

  beforeEach(() => {
    asked = []
    fail = () => false
  })

  const answer = <T>(what: string, found: readonly T[]): Promise<readonly T[]> => {
    asked.push(what)
    if (fail(what)) return Promise.reject(new Fault('service_unavailable', `No ${what}.`))
    return Promise.resolve(what.endsWith('nothing') ? [] : found)
  }
  const search = (query: string, ...types: SearchType[]): Promise<SearchObject | null> => {
    const sources = {
      names: ['deezer', 'podcast', 'library'],
      search: (text: string, { source = 'all' }: { source?: string }) =>
        answer(`${source} track ${text}`, [{ ...TRACK, source: 'deezer' } as FoundTrack]),
      lists: ({ kind, text, source = 'all' }: ListRequest & { source?: string }) =>
        answer(`${source} ${kind} ${text}`, [
          {
            kind,
            title: 'Tides',
            author: 'Quay',
            trackCount: 2,
            uri: 'library://album/1',
            artworkUrl: null,
            source: 'library',
          },
        ] satisfies (FoundList & { source: string })[]),
    }
    return createLoadSearch({ sources })({ query, types }, CALLER, signal)
  }

  it('finds tracks and lists of the source that its prefix names, as the plug-in answers them', async () => {
    const found = await search('dzsearch:tides', 'track', 'album')
    expect(asked).to.deep.equal(['deezer track tides', 'deezer album tides'])
    expect(found?.tracks[0]?.info).to.include({ title: 'Night Ferry', sourceName: 'deezer' })
    expect(found?.albums).to.deep.equal([
      {
        info: { name: 'Tides', selectedTrack: -1 },
        pluginInfo: {
          type: 'album',
          url: 'library://album/1',
          artworkUrl: null,
          author: 'Quay',
          totalTracks: 2,
          sourceName: 'local',
        },
        tracks: [],
      },
    ])
    expect(found).to.deep.include({ artists: [], playlists: [], texts: [], plugin: {} })
  })

  it('finds all kinds where none is named, shows of podcasts as playlists, and everywhere without a prefix', async () => {
    await search('podcastsearch:tides')
    expect(asked).to.deep.equal(['track', 'album', 'artist', 'podcast'].map((kind) => `podcast ${kind} tides`))
    asked = []
    await search('tides', 'artist')
    expect(asked).to.deep.equal(['all artist tides'])
  })

  it('finds nothing where nothing matches, or the prefix is of no source that is on', async () => {
    expect(await search('dzsearch:nothing')).to.equal(null)
    asked = []
    for (const query of ['ytsearch:tides', 'ymsearch:tides', 'dzsearch:', '', '  ']) {
      expect(await search(query), query).to.equal(null)
    }
    expect(asked).to.deep.equal([])
  })

  it('answers with what could be asked, and fails where nothing could', async () => {
    fail = (what) => what.includes('album')
    expect((await search('dzsearch:tides', 'track', 'album'))?.tracks).to.have.length(1)
    fail = () => true
    expect((await faultOf(search('dzsearch:tides'))).code).to.equal('service_unavailable')
  })
})

describe('lyrics for the bots of others', () => {
  const own = closing()
  let service: LyricsStandIn
  let find: (track: TrackInfo) => ReturnType<ReturnType<typeof createFindLyrics>>

  beforeEach(async () => {
    service = own(await startLyrics())
    const lyrics = createLyrics(own(createTestContext()), { baseUrl: service.url, cacheMax: 10, timeoutMs: 60_000 })
    const findLyrics = createFindLyrics(lyrics)
    find = (track) => findLyrics(track, CALLER, signal)
  })

  it('have lines with times where those are known, as LavaLyrics and as Lyrics.java answer them', async () => {
    const found = (await find(TRACK)) ?? expect.fail()
    expect(toLyricsObject(found)).to.deep.equal({
      sourceName: 'LRCLIB',
      provider: 'LRCLIB',
      text: 'First line\n\nSecond line',
      lines: [
        { timestamp: 12_340, duration: 3560, line: 'First line', plugin: {} },
        { timestamp: 15_900, duration: 4100, line: '', plugin: {} },
        { timestamp: 20_000, duration: 194_000, line: 'Second line', plugin: {} },
      ],
      plugin: {},
    })
    const older = toOlderLyrics(found, TRACK)
    expect(older).to.deep.include({
      type: 'timed',
      source: 'LRCLIB',
      track: { title: 'Night Ferry', author: 'The Harbour Lights', album: null, albumArt: [] },
    })
    expect(older.type === 'timed' && older.lines[0]).to.deep.equal({
      line: 'First line',
      range: { start: 12_340, end: 15_900 },
    })
  })

  it('are a text alone where no times are known', async () => {
    service.exact = lyricsRecord({ syncedLyrics: null })
    const found = (await find(TRACK)) ?? expect.fail()
    expect(toLyricsObject(found)).to.deep.include({ text: 'First line\n\nSecond line', lines: [] })
    expect(toOlderLyrics(found, TRACK)).to.deep.include({ type: 'text', text: 'First line\n\nSecond line' })
  })

  it('are not there for streams, for instrumentals, and where none are known', async () => {
    expect(await find({ ...TRACK, isStream: true, lengthMs: 0 })).to.equal(null)
    expect(service.received).to.deep.equal([])
    service.exact = lyricsRecord({ instrumental: true, plainLyrics: null, syncedLyrics: null })
    expect(await find(TRACK)).to.equal(null)
    service.exact = null
    expect(await find({ ...TRACK, title: 'Unsung' })).to.equal(null)
  })

  it('say in words that they cannot be looked up', async () => {
    service.misbehave('status 500')
    expect((await faultOf(find(TRACK))).code).to.equal('service_unavailable')
  })
})

const info = (...names: string[]) => createNodeInfo({ sources: { names } })()

describe('what the node says of itself', () => {
  it('names the sources that are on as Lavalink does, and only plug-ins whose part works with them', async () => {
    const all = await info('library', 'http', 'youtube', 'spotify', 'apple')
    expect(all.sourceManagers).to.deep.equal(['local', 'http', 'youtube', 'spotify', 'applemusic'])
    const plugins = ['lavasrc', 'lavasearch', 'lavalyrics', 'java-lyrics', 'sponsorblock'].map(
      (name) => `${name}-plugin`,
    )
    expect(all.plugins.map(({ name }) => name)).to.deep.equal(plugins)
    const few = (await info('library', 'http')).plugins.map(({ name }) => name)
    expect(few).to.deep.equal(['lavasearch-plugin', 'lavalyrics-plugin', 'java-lyrics-plugin'])
  })

  it('is of the version that clients ask for, with the parts of a semantic version', async () => {
    const { version } = await info('library')
    expect(version).to.deep.include({ major: 4, minor: 2, preRelease: null })
    expect(version.semver).to.match(/^4\.2\.\d+\+bandstand\./)
    expect(toVersionObject('3.7.0-rc.1+test')).to.deep.equal({
      semver: '3.7.0-rc.1+test',
      major: 3,
      minor: 7,
      patch: 0,
      preRelease: 'rc.1',
      build: 'test',
    })
    expect(() => toVersionObject('four')).to.throw(RangeError)
  })
})

import { expect } from 'chai'
import type { Sources } from '../../../bot/sources/source.ts'
import { createTrackService } from '../../../api/lavalink/tracks/create-track-service.ts'
import { readConfig } from '../../../config.ts'
import { findTracks } from '../../../bot/find-tracks.ts'
import type { Fault } from '../../../lib/errors.ts'
import { createLog } from '../../../lib/log.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'
import { closing } from '../../support/closing.ts'
import { outsideSources } from '../../support/music-outside.ts'
import { SPOTIFY_APP, spotifyId, startLongLists, type LongLists } from '../../support/upstreams/long-lists.ts'
import { faultOf } from '../../support/web.ts'

const { signal } = new AbortController()
const LENGTHS = [1, 100, 101, 2503]
const titles = (count: number) => Array.from({ length: count }, (_, i) => `Song ${i + 1}`)

describe('lists of music sites', () => {
  const own = closing()
  let sites: LongLists
  let sources: Sources

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    sites = own(await startLongLists())
    const { url } = sites
    ;({ sources } = await outsideSources(own, {
      MUSIC_SOURCES: 'http,soundcloud,youtube,spotify,deezer,apple',
      YOUTUBE_CLIENTS: 'youtubei',
      UPSTREAM_TIMEOUT_MS: '5000',
      SOUNDCLOUD_CLIENT_ID: 'x',
      ...upstreamUrls({
        spotify: url,
        'spotify-api': url,
        'spotify-accounts': url,
        deezer: url,
        itunes: url,
        'apple-music': url,
        'soundcloud-api': url,
        'soundcloud-web': url,
        youtube: url,
      }),
      ...env,
    }))
  }
  const read = async (link: string) => {
    const { tracks, total } = await findTracks(sources, 'p', { query: link })
    return [tracks.map(({ info }) => info.title), total]
  }

  const WHOLE: readonly (readonly [site: string, linkTo: (length: number) => string])[] = [
    ['Deezer', (length) => `https://www.deezer.com/playlist/${length}`],
    ["Deezer's albums", (length) => `https://www.deezer.com/album/${length}`],
    ['SoundCloud', (length) => `https://soundcloud.com/quay/sets/${length}`],
    ['YouTube', (length) => `https://www.youtube.com/playlist?list=PL-${length}`],
  ]
  for (const [site, linkTo] of WHOLE) {
    it(`of ${site} come whole and in order`, async () => {
      await start()
      for (const length of LENGTHS) expect(await read(linkTo(length))).to.deep.equal([titles(length), length])
    })
  }

  it("of Spotify come whole and in order by the operator's app, with the ISRC of each song", async () => {
    await start(SPOTIFY_APP)
    for (const kind of ['playlist', 'album']) {
      for (const length of LENGTHS) {
        const found = await read(`https://open.spotify.com/${kind}/${spotifyId(length)}`)
        expect(found).to.deep.equal([titles(length), length])
      }
    }
    const { tracks } = await sources.find(`https://open.spotify.com/track/${spotifyId(1)}`, signal)
    expect(tracks[0]).to.include({ title: 'Song 1', isrc: 'ZZABC2600001' })
    expect(sites.received.filter(({ path }) => path === '/api/token')).to.have.length(1)
  })

  it('of Spotify have 100 songs without an app, and say how many there are', async () => {
    await start()
    for (const length of LENGTHS) {
      const found = await read(`https://open.spotify.com/playlist/${spotifyId(length)}`)
      expect(found).to.deep.equal([titles(Math.min(100, length)), length])
    }
  })

  it('of Spotify that its API keeps from the app come from the page', async () => {
    await start(SPOTIFY_APP)
    const found = await read(`https://open.spotify.com/playlist/F${spotifyId(101).slice(1)}`)
    expect(found[0]).to.have.length(100)
    sites.tokens.clear()
    const again = await read(`https://open.spotify.com/playlist/${spotifyId(101)}`)
    expect(again, 'with a new token').to.deep.equal([titles(101), 101])
  })

  it('of Spotify come from the page where it rejects the app, or names their length in words', async () => {
    await start({ ...SPOTIFY_APP, SPOTIFY_CLIENT_SECRET: 'of-another-app' })
    const link = `https://open.spotify.com/playlist/${spotifyId(2503)}`
    expect(await read(link)).to.deep.equal([titles(100), 2503])
    sites.countForm = 'words'
    expect(await read(link)).to.deep.equal([titles(100), 2503])
    expect(() => readConfig({ SPOTIFY_CLIENT_ID: 'x' })).to.throw('SPOTIFY_CLIENT_SECRET')
  })

  it('that break off say how many songs are missing', async () => {
    await start(SPOTIFY_APP)
    sites.brokenFrom = 300
    expect(await read(`https://open.spotify.com/playlist/${spotifyId(2503)}`)).to.deep.equal([titles(300), 2503])
  })

  it('of Apple Music have what its page and its store give, and say how many there are', async () => {
    await start()
    for (const length of LENGTHS) {
      const playlist = await read(`https://music.apple.com/us/playlist/harbour-nights/pl.u-${length}`)
      expect(playlist).to.deep.equal([titles(Math.min(100, length)), length])
      const album = await read(`https://music.apple.com/us/album/tides/${length}`)
      expect(album).to.deep.equal([titles(Math.min(200, length)), length])
    }
  })

  it('of artists have the songs that they are known for', async () => {
    await start()
    const links = {
      'https://open.spotify.com/artist/LLLLLLLLLLLLLLLLLLLLLL': 10,
      'https://www.deezer.com/artist/27': 30,
      'https://music.apple.com/us/artist/quay/100000': 200,
    }
    for (const [link, count] of Object.entries(links)) expect(await read(link)).to.deep.equal([titles(count), count])
  })

  it('of YouTube are all uploads of a channel, by its id or its name', async () => {
    await start()
    const id = `UC${'2'.padStart(22, '-')}`
    for (const path of [`channel/${id}`, `@${id}/videos`]) {
      expect(await read(`https://www.youtube.com/${path}`)).to.deep.equal([titles(2), 2])
    }
  })

  it('have songs that are looked for by their ISRC first where a site finds that', async () => {
    await start(SPOTIFY_APP)
    const { tracks } = await sources.find(`https://open.spotify.com/track/${spotifyId(1)}`, signal)
    const [song] = tracks
    expect(song && (await sources.open(song, signal).catch(({ reason }: Fault) => reason))).to.equal('nothing_found')
    const searches = sites.received.filter(({ path }) => path === '/youtubei/v1/search')
    expect(searches.map(({ body }) => (JSON.parse(body) as { query: string }).query)).to.deep.equal([
      '"ZZABC2600001"',
      'Quay Song 1',
    ])
  })

  it('of which a part came say so to clients of Lavalink, in the field of LavaSrc', async () => {
    await start()
    const service = createTrackService({ sources, log: createLog('silent'), loadMs: 60_000 })
    const caller = { projectId: 'p1', keyId: 'k1', plan: 'standard' } as const
    const load = async (link: string) => {
      const { loadType, data } = await service.load(link, caller, signal)
      return loadType === 'playlist' ? [data.tracks.length, data.pluginInfo['totalTracks']] : []
    }
    const link = `https://open.spotify.com/playlist/${spotifyId(2503)}`
    expect(await load(link)).to.deep.equal([100, 2503])
    expect(await load('https://www.youtube.com/playlist?list=PL-101')).to.deep.equal([101, undefined])
  })

  it('hold no more memory than their tracks need', async () => {
    await start()
    global.gc?.()
    const before = process.memoryUsage().heapUsed
    const { tracks, total } = await sources.find('https://www.deezer.com/playlist/50000', signal)
    global.gc?.()
    const grownBytes = process.memoryUsage().heapUsed - before
    expect([tracks.length, total, grownBytes < 24 * 1024 * 1024]).to.deep.equal([5000, 50_000, true])
  })

  it('are refused with a reason where they are podcasts on Spotify', async () => {
    await start()
    const fault = await faultOf(sources.find(`https://open.spotify.com/episode/${spotifyId(1)}`, signal))
    expect([fault.code, fault.reason]).to.deep.equal(['validation_error', 'episode'])
  })
})

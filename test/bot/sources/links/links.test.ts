import { expect } from 'chai'
import type { ListKind, Sources } from '../../../../bot/sources/source.ts'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { closing } from '../../../support/closing.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import { startItunes, startSpotify } from '../../../support/upstreams/link-sites.ts'
import { startDeezer } from '../../../support/upstreams/song-lore.ts'
import { startSoundCloud, type SoundCloudStandIn } from '../../../support/upstreams/soundcloud.ts'
import type { StandIn } from '../../../support/upstreams/stand-in.ts'
import { faultOf } from '../../../support/web.ts'
import { upstreamUrls } from '../../../../tools/stage/upstream-addresses.ts'

const { signal } = new AbortController()
const SPOTIFY_ID = 'a'.repeat(22)

describe('links to songs that play elsewhere', () => {
  const own = closing()
  let player: SoundCloudStandIn
  let sites: Record<'spotify' | 'deezer' | 'apple', StandIn>
  let sources: Sources

  beforeEach(async () => {
    player = own(await startSoundCloud())
    sites = { spotify: own(await startSpotify()), deezer: own(await startDeezer()), apple: own(await startItunes()) }
    ;({ sources } = await outsideSources(own, {
      MUSIC_SOURCES: 'http,soundcloud,spotify,deezer,apple',
      ...upstreamUrls({
        'soundcloud-api': player.url,
        'soundcloud-web': player.url,
        spotify: sites.spotify.url,
        deezer: sites.deezer.url,
        itunes: sites.apple.url,
        'apple-music': sites.apple.url,
      }),
    }))
  })

  const find = (link: string) => sources.find(link, signal)
  const search = async (text: string, source?: string) => {
    const found = await sources.search(text, { limit: 5, signal, ...(source !== undefined && { source }) })
    return found.map((track) => `${track.sourceName} ${track.title}`)
  }
  const lists = async (kind: ListKind, source: string) => {
    const found = await sources.lists({ kind, text: 'Tides', source, limit: 5, offset: 0, signal })
    return found.map(({ title, author, trackCount, uri }) => [title, author, trackCount, uri])
  }
  const titles = async (link: string) => (await find(link)).tracks.map(({ title }) => title)

  it('of Spotify name a song, which plays where it is found', async () => {
    const { tracks, playlist } = await find(`https://open.spotify.com/intl-de/track/${SPOTIFY_ID}?si=x`)
    expect([tracks.length, playlist]).to.deep.equal([1, null])
    expect(tracks[0]).to.include({
      title: 'Ebb & Flow 1',
      author: 'Quay, Guest',
      lengthMs: 200_500,
      sourceName: 'spotify',
    })
    expect(tracks[0]).to.include({
      artworkUrl: 'https://img.example/l',
      uri: `https://open.spotify.com/track/${SPOTIFY_ID}`,
    })
    const playable = await sources.open(decodeToken(encodeToken(tracks[0] as TrackInfo)), signal)
    expect(playable).to.include({ kind: 'http', url: 'https://cf-media.example/1.mp3?Policy=a&Signature=b' })
    expect(player.received.find(({ path }) => path === '/search/tracks')?.query.get('q')).to.equal('Quay Ebb & Flow 1')
  })

  it('of Spotify name the songs of a list, without what is no song', async () => {
    const { tracks, playlist } = await find(`https://open.spotify.com/playlist/${SPOTIFY_ID}`)
    expect([playlist, tracks.map(({ title }) => title)]).to.deep.equal(['Tides', ['Ebb & Flow 1', 'Nowhere']])
    expect(tracks[0]?.author).to.equal('Quay, Guest')
    expect(tracks[0]?.artworkUrl, 'of the list, which has no picture of its songs').to.equal('https://img.example/list')
    const fault = await faultOf(sources.open(tracks[1] as TrackInfo, signal))
    expect([fault.code, fault.message]).to.deep.equal([
      'validation_error',
      'No source that is turned on has this track.',
    ])
  })

  it('of Deezer name songs, albums and playlists', async () => {
    const { tracks } = await find('https://www.deezer.com/de/track/1')
    expect(tracks[0]).to.include({
      title: 'Night Ferry',
      isrc: 'ZZABC2600001',
      lengthMs: 214_000,
      sourceName: 'deezer',
    })
    expect(tracks[0]).to.include({ uri: 'https://www.deezer.com/track/1', artworkUrl: 'https://img.example/x.jpg' })
    const album = await find('https://deezer.com/album/5')
    expect([album.playlist, album.tracks.map(({ title }) => title)]).to.deep.equal([
      'Tides',
      ['Night Ferry', 'Low Tide'],
    ])
    expect(album.tracks[0]?.artworkUrl).to.equal('https://img.example/album.jpg')
    expect(await titles('https://www.deezer.com/us/playlist/5?x=1')).to.have.length(2)
  })

  it('that give the number of the recording find it, regardless of its name there', async () => {
    const { tracks } = await find('https://www.deezer.com/track/1')
    const playable = await sources.open(tracks[0] as TrackInfo, signal)
    expect(playable).to.include({ url: 'https://cf-media.example/1.mp3?Policy=a&Signature=b' })
  })

  it('of Apple Music name songs and albums', async () => {
    const one = await find('https://music.apple.com/de/album/tides/2?i=3')
    expect(one.playlist).to.equal(null)
    expect(one.tracks[0]).to.include({ title: 'Ebb & Flow 1', lengthMs: 200_400, sourceName: 'applemusic' })
    expect(one.tracks[0]?.artworkUrl).to.equal('https://img.example/600x600bb.jpg')
    expect(sites.apple.received[0]?.query.get('country')).to.equal('de')
    expect(await titles('https://music.apple.com/us/song/ebb-flow/3')).to.deep.equal(['Ebb & Flow 1'])
    const album = await find('https://music.apple.com/us/album/tides/2')
    expect([album.playlist, album.tracks.length]).to.deep.equal(['Tides', 2])
  })

  it('of Deezer name the songs that an artist is known for', async () => {
    const { tracks, playlist } = await find('https://www.deezer.com/en/artist/27')
    expect([playlist, tracks.map(({ title }) => title)]).to.deep.equal(['The Harbour Lights: Top Tracks', ['Low Tide']])
  })

  it('of Deezer are found by the number of a recording, and lead to what goes well with a song', async () => {
    expect((await find('deezer://isrc/zzabc2600001')).tracks[0]).to.include({ identifier: '1', isrc: 'ZZABC2600001' })
    const songs = await find('deezer://radio/track/1')
    expect([songs.playlist, songs.tracks.map(({ title }) => title)]).to.deep.equal([
      'Recommendations',
      ['Ebb & Flow 6', 'Nowhere'],
    ])
    expect(await titles('deezer://radio/artist/27')).to.deep.equal(['Night Ferry', 'Ebb & Flow 6', 'Nowhere'])
  })

  it('are found by words where their catalogue is named, and nowhere else', async () => {
    expect(await search('Night Ferry', 'deezer')).to.deep.equal(['deezer Night Ferry'])
    expect(await search('Tides', 'apple')).to.deep.equal(['applemusic Ebb & Flow 1', 'applemusic Reef'])
    expect(await search('Ebb', 'spotify'), 'which cannot be searched without a key').to.deep.equal([])
    expect((await search('Night Ferry')).filter((found) => !found.startsWith('soundcloud'))).to.deep.equal([])
  })

  it('are albums, artists and playlists of a catalogue, which can be opened', async () => {
    const page = 'https://www.deezer.com'
    expect(await lists('album', 'deezer')).to.deep.equal([['Tides', 'The Harbour Lights', 2, `${page}/album/5`]])
    expect(await lists('artist', 'deezer')).to.deep.equal([['Tides', null, null, `${page}/artist/27`]])
    expect(await lists('playlist', 'deezer')).to.deep.equal([['Tides all day', 'ferryman', 30, `${page}/playlist/5`]])
    const [[, , , uri] = []] = await lists('album', 'apple')
    expect(await titles(String(uri))).to.deep.equal(['Ebb & Flow 1', 'Reef'])
    expect(await lists('playlist', 'apple')).to.deep.equal([])
  })

  for (const link of [
    'deezer://isrc/nothing',
    'deezer://isrc/ZZABC2600009',
    'deezer://radio/track/999',
    'deezer://radio/album/5',
    `https://open.spotify.com/track/${'z'.repeat(22)}`,
    'https://open.spotify.com/track/../../x',
    'https://www.deezer.com/track/999',
    'https://www.deezer.com/artist/1',
    'https://music.apple.com/us/album/none/99',
    'https://music.apple.com/us/playlist/mix/pl.123',
  ]) {
    it(`refuses ${link}`, async () => {
      const fault = await faultOf(find(link))
      expect([fault.code, fault.reason]).to.deep.equal(['validation_error', 'nothing_found'])
    })
  }

  for (const how of [
    'hang',
    'status 500',
    'status 429 with Retry-After',
    'wrong shape',
    'HTML',
    'cut connection',
  ] as const) {
    it(`say in words that the site cannot be asked: ${how}`, async () => {
      for (const [site, link] of [
        ['spotify', `https://open.spotify.com/track/${SPOTIFY_ID}`],
        ['deezer', 'https://www.deezer.com/track/1'],
        ['apple', 'https://music.apple.com/us/song/x/3'],
      ] as const) {
        // A hanging page is given up after its own time, which is too long for here.
        if (how === 'hang' && site === 'spotify') continue
        sites[site].misbehave(how)
        expect((await faultOf(find(link))).code, site).to.equal('service_unavailable')
      }
    })
  }

  it('say that no one can be asked where the song may be', async () => {
    const { tracks } = await find(`https://open.spotify.com/track/${SPOTIFY_ID}`)
    player.misbehave('status 500')
    expect((await faultOf(sources.open(tracks[0] as TrackInfo, signal))).code).to.equal('service_unavailable')
  })

  it('says of a link whose source is switched off that it is, instead of reading it as a page', async () => {
    for (const [address, site] of [
      ['https://youtu.be/aaaaaaaaaaa', 'YouTube'],
      ['https://music.youtube.com/watch?v=aaaaaaaaaaa', 'YouTube'],
      ['https://quay.bandcamp.com/track/ebb', 'Bandcamp'],
    ] as const) {
      const fault = await faultOf(sources.find(address, signal))
      expect([fault.code, fault.message]).to.deep.equal([
        'validation_error',
        `${site} is turned off. The operator can turn it on in MUSIC_SOURCES.`,
      ])
    }
  })
})

import { expect } from 'chai'
import { join } from 'node:path'
import { createSources } from '../../../../bot/sources/index.ts'
import { createReader } from '../../../../bot/sources/library/reader.ts'
import { createLibraryRecords } from '../../../../db/music/library.ts'
import { decodeToken } from '../../../../bot/tracks/track-token.ts'
import { createTrackService } from '../../../../api/lavalink/tracks/create-track-service.ts'
import { decodeTrack } from '../../../../api/lavalink/tracks/track-object.ts'
import type { LoadResult } from '../../../../api/lavalink/protocol/load-result.ts'
import { createLog } from '../../../../lib/log.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { loadWords } from '../../../support/load-words.ts'
import { eventually } from '../../../support/service.ts'
import { temporaryDatabase, temporaryFolder } from '../../../support/database.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import { startBandcamp } from '../../../support/upstreams/bandcamp.ts'
import { startItunes, startSpotify } from '../../../support/upstreams/link-sites.ts'
import { startRadioBrowser } from '../../../support/upstreams/radio-browser.ts'
import { startDeezer } from '../../../support/upstreams/song-lore.ts'
import { startSoundCloud, type SoundCloudStandIn } from '../../../support/upstreams/soundcloud.ts'
import { upstreamUrls } from '../../../../tools/stage/upstream-addresses.ts'

const log = createLog('silent')
const { signal } = new AbortController()
const CALLER = { projectId: 'p1', keyId: 'k1', plan: 'standard' } as const

describe('loadtracks of sources that play', () => {
  const own = closing()
  let soundCloud: SoundCloudStandIn
  let load: (identifier: string) => Promise<LoadResult>

  beforeEach(async () => {
    soundCloud = own(await startSoundCloud())
    const [bandcamp, radio] = [own(await startBandcamp()), own(await startRadioBrowser())]
    const [deezer, itunes, spotify] = [own(await startDeezer()), own(await startItunes()), own(await startSpotify())]
    const { sources } = await outsideSources(own, {
      // The time of a call is not what these tests are about.
      UPSTREAM_TIMEOUT_MS: '60000',
      MUSIC_SOURCES: 'http,soundcloud,bandcamp,radio,spotify,deezer,apple',
      ...upstreamUrls({
        'soundcloud-api': soundCloud.url,
        'soundcloud-web': soundCloud.url,
        bandcamp: bandcamp.url,
        spotify: spotify.url,
        deezer: deezer.url,
        itunes: itunes.url,
      }),
      RADIO_BROWSER_URL: radio.url,
    })
    const service = createTrackService({ sources, log, loadMs: 60_000 })
    load = (identifier) => service.load(identifier, CALLER, signal)
  })

  const found = async (identifier: string) => loadWords(await load(identifier))

  it('searches by the prefixes of Lavalink and its plug-ins, and by the names of our sources', async () => {
    const song = 'search soundcloud Ebb & Flow 1'
    expect(await found('scsearch:Ebb & Flow')).to.match(new RegExp(`^${song}`))
    expect(await found('SCSEARCH: Ebb & Flow')).to.match(new RegExp(`^${song}`))
    expect(await found('soundcloudsearch:Ebb & Flow')).to.match(new RegExp(`^${song}`))
    expect(await found('bcsearch:ebb')).to.match(/^search bandcamp /)
    expect(await found('radiosearch:harbour')).to.match(/^search radio Harbour FM/)
    expect(await found('dzsearch:Night Ferry')).to.equal('search deezer Night Ferry')
    expect(await found('amsearch:Tides')).to.equal('search applemusic Ebb & Flow 1, applemusic Reef')
  })

  it('finds recordings, artists and what goes well with a song at Deezer', async () => {
    expect(await found('dzisrc:ZZABC2600001')).to.equal('track deezer Night Ferry')
    expect(await found('dzisrc:ZZ-ABC-26-00001')).to.equal('track deezer Night Ferry')
    expect(await found('dzisrc:ZZABC2600009')).to.equal('empty')
    expect(await found('dzrec:1')).to.equal('playlist Recommendations -1 Ebb & Flow 6, Nowhere')
    expect(await found('dzrec:artist=27')).to.match(/^playlist Recommendations -1 Night Ferry/)
    expect(await found('dzrec:track=1')).to.match(/^playlist Recommendations/)
    // Spotify has this song, and Deezer none of its name.
    expect(await found(`sprec:seed_tracks=${'a'.repeat(22)}&limit=5`)).to.equal('empty')
    expect(await found('sprec:mix:isrc:ZZABC2600001')).to.match(/^playlist Recommendations/)
    expect(await found('sprec:seed_genres=jazz')).to.equal('empty')
  })

  it('says of lists of other catalogues what LavaSrc says of them', async () => {
    const result = await load('https://www.deezer.com/de/album/5')
    expect(loadWords(result)).to.equal('playlist Tides -1 Night Ferry, Low Tide')
    expect(result.loadType === 'playlist' && result.data.pluginInfo).to.deep.equal({
      type: 'album',
      url: 'https://www.deezer.com/de/album/5',
      artworkUrl: 'https://img.example/album.jpg',
      author: null,
      // One of them is unreadable.
      totalTracks: 3,
    })
    expect(await found(`https://open.spotify.com/playlist/${'a'.repeat(22)}`)).to.equal(
      'playlist Tides -1 Ebb & Flow 1, Nowhere',
    )
    expect(await found(`www.deezer.com/track/1`), 'without a scheme').to.equal('track deezer Night Ferry')
    expect(await found(`ytsearch:https://www.deezer.com/track/1`), 'behind a prefix').to.equal(
      'track deezer Night Ferry',
    )
  })

  it('answers empty where nothing matches', async () => {
    for (const identifier of [
      'scsearch:nothing',
      'scsearch:',
      'scsearch:   ',
      '',
      '   ',
      'words without a prefix',
      'ymsearch:a plug-in that is not here',
      `${soundCloud.url}/quay/nowhere`,
      'https://www.deezer.com/track/999',
    ]) {
      expect(await found(identifier), identifier).to.equal('empty')
    }
  })

  it('answers an error with the reason of the source', async () => {
    expect(await found('ytsearch:song')).to.match(/^error common YouTube is turned off on this node\. It plays/)
    expect(await found('https://youtu.be/aaaaaaaaaaa')).to.match(/^error common .*YouTube/)
    expect(await found('local:song.mp3')).to.match(/^error common Library is turned off on this node/)
    expect(await found('http://10.0.0.1/song.mp3')).to.match(/^error /)
    expect(await found('ftp://example.org/song.mp3')).to.match(/^error /)
    expect(await found('http://')).to.match(/^error common /)
    soundCloud.misbehave('status 500')
    const result = await load('scsearch:Ebb & Flow')
    expect(loadWords(result)).to.match(/^error suspicious .*SoundCloud/)
    const { cause, causeStackTrace } = result.data as { cause: string; causeStackTrace: string }
    expect(cause).to.match(/^(?:unreachable|no_answer|source_refused): /)
    expect(causeStackTrace).to.equal(`${cause}\n\tat soundcloud`)
  })
})

describe('loadtracks of files', () => {
  const own = closing(after)
  let load: (identifier: string) => Promise<LoadResult>
  let folder: string

  before(async () => {
    const library = own({ ...temporaryFolder(), close: () => undefined })
    folder = library.path
    makeAudio(join(folder, 'Tides', '01 Ebb.opus'), {
      seconds: 2,
      tags: { title: 'Ebb', artist: 'Quay' },
      options: ['-c:a', 'libopus'],
    })
    const reader = own(createReader({ allowHosts: [], log }))
    const records = createLibraryRecords(own(temporaryDatabase()).store)
    const options = {
      names: ['library', 'http'],
      library: { folders: [folder], records },
      allowHosts: [],
      reader,
      log,
    } as const
    const service = createTrackService({ sources: own(await createSources(options)), log })
    load = (identifier) => service.load(identifier, CALLER, signal)
    await eventually(
      () => load('librarysearch:ebb'),
      ({ loadType }) => loadType === 'search',
    )
  })

  it('finds files of the library by their place, with all that Lavalink says of a track', async () => {
    const file = join(folder, 'Tides', '01 Ebb.opus')
    for (const identifier of [
      'local:Tides/01 Ebb.opus',
      'Tides/01 Ebb.opus',
      file,
      `local:${file}`,
      `file://${encodeURI(file)}`,
    ]) {
      const result = await load(identifier)
      expect(loadWords(result), identifier).to.equal('track local Ebb')
      const { encoded, info, pluginInfo, userData } = result.data as Extract<LoadResult, { loadType: 'track' }>['data']
      expect({ pluginInfo, userData }).to.deep.equal({ pluginInfo: {}, userData: {} })
      expect(encoded).to.match(/^[A-Za-z0-9+/]+=*$/)
      expect(info).to.deep.include({ author: 'Quay', title: 'Ebb', isSeekable: true, isStream: false, position: 0 })
      expect(info).to.deep.include({ artworkUrl: null, isrc: null, sourceName: 'local' })
      // Clients search the address; it says nothing of the machine, leads back, and is none to others.
      expect(info.uri).to.equal('Tides/01 Ebb.opus')
      expect(decodeTrack(encoded).info.uri).to.equal('Tides/01 Ebb.opus')
      expect(decodeToken(encoded).uri).to.equal(null)
      expect(info.length).to.be.within(1900, 2100)
    }
    expect(loadWords(await load('librarysearch:ebb'))).to.equal('search local Ebb')
  })

  it('finds no file outside of the library, whatever the path', async () => {
    for (const path of [
      '/etc/passwd',
      '../../../etc/passwd',
      `${folder}/../../etc/passwd`,
      'Tides',
      folder,
      '\u0000',
    ]) {
      expect(loadWords(await load(`local:${path}`)), path).to.equal('empty')
      expect(loadWords(await load(path)), path).to.equal('empty')
    }
  })
})

import { expect } from 'chai'
import { HlsProtectedError } from '../../../../bot/sources/hls/hls-keys.ts'
import { HlsVariableError } from '../../../../bot/sources/hls/hls-variables.ts'
import { readHls, type HlsMedia } from '../../../../bot/sources/hls/hls-playlist.ts'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { musicWeb } from '../../../support/music-web.ts'
import { faultOf } from '../../../support/web.ts'

const BASE = new URL('https://cdn.example/a/b/index.m3u8?token=x')
const { signal } = new AbortController()

function media(lines: string): HlsMedia {
  const found = readHls(`#EXTM3U\n${lines}`, BASE)
  if (found?.kind !== 'media') throw new Error('not a media playlist')
  return found
}

function variants(lines: string): readonly string[] {
  const found = readHls(`#EXTM3U\n${lines}`, BASE)
  if (found?.kind !== 'master') throw new Error('not a master playlist')
  return found.variants.map((url) => url.replace('https://cdn.example/a/b/', ''))
}

describe('HLS playlists', () => {
  it('list segments with absolute addresses, their numbers and their length', () => {
    const { segments, ...rest } = media(
      '#EXT-X-TARGETDURATION:10\r\n#EXT-X-MEDIA-SEQUENCE:7\r\n#EXTINF:9.9,Title\r\nseg0.aac\r\n#EXTINF:5.1\r\n//o.example/1\r\n#EXT-X-ENDLIST',
    )
    expect(rest).to.deep.equal({ kind: 'media', targetMs: 10_000, isEnded: true, lengthMs: 15_000, isOneFile: true })
    expect(segments.map(({ sequence, url, durationMs }) => [sequence, url, durationMs])).to.deep.equal([
      [7, 'https://cdn.example/a/b/seg0.aac', 9900],
      [8, 'https://o.example/1', 5100],
    ])
  })

  it('are live until they say that they are over', () => {
    expect(media('#EXTINF:4,\na.ts').isEnded).to.equal(false)
    expect(media('#EXT-X-PLAYLIST-TYPE:EVENT\n#EXTINF:4,\na.ts').isEnded).to.equal(false)
    expect(media('#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:4,\na.ts').isEnded).to.equal(true)
  })

  it('give parts of files, each behind the one before', () => {
    const { segments } = media(
      '#EXT-X-MAP:URI="all.mp4",BYTERANGE="700@0"\n#EXTINF:4,\n#EXT-X-BYTERANGE:100@700\nall.mp4\n#EXTINF:4,\n' +
        '#EXT-X-BYTERANGE:50\nall.mp4\n#EXT-X-DISCONTINUITY\n#EXT-X-MAP:URI="o.mp4"\n#EXTINF:4,\nother.m4s',
    )
    const all = 'https://cdn.example/a/b/all.mp4'
    expect(segments.map(({ range }) => range)).to.deep.equal([
      { fromByte: 700, bytes: 100 },
      { fromByte: 800, bytes: 50 },
      null,
    ])
    expect(segments.map(({ init }) => init)).to.deep.equal([
      { url: all, range: { fromByte: 0, bytes: 700 }, key: null },
      { url: all, range: { fromByte: 0, bytes: 700 }, key: null },
      { url: 'https://cdn.example/a/b/o.mp4', range: null, key: null },
    ])
    expect(segments.map(({ isDiscontinuous }) => isDiscontinuous)).to.deep.equal([false, false, true])
  })

  it('give keys, whose beginning is the number of the segment where none is named', () => {
    const { segments } = media(
      '#EXT-X-MEDIA-SEQUENCE:258\n#EXT-X-KEY:METHOD=AES-128,URI="https://k.example/key?a=1,2"\n#EXTINF:4,\na.ts\n' +
        '#EXT-X-KEY:METHOD=AES-128,URI="k2",IV=0xABCDEF\n#EXTINF:4,\nb.ts\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:4,\nc.ts',
    )
    expect(segments.map(({ key }) => key)).to.deep.equal([
      { url: 'https://k.example/key?a=1,2', iv: '102'.padStart(32, '0') },
      { url: 'https://cdn.example/a/b/k2', iv: 'abcdef'.padStart(32, '0') },
      null,
    ])
  })

  it('are refused where only licensed players may undo the encryption', () => {
    for (const key of ['METHOD=SAMPLE-AES,URI="skd://x"', 'METHOD=AES-128,URI="k",KEYFORMAT="com.widevine"']) {
      expect(() => media(`#EXT-X-KEY:${key}\n#EXTINF:4,\na.ts`)).to.throw(HlsProtectedError)
    }
  })

  it('take the key that is for everyone where licensed players have one too, and none once there is none', () => {
    const licensed = '#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x",KEYFORMAT="com.apple.streamingkeydelivery"\n'
    const plain = '#EXT-X-KEY:METHOD=AES-128,URI="k",KEYFORMAT="identity"\n'
    const none = '#EXT-X-KEY:METHOD=NONE\n'
    for (const keys of [licensed + plain, plain + licensed]) {
      const { segments } = media(`${keys}#EXTINF:4,\na.ts\n${none}#EXTINF:4,\nb.ts`)
      expect(segments.map(({ key }) => key?.url)).to.deep.equal(['https://cdn.example/a/b/k', undefined])
    }
  })

  it('name the key in force where an initialisation is named, and no later one', () => {
    const { segments } = media(
      '#EXT-X-KEY:METHOD=AES-128,URI="one",IV=0x1\n#EXT-X-MAP:URI="i.mp4"\n#EXTINF:4,\na.m4s\n' +
        '#EXT-X-KEY:METHOD=AES-128,URI="two",IV=0x2\n#EXTINF:4,\nb.m4s',
    )
    const names = segments.map(({ init, key }) => [init?.key?.url.slice(-3), key?.url.slice(-3)])
    expect(names).to.deep.equal([
      ['one', 'one'],
      ['one', 'two'],
    ])
  })

  it('begin another file where one is left out that did', () => {
    const { segments } = media(
      '#EXTINF:4,\na.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:4,\n#EXT-X-GAP\nb.ts\n#EXTINF:4,\nc.ts\n#EXTINF:4,\nd.ts',
    )
    expect(segments.map(({ isDiscontinuous }) => isDiscontinuous)).to.deep.equal([false, true, false])
  })

  it('have variables in their addresses: given, of the address itself, and of the playlist that names them', () => {
    const master =
      '#EXTM3U\n#EXT-X-DEFINE:NAME="cdn",VALUE="https://cdn2.example"\n#EXT-X-DEFINE:QUERYPARAM="token"\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="mp4a.40.2",AUDIO="a"\n{$cdn}/{$token}.m3u8\n' +
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="n",URI="{$cdn}/audio.m3u8"'
    const found = readHls(master, BASE)
    if (found?.kind !== 'master') throw new Error('not a master playlist')
    expect(found.variants).to.deep.equal(['https://cdn2.example/audio.m3u8', 'https://cdn2.example/x.m3u8'])
    const text =
      '#EXTM3U\n#EXT-X-DEFINE:IMPORT="cdn"\n#EXT-X-DEFINE:QUERYPARAM="sig"\n#EXT-X-DEFINE:NAME="iv",VALUE="0xAB"\n' +
      '#EXT-X-KEY:METHOD=AES-128,URI="{$cdn}/key?{$sig}",IV={$iv}\n#EXT-X-MAP:URI="{$cdn}/i.mp4"\n' +
      '#EXTINF:4,{$title}\n{$cdn}/{$sig}/a.ts'
    const list = readHls(text, new URL('https://cdn.example/v.m3u8?a=1&sig=p%2Bq+r'), found.variables)
    if (list?.kind !== 'media') throw new Error('not a media playlist')
    const [only] = list.segments
    expect(only?.url).to.equal('https://cdn2.example/p+q+r/a.ts')
    expect(only?.init?.url).to.equal('https://cdn2.example/i.mp4')
    expect(only?.key).to.deep.equal({ url: 'https://cdn2.example/key?p+q+r', iv: 'ab'.padStart(32, '0') })
  })

  it('say so where a variable is defined nowhere, and never grow by their variables', () => {
    const segment = '#EXTINF:4,\n{$dir}/a.ts'
    for (const lines of [
      segment,
      `${segment}\n#EXT-X-DEFINE:NAME="dir",VALUE="late"`,
      `#EXT-X-DEFINE:IMPORT="dir"\n${segment}`,
      `#EXT-X-DEFINE:QUERYPARAM="dir"\n${segment}`,
    ]) {
      expect(() => media(lines)).to.throw(HlsVariableError, /variable dir$/)
    }
    const large = `#EXT-X-DEFINE:NAME="dir",VALUE="${'x'.repeat(4000)}"\n#EXTINF:4,\n${'{$dir}'.repeat(600)}`
    expect(() => media(large)).to.throw(HlsVariableError)
    const many = Array.from({ length: 101 }, (_, at) => `#EXT-X-DEFINE:NAME="n${at}",VALUE="1"\n`).join('')
    expect(() => media(many + segment)).to.throw(HlsVariableError)
  })

  it('leave out gaps and what is no address of the web, and keep counting', () => {
    const { segments } = media(
      '#EXTINF:4,\nfile:///etc/passwd\n#EXTINF:4,\n#EXT-X-GAP\nmissing.ts\n#EXTINF:4,\nc.ts\nnot-announced.ts',
    )
    expect(segments.map(({ sequence, url }) => [sequence, url.slice(-4)])).to.deep.equal([[2, 'c.ts']])
    expect(readHls('#EXTM3U\n#EXT-X-TARGETDURATION:4', BASE)).to.equal(null)
    expect(readHls('#EXTINF:4,\na.ts', BASE)).to.equal(null)
  })

  it('of renditions prefer sound alone, the best of it, and then the smallest picture', () => {
    const master =
      '#EXT-X-STREAM-INF:BANDWIDTH=3000000,RESOLUTION=1920x1080,CODECS="avc1.64,mp4a.40.2"\nhigh.m3u8\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=64000,CODECS="mp4a.40.5"\nlow-sound.m3u8\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=500000,RESOLUTION=640x360,CODECS="avc1.4d,mp4a.40.2"\nsmall.m3u8\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="mp4a.40.2"\nsound.m3u8\n' +
      '#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=10,URI="pictures.m3u8"\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=900000,CODECS="avc1.4d"\nsilent.m3u8'
    expect(variants(master).slice(0, 2)).to.deep.equal(['sound.m3u8', 'low-sound.m3u8'])
    expect(variants(master)).not.to.include('silent.m3u8').and.not.to.include('pictures.m3u8')
    expect(variants(master).filter((url) => !url.includes('sound'))).to.deep.equal(['small.m3u8', 'high.m3u8'])
  })

  it('take a larger picture where the smallest comes with thin sound', () => {
    const master =
      '#EXT-X-STREAM-INF:BANDWIDTH=290000,RESOLUTION=256x144,CODECS="mp4a.40.5,avc1.42c00b"\n144.m3u8\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=1100000,RESOLUTION=640x360,CODECS="mp4a.40.2,avc1.4d401e"\n360.m3u8\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=5000000,RESOLUTION=1920x1080,CODECS="mp4a.40.2,avc1.640028"\n1080.m3u8'
    expect(variants(master)).to.deep.equal(['360.m3u8', '1080.m3u8', '144.m3u8'])
  })

  it('of a group of sound take the language that is the default', () => {
    const master =
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Deutsch",URI="de.m3u8"\n' +
      '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="Main, \'first\'",DEFAULT=YES,URI="main.m3u8"\n' +
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="aac",DEFAULT=YES,URI="words.m3u8"\n' +
      '#EXT-X-STREAM-INF:BANDWIDTH=128000,CODECS="avc1.4d,mp4a.40.2",AUDIO="aac"\nlow/index.m3u8?token=x'
    expect(variants(master)).to.deep.equal(['main.m3u8', 'low/index.m3u8?token=x'])
  })
})

describe('the http source, of HLS', () => {
  const web = musicWeb()
  const find = (path: string) => web.sources.find(web.url + path, signal)

  function answer(pages: Readonly<Record<string, string>>): void {
    web.answer = ({ url = '' }, response) => {
      const page = pages[url]
      response.writeHead(page === undefined ? 404 : 200, { 'content-type': 'application/vnd.apple.mpegurl' })
      response.end(page)
    }
  }
  const VOD = '#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9.9,\na.aac\n#EXTINF:5.1,\nb.aac\n#EXT-X-ENDLIST\n'
  const LIVE = '#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:4711\n#EXTINF:6,\na.aac\n'
  const MASTER =
    '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=9,CODECS="mp4a.40.2"\ngone.m3u8\n' +
    '#EXT-X-STREAM-INF:BANDWIDTH=8,CODECS="mp4a.40.2"\n/sound.m3u8\n'

  it('takes a recording with its length and a live one as a stream, and hands over the media playlist', async () => {
    answer({ '/jazz%20hour/index.m3u8': MASTER, '/sound.m3u8': VOD, '/live.m3u8': LIVE })
    const { tracks } = await find('/jazz%20hour/index.m3u8')
    const [vod] = tracks as [TrackInfo]
    expect(vod).to.include({ title: 'jazz hour', lengthMs: 15_000, isStream: false, probe: 'm3u|hls-outer' })
    const token = decodeToken(encodeToken(vod))
    const hls = { kind: 'hls', codec: 'other' }
    expect(await web.sources.open(token, signal)).to.deep.equal({
      ...hls,
      url: `${web.url}/sound.m3u8`,
      isStream: false,
    })
    const [live] = (await find('/live.m3u8')).tracks as [TrackInfo]
    expect(live).to.include({ title: web.host, lengthMs: 0, isStream: true, probe: 'm3u|hls-inner' })
    expect(await web.sources.open(live, signal)).to.deep.equal({ ...hls, url: `${web.url}/live.m3u8`, isStream: true })
  })

  it('hands over the variables of a master playlist, which its media playlists import', async () => {
    const define = '#EXT-X-DEFINE:NAME="dir",VALUE="/far"\n'
    answer({
      '/master.m3u8': `#EXTM3U\n${define}#EXT-X-STREAM-INF:BANDWIDTH=1\n{$dir}/v.m3u8\n`,
      '/far/v.m3u8': VOD.replace('#EXTINF', '#EXT-X-DEFINE:IMPORT="dir"\n#EXTINF').replace('a.aac', '{$dir}/a.aac'),
    })
    const [vod] = (await find('/master.m3u8')).tracks as [TrackInfo]
    expect(vod.lengthMs).to.equal(15_000)
    expect(await web.sources.open(vod, signal)).to.include({ url: `${web.url}/far/v.m3u8` })
    expect(await web.sources.open(vod, signal)).to.deep.include({ variables: { dir: '/far' } })
  })

  it('reads a playlist of hours to its end', async () => {
    const segments = Array.from({ length: 5000 }, (_, i) => `#EXTINF:4,\nsegment-${i}.ts?token=${'x'.repeat(100)}\n`)
    answer({ '/long.m3u8': `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${segments.join('')}#EXT-X-ENDLIST\n` })
    expect((await find('/long.m3u8')).tracks[0]).to.include({ lengthMs: 20_000_000, isStream: false })
  })

  it('says what is wrong with one that cannot be played', async () => {
    const drm = '#EXTM3U\n#EXT-X-KEY:METHOD=SAMPLE-AES,URI="skd://x"\n#EXTINF:4,\na.ts\n'
    answer({
      '/drm.m3u8': drm,
      '/variable.m3u8': VOD.replace('a.aac', '{$dir}/a.aac'),
      '/nothing.m3u8': '#EXTM3U\n#EXT-X-TARGETDURATION:4\n',
      '/nowhere.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/gone.m3u8\n',
      '/round.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n/round.m3u8\n',
      '/inside.m3u8': '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttp://10.0.0.1/x.m3u8\n',
    })
    for (const [path, words] of [
      ['/drm.m3u8', /protects this stream/],
      ['/variable.m3u8', /playlist of \S+ doesn't define its variable dir\./],
      ['/nothing.m3u8', /is empty/],
      ['/nowhere.m3u8', /has no file at this URL \(status 404\)/],
      ['/round.m3u8', /are empty/],
      ['/inside.m3u8', /(?:has no|isn't a) public address/],
    ] as const) {
      const fault = await faultOf(find(path))
      expect(fault.code, path).to.equal('validation_error')
      expect(fault.message, path).to.match(words)
    }
  })
})

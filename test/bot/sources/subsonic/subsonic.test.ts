import { expect } from 'chai'
import type { ListKind, Sources } from '../../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { encodeToken } from '../../../../bot/tracks/track-token.ts'
import { readConfig } from '../../../../config.ts'
import { closing } from '../../../support/closing.ts'
import { COVER_ADDRESSES, COVERS_AT, fetchPicture, plainPicture, startCovers } from '../../../support/covers.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import type { TestContext } from '../../../support/upstreams/context.ts'
import { MISBEHAVIOURS } from '../../../support/upstreams/stand-in.ts'
import {
  startSubsonic,
  SUBSONIC_PASSWORD,
  type SubsonicSongFile,
  type SubsonicStandIn,
} from '../../../support/upstreams/subsonic.ts'
import { faultOf } from '../../../support/web.ts'

const { signal } = new AbortController()
const NO_BYTES = { bytes: Buffer.alloc(0), seconds: 61.4 }
const SONGS: readonly SubsonicSongFile[] = [
  { id: 's-1', title: 'Low Tide', artist: 'The Quays', suffix: 'flac', ...NO_BYTES },
  { id: 's-2', title: 'Salt  and\nRope', artist: 'The Quays', suffix: 'opus', ...NO_BYTES },
]

describe('a Subsonic server as a source', () => {
  const own = closing()
  let server: SubsonicStandIn
  let sources: Sources
  let context: TestContext

  beforeEach(async () => {
    server = own(await startSubsonic(SONGS))
    ;({ sources, context } = await outsideSources(own, { MUSIC_SOURCES: 'http,subsonic', ...server.env }))
  })

  const lists = (kind: ListKind, text = '', more = {}) =>
    sources.lists({ kind, text, limit: 10, offset: 0, signal, ...more })
  const search = (text: string, limit = 5) => sources.search(text, { limit, source: 'subsonic', signal })
  const track = async (text = 'low tide') => (await search(text))[0] as TrackInfo

  it('finds songs by their words, as tracks without any address', async () => {
    const found = await search('QUAYS')
    expect(found.map(({ title }) => title)).to.deep.equal(['Low Tide', 'Salt and Rope'])
    expect(found[0]).to.include({ author: 'The Quays', lengthMs: 61_400, identifier: 's-1', source: 'subsonic' })
    expect(found[0]).to.include({ uri: null, artworkUrl: null, isrc: 'QZABC2600001', isStream: false, probe: null })
    expect(await search('quays', 1)).to.have.length(1)
    expect(await search('nothing of this name')).to.deep.equal([])
  })

  it('plays albums and playlists by link, in their order, and leaves films out', async () => {
    const host = server.url
    server.playlist = ['s-2', 's-1', 's-2']
    for (const link of [`${host}/app/#/album/al-harbour/show`, 'subsonic://album/al-harbour']) {
      const { tracks, playlist } = await sources.find(link, signal)
      expect([playlist, ...tracks.map(({ identifier }) => identifier)]).to.deep.equal(['Harbour', 's-1', 's-2'])
    }
    const { tracks, playlist } = await sources.find(`${host}/app/#/playlist/pl-1/show`, signal)
    expect([playlist, ...tracks.map(({ identifier }) => identifier)]).to.deep.equal(['Evening', 's-2', 's-1', 's-2'])
    expect((await sources.find('subsonic://song/s-2', signal)).playlist).to.equal(null)
    server.playlist = []
    for (const [link, words] of [
      ['subsonic://playlist/pl-1', 'This playlist has no tracks.'],
      ['subsonic://album/al-none', "The Subsonic server doesn't have this album."],
      ['subsonic://song/s-9', "The Subsonic server doesn't have this track."],
    ] as const) {
      expect(await faultOf(sources.find(link, signal))).to.include({ reason: 'nothing_found', message: words })
    }
  })

  it('has its covers served by us, whose addresses tell nothing of the server', async () => {
    const { urlOf: coverUrlOf } = COVER_ADDRESSES
    const { sources: shown } = await outsideSources(own, { MUSIC_SOURCES: 'subsonic', ...server.env }, { coverUrlOf })
    const api = await startCovers(own, shown)
    const [song] = await shown.search('low tide', { limit: 1, signal })
    const path = song?.artworkUrl?.slice(COVERS_AT.length) ?? ''
    expect((await api.call('GET', path, { key: null })).status).to.equal(404)
    server.covers.set('al-harbour', await plainPicture('#10e010'))
    expect(await fetchPicture(api, song?.artworkUrl ?? null, '?size=small')).to.deep.equal([160, 'green'])
    const asked = server.received.filter(({ path: at }) => at === '/rest/getCoverArt.view')
    expect(asked.map(({ query }) => [query.get('id'), query.get('size')])).to.deep.equal([
      ['al-harbour', '640'],
      ['al-harbour', '640'],
    ])
    for (const reply of [{ text: '<html>sign in</html>' }, { json: { 'subsonic-response': {} } }]) {
      server.answerAll(reply)
      expect(await shown.cover({ source: 'subsonic', id: 'al-harbour' }, signal)).to.equal(null)
    }
    server.misbehave('cut connection')
    expect((await faultOf(shown.cover({ source: 'subsonic', id: 'al-harbour' }, signal))).message).to.include(
      'is unreachable',
    )
  })

  it('finds albums, artists and playlists by name, or all of them, each to be played as a whole', async () => {
    server.playlist = ['s-2', 's-1']
    const titles = async (...of: Parameters<typeof lists>) => (await lists(...of)).map(({ title }) => title)
    expect(await titles('album', 'harb')).to.deep.equal(['Harbour'])
    expect(await titles('album')).to.deep.equal(['Harbour', 'Pier'])
    expect(await titles('album', '', { limit: 1, offset: 1 })).to.deep.equal(['Pier'])
    expect(await titles('album', '', { artist: 'Other Shore' })).to.deep.equal(['Pier'])
    expect(await titles('artist')).to.deep.equal(['The Quays', 'Other Shore'])
    expect(await titles('artist', 'shore')).to.deep.equal(['Other Shore'])
    expect(await titles('playlist')).to.deep.equal(['Evening', 'Morning'])
    expect(await titles('playlist', 'MORN')).to.deep.equal(['Morning'])
    expect(await titles('podcast', 'a')).to.deep.equal([])
    expect((await lists('album', 'harbour'))[0]).to.deep.equal({
      kind: 'album',
      title: 'Harbour',
      author: 'The Quays',
      trackCount: 2,
      uri: 'subsonic://album/al-harbour',
      artworkUrl: null,
      source: 'subsonic',
    })
    for (const [kind, text, ids] of [
      ['album', 'harbour', ['s-1', 's-2']],
      ['artist', 'quays', ['s-1', 's-2']],
      ['playlist', 'evening', ['s-2', 's-1']],
    ] as const) {
      const [found] = await lists(kind, text)
      const { tracks, playlist } = await sources.find(found?.uri ?? '', signal)
      expect([playlist, ...tracks.map(({ identifier }) => identifier)]).to.deep.equal([found?.title, ...ids])
    }
    server.refusal = 40
    expect((await faultOf(lists('album', 'harbour'))).reason).to.equal('source_refused')
  })

  it('opens a song where the server streams it, by ranges or from a later second', async () => {
    const playable = await sources.open(await track(), signal)
    if (playable.kind !== 'http') throw new Error('Not a stream.')
    const { host } = new URL(server.url)
    expect(playable).to.include({ codec: 'other', isStream: false, operatorHost: host, offsetParameter: 'timeOffset' })
    const url = new URL(playable.url)
    expect(url.host + url.pathname).to.equal(`${host}/rest/stream.view`)
    expect(url.searchParams.get('id')).to.equal('s-1')
    expect(url.searchParams.get('format')).to.equal('raw')
    expect(await sources.open(await track('salt'), signal)).to.include({ codec: 'ogg-opus' })
    server.extensions = []
    context.clock.nowMs += 3_600_001
    expect(await sources.open(await track(), signal)).not.to.have.property('offsetParameter')
  })

  it('sends a token of its own with each request, and the password with none', async () => {
    const [one, other] = [await sources.open(await track(), signal), await sources.open(await track(), signal)]
    const sent = server.received.filter(({ query }) => query.has('t')).map(({ query }) => query)
    expect(sent.length).to.be.above(3)
    expect(new Set(sent.map((query) => query.get('s'))).size).to.equal(sent.length)
    for (const { rawUrl } of server.received) expect(rawUrl).not.to.include(SUBSONIC_PASSWORD)
    const tokens = [one, other].map((it) => (it.kind === 'http' ? new URL(it.url).searchParams.get('t') : null))
    expect(new Set(tokens).size).to.equal(2)
    const token = Buffer.from(encodeToken(await track()), 'base64').toString('latin1')
    for (const secret of [SUBSONIC_PASSWORD, new URL(server.url).host, ...tokens]) expect(token).not.to.include(secret)
  })

  it('says why the server refuses, by its code and in words of ours', async () => {
    for (const [code, words] of [
      [40, /rejects the user or the password/],
      [41, /accepts no tokens/],
      [50, /denies this to the user of this service/],
      [30, /has an outdated protocol version/],
      [0, /has an internal error/],
    ] as const) {
      server.refusal = code
      const fault = await faultOf(search('quays'))
      expect(fault).to.include({ code: 'service_unavailable', source: 'subsonic' })
      expect(fault.reason).to.equal(code === 0 ? 'no_answer' : 'source_refused')
      expect(fault.message).to.match(words)
      expect(fault.message).not.to.include('Internal')
    }
    const wrong = { MUSIC_SOURCES: 'subsonic', ...server.env, SUBSONIC_PASSWORD: 'another one' }
    server.refusal = null
    const others = await outsideSources(own, wrong)
    const fault = await faultOf(others.sources.find('low tide', signal))
    expect(fault.message).to.match(/rejects the user or the password of this service. The operator can change them/)
  })

  it('says that the address is wrong where something else answers there', async () => {
    const wrong = { MUSIC_SOURCES: 'subsonic', ...server.env, SUBSONIC_URL: `${server.url}/elsewhere` }
    const others = await outsideSources(own, wrong)
    const fault = await faultOf(others.sources.find('low tide', signal))
    expect(fault.message).to.match(/^The Subsonic server \(127\.0\.0\.1:\d+\) rejected the request\.$/)
  })

  it('asks the server for nothing but a song, no matter what a token holds', async () => {
    const found = await track()
    for (const identifier of ['', 's-9', '../stream', 's-1&f=xml', 'x'.repeat(201), 'http://169.254.169.254/']) {
      const fault = await faultOf(sources.open({ ...found, identifier }, signal))
      expect(fault.reason, identifier).to.equal('nothing_found')
    }
    const asked = server.received.filter(({ path }) => path !== '/rest/search3.view')
    expect(new Set(asked.map(({ path }) => path))).to.deep.equal(new Set(['/rest/getSong.view']))
    expect(asked.map(({ query }) => query.get('f'))).to.deep.equal(asked.map(() => 'json'))
  })

  it('is not switched on without what it needs', () => {
    const { SUBSONIC_URL, ...rest } = server.env
    expect(SUBSONIC_URL).to.equal(server.url)
    expect(() => readConfig({ MUSIC_SOURCES: 'library,subsonic', ...rest })).to.throw(
      'SUBSONIC_URL: Required, because MUSIC_SOURCES contains subsonic.',
    )
    expect(readConfig({ MUSIC_SOURCES: 'library' }).music.sources).to.deep.equal(['library'])
    expect(readConfig(rest).music.sources).not.to.include('subsonic')
    expect(readConfig(server.env).music.sources.slice(0, 3)).to.deep.equal(['library', 'http', 'subsonic'])
    expect(readConfig(server.env).secrets).to.include(SUBSONIC_PASSWORD)
  })

  for (const how of MISBEHAVIOURS) {
    it(`says in words that the server cannot be asked, and recovers: ${how}`, async () => {
      server.misbehave(how)
      const fault = await faultOf(search('quays'))
      expect(fault.code).to.equal('service_unavailable')
      expect(fault.message).to.match(/^The Subsonic server/)
      server.misbehave(null)
      context.clock.nowMs += 61_000
      expect(await search('quays')).to.have.length(2)
    })
  }
})

import { expect } from 'chai'
import type { ListKind, Sources } from '../../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { encodeToken } from '../../../../bot/tracks/track-token.ts'
import { readConfig } from '../../../../config.ts'
import { closing } from '../../../support/closing.ts'
import { COVER_ADDRESSES, COVERS_AT, fetchPicture, plainPicture, startCovers } from '../../../support/covers.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import type { TestContext } from '../../../support/upstreams/context.ts'
import {
  ALBUM,
  ARTIST,
  guid,
  JELLYFIN_KEY,
  JELLYFIN_PASSWORD,
  PLAYLIST,
  startJellyfin,
  type JellyfinSongFile,
  type JellyfinStandIn,
} from '../../../support/upstreams/jellyfin.ts'
import { MISBEHAVIOURS } from '../../../support/upstreams/stand-in.ts'
import { faultOf } from '../../../support/web.ts'

const { signal } = new AbortController()
const SONG = { artist: 'The Quays', bytes: Buffer.alloc(0), seconds: 61.4 }
const SONGS: readonly JellyfinSongFile[] = [
  { id: guid(1), name: 'Low Tide', container: 'flac', ...SONG },
  { id: guid(2), name: 'Salt  and\nTide', container: 'opus', ...SONG },
]
const AS_USER = { JELLYFIN_USER: 'listener', JELLYFIN_PASSWORD }

function lists(from: Sources, kind: ListKind, text = '', more = {}) {
  return from.lists({ kind, text, limit: 10, offset: 0, signal, ...more })
}

async function played(from: Sources, uri: string): Promise<readonly (string | null)[]> {
  const { tracks, playlist } = await from.find(uri, signal)
  return [playlist, ...tracks.map(({ identifier }) => identifier)]
}

function sourcesOf(env: Readonly<Record<string, string>>): readonly string[] {
  return readConfig(env).music.sources
}

describe('a Jellyfin server as a source', () => {
  const own = closing()
  let server: JellyfinStandIn
  let sources: Sources
  let context: TestContext

  const open = (env: Readonly<Record<string, string>>) =>
    outsideSources(own, { MUSIC_SOURCES: 'http,jellyfin', UPSTREAM_TIMEOUT_MS: '2000', ...env })

  beforeEach(async () => {
    server = own(await startJellyfin(SONGS))
    ;({ sources, context } = await open(server.env))
  })

  const search = (text: string, limit = 5) => sources.search(text, { limit, source: 'jellyfin', signal })
  const track = async (text = 'low tide') => (await search(text))[0] as TrackInfo

  it('finds songs by their words, as tracks without any address', async () => {
    const found = await search('TIDE')
    expect(found.map(({ title }) => title)).to.deep.equal(['Low Tide', 'Salt and Tide'])
    expect(found[0]).to.include({ author: 'The Quays', lengthMs: 61_400, identifier: guid(1), source: 'jellyfin' })
    expect(found[0]).to.include({ uri: null, artworkUrl: null, isrc: null, isStream: false, probe: null })
    expect(await search('tide', 1)).to.have.length(1)
    expect(await search('nothing of this name')).to.deep.equal([])
  })

  it('finds albums, artists and playlists by name, each to be played as a whole', async () => {
    server.playlist = [guid(2), guid(1), guid(2)]
    const { sources: users } = await open({ ...server.env, JELLYFIN_USER: 'LISTENER' })
    expect((await lists(users, 'album', 'harb'))[0]).to.deep.equal({
      kind: 'album',
      title: 'Harbour',
      author: 'The Quays',
      trackCount: 2,
      uri: `jellyfin://album/${ALBUM}`,
      artworkUrl: null,
      source: 'jellyfin',
    })
    expect(await lists(users, 'album', '', { artist: 'The Quays' })).to.have.length(1)
    expect(await lists(users, 'album', '', { artist: 'Others' })).to.deep.equal([])
    expect(await lists(users, 'podcast', 'a')).to.deep.equal([])
    expect(await played(users, `jellyfin://album/${ALBUM}`)).to.deep.equal(['Harbour', guid(1), guid(2)])
    const [artist] = await lists(users, 'artist', 'quay')
    expect(await played(users, artist?.uri ?? '')).to.deep.equal(['The Quays', guid(1), guid(2)])
    const [playlist] = await lists(users, 'playlist')
    expect(playlist).to.include({ title: 'Evening', trackCount: 3 })
    const alone = await faultOf(sources.find(playlist?.uri ?? '', signal))
    expect([alone.reason, alone.message]).to.deep.equal([
      'private',
      'Only other Jellyfin users can see this playlist. The operator can set JELLYFIN_USER.',
    ])
    // Films are left out.
    expect(await played(users, playlist?.uri ?? '')).to.deep.equal(['Evening', guid(2), guid(1), guid(2)])
  })

  it('plays links as its pages have them', async () => {
    const page = (id: string) => `${server.url}/web/#/details?id=${id}&serverId=${guid(7)}`
    expect(await played(sources, page(guid(1)))).to.deep.equal([null, guid(1)])
    expect(await played(sources, page(ALBUM))).to.deep.equal(['Harbour', guid(1), guid(2)])
    expect(await played(sources, `${server.url}/web/index.html#!/details?id=${ARTIST}`)).to.have.length(3)
    for (const uri of [page(guid(99)), `jellyfin://song/${guid(99)}`, 'jellyfin://album/%2e%2e%2fSystem']) {
      expect((await faultOf(sources.find(uri, signal))).reason, uri).to.equal('nothing_found')
    }
  })

  it('opens the file of a song at the server, for the audio thread alone', async () => {
    const playable = await sources.open(await track(), signal)
    if (playable.kind !== 'http') throw new Error('Not a stream.')
    const { host } = new URL(server.url)
    expect(playable).to.include({ codec: 'other', isStream: false, operatorHost: host })
    const url = new URL(playable.url)
    expect(url.host + url.pathname).to.equal(`${host}/Audio/${guid(1)}/stream`)
    expect(Object.fromEntries(url.searchParams)).to.deep.equal({ static: 'true', ApiKey: JELLYFIN_KEY })
    expect(await sources.open(await track('salt'), signal)).to.include({ codec: 'ogg-opus' })
    const token = Buffer.from(encodeToken(await track()), 'base64').toString('latin1')
    for (const secret of [JELLYFIN_KEY, host]) expect(token).not.to.include(secret)
    for (const { rawUrl } of server.received) expect(rawUrl).not.to.include(JELLYFIN_KEY)
  })

  it('signs in as a user, once, and again when the server has forgotten the session', async () => {
    const { JELLYFIN_URL } = server.env
    const { sources: users } = await open({ JELLYFIN_URL: `${JELLYFIN_URL}`, ...AS_USER })
    const find = () => users.search('tide', { limit: 5, source: 'jellyfin', signal })
    const logins = () => server.received.filter(({ path }) => path === '/Users/AuthenticateByName').length
    await Promise.all([find(), find(), find()])
    expect([logins(), (await find()).length]).to.deep.equal([1, 2])
    server.tokens.clear()
    const both = await Promise.all([find(), find()])
    expect(both.map(({ length }) => length)).to.deep.equal([2, 2])
    expect(logins()).to.equal(2)
    server.playlist = [guid(1)]
    expect(await played(users, `jellyfin://playlist/${PLAYLIST}`)).to.deep.equal(['Evening', guid(1)])
    for (const { rawUrl } of server.received) expect(rawUrl).not.to.match(/sesame|session-/)
  })

  it('says what the operator can do where key, user or password are refused', async () => {
    const { JELLYFIN_URL = '' } = server.env
    for (const [env, words] of [
      [{ JELLYFIN_API_KEY: 'another' }, 'The Jellyfin server rejects the API key of this service'],
      [{ ...AS_USER, JELLYFIN_PASSWORD: 'wrong' }, 'The Jellyfin server rejects the user or the password'],
      [{ JELLYFIN_API_KEY: JELLYFIN_KEY, JELLYFIN_USER: 'nobody' }, 'has no user with the name in JELLYFIN_USER'],
    ] as const) {
      const { sources: others } = await open({ JELLYFIN_URL, ...env })
      const fault = await faultOf(others.search('tide', { limit: 1, source: 'jellyfin', signal }))
      expect(fault).to.include({ code: 'service_unavailable', reason: 'source_refused', source: 'jellyfin' })
      expect(fault.message).to.include(words)
    }
    const wrong = await open({ ...server.env, JELLYFIN_URL: `${JELLYFIN_URL}/elsewhere` })
    const fault = await faultOf(wrong.sources.search('tide', { limit: 1, source: 'jellyfin', signal }))
    expect(fault.code).to.equal('service_unavailable')
  })

  it('asks for nothing but a song, no matter what a token holds', async () => {
    const found = await track()
    for (const identifier of ['', guid(99), ALBUM, '../Users', `${guid(1)}&x=1`, 'x'.repeat(500)]) {
      const fault = await faultOf(sources.open({ ...found, identifier }, signal))
      expect(fault.reason, identifier).to.equal('nothing_found')
    }
    expect(new Set(server.received.map(({ path }) => path))).to.deep.equal(new Set(['/Items']))
  })

  it('has its covers served by us: of the song, or else of its album', async () => {
    const { urlOf: coverUrlOf } = COVER_ADDRESSES
    const { sources: shown } = await outsideSources(own, { MUSIC_SOURCES: 'jellyfin', ...server.env }, { coverUrlOf })
    const api = await startCovers(own, shown)
    server.covers.set(ALBUM, await plainPicture('#10e010'))
    const [song] = await shown.search('low tide', { limit: 1, signal })
    expect(song?.artworkUrl).to.match(new RegExp(`^${COVERS_AT}/covers/`))
    expect(await fetchPicture(api, song?.artworkUrl ?? null)).to.deep.equal([640, 'green'])
    const asked = server.received.find(({ path }) => path.endsWith('/Images/Primary'))
    expect(Object.fromEntries(asked?.query ?? [])).to.deep.equal({ tag: 'aa1', maxWidth: '640', quality: '90' })
    const [album] = await lists(shown, 'album')
    expect(await fetchPicture(api, album?.artworkUrl ?? null, '?size=small')).to.deep.equal([160, 'green'])
    expect(await shown.cover({ source: 'jellyfin', id: `${guid(99)}.x` }, signal)).to.equal(null)
  })

  it('is not switched on without its address and a way in', () => {
    const { JELLYFIN_URL = '' } = server.env
    expect(sourcesOf({ JELLYFIN_URL })).not.to.include('jellyfin')
    expect(sourcesOf({ JELLYFIN_URL, JELLYFIN_USER: 'a' })).not.to.include('jellyfin')
    expect(sourcesOf({ JELLYFIN_URL, ...AS_USER })).to.include('jellyfin')
    expect(sourcesOf(server.env)).to.include('jellyfin')
    expect(() => readConfig({ MUSIC_SOURCES: 'jellyfin' })).to.throw(/JELLYFIN_URL: .*\n.*JELLYFIN_API_KEY: /)
    expect(() => readConfig({ MUSIC_SOURCES: 'jellyfin', JELLYFIN_URL, JELLYFIN_USER: 'a' })).to.throw('JELLYFIN_')
    expect(readConfig({ ...server.env, ...AS_USER }).secrets).to.include.members([JELLYFIN_KEY, JELLYFIN_PASSWORD])
  })

  for (const how of MISBEHAVIOURS) {
    it(`says in words that the server cannot be asked, and recovers: ${how}`, async () => {
      server.misbehave(how)
      const fault = await faultOf(search('tide'))
      expect(fault.code).to.equal('service_unavailable')
      expect(fault.message).to.match(/^The Jellyfin server/)
      server.misbehave(null)
      context.clock.nowMs += 61_000
      expect(await search('tide')).to.have.length(2)
    })
  }
})

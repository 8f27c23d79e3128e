import { expect } from 'chai'
import type { Sources } from '../../../../bot/sources/source.ts'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { closing } from '../../../support/closing.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import type { TestContext } from '../../../support/upstreams/context.ts'
import { SECOND_ID, startSoundCloud, type SoundCloudStandIn } from '../../../support/upstreams/soundcloud.ts'
import { MISBEHAVIOURS } from '../../../support/upstreams/stand-in.ts'
import { faultOf } from '../../../support/web.ts'
import { upstreamUrls } from '../../../../tools/stage/upstream-addresses.ts'

const { signal } = new AbortController()

describe('the SoundCloud source', () => {
  const own = closing()
  let service: SoundCloudStandIn
  let sources: Sources
  let context: TestContext

  beforeEach(async () => {
    service = own(await startSoundCloud())
    const open = await outsideSources(own, {
      MUSIC_SOURCES: 'soundcloud',
      ...upstreamUrls({ 'soundcloud-api': service.url, 'soundcloud-web': service.url }),
    })
    ;({ sources, context } = open)
  })

  const search = (text: string) => sources.search(text, { limit: 10, signal })
  const resolve = async (path: string) => sources.find(service.url + path, signal)
  const asked = (path: string) => service.received.filter((it) => it.path === path)

  it('finds its own key in the scripts of the website, though it is not in the last, and keeps it', async () => {
    await search('ebb & flow')
    await search('more')
    expect(asked('/')).to.have.length(1)
    expect(asked('/search/tracks').map(({ query }) => query.get('q'))).to.deep.equal(['ebb & flow', 'more'])
  })

  it('leaves out what is a preview, blocked or broken, and says who found the rest', async () => {
    const found = await search('ebb')
    expect(found.map(({ identifier, source }) => [identifier, source])).to.deep.equal([
      ['1', 'soundcloud'],
      ['5', 'soundcloud'],
    ])
    expect(found[0]).to.include({ title: 'Ebb & Flow 1', author: 'Quay', lengthMs: 200_001, isrc: 'ZZABC2600001' })
    expect(found[0]).to.include({ artworkUrl: 'https://img.example/art-t500x500.jpg', isStream: false })
    expect(found[1]?.artworkUrl).to.equal('https://img.example/avatar-t500x500.jpg')
    expect(await search('nothing')).to.deep.equal([])
  })

  it('opens a track from its token with a fresh address, asking no one but the API', async () => {
    const [found] = await search('ebb')
    const token = encodeToken(found as TrackInfo)
    expect(await sources.open(decodeToken(token), signal)).to.deep.equal({
      kind: 'http',
      url: 'https://cf-media.example/1.mp3?Policy=a&Signature=b',
      codec: 'other',
      isStream: false,
    })
  })

  it('takes the page of a track and drops what tells where the link was shared', async () => {
    const { tracks, playlist } = await resolve('/quay/ebb-1?si=abc&utm_source=clipboard#t=3')
    expect([tracks.length, playlist]).to.deep.equal([1, null])
    expect(asked('/resolve')[0]?.query.get('url')).to.equal(`${service.url}/quay/ebb-1`)
  })

  it('completes a playlist in its own order, without what is gone or blocked', async () => {
    const { tracks, playlist } = await resolve('/quay/sets/tides')
    expect(playlist).to.equal('Tides')
    expect(tracks.map(({ identifier }) => identifier)).to.deep.equal(['1', '9', '7'])
    expect(asked('/tracks')[0]?.query.get('ids')).to.equal('9,8,7,3')
  })

  for (const [path, words, reason] of [
    ['/quay/ebb-2', /only a preview/, 'unplayable'],
    ['/quay/ebb-3', /in this country/, 'region'],
    ['/quay', /user's page/, 'unplayable'],
    ['/quay/none', /nothing at this URL/, 'nothing_found'],
  ] as const) {
    it(`refuses ${path} with its reason`, async () => {
      const fault = await faultOf(resolve(path))
      expect([fault.code, fault.reason, fault.source]).to.deep.equal(['validation_error', reason, 'soundcloud'])
      expect(fault.message).to.match(words)
    })
  }

  it('refuses a track that comes only with copy protection, one that is gone, and a token that is no number', async () => {
    const [found] = await search('ebb')
    for (const [identifier, words, reason] of [
      ['10', /no playable format/, 'unplayable'],
      ['77', /no longer has this track/, 'nothing_found'],
      ['1/../../me', /no longer has this track/, 'nothing_found'],
      ['0', /no longer has this track/, 'nothing_found'],
    ] as const) {
      const fault = await faultOf(sources.open({ ...(found as TrackInfo), identifier }, signal))
      expect([fault.code, fault.reason]).to.deep.equal(['validation_error', reason])
      expect(fault.message, identifier).to.match(words)
    }
    expect(service.received.some(({ path }) => path.includes('me'))).to.equal(false)
  })

  it('takes segments where there is no file, and never those of several qualities', async () => {
    const [found] = await search('ebb')
    const playable = await sources.open({ ...(found as TrackInfo), identifier: '4' }, signal)
    const url = 'https://cf-media.example/4/playlist.m3u8?Policy=a&Signature=b'
    expect(playable).to.deep.equal({ kind: 'hls', url, codec: 'other', isStream: false })
    const aac = await sources.open({ ...(found as TrackInfo), identifier: '6' }, signal)
    expect([aac.kind, 'url' in aac && aac.url], 'before a file').to.deep.equal(['hls', url.replace('/4/', '/6/')])
  })

  it('knows what goes well after a track', async () => {
    const [found] = await search('ebb')
    const related = await sources.related(found as TrackInfo, 5, signal)
    expect(related.map(({ identifier }) => identifier)).to.deep.equal(['6', '7'])
  })

  it('looks for a new key once when the old one is refused, and not again within the hour', async () => {
    await search('ebb')
    service.clientId = SECOND_ID
    expect((await faultOf(search('ebb'))).code).to.equal('service_unavailable')
    expect(asked('/')).to.have.length(1)
    context.clock.nowMs += 3_600_000
    expect(await search('ebb')).to.have.length(2)
    expect(asked('/')).to.have.length(2)
  })

  for (const how of MISBEHAVIOURS) {
    it(`says in words that it cannot be asked, and recovers: ${how}`, async () => {
      await search('first')
      service.misbehave(how)
      const fault = await faultOf(search('ebb'))
      expect(fault.code, fault.message).to.equal('service_unavailable')
      expect(fault.message).to.match(/^SoundCloud/)
      service.misbehave(null)
      context.clock.nowMs += 61_000
      expect(await search('ebb')).to.have.length(2)
    })
  }
})

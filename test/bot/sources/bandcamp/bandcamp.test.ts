import { expect } from 'chai'
import type { Sources } from '../../../../bot/sources/source.ts'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { closing } from '../../../support/closing.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import { startBandcamp } from '../../../support/upstreams/bandcamp.ts'
import type { TestContext } from '../../../support/upstreams/context.ts'
import type { StandIn } from '../../../support/upstreams/stand-in.ts'
import { faultOf } from '../../../support/web.ts'
import { upstreamUrls } from '../../../../tools/stage/upstream-addresses.ts'

const { signal } = new AbortController()

describe('the Bandcamp source', () => {
  const own = closing()
  let service: StandIn
  let sources: Sources
  let context: TestContext

  beforeEach(async () => {
    service = own(await startBandcamp())
    ;({ sources, context } = await outsideSources(own, {
      MUSIC_SOURCES: 'http,bandcamp',
      ...upstreamUrls({ bandcamp: service.url }),
    }))
  })

  const find = (path: string) => sources.find(service.url + path, signal)

  it('plays the track of a page, and opens it again from its token with a fresh address', async () => {
    const { tracks, playlist } = await find('/track/salt?from=fan')
    expect([tracks.length, playlist]).to.deep.equal([1, null])
    expect(tracks[0]).to.include({ title: 'Salt & “Rope”', author: 'The Quays', lengthMs: 213_400 })
    expect(tracks[0]).to.include({ uri: `${service.url}/track/salt`, artworkUrl: 'https://img.example/a.jpg?x=1&y=2' })
    const playable = await sources.open(decodeToken(encodeToken(tracks[0] as TrackInfo)), signal)
    const url = 'http://t4.bcbits.example/stream/track/salt?p=0&ts=1'
    expect(playable).to.deep.equal({ kind: 'http', url, codec: 'other', isStream: false })
  })

  it('plays an album without what can only be bought', async () => {
    const { tracks, playlist } = await find('/album/tides')
    expect(playlist).to.equal('Tides')
    expect(tracks.map(({ title, author }) => `${title} by ${author}`)).to.deep.equal([
      'Salt & “Rope” by The Quays',
      'Reef by Guest',
    ])
  })

  it('searches', async () => {
    const found = await sources.search('salt & rope', { limit: 5, source: 'bandcamp', signal })
    expect(found).to.have.length(1)
    expect(found[0]).to.include({ title: 'Salt & Rope', author: 'The Quays & Friends', source: 'bandcamp' })
    expect(found[0]?.identifier).to.equal(`${service.url}/track/salt`)
    expect(JSON.parse(service.received[0]?.body ?? '')).to.include({ search_text: 'salt & rope', search_filter: 't' })
    expect(await sources.search('nothing', { limit: 5, source: 'bandcamp', signal })).to.deep.equal([])
  })

  for (const [path, code, words] of [
    ['/track/bought', 'validation_error', /sells this but doesn't stream it/],
    ['/about', 'validation_error', /has no track/],
    ['/track/none', 'validation_error', /has no track/],
    ['/album/strange', 'service_unavailable', /changed its pages/],
    ['/track/guarded', 'service_unavailable', /blocks this service/],
  ] as const) {
    it(`refuses ${path} with its reason`, async () => {
      const fault = await faultOf(find(path))
      expect(fault.code).to.equal(code)
      expect(fault.message).to.match(words)
    })
  }

  it('reads no other page for a token, wherever it points', async () => {
    const { tracks } = await find('/track/salt')
    for (const identifier of ['http://169.254.169.254/track/salt', 'https://bandcamp.example/track/a', 'salt', '']) {
      const fault = await faultOf(sources.open({ ...(tracks[0] as TrackInfo), identifier }, signal))
      expect(fault.message).to.equal(
        'The track token names Bandcamp as its source, but no Bandcamp page. Send the unchanged token from a search.',
      )
    }
  })

  for (const how of ['hang', 'drip', 'status 500', 'status 429 with Retry-After', '20 MB', 'cut connection'] as const) {
    it(`says in words that it cannot be asked, and recovers: ${how}`, async () => {
      service.misbehave(how)
      const fault = await faultOf(
        sources.search('salt', { limit: 5, source: 'bandcamp', signal: AbortSignal.timeout(900) }),
      )
      expect(fault.code).to.equal('service_unavailable')
      service.misbehave(null)
      context.clock.nowMs += 60_000
      expect(await sources.search('salt', { limit: 5, source: 'bandcamp', signal })).to.have.length(1)
    })
  }
})

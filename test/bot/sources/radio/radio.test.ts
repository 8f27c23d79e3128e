import { expect } from 'chai'
import type { Sources } from '../../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { closing } from '../../../support/closing.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import type { TestContext } from '../../../support/upstreams/context.ts'
import { STATION_ID, startRadioBrowser, type RadioBrowserStandIn } from '../../../support/upstreams/radio-browser.ts'
import { MISBEHAVIOURS } from '../../../support/upstreams/stand-in.ts'
import { faultOf, serve } from '../../../support/web.ts'

const { signal } = new AbortController()

describe('the radio directory as a source', () => {
  const own = closing()
  let service: RadioBrowserStandIn
  let sources: Sources
  let context: TestContext

  beforeEach(async () => {
    service = own(await startRadioBrowser())
    ;({ sources, context } = await outsideSources(own, { MUSIC_SOURCES: 'radio', RADIO_BROWSER_URL: service.url }))
  })

  const search = (text: string) => sources.search(text, { limit: 10, signal })

  it('finds each station once, without broken ones, and remembers the answer', async () => {
    const found = await search('harbour')
    expect(found.map(({ identifier }) => identifier.slice(-2))).to.deep.equal(['41', '43', '45', '46'])
    expect(found[0]).to.include({
      title: 'Harbour FM',
      author: 'Germany',
      isStream: true,
      lengthMs: 0,
      source: 'radio',
    })
    expect(found[0]).to.include({ uri: 'http://radio.example.org:8000/live', artworkUrl: null })
    expect(found[1]).to.include({ uri: 'https://two.example/', artworkUrl: null })
    expect(await search('nothing')).to.deep.equal([])
    const asked = service.received.length
    await search('HARBOUR')
    expect(service.received).to.have.length(asked)
  })

  it('finds stations by what they send, where they are and what they speak', async () => {
    const queryOf = async (text: string) => {
      service.received.length = 0
      await search(text)
      const [query] = service.received.map((it) => it.query)
      const names = ['name', 'tag', 'tagExact', 'country', 'countrycode', 'language']
      return Object.fromEntries(names.flatMap((name) => (query?.has(name) ? [[name, query.get(name)]] : [])))
    }
    expect(await queryOf('tag:Jazz country:de')).to.deep.equal({ tag: 'jazz', tagExact: 'true', countrycode: 'DE' })
    expect(await queryOf('few genre:"smooth jazz" lang:fr country:Belg')).to.deep.equal({
      name: 'few',
      tag: 'smooth jazz',
      tagExact: 'true',
      country: 'Belg',
      language: 'french',
    })
    expect(await queryOf('Re:mix at 5:00 FM')).to.deep.equal({ name: 'Re:mix at 5:00 FM' })
    service.received.length = 0
    expect(await search('tag:""')).to.deep.equal([])
    expect(service.received).to.deep.equal([])
  })

  it('takes a name that few stations have for what they send as well', async () => {
    const found = await search('few')
    expect(found.map(({ title }) => title)).to.deep.equal(['Harbour FM', 'Jazz One'])
    expect(service.received.map(({ query }) => query.get('name') ?? query.get('tag'))).to.deep.equal(['few', 'few'])
  })

  it('counts a listener when a station plays, not when it is found, and says why one is silent', async () => {
    const [found] = await search('harbour')
    expect(service.received.some(({ path }) => path.startsWith('/json/url/'))).to.equal(false)
    const dead = own(await serve((_, response) => response.writeHead(404).end()))
    service.stream = `${dead.url}/live`
    const fault = await faultOf(sources.open(found as TrackInfo, signal))
    expect(fault.reason).to.equal('unreachable')
    expect(fault.message).to.match(
      /^This station is unavailable: 127\.0\.0\.1:\d+ has no file at this URL \(status 404\)\.$/,
    )
    expect(service.received.filter(({ path }) => path === `/json/url/${STATION_ID}`)).to.have.length(1)
    service.stream = 'http://127.0.0.1:1/live'
    const gone = await faultOf(sources.open(found as TrackInfo, signal))
    expect([gone.code, gone.message]).to.deep.equal([
      'service_unavailable',
      'This station is unavailable: 127.0.0.1:1 is unreachable.',
    ])
  })

  it('opens a station where it plays now, through the playlist that it is announced with', async () => {
    const [found] = await search('harbour')
    const station = own(
      await serve(({ url }, response) => {
        if (url === '/list.m3u') response.end(`http://127.0.0.1:${station.port}/live\n`)
        else response.writeHead(200, { 'icy-name': 'Harbour FM' }).write(Buffer.alloc(70_000, mp3Frame()))
      }),
    )
    service.stream = `${station.url}/list.m3u`
    const playable = await sources.open(found as TrackInfo, signal)
    expect(playable).to.deep.equal({ kind: 'http', url: `${station.url}/live`, codec: 'other', isStream: true })
    expect(service.received.at(-1)?.path).to.equal(`/json/url/${STATION_ID}`)
  })

  it('reaches no private address, no matter what the directory says', async () => {
    const [found] = await search('harbour')
    service.stream = 'http://169.254.169.254/latest/meta-data'
    const fault = await faultOf(sources.open(found as TrackInfo, signal))
    expect(fault.code).to.equal('validation_error')
    expect(fault.message).to.match(/public address/)
  })

  it('refuses a station that is gone and a token that is none', async () => {
    const [found] = await search('harbour')
    for (const identifier of [STATION_ID.replace('41', '99'), '../stats', '']) {
      const fault = await faultOf(sources.open({ ...(found as TrackInfo), identifier }, signal))
      expect(fault).to.include({
        reason: 'nothing_found',
        message: 'The radio directory no longer has this station.',
      })
    }
  })

  for (const how of MISBEHAVIOURS) {
    it(`says in words that it cannot be asked, and recovers: ${how}`, async () => {
      service.misbehave(how)
      const fault = await faultOf(search('harbour'))
      expect(fault.code).to.equal('service_unavailable')
      expect(fault.message).to.match(/^The radio directory/)
      service.misbehave(null)
      context.clock.nowMs += 61_000
      expect(await search('harbour')).to.have.length(4)
    })
  }
})

/** A frame of silence: 128 kbit/s at 44.1 kHz, padded so that frames follow one another. */
function mp3Frame(): Buffer {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xfffb9000)
  return frame
}

import { expect } from 'chai'
import type { Sources } from '../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../bot/track.ts'
import { closing } from '../../support/closing.ts'
import { outsideSources } from '../../support/music-outside.ts'
import type { TestContext } from '../../support/upstreams/context.ts'
import { STATION_ID, startRadioBrowser, type RadioBrowserStandIn } from '../../support/upstreams/radio-browser.ts'
import { MISBEHAVIOURS } from '../../support/upstreams/stand-in.ts'
import { faultOf, serve } from '../../support/web.ts'

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
    expect(found.map(({ identifier }) => identifier.slice(-2))).to.deep.equal(['41', '43'])
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
    await search('HARBOUR')
    expect(service.received).to.have.length(2)
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

  it('reaches no private address, whatever the directory says', async () => {
    const [found] = await search('harbour')
    service.stream = 'http://169.254.169.254/latest/meta-data'
    const fault = await faultOf(sources.open(found as TrackInfo, signal))
    expect(fault.code).to.equal('validation_error')
    expect(fault.message).to.match(/public internet address/)
  })

  it('refuses a station that is gone and a token that is none', async () => {
    const [found] = await search('harbour')
    for (const identifier of [STATION_ID.replace('41', '99'), '../stats', '']) {
      const fault = await faultOf(sources.open({ ...(found as TrackInfo), identifier }, signal))
      expect(fault.details?.[0]).to.deep.equal({
        field: 'body.track.encoded',
        message: 'The radio directory does not have this station any more.',
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
      expect(await search('harbour')).to.have.length(2)
    })
  }
})

/** A frame of silence: 128 kbit/s at 44.1 kHz, padded so that frames follow one another. */
function mp3Frame(): Buffer {
  const frame = Buffer.alloc(417)
  frame.writeUInt32BE(0xfffb9000)
  return frame
}

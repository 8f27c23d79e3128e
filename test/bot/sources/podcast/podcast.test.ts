import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Sources } from '../../../../bot/sources/source.ts'
import type { TrackInfo } from '../../../../bot/tracks/track.ts'
import { decodeToken, encodeToken } from '../../../../bot/tracks/track-token.ts'
import { makeAudio } from '../../../support/audio-files.ts'
import { closing } from '../../../support/closing.ts'
import { temporaryFolder } from '../../../support/database.ts'
import { outsideSources } from '../../../support/music-outside.ts'
import type { TestContext } from '../../../support/upstreams/context.ts'
import { startPodcasts, type PodcastsStandIn } from '../../../support/upstreams/podcasts.ts'
import { MISBEHAVIOURS } from '../../../support/upstreams/stand-in.ts'
import { faultOf } from '../../../support/web.ts'
import { upstreamUrls } from '../../../../tools/stage/upstream-addresses.ts'

const { signal } = new AbortController()
const XML = { 'content-type': 'application/rss+xml' }

/** A show as its host writes it: the oldest episode first, with what has no sound in between. */
const FEED = (url: string) => `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:podcast="https://podcastindex.org/namespace/1.0">
  <channel>
    <title>Tide &amp; Tables</title>
    <itunes:author>The Harbour Radio</itunes:author>
    <image><url>${url}/show.jpg</url><title>Not the name</title></image>
    <item>
      <title>Spring Tides</title><guid>ep-1</guid><pubDate>Mon, 05 Oct 2026 05:00:00 +0000</pubDate>
      <enclosure url="${url}/spring.mp3?a=1&amp;b=2" type="audio/mpeg" length="1"/><itunes:duration>1:02:45</itunes:duration>
    </item>
    <item><title>A note</title><pubDate>Tue, 06 Oct 2026 05:00:00 +0000</pubDate></item>
    <item>
      <title><![CDATA[Neap Tides]]></title><pubDate>Mon, 02 Nov 2026 05:00:00 GMT</pubDate>
      <itunes:duration>61</itunes:duration><itunes:image href="/neap.jpg"/>
      <enclosure url="/neap.mp3" type="audio/mpeg"/>
      <podcast:chapters url="${url}/neap.json" type="application/json+chapters"/>
    </item>
    <item><title>Transcript</title><enclosure url="/t.pdf" type="application/pdf"/></item>
  </channel>
</rss>`

describe('podcasts as a source', () => {
  const own = closing()
  const folder = temporaryFolder()
  let episode: Buffer
  let host: PodcastsStandIn
  let sources: Sources
  let context: TestContext

  before(() => {
    episode = readFileSync(makeAudio(join(folder.path, 'neap.mp3'), { seconds: 20 }))
  })
  after(() => folder.remove())
  beforeEach(async () => {
    host = own(await startPodcasts())
    host.files.set('/feed.xml', { text: FEED(host.url), headers: XML })
    host.files.set('/neap.mp3', { bytes: episode })
    ;({ sources, context } = await open('http,podcast'))
  })

  const open = (MUSIC_SOURCES: string) =>
    outsideSources(own, { MUSIC_SOURCES, ...upstreamUrls({ itunes: host.url }), UPSTREAM_TIMEOUT_MS: '2000' })
  const search = (text: string) => sources.search(text, { limit: 5, source: 'podcast', signal })
  const find = (uri: string) => sources.find(uri, signal)
  const newest = async () => (await find(`${host.url}/feed.xml`)).tracks[0] as TrackInfo

  it('plays the episodes of any feed by its address, the newest first', async () => {
    const { tracks, playlist } = await find(`${host.url}/feed.xml`)
    expect(playlist).to.equal('Tide & Tables')
    expect(
      tracks.map(({ title, author, lengthMs, uri, artworkUrl }) => [title, author, lengthMs, uri, artworkUrl]),
    ).to.deep.equal([
      ['Neap Tides', 'Tide & Tables', 61_000, `${host.url}/neap.mp3`, `${host.url}/neap.jpg`],
      ['Spring Tides', 'Tide & Tables', 3_765_000, `${host.url}/spring.mp3?a=1&b=2`, `${host.url}/show.jpg`],
    ])
    expect(tracks[0]).to.include({ sourceName: 'podcast', isStream: false, isrc: null })
    for (const uri of [`${host.url}/feed.xml#newest=1`, `podcast+${host.url}/feed.xml#newest=1`])
      expect((await find(uri)).tracks.map(({ title }) => title)).to.deep.equal(['Neap Tides'])
  })

  it('finds episodes and shows of the directory by name, and each show plays as a whole', async () => {
    const [found] = await search('neap')
    expect(found).to.include({ title: 'Neap Tides', author: 'Tide Tables', lengthMs: 61_000, source: 'podcast' })
    expect(found?.artworkUrl).to.equal(`${host.url}/600x600bb.jpg`)
    expect(await search('nothing of this name')).to.deep.equal([])
    const lists = (text: string) => sources.lists({ kind: 'podcast', text, limit: 5, offset: 0, signal })
    const shows = await lists('tide')
    expect(shows).to.deep.equal([
      {
        kind: 'podcast',
        title: 'Tide Tables',
        author: 'The Harbour Radio',
        trackCount: 3,
        uri: `podcast+${host.url}/feed.xml`,
        artworkUrl: `${host.url}/600x600bb.jpg`,
        source: 'podcast',
      },
    ])
    expect((await find(shows[0]?.uri ?? '')).tracks.map(({ title }) => title)).to.deep.equal([
      'Neap Tides',
      'Spring Tides',
    ])
    expect([
      await lists(''),
      await sources.lists({ kind: 'album', text: 'tide', limit: 5, offset: 0, signal }),
    ]).to.deep.equal([[], []])
  })

  it('plays links of Apple Podcasts: a show, or one of its episodes', async () => {
    const link = 'https://podcasts.apple.com/us/podcast/tide-tables/id1200361736'
    expect((await find(link)).tracks).to.have.length(2)
    const one = await find(`${link}?i=1000600000001`)
    expect([one.playlist, ...one.tracks.map(({ title }) => title)]).to.deep.equal([null, 'Neap Tides'])
    expect((await faultOf(find('https://podcasts.apple.com/us/podcast/x/id99'))).reason).to.equal('nothing_found')
    const off = await open('http')
    const fault = await faultOf(off.sources.find(link, signal))
    expect(fault).to.include({ reason: 'source_off', source: 'podcast' })
  })

  it('opens an episode where it is, and again from its token', async () => {
    const track = decodeToken(encodeToken(await newest()))
    const playable = await sources.open(track, signal)
    expect(playable).to.deep.equal({ kind: 'http', url: `${host.url}/neap.mp3`, codec: 'other', isStream: false })
    const [found] = await search('neap')
    expect(await sources.open(found as TrackInfo, signal)).to.deep.equal(playable)
  })

  it('has the chapters that a feed names, and else those of the file', async () => {
    const track = await newest()
    const chapters = [
      { startTime: 0, title: 'Casting off' },
      { startTime: 9.5, title: 'At sea' },
      { startTime: 15, toc: false },
    ]
    host.files.set('/neap.json', { json: { version: '1.2.0', chapters } })
    expect(await sources.chapters(track, signal)).to.deep.equal([
      { title: 'Casting off', startMs: 0 },
      { title: 'At sea', startMs: 9500 },
    ])
    host.files.set('/neap.json', { json: { version: '1.2.0', chapters: [] } })
    expect(await sources.chapters(track, signal)).to.deep.equal([])
  })

  it('reaches nothing that callers may not reach, no matter what a token or a feed holds', async () => {
    const track = await newest()
    for (const identifier of [
      'http://169.254.169.254/latest',
      'file:///etc/passwd',
      '',
      'x y',
      'http://10.0.0.1/ http://10.0.0.1/',
    ]) {
      const fault = await faultOf(sources.open({ ...track, identifier }, signal))
      expect(fault.code, identifier).to.equal('validation_error')
    }
    const fault = await faultOf(
      sources.chapters({ ...track, identifier: `${host.url}/neap.mp3 http://10.0.0.1/c` }, signal),
    )
    expect(fault.code).to.equal('validation_error')
    const hostile = FEED(host.url)
      .replaceAll(/url="[^"]*"/g, 'url="javascript:alert(1)"')
      .replaceAll('<url>', '<url>data:')
    host.files.set('/feed.xml', { text: hostile, headers: XML })
    expect((await faultOf(find(`${host.url}/feed.xml`))).message).to.equal('This podcast has no episodes.')
  })

  it('answers for a feed of 20 MB with ten thousand episodes, with the newest', async () => {
    const notes = `<description>${'<![CDATA[<p>Words & more]]>'.repeat(75)}</description>`
    const items = Array.from({ length: 10_000 }, (_, n) => {
      const date = new Date(Date.UTC(2000, 0, 1) - n * 86_400_000).toUTCString()
      return `<item><title>Day ${n}</title><pubDate>${date}</pubDate>${notes}<enclosure url="/${n}.mp3" type="audio/mpeg"/></item>`
    })
    const text = `<rss><channel><title>Daily</title>${items.join('')}</channel></rss>`
    expect(text.length).to.be.above(20 * 1024 * 1024)
    host.files.set('/feed.xml', { text, headers: XML })
    const { tracks } = await find(`${host.url}/feed.xml`)
    expect([tracks.length, tracks[0]?.title, tracks.at(-1)?.title]).to.deep.equal([100, 'Day 0', 'Day 99'])
  })

  it('says what an address leads to that is no feed, and that podcasts are off', async () => {
    host.files.set('/feed.xml', { text: '<?xml version="1.0"?><opml><body/></opml>', headers: XML })
    expect((await faultOf(find(`${host.url}/feed.xml`))).message).to.match(/returned an XML document, not audio/)
    const fault = await faultOf(find(`podcast+${host.url}/feed.xml`))
    expect(fault.message).to.match(/isn't a podcast feed/)
    expect((await faultOf(find(`podcast+${host.url}/none.xml`))).code).to.equal('validation_error')
    host.files.set('/feed.xml', { text: FEED(host.url), headers: XML })
    const off = await open('http')
    const refused = await faultOf(off.sources.find(`${host.url}/feed.xml`, signal))
    expect(refused).to.include({
      reason: 'source_off',
      message: 'Podcasts are turned off. The operator can turn them on in MUSIC_SOURCES.',
    })
    expect(sources.states().find(({ name }) => name === 'podcast')).to.include({
      state: 'ready',
      kind: 'podcasts',
    })
  })

  for (const how of MISBEHAVIOURS) {
    it(`says in words that the directory cannot be asked, and recovers: ${how}`, async () => {
      host.misbehave(how)
      const fault = await faultOf(search('tide'))
      expect(fault.code).to.equal('service_unavailable')
      expect(fault.message).to.match(/^Apple Podcasts/)
      host.misbehave(null)
      context.clock.nowMs += 61_000
      expect(await search('neap')).to.have.length(1)
    })
  }
})

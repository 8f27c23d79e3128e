import { expect } from 'chai'
import { SEGMENT_CATEGORIES } from '../../../lib/music/segment-categories.ts'
import { createSponsorBlock } from '../../../upstream/music/sponsorblock.ts'
import { toSegments } from '../../../bot/tracks/segments.ts'
import { closing } from '../../support/closing.ts'
import { createTestContext, failureOf, type TestContext } from '../../support/upstreams/context.ts'
import {
  hashOf,
  neighboursOf,
  startSponsorBlock,
  type MarkedSegment,
  type SponsorBlockStandIn,
} from '../../support/upstreams/sponsorblock.ts'

const VIDEO = 'dQw4w9WgXcQ'
const LENGTH_MS = 212_000

function skip(startMs: number, endMs: number, category: 'sponsor' | 'intro' | 'outro' = 'sponsor') {
  return { category, action: 'skip', startMs, endMs } as const
}

describe('SponsorBlock', () => {
  const own = closing()
  let server: SponsorBlockStandIn
  let context: TestContext

  beforeEach(async () => {
    server = own(await startSponsorBlock())
    context = own(createTestContext())
  })

  const client = () => createSponsorBlock(context, { baseUrl: server.url, timeoutMs: 500, cacheMax: 10 })
  const find = (lengthMs = LENGTH_MS, id = VIDEO) => client().find(id, lengthMs)
  const mark = (...segments: MarkedSegment[]) => server.videos.set(VIDEO, segments)

  it('learns four digits of a hash, and never which video plays', async () => {
    const other = neighboursOf(VIDEO)
    mark({ segment: [10.5, 20.25], category: 'sponsor' })
    server.videos.set(other, [{ segment: [1, 99], category: 'intro' }])
    expect(await find()).to.deep.equal([{ category: 'sponsor', action: 'skip', startMs: 10_500, endMs: 20_250 }])
    const [{ path, rawUrl, headers, body }] = server.received as [(typeof server.received)[number]]
    expect(path).to.equal(`/api/skipSegments/${hashOf(VIDEO).slice(0, 4)}`)
    const sent = `${rawUrl} ${JSON.stringify(headers)} ${body}`
    expect(sent).not.to.include(VIDEO)
    expect(sent).not.to.include(hashOf(VIDEO).slice(0, 5))
    expect(server.received[0]?.query.get('categories')).to.equal(JSON.stringify(SEGMENT_CATEGORIES))
  })

  it('takes what a moderator vouches for or viewers have not voted down, of this cut of the video', async () => {
    mark(
      { segment: [1, 2], category: 'sponsor', votes: -1 },
      { segment: [3, 4], category: 'sponsor', votes: -2, locked: 1 },
      { segment: [5, 6], category: 'sponsor', votes: 0, videoDuration: 212.4 },
      { segment: [7, 8], category: 'sponsor', votes: 9, videoDuration: 300 },
      { segment: [9, 10], category: 'poi_highlight' },
      { segment: [11, 12], category: 'sponsor', actionType: 'full' },
      { segment: [13, 14], category: 'intro', actionType: 'mute' },
      { segment: [15, 15.1], category: 'sponsor' },
      { segment: [20, 16], category: 'sponsor' },
    )
    expect((await find()).map(({ startMs, action }) => `${startMs / 1000} ${action}`)).to.deep.equal([
      '3 skip',
      '5 skip',
      '13 mute',
    ])
    expect(await find(0), 'of unknown length').to.have.length(4)
  })

  it('is asked once for a video, and again after an hour, or ten minutes where it knew nothing', async () => {
    const one = client()
    expect(await one.find(VIDEO, LENGTH_MS)).to.deep.equal([])
    await one.find(VIDEO, LENGTH_MS)
    expect(server.received).to.have.length(1)
    mark({ segment: [1, 2], category: 'sponsor' })
    context.clock.nowMs += 601_000
    expect(await one.find(VIDEO, LENGTH_MS)).to.have.length(1)
    context.clock.nowMs += 3_500_000
    await one.find(VIDEO, LENGTH_MS)
    expect(server.received).to.have.length(2)
    context.clock.nowMs += 200_000
    await one.find(VIDEO, LENGTH_MS)
    expect(server.received).to.have.length(3)
  })

  it('is left alone for half a minute after five failures in a row', async () => {
    const one = client()
    server.misbehave('status 500')
    for (let index = 0; index < 5; index++) expect((await failureOf(one.find(VIDEO, 0))).kind).to.equal('broken')
    expect((await failureOf(one.find(VIDEO, 0))).kind).to.equal('held_back')
    expect(server.received).to.have.length(5)
    server.misbehave(null)
    context.clock.nowMs += 31_000
    expect(await one.find(VIDEO, 0)).to.deep.equal([])
  })

  for (const how of ['hang', 'truncated JSON', 'wrong shape', 'HTML', '20 MB', 'cut connection'] as const) {
    it(`fails as an outside service does: ${how}`, async () => {
      server.misbehave(how)
      expect((await failureOf(find())).name).to.equal('SponsorBlock')
    })
  }
})

describe('the segments of a track', () => {
  const all = SEGMENT_CATEGORIES

  it('are those of the categories that are wanted', () => {
    const found = [skip(1000, 2000), skip(5000, 9000, 'outro')]
    expect(toSegments(found, ['outro'], 20_000)).to.deep.equal([found[1]])
    expect(toSegments(found, [], 20_000)).to.deep.equal([])
  })

  it('are one where they overlap, touch, or leave next to nothing between them', () => {
    const found = [skip(10_000, 20_000, 'intro'), skip(5000, 12_000), skip(20_500, 30_000), skip(40_000, 45_000)]
    expect(toSegments(found, all, 60_000)).to.deep.equal([skip(5000, 30_000), skip(40_000, 45_000)])
  })

  it('begin at the beginning and reach to the end where next to nothing is left', () => {
    const found = [skip(300, 5000), skip(50_000, 59_800)]
    expect(toSegments(found, all, 60_000)).to.deep.equal([skip(0, 5000), skip(50_000, 60_000)])
    expect(toSegments([skip(50_000, 90_000)], all, 0), 'of unknown length').to.deep.equal([skip(50_000, 90_000)])
    expect(toSegments([skip(70_000, 90_000)], all, 60_000), 'beyond the end').to.deep.equal([])
  })

  it('are none where they would leave nothing of the track', () => {
    expect(toSegments([skip(0, 30_000), skip(29_000, 60_000)], all, 60_000)).to.deep.equal([])
  })

  it('may be silent instead of passed over, beside others', () => {
    const mute = { ...skip(10_000, 12_000), action: 'mute' } as const
    expect(toSegments([skip(11_000, 20_000), mute], all, 60_000)).to.deep.equal([mute, skip(11_000, 20_000)])
  })
})

import { expect } from 'chai'
import { createSiteBudget } from '../../../bot/sources/site-budget.ts'
import { closing } from '../../support/closing.ts'
import { outsideSources } from '../../support/music-outside.ts'
import { startSoundCloud } from '../../support/upstreams/soundcloud.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('the budget of a music site', () => {
  const own = closing()

  it('lets so many requests through at once, then one each time that a minute’s share has passed', () => {
    let nowMs = 0
    const budget = createSiteBudget('Site', () => nowMs, 60)
    for (let times = 0; times < 60; times++) budget.take()
    expect(budget.status()).to.deep.equal({ perMinute: 60, left: 0, pausedMs: 0 })
    expect(() => budget.take()).to.throw('Site')
    nowMs = 1000
    budget.take()
    expect(() => budget.take()).to.throw('Site')
  })

  it('pauses after a refusal, twice as long after the next, and as long as the site says', () => {
    let nowMs = 0
    const budget = createSiteBudget('Site', () => nowMs)
    const pauses = [1, 2, 3].map(() => {
      budget.refused()
      const { pausedMs } = budget.status()
      nowMs += pausedMs
      return pausedMs
    })
    expect(pauses).to.deep.equal([30_000, 60_000, 120_000])
    budget.answered()
    budget.refused(7000)
    expect(budget.status().pausedMs).to.equal(7000)
    expect(() => budget.take()).to.throw('Site')
    nowMs += 7000
    budget.take()
  })

  it('obeys Retry-After: a site that refuses a search is not asked again before', async () => {
    const site = own(await startSoundCloud())
    const env = {
      MUSIC_SOURCES: 'soundcloud',
      ...upstreamUrls({ 'soundcloud-api': site.url, 'soundcloud-web': site.url }),
    }
    const { sources, context } = await outsideSources(own, env)
    const search = () => sources.search('ebb', { limit: 1, signal: new AbortController().signal })
    await search()
    site.misbehave('status 429 with Retry-After')
    await search().catch(() => null)
    site.misbehave(null)
    const asked = site.received.length
    expect(sources.states()[0]?.budget?.pausedMs).to.equal(30_000)
    expect(await search().catch(() => null)).to.equal(null)
    expect(site.received).to.have.length(asked)
    context.clock.nowMs += 31_000
    await search()
    expect(site.received.length).to.be.above(asked)
  })
})

import { expect } from 'chai'
import { createBreaker } from '../../../lib/sharing/breaker.ts'
import type { Upstream } from '../../../upstream/http/client.ts'
import { city, startCityService, type CityService } from '../../support/upstreams/city.ts'
import { failureOf } from '../../support/upstreams/context.ts'

const once = (one: Upstream) => failureOf(one.get(city)).then(({ kind }) => kind)

describe('circuit breaker', () => {
  let at: CityService
  beforeEach(async () => {
    at = await startCityService()
  })
  afterEach(() => at.close())

  it('leaves a service alone for 30 s after five failures in a row, then tries it with a single call', async () => {
    const one = at.client()
    at.service.misbehave('status 500')
    for (let i = 0; i < 5; i++) expect(await once(one)).to.equal('broken')
    expect(await once(one)).to.equal('held_back')
    at.context.clock.nowMs += 30_000
    expect(await Promise.all([once(one), once(one)])).to.deep.equal(['broken', 'held_back'])
    expect(await once(one)).to.equal('held_back')
    at.context.clock.nowMs += 30_000
    at.service.misbehave(null)
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
    expect(at.service.received).to.have.length(8)
  })

  it('waits twice as long after each failed trial where it is told to, up to a bound', () => {
    let nowMs = 0
    const breaker = createBreaker({ now: () => nowMs, failures: 1, openMs: 1000, openMaxMs: 3000 })
    const pauses = [1, 2, 3, 4].map(() => {
      const fromMs = nowMs
      breaker.failed()
      while (!breaker.admits()) nowMs += 500
      return nowMs - fromMs
    })
    expect(pauses).to.deep.equal([1000, 2000, 3000, 3000])
    breaker.succeeded()
    breaker.failed()
    expect(breaker.isResting()).to.equal(true)
    nowMs += 1000
    expect(breaker.isResting()).to.equal(false)
  })

  it('is not opened by what a caller may have caused: rejected or malformed answers', async () => {
    const one = at.client()
    at.replies = Array.from({ length: 12 }, (_, i) => (i % 2 ? { status: 400, json: {} } : { json: { city: 5 } }))
    for (let i = 0; i < 12; i++) await failureOf(one.get(city))
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
  })

  it('does not call before the time that the service named, up to a minute', async () => {
    const one = at.client()
    at.replies = [
      { status: 429, headers: { 'retry-after': '20' } },
      { status: 429, headers: { 'retry-after': '86400' } },
    ]
    expect(await once(one)).to.equal('refused')
    expect(await once(one)).to.equal('held_back')
    at.context.clock.nowMs += 20_000
    expect(await once(one)).to.equal('refused')
    at.context.clock.nowMs += 60_000
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
  })

  it('opens for a minute at the first refusal where the service punishes insistence', async () => {
    const one = at.client({ opensOnRefusal: true })
    at.replies = [{ status: 403, text: '<html>blocked</html>' }]
    expect(await once(one)).to.equal('refused')
    at.context.clock.nowMs += 59_000
    expect(await once(one)).to.equal('held_back')
    at.context.clock.nowMs += 1000
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
  })
})

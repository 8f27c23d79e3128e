import { expect } from 'chai'
import { createCache } from '../../../upstream/http/cache.ts'
import { notFound } from '../../../upstream/http/client.ts'
import { city, startCityService, type CityService } from '../../support/upstreams/city.ts'
import { failureOf } from '../../support/upstreams/context.ts'

describe('upstream cache', () => {
  let at: CityService
  beforeEach(async () => {
    at = await startCityService()
  })
  afterEach(() => at.close())

  const cached = (options: { missingTtlMs?: number; staleMs?: number; max?: number } = {}) =>
    createCache<{ city: string } | null>({
      name: 'cities',
      max: 2,
      ttlMs: 60_000,
      ...options,
      metrics: at.context.metrics,
      now: at.context.now,
    })

  it('asks once for a hundred identical requests at once, and not at all for what it knows', async () => {
    const cache = cached()
    const get = () => cache.get('lodz', () => at.client().get(city))
    const answers = await Promise.all(Array.from({ length: 100 }, get))
    expect(new Set(answers).size).to.equal(1)
    await get()
    expect(at.service.received).to.have.length(1)
    expect(at.context.metrics.snapshot()['cities']?.cache).to.deep.equal({ miss: 1, shared: 99, hit: 1 })
  })

  it('asks again when the time is over, sooner for what was missing, and forgets what is used least', async () => {
    const cache = cached({ missingTtlMs: 1000 })
    const get = (key: string) => cache.get(key, () => at.client().find({ ...city, absent: notFound }))
    at.replies = [{ status: 404, json: {} }]
    expect(await get('a')).to.equal(null)
    at.context.clock.nowMs += 1000
    expect(await get('a')).to.deep.equal({ city: 'Łódź' })
    at.context.clock.nowMs += 59_000
    await get('a')
    expect(at.service.received).to.have.length(2)
    await get('b')
    await get('c')
    await get('a')
    expect(at.service.received).to.have.length(5)
  })

  it('serves an old answer when the service fails and where that was asked for, and never keeps a failure', async () => {
    const lenient = cached({ staleMs: 60_000 })
    const strict = cached()
    const get = (cache: typeof lenient) => cache.get('a', () => at.client().get(city))
    await Promise.all([get(lenient), get(strict)])
    at.service.misbehave('status 500')
    at.context.clock.nowMs += 60_000
    expect(await get(lenient)).to.deep.equal({ city: 'Łódź' })
    expect((await failureOf(get(strict))).kind).to.equal('broken')
    at.context.clock.nowMs += 60_000
    expect((await failureOf(get(lenient))).kind).to.equal('broken')
    at.service.misbehave(null)
    expect(await get(strict)).to.deep.equal({ city: 'Łódź' })
  })
})

import { expect } from 'chai'
import { z } from 'zod'
import { createCache } from '../../upstream/cache.ts'
import { createUpstream, notFound, type UpstreamSpec } from '../../upstream/client.ts'
import { createTestContext, failureOf, type TestContext } from '../support/upstreams/context.ts'
import { startStandIn, type Reply, type StandIn } from '../support/upstreams/stand-in.ts'

const city = { path: '/city', shape: z.object({ city: z.string() }) }

describe('upstream cache', () => {
  let context: TestContext
  let service: StandIn
  let replies: Reply[]

  beforeEach(async () => {
    context = createTestContext()
    replies = []
    service = await startStandIn(() => replies.shift() ?? { json: { city: 'Łódź' } })
  })
  afterEach(async () => {
    await context.close()
    await service.close()
  })

  const client = (spec: Partial<UpstreamSpec> = {}) =>
    createUpstream(context, { name: 'The city service', id: 'cities', baseUrl: service.url, timeoutMs: 2000, ...spec })

  const cached = (options: { missingTtlMs?: number; staleMs?: number; max?: number } = {}) =>
    createCache<{ city: string } | null>({
      name: 'cities',
      max: 2,
      ttlMs: 60_000,
      ...options,
      metrics: context.metrics,
      now: context.now,
    })

  it('asks once for a hundred identical requests at once, and not at all for what it knows', async () => {
    const cache = cached()
    const get = () => cache.get('lodz', () => client().get(city))
    const answers = await Promise.all(Array.from({ length: 100 }, get))
    expect(new Set(answers).size).to.equal(1)
    await get()
    expect(service.received).to.have.length(1)
    expect(context.metrics.snapshot()['cities']?.cache).to.deep.equal({ miss: 1, shared: 99, hit: 1 })
  })

  it('asks again when the time is over, sooner for what was missing, and forgets what is used least', async () => {
    const cache = cached({ missingTtlMs: 1000 })
    const get = (key: string) => cache.get(key, () => client().find({ ...city, absent: notFound }))
    replies = [{ status: 404, json: {} }]
    expect(await get('a')).to.equal(null)
    context.clock.nowMs += 1000
    expect(await get('a')).to.deep.equal({ city: 'Łódź' })
    context.clock.nowMs += 59_000
    await get('a')
    expect(service.received).to.have.length(2)
    await get('b')
    await get('c')
    await get('a')
    expect(service.received).to.have.length(5)
  })

  it('serves an old answer when the service fails and where that was asked for, and never keeps a failure', async () => {
    const lenient = cached({ staleMs: 60_000 })
    const strict = cached()
    const get = (cache: typeof lenient) => cache.get('a', () => client().get(city))
    await Promise.all([get(lenient), get(strict)])
    service.misbehave('status 500')
    context.clock.nowMs += 60_000
    expect(await get(lenient)).to.deep.equal({ city: 'Łódź' })
    expect((await failureOf(get(strict))).kind).to.equal('broken')
    context.clock.nowMs += 60_000
    expect((await failureOf(get(lenient))).kind).to.equal('broken')
    service.misbehave(null)
    expect(await get(strict)).to.deep.equal({ city: 'Łódź' })
  })
})

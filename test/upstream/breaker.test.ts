import { expect } from 'chai'
import { z } from 'zod'
import { createUpstream, type Upstream, type UpstreamSpec } from '../../upstream/client.ts'
import { createTestContext, failureOf, type TestContext } from '../support/upstreams/context.ts'
import { startStandIn, type Reply, type StandIn } from '../support/upstreams/stand-in.ts'

const city = { path: '/city', shape: z.object({ city: z.string() }) }
const once = (one: Upstream) => failureOf(one.get(city)).then(({ kind }) => kind)

describe('circuit breaker', () => {
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

  it('leaves a service alone for 30 s after five failures in a row, then tries it with a single call', async () => {
    const one = client()
    service.misbehave('status 500')
    for (let i = 0; i < 5; i++) expect(await once(one)).to.equal('broken')
    expect(await once(one)).to.equal('held_back')
    context.clock.nowMs += 30_000
    expect(await Promise.all([once(one), once(one)])).to.deep.equal(['broken', 'held_back'])
    expect(await once(one)).to.equal('held_back')
    context.clock.nowMs += 30_000
    service.misbehave(null)
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
    expect(service.received).to.have.length(8)
  })

  it('is not opened by what a caller may have caused: rejected or malformed answers', async () => {
    const one = client()
    replies = Array.from({ length: 12 }, (_, i) => (i % 2 ? { status: 400, json: {} } : { json: { city: 5 } }))
    for (let i = 0; i < 12; i++) await failureOf(one.get(city))
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
  })

  it('does not call before the time that the service named, up to a minute', async () => {
    const one = client()
    replies = [
      { status: 429, headers: { 'retry-after': '20' } },
      { status: 429, headers: { 'retry-after': '86400' } },
    ]
    expect(await once(one)).to.equal('refused')
    expect(await once(one)).to.equal('held_back')
    context.clock.nowMs += 20_000
    expect(await once(one)).to.equal('refused')
    context.clock.nowMs += 60_000
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
  })

  it('opens for a minute at the first refusal where the service punishes insistence', async () => {
    const one = client({ opensOnRefusal: true })
    replies = [{ status: 403, text: '<html>blocked</html>' }]
    expect(await once(one)).to.equal('refused')
    context.clock.nowMs += 59_000
    expect(await once(one)).to.equal('held_back')
    context.clock.nowMs += 1000
    expect(await one.get(city)).to.deep.equal({ city: 'Łódź' })
  })
})

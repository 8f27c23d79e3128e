import { expect } from 'chai'
import { z } from 'zod'
import * as envelopes from '../../../api/http/envelopes.ts'
import { route } from '../../../api/http/route.ts'
import { routes } from '../../../api/routes/index.ts'
import { closing } from '../../support/closing.ts'
import { keys, startApi } from '../../support/api.ts'

const path = '/v1/tools/binary/encode?text=Hi'

const screenshot = route('testScreenshot', 'GET /v1/test/screenshot', {
  summary: 'A route of the browser class',
  tag: 'Tools',
  class: 'browser',
  envelope: envelopes.success,
  data: z.object({ shot: z.boolean() }),
  example: { data: { shot: true } },
  handle: () => ({ shot: true }),
})

describe('limits', () => {
  const keep = closing()

  it('say 429 with the class, its limit and whole seconds to wait, and pass again after that', async () => {
    const api = keep(await startApi())
    for (let i = 0; i < 60; i++) expect((await api.call('GET', path, { key: keys.free })).status).to.equal(200)
    const { status, headers, body } = await api.call('GET', path, { key: keys.free })
    expect(status).to.equal(429)
    expect(body.error.code).to.equal('rate_limited')
    expect(body.error.message).to.match(/Over the limit for class cheap: 60 requests per minute\./)
    expect(Object.fromEntries(headers)).to.include({
      'x-ratelimit-plan': 'free',
      'x-ratelimit-class': 'cheap',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'retry-after': '1',
      ratelimit: '"cheap";r=0;t=1',
      'ratelimit-policy': '"cheap";q=60;w=60, "total";q=80;w=60',
    })
    api.clock.nowMs += 1000
    const again = await api.call('GET', path, { key: keys.free })
    expect(again.status).to.equal(200)
    expect(again.headers.get('retry-after')).to.equal(null)
  })

  it('say what is left, and when all of it is there again', async () => {
    const api = keep(await startApi())
    const ask = async () => (await api.call('GET', path, { key: keys.free })).headers.get('ratelimit')
    expect(await ask()).to.equal('"cheap";r=59;t=1')
    for (let i = 0; i < 29; i++) await ask()
    expect(await ask()).to.equal('"cheap";r=29;t=31')
    api.clock.nowMs += 31_000
    expect(await ask()).to.equal('"cheap";r=59;t=1')
  })

  it('are shared by all keys of a project', async () => {
    const api = keep(await startApi())
    const statuses: number[] = []
    for (let i = 0; i < 31; i++) {
      for (const key of [keys.free, keys.freeToo]) statuses.push((await api.call('GET', path, { key })).status)
    }
    expect(statuses.filter((status) => status === 200).length).to.equal(60)
  })

  it('let exactly 60 of 100 requests at once through', async () => {
    const api = keep(await startApi())
    const all = await Promise.all(Array.from({ length: 100 }, () => api.call('GET', path, { key: keys.free })))
    expect(all.filter(({ status }) => status === 200).length).to.equal(60)
    expect(all.filter(({ status }) => status === 429).length).to.equal(40)
  })

  it('name the total when the total is what is spent', async () => {
    const api = keep(
      await startApi({ app: { meter: { charge: () => ({ allowed: false, spent: 'aggregate', waitMs: 2001 }) } } }),
    )
    const { body, headers } = await api.call('GET', path, { key: keys.free })
    expect(body.error.message).to.match(/^The project is over its total request limit: 80 requests per minute\./)
    expect(headers.get('retry-after')).to.equal('3')
    expect(headers.get('ratelimit')).to.equal('"total";r=0;t=3')
  })

  it('charge a request whose input is refused, and none that got no further than its key or its route', async () => {
    const api = keep(await startApi())
    const refused = await api.call('GET', '/v1/tools/binary/encode', { key: keys.free })
    expect(refused.status).to.equal(400)
    expect(refused.headers.get('x-ratelimit-remaining')).to.equal('59')
    await api.call('GET', path, { key: null })
    await api.call('GET', path, { key: keys.revoked })
    await api.call('GET', '/v1/nowhere', { key: keys.free })
    await api.call('POST', path, { key: keys.free })
    await api.call('OPTIONS', path, { key: keys.free })
    const next = await api.call('GET', path, { key: keys.free })
    expect(next.headers.get('x-ratelimit-remaining')).to.equal('58')
  })

  it('do not touch music, the status and refused keys, which carry no such headers', async () => {
    const api = keep(await startApi())
    for (const [url, key] of [
      ['/v1/status', keys.free],
      ['/v1/music/players', keys.free],
      [path, null],
    ] as const) {
      const { headers } = await api.call('GET', url, { key })
      expect(
        [...headers.keys()].filter((name) => name.startsWith('x-ratelimit') || name === 'retry-after'),
      ).to.deep.equal([])
    }
  })

  it('answer 403 with the plan, and charge nothing, for a class that the plan lacks', async () => {
    const api = keep(await startApi({ routes: [...routes, screenshot] }))
    const { status, headers, body } = await api.call('GET', '/v1/test/screenshot', { key: keys.free })
    expect(status).to.equal(403)
    expect(body.error.code).to.equal('forbidden')
    expect(body.error.message).to.match(/free plan doesn't include the class browser/)
    expect(headers.get('x-ratelimit-plan')).to.equal('free')
    expect(headers.get('x-ratelimit-limit')).to.equal(null)
    expect((await api.call('GET', path, { key: keys.free })).headers.get('x-ratelimit-remaining')).to.equal('59')
    expect((await api.call('GET', '/v1/test/screenshot', { key: keys.unlinked })).body).to.deep.equal({
      success: true,
      data: { shot: true },
    })
  })
})

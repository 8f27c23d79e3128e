import { expect } from 'chai'
import { describeApi } from '../../../api/docs/openapi.ts'
import { routes } from '../../../api/routes/index.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'

/** The names of parameters, and whether they are required. */
function shown(parameters: readonly any[]): readonly unknown[] {
  return parameters.map(({ name, required = false }) => [name, required])
}

describe('filters and overlays by their names', () => {
  let api: TestApi
  before(async () => (api = await startApi()))
  beforeEach(() => void (api.clock.nowMs += 60_000))
  after(() => api.close())

  it('are listed with all parameters of the reference, the second picture included', async () => {
    const reference = describeApi(routes, { version: '1', baseUrl: 'http://x' }).paths ?? {}
    for (const kind of ['filters', 'overlays']) {
      const { body } = await api.call('GET', `/v1/image/${kind}`)
      for (const { name, parameters, inputs } of body.data) {
        const documented = (reference[`/v1/image/${kind}/${name}`]?.get?.parameters ?? []) as any[]
        expect(shown(parameters), name).to.deep.equal(shown(documented.filter((one) => one.in === 'query')))
        expect(parameters.filter((one: any) => one.name.startsWith('url'))).to.have.length(inputs)
      }
    }
  })

  it('are refused where there are none, as what they would have cost', async () => {
    for (const [path, said] of [
      ['filters/blurr', 'There is no filter "blurr". Did you mean blur? GET /v1/image/filters lists all.'],
      ['overlays/nothing-like-it', 'There is no overlay "nothing-like-it". GET /v1/image/overlays lists all.'],
    ] as const) {
      for (const method of ['GET', 'POST']) {
        api.clock.nowMs += 60_000
        const { status, headers, body } = await api.call(method, `/v1/image/${path}?url=x`, { key: keys.free })
        expect([status, body.error.code, body.error.message]).to.deep.equal([404, 'not_found', said])
        const limits = ['plan', 'class', 'limit', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))
        expect(limits).to.deep.equal(['free', 'canvas', '10', '9'])
      }
    }
    expect((await api.call('GET', '/v1/image/filters/blurr', { key: null })).status).to.equal(401)
    const wrongVerb = await api.call('DELETE', '/v1/image/filters/blurr')
    expect([wrongVerb.status, wrongVerb.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD, POST, OPTIONS'])
    expect((await api.call('GET', '/v1/image/filters/blur/more')).body.error.message).to.include('Route not found')
  })
})

import { expect } from 'chai'
import { counter } from '../../api/metrics.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { closing } from '../support/closing.ts'

const read = (api: TestApi, headers = {}) => api.call('GET', '/metrics', { key: null, headers })

describe('the metrics', () => {
  const keep = closing()

  it('count requests by route and status, and open event sockets', async () => {
    const api = keep(await startApi())
    await api.call('GET', '/v1/tools/binary/encode?text=a')
    await api.call('GET', '/v1/tools/binary/encode?text=b')
    await api.call('GET', '/v1/tools/binary/encode')
    const { status, headers, body } = await read(api)
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(body).to.contain('bandstand_http_requests_total{route="encodeBinary",status="200"} 2\n')
    expect(body).to.contain('bandstand_http_requests_total{route="encodeBinary",status="400"} 1\n')
    expect(body).to.contain('bandstand_event_sockets 0\n')
    for (const line of body.trimEnd().split('\n')) {
      expect(line).to.match(
        /^(?:# (?:HELP|TYPE) bandstand_\w+ .+|bandstand_\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? \S+)$/,
      )
    }
  })

  it('have what the parts of the service tell, and do without a part that fails', async () => {
    const sources = [
      () => [counter('things_total', 'Things.', [{ labels: { name: 'a "b"\n\\c' }, value: 3 }])],
      () => {
        throw new Error('no')
      },
      () => Promise.reject(new Error('neither')),
    ]
    const api = keep(await startApi({ metrics: { sources } }))
    const { body } = await read(api)
    expect(body).to.contain(
      '# HELP bandstand_things_total Things.\n# TYPE bandstand_things_total counter\n' +
        'bandstand_things_total{name="a \\"b\\"\\n\\\\c"} 3\n',
    )
  })

  it('are told to this machine alone, and not to whom a proxy on it serves', async () => {
    const api = keep(await startApi())
    expect((await read(api)).status).to.equal(200)
    expect((await read(api, { 'x-forwarded-for': '203.0.113.9' })).status).to.equal(403)
    expect((await read(api, { forwarded: 'for=203.0.113.9' })).status).to.equal(403)
  })

  it('are told to whoever has the token, where one is set, and to nobody else', async () => {
    const token = 'a token of some length'
    const api = keep(await startApi({ metrics: { token } }))
    expect((await read(api)).status).to.equal(403)
    expect((await read(api, { authorization: 'Bearer another token' })).status).to.equal(403)
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' }
    expect((await read(api, headers)).status).to.equal(200)
  })
})

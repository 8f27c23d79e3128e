import { expect } from 'chai'
import { Registry } from 'prom-client'
import { collectMetrics, type Reading } from '../../../service/telemetry/scrape-metrics.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'
import { startApi, type TestApi } from '../../support/api.ts'
import { closing } from '../../support/closing.ts'

const read = (api: TestApi, headers = {}) => api.call('GET', '/metrics', { key: null, headers })

const named = (name: string, value: number) => [
  { name, help: 'Things.', labels: ['name'], of: () => [{ labels: { name: 'a "b"\n\\c' }, value }] },
  { name: `${name}_total`, help: 'All things.', of: () => value },
]

describe('the metrics', () => {
  const keep = closing()

  it('count requests by route and status, and open event sockets', async () => {
    const api = keep(await startApi())
    await api.call('GET', '/v1/tools/binary/encode?text=a')
    await api.call('GET', '/v1/tools/binary/encode?text=b')
    await api.call('GET', '/v1/tools/binary/encode')
    const { status, headers, body } = await read(api)
    expect([status, headers.get('content-type')]).to.deep.equal([200, 'text/plain; version=0.0.4; charset=utf-8'])
    expect(body).to.contain('bandstand_http_requests_total{route="encodeBinary",method="GET",status="200"} 2\n')
    expect(body).to.contain('bandstand_http_requests_total{route="encodeBinary",method="GET",status="400"} 1\n')
    const slots = 'route="encodeBinary",method="GET",status_class="2xx"'
    expect(body).to.contain(`bandstand_http_request_duration_seconds_count{${slots}} 2\n`)
    expect(body).to.contain(`bandstand_http_request_duration_seconds_bucket{le="+Inf",${slots}} 2\n`)
    expect(body).to.contain('bandstand_event_sockets 0\n')
    for (const line of body.trimEnd().split(/\n+/)) {
      expect(line).to.match(
        /^(?:# (?:HELP|TYPE) bandstand_\w+ .+|bandstand_\w+(?:\{\w+="[^"]*"(?:,\w+="[^"]*")*\})? \S+)$/,
      )
    }
  })

  it('have what the parts of the service tell, and do without a part that fails or hangs', async () => {
    const registry = new Registry()
    collectMetrics(registry, () => 'there', named('things', 3))
    const failing: readonly (() => Promise<string>)[] = [
      () => {
        throw new Error('no')
      },
      () => Promise.reject(new Error('neither')),
      () => new Promise(() => undefined),
    ]
    failing.forEach((read, n) => collectMetrics(registry, read, named(`failing_${n}`, 4)))
    const api = keep(await startApi({ metrics: { registry } }))
    for (const _ of ['once', 'again, without adding to a counter']) {
      const { body } = await read(api)
      expect(body).to.contain('# TYPE bandstand_things gauge\nbandstand_things{name="a \\"b\\"\\n\\\\c"} 3\n')
      expect(body).to.contain('# TYPE bandstand_things_total counter\nbandstand_things_total 3\n')
      expect(body).not.to.match(/^bandstand_failing/m)
    }
  })

  it('read a part once for each collection', async () => {
    const registry = new Registry()
    let reads = 0
    const readings: Reading<number>[] = [
      { name: 'a', help: 'A.', of: (n) => n },
      { name: 'b', help: 'B.', of: (n) => n },
    ]
    collectMetrics(registry, () => ++reads, readings)
    const api = keep(await startApi({ metrics: { registry } }))
    await read(api)
    expect(reads).to.equal(1)
    await read(api)
    expect(reads).to.equal(2)
  })

  it('are told to this machine alone, and not to whom a proxy on it serves', async () => {
    const api = keep(await startApi())
    expect((await read(api)).status).to.equal(200)
    expect((await read(api, { 'x-forwarded-for': '203.0.113.9' })).status).to.equal(403)
    expect((await read(api, { forwarded: 'for=203.0.113.9' })).status).to.equal(403)
  })

  it('are not told to a page whose own name resolves to this machine', async () => {
    const api = keep(await startApi())
    const under = async (host: string) => {
      const bytes = `GET /metrics HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`
      return parseAnswers(await exchangeBytes(api.port, bytes))[0]?.status
    }
    for (const host of ['localhost', `127.0.0.1:${api.port}`, '127.8.8.8', '[::1]:80']) {
      expect(await under(host), host).to.equal(200)
    }
    for (const host of ['evil.example', 'localhost.evil.example', '127.0.0.1.nip.io', '10.0.0.1', '']) {
      expect(await under(host), host).to.equal(403)
    }
    expect(await under('127.0.0.1@evil')).to.equal(400)
  })

  it('are not told without the token once a proxy may stand before the service, no matter what it sends', async () => {
    for (const header of ['x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto', 'cf-connecting-ip']) {
      expect((await read(keep(await startApi()), { [header]: '203.0.113.9' })).status, header).to.equal(403)
    }
    for (const options of [{ baseUrl: 'https://music.example.org' }, { trustedProxies: ['10.0.0.1/32'] }]) {
      const { port } = keep(await startApi(options))
      const [answer] = parseAnswers(await exchangeBytes(port, 'GET /metrics HTTP/1.0\r\nHost: localhost\r\n\r\n'))
      expect(answer?.status).to.equal(403)
      expect(answer?.body.error.message).to.contain('METRICS_TOKEN')
    }
  })

  it('are told to anyone who has the token, where one is set, and to no one else', async () => {
    const token = 'a token of some length'
    const api = keep(await startApi({ metrics: { token } }))
    expect((await read(api)).status).to.equal(403)
    expect((await read(api, { authorization: 'Bearer another token' })).status).to.equal(403)
    const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': '203.0.113.9' }
    expect((await read(api, headers)).status).to.equal(200)
  })
})

import { expect } from 'chai'
import { keys, startApi, type TestApi } from '../support/api.ts'

describe('a request', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  it('for the status needs no key and gets the bare status', async () => {
    const { status, headers, body } = await api.call('GET', '/v1/status', { key: null })
    expect(status).to.equal(200)
    expect(body).to.have.all.keys('status', 'timestamp', 'uptime', 'version', 'environment')
    expect(body).to.include({
      status: 'ok',
      timestamp: '2026-11-21T12:00:00.000Z',
      version: '1.2.3',
      environment: 'test',
    })
    expect([...headers.keys()].filter((name) => name.startsWith('x-ratelimit'))).to.deep.equal([])
  })

  it('is metered with the four headers', async () => {
    const { body, headers } = await api.call('GET', '/v1/tools/binary/encode?text=Hi', { key: keys.unlinked })
    expect(body).to.deep.equal({ error: false, data: { text: '01001000 01101001', error: '' } })
    expect(headers.get('x-ratelimit-plan')).to.equal('scale')
    expect(headers.get('x-ratelimit-class')).to.equal('cheap')
    expect(headers.get('x-ratelimit-limit')).to.equal('6000')
    expect(headers.get('x-ratelimit-remaining')).to.equal('5999')
  })
})

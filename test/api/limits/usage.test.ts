import { expect } from 'chai'
import type { Use } from '../../../lib/usage.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'

describe('the count of requests', () => {
  const uses: Use[] = []
  let api: TestApi

  before(async () => {
    api = await startApi({ app: { usage: { count: (use) => uses.push(use) } } })
  })
  after(() => api.close())
  beforeEach(() => {
    uses.length = 0
  })

  it('has every request of a known key, with its class and the status of its answer', async () => {
    await api.call('GET', '/v1/music/players', { key: keys.linked })
    await api.call('GET', '/v1/music/search', { key: keys.linked })
    expect(uses.map(({ keyId, routeClass, status }) => ({ keyId, routeClass, status }))).to.deep.equal([
      { keyId: 'key-linked', routeClass: 'player', status: 200 },
      { keyId: 'key-linked', routeClass: 'player', status: 422 },
    ])
    expect(uses[0]?.durationMs).to.be.within(0, 5000)
  })

  it('has what a key was refused for its own link, classes and addresses', async () => {
    await api.call('GET', '/v1/music/players', { key: keys.unlinked })
    await api.call('GET', '/v1/music/players', { key: keys.fetchOnly })
    await api.call('GET', '/v1/tools/binary/encode?text=a', { key: keys.elsewhere })
    expect(uses.map(({ keyId, routeClass, status }) => ({ keyId, routeClass, status }))).to.deep.equal([
      { keyId: 'key-unlinked', routeClass: 'player', status: 403 },
      { keyId: 'key-fetchOnly', routeClass: 'player', status: 403 },
      { keyId: 'key-elsewhere', routeClass: 'cheap', status: 403 },
    ])
  })

  it('has the budget that had no room for a request', async () => {
    for (const spent of ['class', 'aggregate'] as const) {
      const counted: Use[] = []
      const meter = { charge: () => ({ allowed: false, spent, waitMs: 1000 }) as const }
      const limited = await startApi({ app: { meter, usage: { count: (use) => counted.push(use) } } })
      await limited.call('GET', '/v1/tools/binary/encode?text=a', { key: keys.linked })
      await limited.call('GET', '/v1/music/players', { key: keys.linked })
      await limited.close()
      expect(counted.map(({ status, spent: budget }) => [status, budget])).to.deep.equal([
        [429, spent],
        [200, null],
      ])
    }
  })

  it('has nothing of requests without a key, with an unknown one, or to no route', async () => {
    await api.call('GET', '/v1/status', { key: null })
    await api.call('GET', '/v1/music/players', { key: null })
    await api.call('GET', '/v1/nowhere', { key: keys.linked })
    expect(uses).to.deep.equal([])
  })
})

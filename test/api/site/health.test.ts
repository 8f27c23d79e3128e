import { expect } from 'chai'
import type { ServicePart } from '../../../api/site/health.ts'
import { startApi } from '../../support/api.ts'

describe('the health of the service', () => {
  const parts: ServicePart[] = []
  const check = () => parts

  async function ask(path: string) {
    const api = await startApi({ check })
    try {
      const response = await fetch(`${api.baseUrl}${path}`)
      return { status: response.status, text: await response.text(), cache: response.headers.get('cache-control') }
    } finally {
      await api.close()
    }
  }

  it('is alive to anyone who asks', async () => {
    expect(await ask('/healthz')).to.deep.equal({ status: 200, text: 'ok\n', cache: 'no-store' })
  })

  it('is ready while the database answers, and tells what it does without', async () => {
    parts.splice(0, Infinity, { name: 'database', state: 'ok' })
    expect(JSON.parse((await ask('/readyz')).text)).to.deep.equal({ status: 'ok', parts })
    parts.push({ name: 'limits', state: 'degraded', note: 'Redis is away.' })
    const degraded = await ask('/readyz')
    expect([degraded.status, JSON.parse(degraded.text)]).to.deep.equal([200, { status: 'degraded', parts }])
  })

  it('is not ready when something is down', async () => {
    parts.splice(0, Infinity, {
      name: 'database',
      state: 'down',
      note: "The database doesn't respond, so no key works.",
    })
    const { status, text } = await ask('/readyz')
    expect([status, JSON.parse(text).status]).to.deep.equal([503, 'down'])
  })
})

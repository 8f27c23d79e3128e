import { expect } from 'chai'
import { keys, startApi } from '../../support/api.ts'
import { closing } from '../../support/closing.ts'

describe('the address of a caller', () => {
  const keep = closing()
  const status = async (trustedProxies: readonly string[], forwarded?: string) => {
    const api = keep(await startApi({ trustedProxies }))
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    const path = '/v1/tools/binary/encode?text=a'
    // This key is accepted from 10.1.0.0/16 and 2001:db8::/32.
    return (await api.call('GET', path, { key: keys.elsewhere, headers })).status
  }

  it('is that of the connection, no matter what X-Forwarded-For says, unless a proxy is trusted', async () => {
    expect(await status([], '10.1.2.3')).to.equal(403)
    expect(await status(['192.0.2.1/32'], '10.1.2.3')).to.equal(403)
  })

  it('is what a trusted proxy says', async () => {
    expect(await status(['127.0.0.0/8'], '10.1.2.3')).to.equal(200)
    expect(await status(['127.0.0.0/8'], '2001:db8::7')).to.equal(200)
    expect(await status(['127.0.0.0/8'], '10.2.0.1')).to.equal(403)
  })

  it('is the last one that no trusted proxy has, since those before it anybody may have written', async () => {
    expect(await status(['127.0.0.0/8'], '10.1.2.3, 203.0.113.9')).to.equal(403)
    expect(await status(['127.0.0.0/8', '192.0.2.0/24'], '203.0.113.9, 10.1.2.3, 192.0.2.8')).to.equal(200)
  })

  it('is unknown, and in no range, when a trusted proxy writes what is none', async () => {
    for (const said of ['', 'unknown', '10.1.2.3:4711', '10.1.2.3,']) {
      expect(await status(['127.0.0.0/8'], said), said).to.equal(403)
    }
  })
})

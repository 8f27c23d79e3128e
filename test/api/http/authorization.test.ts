import { expect } from 'chai'
import { keys, startApi, unknownKey, type TestApi } from '../../support/api.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'

describe('the Authorization header', () => {
  let api: TestApi
  before(async () => (api = await startApi()))
  after(() => api.close())

  const ask = async (...given: readonly string[]) => {
    const lines = given.map((value) => `Authorization: ${value}\r\n`).join('')
    const head = `GET /v1/jobs HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`
    return parseAnswers(await exchangeBytes(api.port, head))[0]
  }

  it('is asked for with each 401', async () => {
    for (const key of [null, unknownKey, keys.revoked, keys.expired]) {
      for (const path of ['/v1/tools/binary/encode?text=a', '/v1/music/players', '/v1/events']) {
        const { status, headers } = await api.call('GET', path, { key })
        expect([status, headers.get('www-authenticate')], path).to.deep.equal([401, 'Bearer'])
      }
    }
    const accepted = await api.call('GET', '/v1/tools/binary/encode?text=a')
    expect([accepted.status, accepted.headers.get('www-authenticate')]).to.deep.equal([200, null])
  })

  it('is refused where there are two that differ, and may come twice', async () => {
    const [good, other] = [`Bearer ${keys.linked}`, `Bearer ${keys.otherProject}`]
    for (const several of [
      [good, other],
      [other, good],
      [good, good, 'Basic eDp5'],
      [good, ''],
    ]) {
      const refused = await ask(...several)
      expect([refused?.status, refused?.body.error.code], several.join()).to.deep.equal([401, 'invalid_api_key'])
      expect(refused?.headers['www-authenticate']).to.equal('Bearer')
    }
    expect((await ask(good, good))?.status).to.equal(200)
  })

  it('of a key whose bot was removed is refused on music routes, in those words, and good elsewhere', async () => {
    api.changeKey('linked', { isBotRemoved: true })
    const { status, headers, body } = await api.call('GET', '/v1/music/players')
    expect([status, body.error.code, headers.get('retry-after')]).to.deep.equal([403, 'forbidden', null])
    expect(body.error.message).to.match(/^This key's bot \d+ was removed\./)
    expect((await api.call('GET', '/v1/jobs')).status).to.equal(200)
    api.changeKey('linked', { isBotRemoved: false })
    expect((await api.call('GET', '/v1/music/players')).status).to.equal(200)
  })
})

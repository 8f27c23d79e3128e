import { expect } from 'chai'
import { gzipSync } from 'node:zlib'
import { guildId } from '../../support/fake-music.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'

const guild = `/v1/music/guilds/${guildId}`
const encode = '/v1/tools/binary/encode'

/** JSON of exactly so many bytes. */
function withLength(bytes: number): string {
  return '{}'.padEnd(bytes)
}

describe('the inputs of a request', () => {
  let api: TestApi
  before(async () => {
    api = await startApi()
  })
  after(() => api.close())

  const problems = async (method: string, path: string, options = {}) => {
    const { status, body } = await api.call(method, path, options)
    return [status, ...(body.error?.details ?? []).map(({ field }: { field: string }) => field)]
  }

  const send = (body: unknown, headers = {}) => problems('POST', `${guild}/mute`, { body, headers })

  const sendBytes = async (bytes: Uint8Array<ArrayBuffer>, coding: string) => {
    const response = await fetch(`${api.baseUrl}${guild}/mute`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${keys.linked}`,
        'content-type': 'application/json',
        'content-encoding': coding,
      },
      body: bytes,
    })
    const { error } = (await response.json()) as any
    return [response.status, error.details?.[0]?.field]
  }

  it('may have unknown query parameters, which are ignored', async () => {
    expect((await api.call('GET', '/v1/music/search?q=night&colour=red&colour=blue&x=%E0%A4')).status).to.equal(200)
    expect((await api.call('GET', '/v1/music/players?__proto__=1&constructor=2&&=&a')).status).to.equal(200)
  })

  it('are refused when a known query parameter comes twice', async () => {
    expect(await problems('GET', '/v1/music/search?q=a&q=a')).to.deep.equal([422, 'query.q'])
    expect(await problems('GET', '/v1/music/search?q=a&limit=5&limit=5')).to.deep.equal([422, 'query.limit'])
    expect(await problems('GET', '/v1/music/search?%71=a&q=a&limit=0')).to.deep.equal([422, 'query.q', 'query.limit'])
  })

  it('are refused by name when they are not percent-encoded UTF-8', async () => {
    for (const bad of ['%', '%4', '%zz', '%E0%A4%A', '%FF', '%C0%80', '%ED%A0%80']) {
      expect(await problems('GET', `/v1/music/search?q=${bad}`), bad).to.deep.equal([422, 'query.q'])
      expect(await problems('GET', `/v1/music/guilds/${bad}/player`), bad).to.deep.equal([422, 'path.guildId'])
      expect((await api.call('GET', `${encode}?text=${bad}`)).status, bad).to.equal(400)
    }
    expect(await problems('GET', '/v1/music/guilds/%00/player')).to.deep.equal([422, 'path.guildId'])
    expect(await problems('GET', '/v1/music/guilds/..%2F..%2Fplayers/player')).to.deep.equal([422, 'path.guildId'])
  })

  it('are refused as a body when they are no JSON object of at most 64 KiB', async () => {
    for (const body of ['{', '{"muted":tru', '[]', 'null', '1', '"x"', '{"__proto__":{}}', '\u0000', '[[[[']) {
      expect(await send(body), body).to.deep.equal([422, 'body'])
    }
    expect(await send({ muted: 1 })).to.deep.equal([422, 'body.muted'])
    expect((await send(withLength(65_536)))[0]).to.equal(404)
    for (const bytes of [65_537, 300_000, 3_000_000]) {
      expect(await send(withLength(bytes)), String(bytes)).to.deep.equal([422, 'body'])
    }
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'nonsense',
      'application/vnd.api+json',
      '',
    ]) {
      expect(await send('{}', { 'content-type': type }), type).to.deep.equal([422, 'body'])
    }
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON']) {
      expect((await send('{}', { 'content-type': type }))[0], type).to.equal(404)
    }
  })

  it('may come compressed, and are refused when they only say so', async () => {
    expect(await sendBytes(new Uint8Array(gzipSync('{"muted":true}')), 'gzip')).to.deep.equal([404, undefined])
    expect(await sendBytes(new Uint8Array(gzipSync(`{"a":"${'x'.repeat(10_000_000)}"}`)), 'gzip')).to.deep.equal([
      422,
      'body',
    ])
    expect(await sendBytes(new TextEncoder().encode('{"muted":true}'), 'gzip')).to.deep.equal([422, 'body'])
    expect(await sendBytes(new TextEncoder().encode('{"muted":true}'), 'br')).to.deep.equal([422, 'body'])
    expect(await sendBytes(new TextEncoder().encode('{"muted":true}'), 'rot13')).to.deep.equal([422, 'body'])
  })

  it('of a route without a body are not looked for in one', async () => {
    expect((await api.call('POST', `${guild}/skip`, { body: 'not json at all' })).status).to.equal(404)
    expect((await api.call('DELETE', `${guild}/mute`, { body: '{"a":' })).status).to.equal(404)
  })

  it('of the binary routes go there and back, regardless of the text', async () => {
    for (const text of ['Hi', 'ä', '日本', '𝄞', ' a b ', '\u0000', '+&=%', '\ufeffx']) {
      const encoded = await api.call('GET', `${encode}?text=${encodeURIComponent(text)}`)
      expect(encoded.body.data.text).to.match(/^[01]{8}( [01]{8})*$/)
      const decoded = await api.call(
        'GET',
        `/v1/tools/binary/decode?text=${encodeURIComponent(encoded.body.data.text)}`,
      )
      expect(decoded.body).to.deep.equal({ error: false, data: { text, error: '' } })
    }
  })

  it('of the binary routes are refused with 400 in the shape of that area', async () => {
    for (const query of ['', '?text=', `?text=${'x'.repeat(10_001)}`, '?text=a&text=b']) {
      const { status, body } = await api.call('GET', encode + query)
      expect(status, query).to.equal(400)
      expect(body.error).to.equal(true)
      expect(body.data.error).to.contain('query.text')
    }
    for (const text of ['2', '0101', '010010000', '11111111', 'hello', ' ']) {
      const { status, body } = await api.call('GET', `/v1/tools/binary/decode?text=${encodeURIComponent(text)}`)
      expect([status, body.error], text).to.deep.equal([400, true])
    }
  })

  it('may be as long as the bounds promise, in the widest characters too', async () => {
    for (const char of ['x', '日', '𝄞']) {
      const { status, body } = await api.call('GET', `${encode}?text=${encodeURIComponent(char.repeat(10_000))}`)
      expect(status).to.equal(200)
      expect(body.data.text.split(' ')).to.have.length(Buffer.byteLength(char) * 10_000)
    }
  })
})

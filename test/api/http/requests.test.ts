import { expect } from 'chai'
import { z } from 'zod'
import * as envelopes from '../../../api/http/envelopes.ts'
import { route } from '../../../api/http/route.ts'
import { routes } from '../../../api/routes/index.ts'
import { guildId } from '../../support/fake-music.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'
import { projects } from '../../support/projects.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'

const guild = `/v1/music/guilds/${guildId}`
const encode = '/v1/tools/binary/encode'

const long = route('testLong', 'GET /v1/test/long', {
  summary: 'A long list',
  tag: 'Tools',
  class: 'cheap',
  envelope: envelopes.data,
  etag: true,
  data: z.array(z.string()),
  example: { data: ['a'] },
  handle: () => Array.from({ length: 1000 }, (_, at) => `item ${at}`),
})

const tracks = Array.from({ length: 1000 }, (_, at) => ({ title: `track ${at}`, uri: null }))

const player = route('testPlayer', 'GET /v1/test/player', {
  summary: 'A long queue',
  tag: 'Tools',
  class: 'cheap',
  envelope: envelopes.data,
  data: z.object({ queue: z.array(z.object({ title: z.string(), uri: z.null() })), queueLength: z.number() }),
  example: { data: { queue: [], queueLength: 0 } },
  etag: true,
  handle: () => ({ queue: tracks, queueLength: tracks.length }),
})

const broken = route('testBroken', 'GET /v1/test/broken/{how}', {
  summary: 'A route with a bug',
  tag: 'Tools',
  class: 'cheap',
  envelope: envelopes.success,
  path: z.object({ how: z.string() }),
  data: z.object({ sum: z.number() }),
  example: { path: { how: 'error' }, data: { sum: 1 } },
  handle({ path }) {
    if (path.how === 'error') throw new Error('the secret inside')
    // eslint-disable-next-line typescript/only-throw-error -- such things happen in libraries
    if (path.how === 'text') throw 'the secret inside'
    // eslint-disable-next-line typescript/only-throw-error
    if (path.how === 'nothing') throw undefined
    if (path.how === 'late') return Promise.reject(new Error('the secret inside'))
    if (path.how === 'shape') return { sum: 'one' as never }
    return { sum: 1, more: 2 } as { sum: number }
  },
})

const jsonHead =
  `PATCH ${guild}/player HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${keys.linked}\r\nConnection: close\r\n` +
  'Content-Type: application/json\r\n'

/** A JSON body in chunks of one byte. */
async function postInPieces(port: number, pieces: number): Promise<readonly unknown[]> {
  const text = JSON.stringify({ text: 'x'.repeat(pieces) })
  const chunks = text.replaceAll(/./gs, (letter) => `1\r\n${letter}\r\n`)
  const bytes = `${jsonHead}Transfer-Encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`
  const [answer] = parseAnswers(await exchangeBytes(port, bytes))
  return [answer?.status, answer?.body.error?.message ?? null]
}

describe('a request', () => {
  let api: TestApi
  const idFor = async (sent: string, path = '/v1/status') =>
    (await api.call('GET', path, { headers: { 'x-request-id': sent } })).headers.get('x-request-id')
  before(async () => {
    api = await startApi({ routes: [...routes, long, player, broken] })
  })
  after(() => api.close())

  it('is refused when its body comes in many thousands of tiny pieces, and read when it comes in a thousand', async () => {
    expect((await postInPieces(api.port, 1000))[1]).to.contain('body.text: Unknown field')
    const small = 'The body arrives in too many small chunks. Send larger ones.'
    expect(await postInPieces(api.port, 10_000)).to.deep.equal([422, small])
  })

  it('for a thousand tracks, which are written in pieces, is answered as any other', async () => {
    const { status, body, headers } = await api.call('GET', '/v1/test/player')
    expect([status, body]).to.deep.equal([200, { data: { queue: tracks, queueLength: 1000 } }])
    const etag = headers.get('etag') ?? ''
    expect((await api.call('GET', '/v1/test/player', { headers: { 'if-none-match': etag } })).status).to.equal(304)
  })

  it('for the status needs no key and gets the bare status', async () => {
    const { status, body } = await api.call('GET', '/v1/status', { key: null })
    expect(status).to.equal(200)
    expect(body).to.have.all.keys('status', 'timestamp', 'uptime', 'version', 'environment')
    expect(body).to.include({
      status: 'ok',
      timestamp: '2026-11-21T12:00:00.000Z',
      version: '1.2.3',
      environment: 'test',
    })
    expect(body.uptime).to.be.a('number')
  })

  it('gets its own id back, or a new one where its own is not fit to be echoed', async () => {
    for (const fit of ['a', 'A-z_0.9:x', 'x'.repeat(128)]) expect(await idFor(fit)).to.equal(fit)
    expect(await idFor('echoed', '/v1/nowhere')).to.equal('echoed')
    expect(await idFor('echoed', '/nowhere')).to.equal('echoed')
    expect(await idFor('echoed', '/docs')).to.equal('echoed')
    for (const unfit of ['', 'x'.repeat(129), 'a b', 'a/b', 'é', 'a,b']) {
      expect(await idFor(unfit), unfit).to.match(
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      )
    }
  })

  it('to an unknown path is a 404, with a key or without; paths are exact', async () => {
    for (const path of [
      '/v1',
      '/v1/',
      '/v1/nowhere',
      '/v1/status/',
      '/V1/status',
      '/v1//status',
      '/v1/music/guilds//player',
      '/x',
    ]) {
      for (const key of [null, keys.linked]) {
        const { status, body } = await api.call('GET', path, { key })
        expect([status, body.error.code], path).to.deep.equal([404, 'not_found'])
      }
    }
  })

  it('with a wrong verb is a 405 that tells the right ones, before any key is looked at', async () => {
    const { status, headers, body } = await api.call('PUT', `${guild}/player`, { key: null })
    expect([status, body.error.code]).to.deep.equal([405, 'method_not_allowed'])
    expect(headers.get('allow')).to.equal('GET, HEAD, PATCH, DELETE, OPTIONS')
    for (const verb of ['PROPFIND', 'LOCK', 'QUERY', 'REPORT']) {
      expect((await api.call(verb, '/v1/status', { key: null })).status, verb).to.equal(405)
    }
    const overridden = await api.call('GET', `${guild}/skip`, { headers: { 'x-http-method-override': 'POST' } })
    expect(overridden.status).to.equal(405)
    expect((await api.call('POST', '/docs')).headers.get('allow')).to.contain('GET')
  })

  it('with HEAD is answered as GET is, without the body', async () => {
    const got = await api.call('GET', `${encode}?text=Hi`)
    const head = await api.call('HEAD', `${encode}?text=Hi`)
    expect(head.status).to.equal(200)
    expect(head.body).to.equal('')
    expect(head.headers.get('content-length')).to.equal(got.headers.get('content-length'))
    expect((await api.call('HEAD', encode)).status).to.equal(400)
    expect((await api.call('HEAD', `${guild}/skip`)).status).to.equal(405)
    expect((await api.call('HEAD', '/docs')).status).to.equal(200)
  })

  it('from a page of any origin is allowed, and its preflight needs no key', async () => {
    const preflight = await api.call('OPTIONS', `${guild}/play`, {
      key: null,
      headers: { origin: 'https://a.example', 'access-control-request-method': 'POST' },
    })
    expect(preflight.status).to.equal(204)
    expect(preflight.headers.get('access-control-allow-origin')).to.equal('*')
    expect(preflight.headers.get('access-control-allow-methods')).to.contain('POST')
    expect(preflight.headers.get('access-control-allow-headers')).to.contain('Authorization')
    expect(preflight.headers.get('access-control-allow-credentials')).to.equal(null)
    expect((await api.call('OPTIONS', '/v1/nowhere', { key: null })).status).to.equal(404)
    for (const path of ['/v1/status', '/v1/nowhere', `${guild}/player`]) {
      const { headers } = await api.call('GET', path, { key: null, headers: { origin: 'https://a.example' } })
      expect(headers.get('access-control-allow-origin')).to.equal('*')
      for (const name of ['X-Request-Id', 'X-RateLimit-Remaining', 'Retry-After']) {
        expect(headers.get('access-control-expose-headers')).to.contain(name)
      }
    }
  })

  it('for a list is answered with a tag, and with 304 while it is the same', async () => {
    const first = await api.call('GET', '/v1/music/players')
    const tag = first.headers.get('etag') ?? ''
    expect(tag).to.match(/^W\/".+"$/)
    const ask = (value: string) => api.call('GET', '/v1/music/players', { headers: { 'if-none-match': value } })
    for (const value of [tag, `"other", ${tag}`, '*', tag.slice(2)]) {
      const same = await ask(value)
      expect([same.status, same.body, same.headers.get('etag')], value).to.deep.equal([304, '', tag])
    }
    expect((await ask('"other"')).status).to.equal(200)
  })

  it('for something long is compressed as the caller likes', async () => {
    const plain = await api.call('GET', '/v1/test/long', { headers: { 'accept-encoding': 'identity' } })
    expect(plain.headers.get('content-encoding')).to.equal(null)
    for (const [accepted, coding] of [
      ['gzip', 'gzip'],
      ['gzip, deflate, br', 'br'],
      ['br;q=0, gzip;q=0.5', 'gzip'],
    ] as const) {
      const { headers, body } = await api.call('GET', '/v1/test/long', { headers: { 'accept-encoding': accepted } })
      expect(headers.get('content-encoding')).to.equal(coding)
      expect(headers.get('vary')).to.match(/accept-encoding/i)
      expect(Number(headers.get('content-length'))).to.be.lessThan(6000)
      expect(body).to.deep.equal(plain.body)
    }
  })

  it('that meets a bug shows nothing of it, and the log has the whole story under its id', async () => {
    for (const how of ['error', 'text', 'nothing', 'late', 'shape', 'extra']) {
      const { status, body, headers } = await api.call('GET', `/v1/test/broken/${how}`)
      expect([status, body.error.code], how).to.deep.equal([500, 'internal_error'])
      expect(JSON.stringify(body), how).not.to.contain('secret')
      expect(headers.get('x-ratelimit-limit')).to.equal('6000')
      const line = api.log.find(({ level, requestId }) => level === 'error' && requestId === body.requestId)
      expect(line, how).to.include({ msg: 'request failed', route: 'testBroken' })
      if (how === 'error' || how === 'late') expect(JSON.stringify(line?.['err'])).to.contain('the secret inside')
    }
  })

  it('leaves one line in the log, which holds neither the key nor the query', async () => {
    const { headers } = await api.call('GET', `${encode}?text=confidential`)
    const lines = api.log.filter(({ requestId }) => requestId === headers.get('x-request-id'))
    expect(lines).to.have.length(1)
    expect(lines[0]).to.include({
      msg: 'request answered',
      status: 200,
      route: 'encodeBinary',
      projectId: projects.one,
    })
    expect(JSON.stringify(api.log)).not.to.match(/svc\.[0-9a-f]{8}/)
    expect(JSON.stringify(api.log)).not.to.contain('confidential')
  })
})

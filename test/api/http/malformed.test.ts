import { expect } from 'chai'
import type { Socket } from 'node:net'
import { guildId } from '../../support/fake-music.ts'
import { exchangeBytes, parseAnswers, type RawAnswer } from '../../support/raw.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'

const auth = `Authorization: Bearer ${keys.linked}\r\n`
const muteLine = `POST /v1/music/guilds/${guildId}/mute HTTP/1.1\r\nHost: x\r\n${auth}Content-Type: application/json\r\n`

function assertRefusal(answer: RawAnswer | undefined, status: number, code: string, what: string): void {
  expect(answer?.status, what).to.equal(status)
  expect(answer?.headers['x-request-id'], what).to.match(/^[A-Za-z0-9._:-]{1,128}$/)
  expect(answer?.body.error.code, what).to.equal(code)
  expect(answer?.body.error.message, what).to.be.a('string')
  expect(answer?.body.requestId, what).to.equal(answer?.headers['x-request-id'])
  expect(answer?.headers['content-type'], what).to.match(/^application\/json/)
}

describe('what is not quite HTTP', () => {
  let api: TestApi
  before(async () => {
    api = await startApi({ requestTimeoutMs: 300 })
  })
  after(() => api.close())

  const first = async (bytes: string | Buffer, keepWriting?: (socket: Socket) => void) =>
    parseAnswers(await exchangeBytes(api.port, bytes, keepWriting))[0]

  const upgrade = (path: string, to: string) =>
    first(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close, Upgrade\r\nUpgrade: ${to}\r\n\r\n`)

  it('is refused with 400 and the error body when it cannot be parsed', async () => {
    for (const bytes of [
      'nonsense\r\n\r\n',
      'GET\r\n\r\n',
      'GET /v1/status HTTP/9.9\r\nHost: x\r\n\r\n',
      'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
      'GET /v1/status HTTP/1.1\r\nHost: x\r\nbad header\r\n\r\n',
      'GET /v1/status HTTP/1.1\r\nHost: x\r\nA\u0000: b\r\n\r\n',
      'GET /v1/status HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\u0001b\r\n\r\n',
      'GET /v1/sta tus HTTP/1.1\r\nHost: x\r\n\r\n',
      'BREW /v1/status HTTP/1.1\r\nHost: x\r\n\r\n',
      `${muteLine}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      `${muteLine}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      `${muteLine}Content-Length: -2\r\n\r\n{}`,
      `${muteLine}Content-Length: 1e3\r\n\r\n{}`,
      `${muteLine}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
      Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
    ]) {
      assertRefusal(await first(bytes), 400, 'bad_request', JSON.stringify(bytes.toString()))
    }
  })

  it('is refused without a Host', async () => {
    assertRefusal(await first('GET /v1/status HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'bad_request', 'no host')
    assertRefusal(await first('GET /docs HTTP/1.1\r\nConnection: close\r\n\r\n'), 400, 'bad_request', 'no host')
    expect((await first('GET /v1/status HTTP/1.0\r\n\r\n'))?.status).to.equal(200)
  })

  it('is refused with two Host lines, or with one that is no host', async () => {
    const hosts = [
      'Host: x\r\nHost: y',
      'Host: x\r\nhost: x',
      'Host: a b',
      'Host: x/y',
      'Host: user@x',
      'Host: [::1',
      'Host: x:y',
    ]
    for (const path of ['/v1/status', '/docs', '/v4/info', '/mcp']) {
      for (const lines of hosts) {
        const answer = await first(`GET ${path} HTTP/1.1\r\n${lines}\r\nConnection: close\r\n\r\n`)
        assertRefusal(answer, 400, 'bad_request', `${path} ${lines}`)
      }
    }
    for (const host of ['x', 'x:80', '127.0.0.1:3000', '[::1]:3000', 'a_b.example', 'xn--bcher-kva.example:', '']) {
      const answer = await first(`GET /v1/status HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
      expect(answer?.status, host).to.equal(200)
    }
  })

  it('is refused where its body is nested deeper than anything is', async () => {
    const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`
    for (const extra of ['', 'Idempotency-Key: k\r\n']) {
      const text = `{"muted":true,"x":${deep}}`
      const answer = await first(
        `${muteLine}${extra}Content-Length: ${text.length}\r\nConnection: close\r\n\r\n${text}`,
      )
      assertRefusal(answer, 422, 'validation_error', extra)
      expect(answer?.body.error.details[0].message).to.include('nested')
    }
  })

  it('is refused with 431 when its head is over 16 KiB, with 414 when its target is over 128 KiB', async () => {
    const withHeader = (bytes: number) =>
      first(`GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Pad: ${'x'.repeat(bytes)}\r\n\r\n`)
    expect((await withHeader(16_000))?.status).to.equal(200)
    assertRefusal(await withHeader(16_500), 431, 'bad_request', 'just over')
    assertRefusal(await withHeader(150_000), 431, 'bad_request', 'far over')
    assertRefusal(await withHeader(1_000_000), 431, 'bad_request', '1 MB')
    const many = Array.from({ length: 3000 }, (_, at) => `h${at}: ${at}\r\n`).join('')
    assertRefusal(await first(`GET /v1/status HTTP/1.1\r\nHost: x\r\n${many}\r\n`), 431, 'bad_request', 'many')
    const target = `/v1/status?${'x'.repeat(140_000)}`
    assertRefusal(
      await first(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
      414,
      'bad_request',
      'target',
    )
  })

  it('is refused with 417 when it expects what no one knows', async () => {
    const answer = await first('GET /v1/status HTTP/1.1\r\nHost: x\r\nX-Request-Id: mine\r\nExpect: miracles\r\n\r\n')
    assertRefusal(answer, 417, 'bad_request', 'expect')
    expect(answer?.headers['x-request-id']).to.equal('mine')
  })

  it('may wait for 100 Continue before its body', async () => {
    const text = await exchangeBytes(
      api.port,
      `${muteLine}Connection: close\r\nExpect: 100-continue\r\nContent-Length: 14\r\n\r\n`,
      (socket) => socket.once('data', () => socket.write('{"muted":true}')),
    )
    expect(text).to.match(/^HTTP\/1.1 100 Continue/)
    expect(parseAnswers(text.slice(text.indexOf('\r\n\r\n') + 4))[0]?.status).to.equal(404)
  })

  it('is refused with 405 when it wants a proxy', async () => {
    const answer = await first('CONNECT example.org:443 HTTP/1.1\r\nHost: example.org\r\nX-Request-Id: mine\r\n\r\n')
    assertRefusal(answer, 405, 'method_not_allowed', 'connect')
    expect(answer?.headers['x-request-id']).to.equal('mine')
    expect(answer?.headers['allow']).to.contain('GET')
  })

  it('is answered as an ordinary request when it upgrades to something else or somewhere else', async () => {
    expect((await upgrade('/v1/status', 'h2c'))?.status).to.equal(200)
    expect((await upgrade('/v1/status', 'websocket'))?.status).to.equal(200)
    assertRefusal(await upgrade('/v1/nowhere', 'websocket'), 404, 'not_found', 'nowhere')
    assertRefusal(await upgrade('/v1/events/', 'websocket'), 404, 'not_found', 'with a slash')
    assertRefusal(await upgrade('/v1/events', 'h2c'), 401, 'invalid_api_key', 'h2c')
  })

  it('may name the whole URL as its target', async () => {
    const answer = await first('GET http://x/v1/status?a=b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    expect(answer?.status).to.equal(200)
    expect((await first('OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n'))?.status).to.equal(204)
  })

  it('is cut when its head does not arrive in time, with 408', async () => {
    const answer = await first('GET /v1/status HTTP/1.1\r\n', (socket) => {
      const drip = setInterval(() => socket.write('x'), 40)
      socket.once('close', () => clearInterval(drip))
      socket.once('end', () => clearInterval(drip))
    })
    assertRefusal(answer, 408, 'bad_request', 'slow head')
  })

  it('is cut when its body does not arrive in time, with 408 and its own id', async () => {
    const answer = await first(`${muteLine}X-Request-Id: slow\r\nContent-Length: 5000\r\n\r\n{`, (socket) => {
      const drip = setInterval(() => socket.write(' '), 40)
      socket.once('end', () => clearInterval(drip))
      socket.once('close', () => clearInterval(drip))
    })
    assertRefusal(answer, 408, 'bad_request', 'slow body')
    expect(answer?.headers['x-request-id']).to.equal('slow')
  })

  it('is answered under an id of its own after a body that was refused on the same connection', async () => {
    for (const body of ['{', '{"unheardOf":1}', 'x'.repeat(70_000)]) {
      const refused = `${muteLine}X-Request-Id: former\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      const bytes = await exchangeBytes(api.port, refused, (socket) => {
        socket.once('data', () => socket.write('this is no HTTP\r\n\r\n'))
      })
      const [former, next] = parseAnswers(bytes)
      assertRefusal(former, 422, 'validation_error', 'refused body')
      expect(former?.headers['x-request-id']).to.equal('former')
      assertRefusal(next, 400, 'bad_request', 'malformed request')
      expect(next?.headers['x-request-id']).not.to.equal('former')
    }
  })

  it('does not stop the requests before it on the same connection', async () => {
    const good = 'GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n'
    const answers = parseAnswers(await exchangeBytes(api.port, `${good}${good}nonsense\r\n\r\n`))
    expect(answers.at(-1)?.status).to.equal(400)
    expect((await first(good.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n')))?.status).to.equal(200)
  })

  it('leaves the service working after a caller went away in the middle', async () => {
    for (const bytes of [
      `${muteLine}Content-Length: 5000\r\n\r\n{`,
      'GET /v1/sta',
      `${muteLine}Transfer-Encoding: chunked\r\n\r\n5\r\n{"a`,
    ]) {
      await exchangeBytes(api.port, bytes, (socket) => setTimeout(() => socket.resetAndDestroy(), 20))
    }
    expect((await api.call('GET', '/v1/status')).status).to.equal(200)
    expect(api.log.filter(({ level }) => level === 'error')).to.deep.equal([])
  })
})

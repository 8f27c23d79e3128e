import { expect } from 'chai'
import { requestLogOff } from '../../../db/requests/request-log.ts'
import { keys, startApi, unknownKey, type CallOptions, type TestApi } from '../../support/api.ts'
import { guildId } from '../../support/fake-music.ts'
import { temporaryRequestLog, type TemporaryRequestLog } from '../../support/request-log.ts'
import { projects } from '../../support/projects.ts'

const ENCODE = '/v1/tools/binary/encode?text=a-private-text'

describe('the routes of the request log', () => {
  let api: TestApi
  let log: TemporaryRequestLog

  beforeEach(async () => {
    log = temporaryRequestLog({ now: () => api.clock.nowMs })
    api = await startApi({ app: { requests: log.requests } })
  })
  afterEach(async () => {
    await api.close()
    await log.close()
  })

  const list = async (query = '', options?: CallOptions) => {
    const { status, body } = await api.call('GET', `/v1/requests${query}`, options)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body as { data: any[]; next: string | null }
  }
  const found = async (query: string, options?: CallOptions) =>
    (await list(query, options)).data.map((one) => `${one.method} ${one.status} ${one.error?.code ?? 'ok'}`)

  it('tells of a success when, where, how long, by which key and what the limiter left', async () => {
    const { headers } = await api.call('GET', ENCODE)
    const {
      data: [one],
    } = await list()
    expect(one).to.deep.include({
      requestId: headers.get('x-request-id'),
      at: '2026-11-21T12:00:00.000Z',
      method: 'GET',
      operation: 'encodeBinary',
      route: '/v1/tools/binary/encode',
      path: '/v1/tools/binary/encode',
      status: 200,
      error: null,
      keyId: 'key-linked',
      address: '127.0.0.1',
      limit: { class: 'cheap', perMinute: 6000, remaining: 5999, isAllowed: true, spent: null },
      traceId: null,
    })
    expect(one.durationMs).to.be.greaterThan(0)
  })

  it('keeps the network of what a trusted proxy says, and nothing of what is no address', async () => {
    await api.close()
    const given = {
      trustedProxies: ['127.0.0.0/8'],
      keptAddresses: 'network',
      app: { requests: log.requests },
    } as const
    api = await startApi(given)
    for (const said of ['203.0.113.9', '2001:db8:1:2::7', 'fe80::1%a-b.c', 'unknown']) {
      const { status } = await api.call('GET', ENCODE, { headers: { 'x-forwarded-for': said } })
      expect(status, said).to.equal(200)
    }
    const addresses = (await list()).data.map((one) => one.address).toReversed()
    expect(addresses.slice(0, 4)).to.deep.equal(['203.0.113.0/24', '2001:db8:1::/48', null, null])
  })

  it('keeps neither query nor body nor key', async () => {
    await api.call('GET', ENCODE)
    await api.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query: 'a private song', channelId: 'x' } })
    await api.call('GET', `/v1/tools/${keys.linked}`)
    const told = JSON.stringify(await list())
    expect(told).to.contain('/v1/tools/svc.…')
    for (const secret of ['a-private-text', 'private song', 'a1a1']) expect(told).not.to.contain(secret)
  })

  it('tells of refused requests why: a bad input, a spent budget, a revoked key, a key without a bot, an unknown path', async () => {
    await api.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query: 'song', channelId: 'x' } })
    await api.call('GET', ENCODE, { key: keys.revoked })
    await api.call('GET', `/v1/music/guilds/${guildId}/player`, { key: keys.unlinked })
    await api.call('GET', '/v1/no/such/path')
    await api.call('GET', ENCODE, { key: unknownKey })
    await api.call('GET', ENCODE, { key: null })
    const { data: all } = await list()
    expect(all.map(({ status, error, keyId }) => [status, error.code, keyId])).to.deep.equal([
      [404, 'not_found', 'key-linked'],
      [403, 'forbidden', 'key-unlinked'],
      [401, 'api_key_revoked', 'key-revoked'],
      [422, 'validation_error', 'key-linked'],
    ])
    expect(all[0]).to.deep.include({ operation: null, route: null, path: '/v1/no/such/path' })
    expect(all[3].error.message).to.contain('body.channelId')
  })

  it('tells which budget had no room', async () => {
    for (let i = 0; i < 61; i++) await api.call('GET', ENCODE, { key: keys.free })
    api.clock.nowMs += 60_000
    const { data: limited } = await list('?status=429', { key: keys.free })
    expect(limited).to.have.length(1)
    expect(limited[0].limit).to.deep.equal({
      class: 'cheap',
      perMinute: 60,
      remaining: 0,
      isAllowed: false,
      spent: 'class',
    })
  })

  it('crosses no project: each sees its own, no matter what it asks for', async () => {
    const { headers } = await api.call('GET', ENCODE)
    const requestId = headers.get('x-request-id')
    const other = { key: keys.otherProject }
    expect(await found('', other)).to.deep.equal([])
    expect(await found(`?requestId=${requestId}&key=key-linked`, other)).to.deep.equal(
      ['GET 200 ok', 'GET 200 ok'].slice(2),
    )
    const { status } = await api.call('GET', `/v1/requests/${requestId}`, other)
    expect(status).to.equal(404)
    expect((await api.call('GET', `/v1/requests/${requestId}`)).status).to.equal(200)
  })

  it('filters by status, class, route, key, code, request id and time, all of which must fit', async () => {
    await api.call('GET', ENCODE, { headers: { 'x-request-id': 'mine:1' } })
    api.clock.nowMs += 60_000
    await api.call('GET', '/v1/tools/binary/encode', { key: keys.unlinked })
    await api.call('GET', '/v1/nothing')
    const ok = ['GET 200 ok']
    const invalid = ['GET 400 bad_request']
    expect(await found('?status=2xx&to=2026-11-21T12:01:00Z')).to.deep.equal(ok)
    expect(await found('?requestId=mine:1')).to.deep.equal(ok)
    expect(await found('?status=400')).to.deep.equal(invalid)
    expect(await found('?status=error')).to.deep.equal(['GET 404 not_found', ...invalid])
    expect(await found('?route=encodeBinary&code=bad_request')).to.deep.equal(invalid)
    expect(await found('?key=key-unlinked')).to.deep.equal(invalid)
    expect(await found('?key=key-unlinked&code=not_found')).to.deep.equal([])
    expect(await found('?from=2026-11-21T13:01:00%2B01:00&code=not_found')).to.deep.equal(['GET 404 not_found'])
  })

  it('refuses filters that mean nothing and says what they may be', async () => {
    for (const [query, field] of [
      ['status=6xx', 'query.status'],
      ['status=5x', 'query.status'],
      ['code=oops', 'query.code'],
      ['from=yesterday', 'query.from'],
      ['to=2026-11-21T12:00:00', 'query.to'],
      ['cursor=%25', 'query.cursor'],
      ['limit=0', 'query.limit'],
      ['requestId=a%20b', 'query.requestId'],
    ]) {
      const { status, body } = await api.call('GET', `/v1/requests?${query}`)
      expect([status, body.error.details?.[0]?.field], query).to.deep.equal([422, field])
    }
  })

  it('gives page after page, the newest first, each once, while others come', async () => {
    for (let i = 0; i < 7; i++) await api.call('GET', ENCODE, { headers: { 'x-request-id': `n${i}` } })
    const seen: string[] = []
    let query = '?limit=3&route=encodeBinary'
    for (let pages = 0; pages < 3; pages++) {
      const { data: some, next } = await list(query)
      seen.push(...some.map(({ requestId }) => requestId))
      expect(next === null, `page ${pages}`).to.equal(pages === 2)
      query = `?limit=3&route=encodeBinary&cursor=${next}`
      await api.call('GET', ENCODE, { headers: { 'x-request-id': `later${pages}` } })
    }
    expect(seen).to.deep.equal(['n6', 'n5', 'n4', 'n3', 'n2', 'n1', 'n0'])
  })

  it('gives the newest of those that were sent with one request id', async () => {
    const mine = { headers: { 'x-request-id': 'again' } }
    await api.call('GET', '/v1/tools/binary/encode', mine)
    await api.call('GET', ENCODE, mine)
    const { body } = await api.call('GET', '/v1/requests/again')
    expect(body.data.status).to.equal(200)
    expect(await found('?requestId=again')).to.deep.equal(['GET 200 ok', 'GET 200 ok', 'GET 400 bad_request'].slice(1))
  })

  it('remembers what was answered before a restart', async () => {
    await api.call('GET', ENCODE, { headers: { 'x-request-id': 'before' } })
    await log.requests.close()
    const again = log.reopen()
    try {
      const [one] = await again.list({ projectId: projects.one, requestId: 'before', limit: 5 })
      expect(one?.status).to.equal(200)
    } finally {
      await again.close()
    }
  })
})

describe('the routes of the request log where it is off', () => {
  it('answer 503 and say which setting that is', async () => {
    const api = await startApi({ app: { requests: requestLogOff } })
    try {
      const { status, body } = await api.call('GET', '/v1/requests')
      expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
      expect(body.error.message).to.contain('REQUEST_LOG')
    } finally {
      await api.close()
    }
  })
})

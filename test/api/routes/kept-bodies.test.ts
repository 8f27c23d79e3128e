import { expect } from 'chai'
import { BODIES_KEPT_MS, type KeptBodies } from '../../../lib/request-log/kept-bodies.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'
import { closing } from '../../support/closing.ts'
import { guildId } from '../../support/fake-music.ts'
import { projects } from '../../support/projects.ts'
import { temporaryRequestLog, type TemporaryRequestLog } from '../../support/request-log.ts'

const PLAY = `/v1/music/guilds/${guildId}/play`
const ENCODE = '/v1/tools/binary/encode'

describe('Bodies of failed requests', () => {
  const close = closing()
  let api: TestApi
  let log: TemporaryRequestLog

  beforeEach(async () => {
    log = close(temporaryRequestLog({ now: () => api.clock.nowMs }))
    api = close(await startApi({ app: { requests: log.requests } }))
  })

  const keepUntil = (untilMs: number | null) => log.requests.bodies?.keepUntil(projects.one, untilMs)
  const keepForAnHour = () => keepUntil(api.clock.nowMs + BODIES_KEPT_MS)

  async function keptOf(requestId: string, projectId: string = projects.one): Promise<KeptBodies | null | undefined> {
    const [one] = await log.requests.list({ projectId: projects.one, requestId, limit: 1 })
    return one && log.requests.bodies?.find({ ...one, projectId })
  }
  async function fail(name: string, path = PLAY, options: object = { body: { query: 'song', channelId: 'x' } }) {
    const method = path === ENCODE ? 'GET' : 'POST'
    await api.call(method, path, { headers: { 'x-request-id': name }, ...options })
    return keptOf(name)
  }
  const rows = () =>
    log.db.prepare<[], number>('SELECT count(*) FROM logged_request WHERE bodies IS NOT NULL').pluck().get()

  it('are kept of no project that has not asked for it, nor of requests that succeed', async () => {
    expect(await fail('before')).to.equal(null)
    await keepForAnHour()
    await api.call('GET', `${ENCODE}?text=a`, { headers: { 'x-request-id': 'fine' } })
    expect(await keptOf('fine')).to.equal(null)
    await api.call('POST', PLAY, { key: keys.otherProject, body: { query: 'song', channelId: 'x' } })
    expect(rows()).to.equal(0)
  })

  it('are kept with query and answer, also where the answer is compressed or in another format', async () => {
    await keepForAnHour()
    const body = {
      query: 'song',
      channelId: 'x',
      token: 'SIGNED',
      ...Object.fromEntries('a.b.c.d.e.f.g.h.i.j'.split('.').map((n) => [n.repeat(60), 1])),
    }
    const accept = { accept: 'application/problem+json', 'accept-encoding': 'gzip', 'x-request-id': 'long' }
    const kept = await fail('long', `${PLAY}?from=here`, { body, headers: accept })
    expect(kept?.query).to.deep.equal([['from', 'here']])
    expect(JSON.parse(kept?.body ?? '')).to.deep.equal({ ...body, token: '…' })
    expect(JSON.parse(kept?.answer ?? '')).to.include({ status: 422, requestId: 'long' })
    expect(kept?.hidden).to.deep.equal([{ at: ['body', 'token'], isText: true }])
  })

  it('say why there is no body: an upload, or a refusal before it was read; and keep what is not JSON as text', async () => {
    await keepForAnHour()
    const form = { body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=a', 'x-request-id': 'form' } }
    expect(await fail('form', '/v1/image/blur', form)).to.include({ body: null, lacks: 'upload' })
    expect(await fail('early', PLAY, { key: keys.revoked, body: {} })).to.include({ body: null, lacks: 'unread' })
    expect(await fail('gone', '/v1/nothing', { body: {} })).to.include({ body: null, lacks: 'unread' })
    expect(await fail('text', PLAY, { body: '{"query": ' })).to.include({ body: '{"query": ', lacks: null })
    expect(await fail('none', ENCODE, {})).to.include({ body: null, lacks: null })
  })

  it('are kept for an hour, then end by themselves; each is gone an hour after it came', async () => {
    await keepForAnHour()
    api.clock.nowMs += BODIES_KEPT_MS - 1
    expect(await fail('last')).to.include({ lacks: null })
    api.clock.nowMs += 1
    expect(await log.requests.bodies?.untilMs(projects.one)).to.equal(null)
    expect(await fail('late')).to.equal(null)
    api.clock.nowMs += BODIES_KEPT_MS - 2
    expect(await keptOf('last')).not.to.equal(null)
    api.clock.nowMs += 2
    expect(await keptOf('last')).to.equal(null)
    await log.requests.bodies?.tidy()
    expect(rows()).to.equal(0)
  })

  it('are removed where the project ends it, and belong to no other project', async () => {
    await keepForAnHour()
    expect(await fail('mine')).not.to.equal(null)
    expect(await keptOf('mine', projects.two)).to.equal(null)
    await keepUntil(null)
    expect([await keptOf('mine'), rows()]).to.deep.equal([null, 0])
    expect(await fail('after')).to.equal(null)
  })

  it('are kept of the newest 200 requests, and of no more than some in a second', async () => {
    await keepForAnHour()
    for (let i = 0; i < 40; i++) await fail(`flood-${i}`)
    expect(await keptOf('flood-39')).to.equal(null)
    expect(rows()).to.equal(30)
    for (let i = 0; i < 200; i++) {
      api.clock.nowMs += 1000
      await fail(`slow-${i}`)
    }
    await keptOf('slow-199')
    await log.requests.bodies?.tidy()
    expect(rows()).to.equal(200)
    expect([await keptOf('flood-0'), (await keptOf('slow-0'))?.lacks]).to.deep.equal([null, null])
  })

  it('are kept after a restart, and removed with the log where that is off', async () => {
    await keepForAnHour()
    await fail('before')
    await log.requests.close()
    const again = log.reopen()
    const [one] = await again.list({ projectId: projects.one, requestId: 'before', limit: 1 })
    expect(one && (await again.bodies?.find(one))).not.to.equal(null)
    await again.close()
    log.reopen(false)
    await new Promise(setImmediate)
    expect(rows()).to.equal(0)
  })
})

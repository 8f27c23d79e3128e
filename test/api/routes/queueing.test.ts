import { expect } from 'chai'
import { openJobs } from '../../../jobs/queue/job-service.ts'
import { keys, startApi, type TestApi } from '../../support/api.ts'
import { somebody, startJobsApi, type JobsApi } from '../../support/jobs-api.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually } from '../../support/service.ts'

const ask = (api: TestApi) => api.call('GET', '/v1/tools/screenshot?url=https://page.test/none')

describe('the routes that queue jobs', () => {
  let at: JobsApi
  before(async function () {
    if (!hasRedis()) this.skip()
    at = await startJobsApi()
  })
  afterEach(() => at?.forget())
  after(() => at?.close())

  it('look a player up before they queue a render, and say what became of that', async () => {
    const queued = async () => (await at.get('?limit=100')).body.data.length
    const before = await queued()
    for (const [code, status] of [
      ['not_found', 404],
      ['upstream_failed', 502],
      ['bad_request', 400],
    ] as const) {
      at.world.failing = code
      expect((await at.render('Nobody')).status).to.equal(status)
    }
    at.world.failing = null
    at.world.player = { ...somebody, platform: 'bedrock', skin: null, cape: null, defaultSkin: null }
    const { status, body } = await at.render('.Bedrock%20One')
    expect([status, body.error.code]).to.deep.equal([404, 'not_found'])
    expect(await queued()).to.equal(before)
  })

  it('queue a render in what the player wears, or in what the caller names', async () => {
    await at.withWorker(async () => {
      const figureOf = async (path: string) => {
        const { status, body } = await at.api.call('GET', `/v1/blockgame/render/${path}`)
        expect(status, JSON.stringify(body)).to.equal(202)
        expect(body).to.have.all.keys('success', 'data')
        await at.get(`/${body.data.jobId}/wait`)
        return { name: body.data.name, ...((await (await at.raw(`/v1/jobs/${body.data.jobId}/result`)).json()) as any) }
      }
      expect(await figureOf('some_player?render=sit&scale=3')).to.deep.equal({
        name: 'Some_Player',
        render: 'sit',
        scale: 3,
        skin: { url: somebody.skin?.url },
        model: 'slim',
        capeUrl: somebody.cape?.url,
      })
      at.world.player = { ...somebody, skin: null, cape: null }
      const bare = await figureOf('some_player?capeUrl=https://capes.test/1.png')
      expect(bare).to.deep.include({ render: 'wave', scale: 1, skin: { byDefault: 'alex' }, model: null })
      expect(bare.capeUrl).to.equal('https://capes.test/1.png')
      at.world.failing = 'not_found'
      const own = await figureOf('any%20label?skinUrl=https://skins.test/1.png')
      expect(own).to.deep.include({ name: 'any label', skin: { url: 'https://skins.test/1.png' }, capeUrl: null })
    })
  })

  it('refuse addresses that are not public, by name, before anything is queued', async () => {
    const inner = 'http://inner.test/x'
    for (const url of [inner, 'http://127.0.0.1/', 'http://[::1]/', 'https://user:pw@page.test/']) {
      const { status, body } = await at.api.call('GET', `/v1/tools/screenshot?url=${encodeURIComponent(url)}`)
      expect([status, body.error.code, body.error.details[0].field]).to.deep.equal([
        422,
        'validation_error',
        'query.url',
      ])
      for (const name of ['skinUrl', 'capeUrl']) {
        const answer = await at.api.call('GET', `/v1/blockgame/render/x?${name}=${encodeURIComponent(url)}`)
        expect([answer.status, answer.body.error.code]).to.deep.equal([400, 'bad_request'])
        expect(answer.body.error.details[0].field).to.equal(`query.${name}`)
      }
    }
    for (const url of ['', 'page.test', 'file:///etc/passwd', `https://page.test/${'x'.repeat(2048)}`]) {
      expect((await at.api.call('GET', `/v1/tools/screenshot?url=${encodeURIComponent(url)}`)).status).to.equal(422)
    }
  })

  it('take headers and cookies in a body, and leave them in Redis sealed only', async () => {
    const own = { headers: { authorization: 'Bearer open-sesame' }, cookies: [{ name: 'sid', value: 'crumbs' }] }
    const body = { url: 'https://page.test/account', format: 'pdf', waitFor: '#main', ...own }
    const jobs = []
    for (let i = 0; i < 2; i++) {
      const { status, body: answer } = await at.api.call('POST', '/v1/tools/screenshot', { body })
      expect(status, JSON.stringify(answer)).to.equal(200)
      jobs.push(answer.data.jobId)
    }
    expect(jobs[0], 'never shared').not.to.equal(jobs[1])
    const redis = await at.bench.redis()
    const kept = await Promise.all((await redis.keys('*tools.screenshot:job_*')).map((key) => redis.hget(key, 'data')))
    expect(kept.join())
      .to.include('https://page.test/account')
      .and.not.match(/open-sesame|crumbs|authorization/)
  })

  const refused = async (body: object) => {
    const answer = await at.api.call('POST', '/v1/tools/screenshot', { body: { url: 'https://page.test/', ...body } })
    expect(answer.status, JSON.stringify(answer.body)).to.equal(422)
    return answer.body.error.details.map(
      ({ field, message }: { field: string; message: string }) => `${field}: ${message}`,
    )
  }

  it('refuse in words what a screenshot cannot have', async () => {
    expect(await refused({ format: 'pdf', selector: 'h1' })).to.deep.equal([
      'body.selector: A PDF has the whole page. Choose another format.',
    ])
    expect(await refused({ headers: { Host: 'other.test' } })).to.deep.equal([
      'body.headers.Host: Only the browser sets this header. Send cookies in `cookies`.',
    ])
    expect(await refused({ headers: { 'x-a': 'one\r\ntwo' } })).to.have.length(1)
    expect(await refused({ cookies: [{ name: 'a', value: 'b; domain=other.test' }] })).to.have.length(1)
    expect(await refused({ width: 100, scale: 9 })).to.have.length(2)
    expect((await refused({ url: 'http://127.0.0.1/' }))[0]).to.match(/^body\.url: /)
  })

  it('are no part of the free plan as far as they need a renderer', async () => {
    const { status, body } = await at.api.call('GET', '/v1/tools/screenshot?url=https://page.test', { key: keys.free })
    expect([status, body.error.code]).to.deep.equal([403, 'forbidden'])
    expect((await at.get('', { key: keys.free })).status).to.equal(200)
  })

  it('say in words what is missing where there is no browser, no renderer or no Redis', async () => {
    await at.withWorker(async () => {
      const { status, body } = await eventually(
        () => ask(at.api),
        ({ status }) => status === 503,
      )
      expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
      expect(body.error.message).to.match(/install chromium/)
      expect((await at.api.call('GET', '/v1/blockgame/render/x')).status).to.equal(202)
    }, null)
    for (const [address, words] of [
      [at.bench.address, /No renderer is running/],
      [null, /install redis-server/],
    ] as const) {
      const bare = await openJobs({ ...at.settings, settings: { ...at.settings.settings, concurrency: 0 }, address })
      const other = await startApi({ app: { jobs: bare.jobs } })
      const { status, body } = await eventually(
        () => ask(other),
        ({ body }) => words.test(body.error?.message ?? ''),
      )
      expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
      await other.close()
      await bare.close()
    }
  })
})

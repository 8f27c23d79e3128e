import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { keys } from '../../support/api.ts'
import { PNG, startJobsApi, type JobsApi } from '../../support/jobs-api.ts'
import { hasRedis } from '../../support/redis.ts'
import { eventually } from '../../support/service.ts'

describe('the routes of jobs', () => {
  let at: JobsApi
  before(async function () {
    if (!hasRedis()) this.skip()
    at = await startJobsApi()
  })
  afterEach(() => at?.forget())
  after(() => at?.close())

  it('queue a screenshot, tell how far it is, wait for it and hand out its picture', async () => {
    const url = 'https://page.test/whole'
    const asked = await at.api.call('GET', `/v1/tools/screenshot?url=${url}&device=mobile&fullpage=1&clip=0,0,10,10`)
    expect(asked.body).to.have.all.keys('success', 'data', 'requestId')
    const { jobId } = asked.body.data
    expect(asked.body.data).to.deep.equal({ jobId, status: 'pending', url: `${at.api.baseUrl}/v1/jobs/${jobId}` })
    const before = (await at.get(`/${jobId}`)).body.data
    expect(before).to.include({ jobId, type: 'tools.screenshot', status: 'pending', url, place: 1, stage: null })
    expect(before).to.include({ startedAt: null, finishedAt: null, expiresAt: null, result: null, error: null })
    expect((await at.get(`/${jobId}/result`)).status).to.equal(409)
    await at.withWorker(async () => {
      const { data } = (await at.get(`/${jobId}/wait`)).body
      expect(data.result).to.deep.equal({
        url: `${at.api.baseUrl}/v1/jobs/${jobId}/result`,
        contentType: 'image/png',
        bytes: PNG.length,
        width: 1280,
        height: 800,
      })
      expect(Date.parse(data.expiresAt) - Date.parse(data.finishedAt)).to.equal(24 * 60 * 60_000)
      const result = await at.raw(`/v1/jobs/${jobId}/result`)
      expect(result.headers.get('content-type')).to.equal('image/png')
      expect(Buffer.from(await result.arrayBuffer())).to.deep.equal(PNG)
      expect((await at.get('?limit=1')).body.data).to.deep.equal([data])
    })
  })

  it('tell of a picture that was cut how large all of it would have been', async () => {
    await at.withWorker(async () => {
      const { data } = (await at.get(`/${await at.shoot('tall')}/wait`)).body
      expect(data.result).to.deep.include({ width: 1280, height: 800, fullSize: { width: 1280, height: 20_000 } })
    })
  })

  it('hand out parts, and nothing that the caller has already', async () => {
    await at.withWorker(async () => {
      const id = await at.shoot('parts')
      await at.get(`/${id}/wait`)
      const path = `/v1/jobs/${id}/result`
      const etag = (await at.raw(path, {}, 'HEAD')).headers.get('etag') ?? ''
      for (const [range, from, to] of [
        ['bytes=0-3', 0, 4],
        ['bytes=8-', 8, PNG.length],
        ['bytes=-5', PNG.length - 5, PNG.length],
        ['bytes=4-9999', 4, PNG.length],
      ] as const) {
        const part = await at.raw(path, { range })
        expect(part.status, range).to.equal(206)
        expect(part.headers.get('content-range')).to.equal(`bytes ${from}-${to - 1}/${PNG.length}`)
        expect(part.headers.get('content-length')).to.equal(String(to - from))
        expect(Buffer.from(await part.arrayBuffer())).to.deep.equal(PNG.subarray(from, to))
      }
      for (const range of ['bytes=99-', 'bytes=-0']) expect((await at.raw(path, { range })).status, range).to.equal(416)
      for (const range of ['bytes=5-2', 'lines=1-2', 'bytes=0-1,3-4', 'bytes=-']) {
        expect((await at.raw(path, { range })).status, range).to.equal(200)
      }
      expect((await at.raw(path, { range: 'bytes=0-3', 'if-range': '"other"' })).status).to.equal(200)
      expect((await at.raw(path, { range: 'bytes=0-3', 'if-range': etag })).status).to.equal(206)
      expect((await at.raw(path, { 'if-none-match': etag })).status).to.equal(304)
      const head = await at.raw(path, {}, 'HEAD')
      expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(PNG.length)])
    })
  })

  it('show nothing of a job to another project', async () => {
    const id = await at.shoot('mine')
    for (const path of [`/${id}`, `/${id}/wait`, `/${id}/result`, '/job_0000000000000000000000', '/..%2Fx']) {
      expect((await at.get(path, { key: keys.otherProject })).status, path).to.equal(404)
    }
    expect((await at.get('', { key: keys.otherProject })).body).to.deep.include({ data: [], next: null })
    const ids = (await at.get('?limit=100')).body.data.map(({ jobId }: any) => jobId)
    expect(ids).to.include(id)
  })

  it('answer 504 when the time to wait is over, and the job continues', async () => {
    await at.withWorker(async () => {
      const id = await at.shoot('slow')
      const { status, body } = await at.get(`/${id}/wait?timeout=1`)
      expect([status, body.error.code]).to.deep.equal([504, 'service_unavailable'])
      expect((await at.get(`/${id}`)).body.data).to.include({ status: 'processing', stage: 'navigating' })
      expect((await at.get(`/${id}/wait`)).body.data.status).to.equal('completed')
    })
    for (const timeout of ['0', '61', 'x']) {
      expect((await at.get(`/job_0000000000000000000000/wait?timeout=${timeout}`)).status).to.equal(422)
    }
  })

  it('tell why a job failed, which has no result then', async () => {
    await at.withWorker(async () => {
      const id = await at.shoot('fail')
      const { data } = (await at.get(`/${id}/wait`)).body
      expect(data).to.deep.include({
        status: 'failed',
        result: null,
        error: { code: 'upstream_failed', message: 'The page answered 500.' },
      })
      const { status, body } = await at.get(`/${id}/result`)
      expect(status).to.equal(404)
      expect(body.error.message).to.contain('The page answered 500.')
    })
  })

  it('forget a job after 24 hours', async () => {
    await at.withWorker(async () => {
      const id = await at.shoot('old')
      await at.get(`/${id}/wait`)
      at.world.aheadMs = 24 * 60 * 60_000 + 1000
      for (const path of [`/${id}`, `/${id}/wait`, `/${id}/result`]) expect((await at.get(path)).status).to.equal(404)
      expect((await at.get('?limit=100')).body.data.some(({ jobId }: any) => jobId === id)).to.equal(false)
    })
  })

  it('let go of a caller who leaves while waiting', async () => {
    const id = await at.shoot('left')
    const redis = await at.bench.redis()
    const leaving = request(`${at.api.baseUrl}/v1/jobs/${id}/wait`, {
      headers: { authorization: `Bearer ${keys.linked}` },
    })
    leaving.on('error', () => undefined)
    leaving.end()
    await once(leaving, 'socket')
    await sleep(100)
    leaving.destroy()
    await eventually(
      () => at.api.log.filter(({ route, status }) => route === 'waitForJob' && status === 503).length,
      (left) => left === 1,
    )
    expect(await redis.ping()).to.equal('PONG')
  })

  it('end at once for those who wait when the service stops', async () => {
    const asked = await eventually(
      () => at.api.call('GET', '/v1/tools/screenshot?url=https://page.test/stopping'),
      ({ status }) => status === 200,
    )
    const id = asked.body.data.jobId
    const waiting = at.raw(`/v1/jobs/${id}/wait?timeout=60`)
    await sleep(200)
    const startedMs = performance.now()
    await at.api.close()
    expect((await waiting).status).to.equal(503)
    expect(performance.now() - startedMs).to.be.lessThan(3000)
  })
})

import { once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { job, JobFailure, type Job } from '../../jobs/job.ts'
import { openJobs, type OpenJobs } from '../../jobs/jobs.ts'
import { prefixOf } from '../../jobs/place.ts'
import { FigureRequest, ScreenshotRequest } from '../../jobs/renders/requests.ts'
import type { BlockPlayer } from '../../upstream/blockgame/players.ts'
import { createEgress, type Egress } from '../../upstream/egress.ts'
import { Fault, type FaultCode } from '../../errors.ts'
import { keys, startApi, type TestApi } from '../support/api.ts'
import { silent } from '../support/errands.ts'
import { openJobBench, type JobBench } from '../support/jobs.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually } from '../support/service.ts'

const PNG = Buffer.from([0x89, ...Buffer.from('PNG\r\n\u001a\n0123456789')])
const picture = { bytes: PNG, contentType: 'image/png', width: 1280, height: 800 }

/** Jobs that do what the path of their URL says. */
const doubles: readonly Job[] = [
  job({
    type: 'tools.screenshot',
    data: ScreenshotRequest,
    timeoutMs: 5000,
    attempts: 2,
    needsBrowser: true,
    async run({ url }, { signal, progress }) {
      progress('navigating')
      if (url.includes('/fail')) throw new JobFailure('upstream_failed', 'The page answered 500.')
      if (url.includes('/slow')) await sleep(1500, undefined, { signal })
      return picture
    },
  }),
  job({
    type: 'blockgame.render',
    data: FigureRequest,
    timeoutMs: 5000,
    attempts: 2,
    needsBrowser: false,
    run: async (figure) => ({ ...picture, bytes: Buffer.from(JSON.stringify(figure)) }),
  }),
]

const somebody: BlockPlayer = {
  id: '0f1e2d3c-4b5a-4697-8899-aabbccddeeff',
  name: 'Some_Player',
  platform: 'java',
  xuid: null,
  skin: { url: 'https://textures.test/texture/ab', hash: 'ab', model: 'slim' },
  cape: { url: 'https://textures.test/texture/cd', hash: 'cd' },
  defaultSkin: 'alex',
}

describe('the routes of jobs', () => {
  let bench: JobBench
  let egress: Egress
  let open: OpenJobs
  let api: TestApi
  let failing: FaultCode | null = null
  let player: BlockPlayer = somebody
  let shiftMs = 0

  before(async function () {
    if (!hasRedis()) this.skip()
    bench = await openJobBench()
    const lookup = async (host: string) => [
      { address: host.startsWith('inner') ? '10.1.2.3' : '93.184.216.34', family: 4 },
    ]
    egress = createEgress({ allowHosts: [], lookup })
    open = await openJobs({
      address: bench.address,
      settings: {
        concurrency: null,
        queueMax: 100,
        chromiumPath: null,
        results: { folder: bench.resultsFolder, maxBytes: 1e9, s3: null },
      },
      renders: doubles,
      egress,
      log: silent,
      now: () => Date.now() + shiftMs,
    })
    const blockPlayers = {
      async find() {
        if (failing) throw new Fault(failing, 'As told.')
        return player
      },
    }
    api = await startApi({ app: { jobs: open.jobs, blockPlayers } })
  })
  afterEach(() => {
    failing = null
    player = somebody
    shiftMs = 0
    // A minute later the meter has forgotten what the test before asked.
    api.clock.nowMs += 60_000
  })
  after(async () => {
    await api?.close()
    await open?.close()
    await egress?.close()
    await bench?.close()
  })

  let n = 0
  const shoot = async (path: string, more = '') => {
    const url = encodeURIComponent(`https://page.test/${path}?${n++}`)
    const { status, body } = await api.call('GET', `/v1/tools/screenshot?url=${url}${more}`)
    expect(status, JSON.stringify(body)).to.equal(200)
    return body.data.jobId as string
  }
  const get = (path: string, options = {}) => api.call('GET', `/v1/jobs${path}`, options)
  const withWorker = async (use: () => Promise<void>, browser: object | null = {}) => {
    const worker = bench.worker({ prefix: prefixOf(bench.results), jobs: doubles, browser: browser as never })
    try {
      await use()
    } finally {
      await worker.close(0)
    }
  }
  const raw = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(api.baseUrl + path, { method, headers: { authorization: `Bearer ${keys.linked}`, ...headers } })

  it('queue a screenshot, tell how far it is, wait for it and hand out its picture', async () => {
    const url = 'https://page.test/whole'
    const asked = await api.call('GET', `/v1/tools/screenshot?url=${url}&device=mobile&fullpage=1&clip=0,0,10,10`)
    expect(asked.body).to.have.all.keys('success', 'data', 'requestId')
    const { jobId } = asked.body.data
    expect(asked.body.data).to.deep.equal({ jobId, status: 'pending', url: `${api.baseUrl}/v1/jobs/${jobId}` })
    const before = (await get(`/${jobId}`)).body.data
    expect(before).to.include({ jobId, type: 'tools.screenshot', status: 'pending', url, place: 1, stage: null })
    expect(before).to.include({ startedAt: null, finishedAt: null, expiresAt: null, result: null, error: null })
    expect((await get(`/${jobId}/result`)).status).to.equal(409)
    await withWorker(async () => {
      const { data } = (await get(`/${jobId}/wait`)).body
      expect(data.result).to.deep.equal({
        url: `${api.baseUrl}/v1/jobs/${jobId}/result`,
        contentType: 'image/png',
        bytes: PNG.length,
        width: 1280,
        height: 800,
      })
      expect(Date.parse(data.expiresAt) - Date.parse(data.finishedAt)).to.equal(24 * 60 * 60_000)
      const result = await raw(`/v1/jobs/${jobId}/result`)
      expect(result.headers.get('content-type')).to.equal('image/png')
      expect(Buffer.from(await result.arrayBuffer())).to.deep.equal(PNG)
      expect((await get('?limit=1')).body.data.jobs).to.deep.equal([data])
    })
  })

  it('hand out parts, and nothing that the caller has already', async () => {
    await withWorker(async () => {
      const id = await shoot('parts')
      await get(`/${id}/wait`)
      const path = `/v1/jobs/${id}/result`
      const etag = (await raw(path, {}, 'HEAD')).headers.get('etag') ?? ''
      for (const [range, from, to] of [
        ['bytes=0-3', 0, 4],
        ['bytes=8-', 8, PNG.length],
        ['bytes=-5', PNG.length - 5, PNG.length],
        ['bytes=4-9999', 4, PNG.length],
      ] as const) {
        const part = await raw(path, { range })
        expect(part.status, range).to.equal(206)
        expect(part.headers.get('content-range')).to.equal(`bytes ${from}-${to - 1}/${PNG.length}`)
        expect(part.headers.get('content-length')).to.equal(String(to - from))
        expect(Buffer.from(await part.arrayBuffer())).to.deep.equal(PNG.subarray(from, to))
      }
      for (const range of ['bytes=99-', 'bytes=-0']) expect((await raw(path, { range })).status, range).to.equal(416)
      for (const range of ['bytes=5-2', 'lines=1-2', 'bytes=0-1,3-4', 'bytes=-']) {
        expect((await raw(path, { range })).status, range).to.equal(200)
      }
      expect((await raw(path, { range: 'bytes=0-3', 'if-range': '"other"' })).status).to.equal(200)
      expect((await raw(path, { range: 'bytes=0-3', 'if-range': etag })).status).to.equal(206)
      expect((await raw(path, { 'if-none-match': etag })).status).to.equal(304)
      const head = await raw(path, {}, 'HEAD')
      expect([head.status, head.headers.get('content-length')]).to.deep.equal([200, String(PNG.length)])
    })
  })

  it('show nothing of a job to another project', async () => {
    const id = await shoot('mine')
    for (const path of [`/${id}`, `/${id}/wait`, `/${id}/result`, '/job_0000000000000000000000', '/..%2Fx']) {
      expect((await get(path, { key: keys.otherProject })).status, path).to.equal(404)
    }
    expect((await get('', { key: keys.otherProject })).body.data).to.deep.equal({ jobs: [], next: null })
    const ids = (await get('?limit=100')).body.data.jobs.map(({ jobId }: any) => jobId)
    expect(ids).to.include(id)
  })

  it('answer 504 when the time to wait is over, and the job goes on', async () => {
    await withWorker(async () => {
      const id = await shoot('slow')
      const { status, body } = await get(`/${id}/wait?timeout=1`)
      expect([status, body.error.code]).to.deep.equal([504, 'service_unavailable'])
      expect((await get(`/${id}`)).body.data).to.include({ status: 'processing', stage: 'navigating' })
      expect((await get(`/${id}/wait`)).body.data.status).to.equal('completed')
    })
    for (const timeout of ['0', '61', 'x']) {
      expect((await get(`/job_0000000000000000000000/wait?timeout=${timeout}`)).status).to.equal(422)
    }
  })

  it('tell why a job failed, which has no result then', async () => {
    await withWorker(async () => {
      const id = await shoot('fail')
      const { data } = (await get(`/${id}/wait`)).body
      expect(data).to.deep.include({
        status: 'failed',
        result: null,
        error: { code: 'upstream_failed', message: 'The page answered 500.' },
      })
      const { status, body } = await get(`/${id}/result`)
      expect(status).to.equal(404)
      expect(body.error.message).to.contain('The page answered 500.')
    })
  })

  it('forget a job after 24 hours', async () => {
    await withWorker(async () => {
      const id = await shoot('old')
      await get(`/${id}/wait`)
      shiftMs = 24 * 60 * 60_000 + 1000
      for (const path of [`/${id}`, `/${id}/wait`, `/${id}/result`]) expect((await get(path)).status).to.equal(404)
      expect((await get('?limit=100')).body.data.jobs.some(({ jobId }: any) => jobId === id)).to.equal(false)
    })
  })

  it('look a player up before they queue a render, and say what became of that', async () => {
    const render = (path: string) => api.call('GET', `/v1/blockgame/render/${path}`)
    const queued = async () => (await get('?limit=100')).body.data.jobs.length
    const before = await queued()
    for (const [code, status] of [
      ['not_found', 404],
      ['upstream_failed', 502],
      ['bad_request', 400],
    ] as const) {
      failing = code
      expect((await render('Nobody')).status).to.equal(status)
    }
    failing = null
    player = { ...somebody, platform: 'bedrock', skin: null, cape: null, defaultSkin: null }
    const { status, body } = await render('.Bedrock%20One')
    expect([status, body.error.code]).to.deep.equal([404, 'not_found'])
    expect(await queued()).to.equal(before)
  })

  it('queue a render in what the player wears, or in what the caller names', async () => {
    await withWorker(async () => {
      const figureOf = async (path: string) => {
        const { status, body } = await api.call('GET', `/v1/blockgame/render/${path}`)
        expect(status, JSON.stringify(body)).to.equal(202)
        expect(body).to.have.all.keys('success', 'data')
        await get(`/${body.data.jobId}/wait`)
        return { name: body.data.name, ...((await (await raw(`/v1/jobs/${body.data.jobId}/result`)).json()) as any) }
      }
      expect(await figureOf('some_player?render=sit&scale=3')).to.deep.equal({
        name: 'Some_Player',
        render: 'sit',
        scale: 3,
        skin: { url: somebody.skin?.url },
        model: 'slim',
        capeUrl: somebody.cape?.url,
      })
      player = { ...somebody, skin: null, cape: null }
      const bare = await figureOf('some_player?capeUrl=https://capes.test/1.png')
      expect(bare).to.deep.include({ render: 'wave', scale: 1, skin: { byDefault: 'alex' }, model: null })
      expect(bare.capeUrl).to.equal('https://capes.test/1.png')
      failing = 'not_found'
      const own = await figureOf('any%20label?skinUrl=https://skins.test/1.png')
      expect(own).to.deep.include({ name: 'any label', skin: { url: 'https://skins.test/1.png' }, capeUrl: null })
    })
  })

  it('refuse addresses that are not public, by name, before anything is queued', async () => {
    const inner = 'http://inner.test/x'
    for (const url of [inner, 'http://127.0.0.1/', 'http://[::1]/', 'https://user:pw@page.test/']) {
      const { status, body } = await api.call('GET', `/v1/tools/screenshot?url=${encodeURIComponent(url)}`)
      expect([status, body.error.code, body.error.details[0].field]).to.deep.equal([
        422,
        'validation_error',
        'query.url',
      ])
      for (const name of ['skinUrl', 'capeUrl']) {
        const answer = await api.call('GET', `/v1/blockgame/render/x?${name}=${encodeURIComponent(url)}`)
        expect([answer.status, answer.body.error.code]).to.deep.equal([400, 'bad_request'])
        expect(answer.body.error.details[0].field).to.equal(`query.${name}`)
      }
    }
    for (const url of ['', 'page.test', 'file:///etc/passwd', `https://page.test/${'x'.repeat(2048)}`]) {
      expect((await api.call('GET', `/v1/tools/screenshot?url=${encodeURIComponent(url)}`)).status).to.equal(422)
    }
  })

  it('are no part of the free plan as far as they need a renderer', async () => {
    const { status, body } = await api.call('GET', '/v1/tools/screenshot?url=https://page.test', { key: keys.free })
    expect([status, body.error.code]).to.deep.equal([403, 'forbidden'])
    expect((await get('', { key: keys.free })).status).to.equal(200)
  })

  it('let go of a caller who leaves while waiting', async () => {
    const id = await shoot('left')
    const redis = await bench.redis()
    const leaving = request(`${api.baseUrl}/v1/jobs/${id}/wait`, {
      headers: { authorization: `Bearer ${keys.linked}` },
    })
    leaving.on('error', () => undefined)
    leaving.end()
    await once(leaving, 'socket')
    await sleep(100)
    leaving.destroy()
    await eventually(
      () => api.log.filter(({ route, status }) => route === 'waitForJob' && status === 503).length,
      (left) => left === 1,
    )
    expect(await redis.ping()).to.equal('PONG')
  })

  it('say in words what is missing where there is no browser, no renderer or no Redis', async () => {
    const ask = (at: TestApi) => at.call('GET', '/v1/tools/screenshot?url=https://page.test/none')
    await withWorker(async () => {
      const { status, body } = await eventually(
        () => ask(api),
        ({ status }) => status === 503,
      )
      expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
      expect(body.error.message).to.match(/install chromium/)
      expect((await api.call('GET', '/v1/blockgame/render/x')).status).to.equal(202)
    }, null)
    const settings = { concurrency: 0, queueMax: 10, chromiumPath: null }
    const results = { folder: bench.resultsFolder, maxBytes: 1e9, s3: null }
    const common = { settings: { ...settings, results }, renders: doubles, egress, log: silent, now: Date.now }
    for (const [address, words] of [
      [bench.address, /No renderer is running/],
      [null, /install redis-server/],
    ] as const) {
      const bare = await openJobs({ ...common, address })
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

  it('end at once for those who wait when the service stops', async () => {
    const asked = await eventually(
      () => api.call('GET', '/v1/tools/screenshot?url=https://page.test/stopping'),
      ({ status }) => status === 200,
    )
    const id = asked.body.data.jobId
    const waiting = raw(`/v1/jobs/${id}/wait?timeout=60`)
    await sleep(200)
    const startedMs = performance.now()
    await api.close()
    expect((await waiting).status).to.equal(503)
    expect(performance.now() - startedMs).to.be.lessThan(3000)
  })
})

import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { Fault, type FaultCode } from '../../lib/errors.ts'
import { job, JobFailure, type Job } from '../../jobs/queue/job.ts'
import { createJobSecrets } from '../../jobs/screenshots/job-secrets.ts'
import { openJobs } from '../../jobs/queue/job-service.ts'
import { prefixOf } from '../../jobs/queue/store-id.ts'
import { FigureRequest } from '../../jobs/figures/figure-request.ts'
import { ScreenshotRequest } from '../../jobs/screenshots/page-requests.ts'
import type { BlockPlayer } from '../../upstream/blockgame/players.ts'
import { createEgress } from '../../upstream/egress/egress-guard.ts'
import { keys, startApi, type CallOptions, type Called, type TestApi } from './api.ts'
import { silent } from './encode-queue.ts'
import { openJobBench, type JobBench } from './jobs.ts'

export const PNG = Buffer.from([0x89, ...Buffer.from('PNG\r\n\u001a\n0123456789')])
const picture = { bytes: PNG, contentType: 'image/png', width: 1280, height: 800 }

/** Jobs that do what the path of their URL says. */
const doubles: readonly Job[] = [
  job({
    type: 'tools.screenshot',
    data: ScreenshotRequest,
    timeoutMs: 5000,
    attempts: 2,
    async run({ url }, { signal, progress }) {
      progress('navigating')
      if (url.includes('/fail')) throw new JobFailure('upstream_failed', 'The page answered 500.')
      if (url.includes('/slow')) await sleep(1500, undefined, { signal })
      return url.includes('/tall') ? { ...picture, fullSize: { width: 1280, height: 20_000 } } : picture
    },
  }),
  job({
    type: 'blockgame.render',
    data: FigureRequest,
    timeoutMs: 5000,
    attempts: 2,
    run: async (figure) => ({ ...picture, bytes: Buffer.from(JSON.stringify(figure)) }),
  }),
]

export const somebody: BlockPlayer = {
  id: '0f1e2d3c-4b5a-4697-8899-aabbccddeeff',
  name: 'Some_Player',
  platform: 'java',
  xuid: null,
  skin: { url: 'https://textures.test/texture/ab', hash: 'ab', model: 'slim' },
  cape: { url: 'https://textures.test/texture/cd', hash: 'cd' },
  defaultSkin: 'alex',
}

/** State that a test may change while the API runs. */
interface World {
  /** Fault of a player lookup. */
  failing: FaultCode | null
  player: BlockPlayer
  /** Offset of the clock of the jobs. */
  aheadMs: number
}

export interface JobsApi {
  readonly api: TestApi
  readonly bench: JobBench
  readonly world: World
  /** Settings for another API over the same Redis and pictures. */
  readonly settings: Parameters<typeof openJobs>[0]
  /** Queues a screenshot that no other request is equal to. */
  shoot(path: string): Promise<string>
  get(path: string, options?: CallOptions): Promise<Called>
  render(path: string): Promise<Called>
  raw(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Response>
  withWorker(use: () => Promise<void>, browser?: object | null): Promise<void>
  /** Everything as at the start, and a minute later, when the meter has forgotten what was asked. */
  forget(): void
  close(): Promise<void>
}

const untouched = (): World => ({ failing: null, player: somebody, aheadMs: 0 })

/** The API with real jobs behind it, over a Redis of its own; a worker runs only while a test wants one. */
export async function startJobsApi(): Promise<JobsApi> {
  const bench = await openJobBench()
  const world: World = untouched()
  const egress = createEgress({
    allowHosts: [],
    lookup: async (host) => [{ address: host.startsWith('inner') ? '10.1.2.3' : '93.184.216.34', family: 4 }],
  })
  const results = { folder: bench.resultsFolder, maxBytes: 1e9, s3: null }
  const settings = {
    address: bench.address,
    settings: {
      redisPrefix: 'test',
      dataDir: bench.resultsFolder,
      concurrency: null,
      queueMax: 100,
      chromiumPath: null,
      chromiumSandbox: null,
      rendererIdleMs: null,
      chromiumIdleMs: null,
      secretsKey: null,
      adLists: [],
      results,
    },
    egress,
    secrets: createJobSecrets([randomBytes(32)]),
    log: silent,
    now: () => Date.now() + world.aheadMs,
    onQueued: () => undefined,
  }
  const open = await openJobs(settings)
  const find = async () => {
    if (world.failing) throw new Fault(world.failing, 'As told.')
    return world.player
  }
  const api = await startApi({ app: { jobs: open.jobs, blockPlayers: { find } } })
  const prefix = prefixOf('test', bench.results)
  let n = 0
  return {
    api,
    bench,
    world,
    settings,
    async shoot(path) {
      const url = encodeURIComponent(`https://page.test/${path}?${n++}`)
      const { status, body } = await api.call('GET', `/v1/tools/screenshot?url=${url}`)
      expect(status, JSON.stringify(body)).to.equal(200)
      return body.data.jobId
    },
    get: (path, options) => api.call('GET', `/v1/jobs${path}`, options),
    render: (path) => api.call('GET', `/v1/blockgame/render/${path}`),
    raw: (path, headers = {}, method = 'GET') =>
      fetch(api.baseUrl + path, { method, headers: { authorization: `Bearer ${keys.linked}`, ...headers } }),
    async withWorker(use, browser = {}) {
      const worker = bench.worker({ prefix, jobs: doubles, browser: browser as never })
      try {
        await use()
      } finally {
        await worker.close(0)
      }
    },
    forget() {
      Object.assign(world, untouched())
      api.clock.nowMs += 60_000
    },
    async close() {
      await api.close()
      await open.close()
      await egress.close()
      await bench.close()
    },
  }
}

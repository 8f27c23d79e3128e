import type { Redis } from 'ioredis'
import { readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { redisFolder } from '../../../../jobs/redis/redis-paths.ts'
import { experiment } from '../experiment.ts'
import { askForShot, openRedis, openSite, queueShots, redisPid, untilJob } from '../jobs.ts'
import { TRACKS } from '../music.ts'
import { areAll, inWords, startProbe } from '../probe.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

/** Metered, and answered from memory. */
const METERED = '/v1/tools/binary/encode?text=Hi'
const STALL_MS = 10_000
/** The meter waits 50 ms for Redis, and a job's command 2 s; the rest is a busy machine's. */
const METERED_WITHIN_MS = 1000
const JOBS_WITHIN_MS = 4000
const BACK_WITHIN_MS = 10_000
const LONGEST_GAP_MS = 400

interface Expected {
  /** The status that the jobs route must return at least once meanwhile. */
  readonly jobs?: number
  /** The status for an earlier job afterwards; 200 by default. */
  readonly earlierJob?: number
}

/** A service that plays and has a job behind it. */
async function open(tools: Tools) {
  const site = await openSite(tools)
  const url = `${site.url}/page`
  const service = await tools.service({ env: { EGRESS_ALLOW_HOSTS: site.host } })
  const ear = await (await tools.discord()).listen()
  await service.music('POST', '/play', { query: TRACKS.noise, channelId: service.channelId })
  const [job = ''] = await queueShots(service, [url])
  await untilCompleted(service, job)
  return {
    service,
    url,
    /** Calls a metered route and the list of jobs all the time, with sound going on, while something happens to Redis. */
    through: async (happening: () => Promise<unknown>, { jobs: jobsMust, earlierJob = 200 }: Expected = {}) => {
      const startMs = performance.now()
      const [metered, jobs] = [
        startProbe(tools, service, { path: METERED }),
        startProbe(tools, service, { path: '/v1/jobs' }),
      ]
      await happening()
      const [m, j] = [metered.report(), jobs.report()]
      tools.must(areAll(m, 200) && m.longestMs < METERED_WITHIN_MS, `limits: ${inWords(m)}`)
      const isTold = Object.keys(j.statuses).every((status) => ['200', '503'].includes(status))
      const isAsMeant = jobsMust === undefined || (j.statuses[jobsMust] ?? 0) > 0
      tools.must(isTold && isAsMeant && j.longestMs < JOBS_WITHIN_MS, `jobs: ${inWords(j)}`)
      const gapMs = ear.longestGapMs(startMs)
      tools.must(gapMs < LONGEST_GAP_MS, `longest gap in the sound ${gapMs} ms`)
      const tookMs = await until('limits are enforced again', () => isEnforced(service), BACK_WITHIN_MS)
      const [next = ''] = await queueShots(service, [`${url}/${performance.now()}`])
      await untilCompleted(service, next)
      tools.must(true, `limits back ${tookMs} ms later, the next job completed`)
      const known = (await service.call('GET', `/v1/jobs/${job}`, { key: service.keys.unlinked })).status
      tools.must(known === earlierJob, `a job of before answers ${known}`)
    },
  }
}

/** The last thing that the meter said of itself. */
async function isEnforced(service: Service): Promise<boolean> {
  await service.call('GET', METERED, { key: service.keys.unlinked })
  const { body } = await service.call('GET', '/readyz')
  const lines = [...service.output().matchAll(/rate limits (off|on again)/g)]
  const isOpen = lines.at(-1)?.[1] === 'off'
  return !isOpen && body.parts.every(({ name, state }: any) => name !== 'limits' || state === 'ok')
}

async function untilCompleted(service: Service, id: string): Promise<void> {
  const end = await untilJob(service, id, 30_000)
  if (end !== 'completed') throw new Error(`The job ${id} has ${end}.`)
}

/** The file in which Redis writes down every change. */
function appendOnlyFile({ dataDir }: Service): string {
  const folder = join(redisFolder(dataDir), 'appendonlydir')
  return join(folder, readdirSync(folder).find((name) => name.includes('.incr.')) ?? '')
}

interface Trouble {
  readonly spoil: (redis: Redis) => Promise<unknown>
  readonly mend: (redis: Redis) => Promise<unknown>
}

/** Redis answers, and takes nothing new, for 4 s. */
async function refuseJobs(tools: Tools, { spoil, mend }: Trouble): Promise<void> {
  const { service, url, through } = await open(tools)
  const redis = openRedis(tools, service)
  await through(async () => {
    await spoil(redis)
    await sleep(2000)
    const { status, body } = await askForShot(service, `${url}/refused`)
    tools.must(status === 503, `a new job: ${status} ${body.error?.message ?? ''}`)
    await sleep(2000)
    await mend(redis)
  })
}

const TOLD = 'metered calls all answer 200, jobs 200 or 503, no gap in the audio; full recovery within 10 s'

/** Experiments with Redis, which limits and jobs rest on. */
export const REDIS = [
  experiment('4a', {
    title: 'kill -9 of Redis, three times in 4 s, under requests',
    passes: TOLD,
    limitMs: 90_000,
    async run(tools) {
      const { service, through } = await open(tools)
      await through(async () => {
        for (let i = 0; i < 3; i++) {
          process.kill(redisPid(service), 'SIGKILL')
          await sleep(1300)
        }
      })
    },
  }),
  experiment('4b', {
    title: 'Redis stands still for 10 s (SIGSTOP)',
    passes: `${TOLD}; no metered call waits for it`,
    limitMs: 90_000,
    async run(tools) {
      const { service, through } = await open(tools)
      const pid = redisPid(service)
      await through(
        async () => {
          process.kill(pid, 'SIGSTOP')
          await sleep(STALL_MS)
          process.kill(pid, 'SIGCONT')
        },
        { jobs: 503 },
      )
    },
  }),
  experiment('4c', {
    title: 'Redis has no memory left (maxmemory 1 MB, no eviction) for 4 s',
    passes: `${TOLD}; new jobs are refused with 503`,
    limitMs: 90_000,
    run: (tools) =>
      refuseJobs(tools, {
        spoil: (redis) => redis.config('SET', 'maxmemory', '1mb'),
        mend: (redis) => redis.config('SET', 'maxmemory', '512mb'),
      }),
  }),
  experiment('4d', {
    title: 'Redis became a read-only replica for 4 s',
    passes: `${TOLD}; new jobs are refused with 503`,
    limitMs: 90_000,
    run: (tools) =>
      refuseJobs(tools, {
        spoil: (redis) => redis.replicaof('127.0.0.1', 1),
        mend: (redis) => redis.replicaof('NO', 'ONE'),
      }),
  }),
  experiment('4e', {
    title: 'FLUSHALL and SCRIPT FLUSH under requests',
    passes: 'no call fails; what was forgotten answers 404; new jobs are done',
    limitMs: 90_000,
    async run(tools) {
      const { service, through } = await open(tools)
      const redis = openRedis(tools, service)
      await through(
        async () => {
          await sleep(500)
          await redis.script('FLUSH')
          await sleep(1000)
          await redis.flushall()
          await sleep(1500)
        },
        { jobs: 200, earlierJob: 404 },
      )
    },
  }),
  experiment('4f', {
    title: 'the file of Redis lost its last bytes in a power cut',
    passes: 'the next start loads the rest: the job of before is still known, limits and jobs work',
    limitMs: 90_000,
    async run(tools) {
      const { service, url } = await open(tools)
      await service.call('GET', METERED)
      await service.kill('SIGKILL')
      await until('Redis has ended', () => service.leftOver().length === 0, 10_000)
      const file = appendOnlyFile(service)
      truncateSync(file, statSync(file).size - 7)
      await service.start()
      await until('limits are enforced', () => isEnforced(service), BACK_WITHIN_MS)
      const { body } = await service.call('GET', '/v1/jobs', { key: service.keys.unlinked })
      tools.must(body.data.length === 1, `${body.data.length} of 1 jobs known`)
      const [next = ''] = await queueShots(service, [`${url}/after`])
      await untilCompleted(service, next)
      tools.must(true, 'the next job completed')
    },
  }),
  experiment('4g', {
    title: 'the file of Redis is garbage',
    passes: 'the service starts and plays; it says what is wrong; metered calls answer 200, jobs 503',
    limitMs: 90_000,
    async run(tools) {
      const { service } = await open(tools)
      await service.kill('SIGTERM')
      writeFileSync(appendOnlyFile(service), Buffer.alloc(4096, '\u0007garbage'))
      await service.start()
      const metered = await service.call('GET', METERED, { key: service.keys.unlinked })
      const jobs = await service.call('GET', '/v1/jobs', { key: service.keys.unlinked })
      tools.must(metered.status === 200 && jobs.status === 503, `limits ${metered.status}, jobs ${jobs.status}`)
      const words = /"lastWords":"([^"]*)"/.exec(service.output())?.[1] ?? ''
      tools.must(/Bad file format|aof/i.test(words), `the log has Redis's own words: ${words.slice(-160)}`)
    },
  }),
] as const

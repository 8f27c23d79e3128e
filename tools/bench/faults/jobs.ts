import { readFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { redisFolder, redisSocket } from '../../../jobs/redis/redis-paths.ts'
import { listen, type Listening } from '../../../test/support/web.ts'
import { argsOf, descendantsOf } from '../../stage/process.ts'
import { sleep, until, type Service, type Tools } from './tools.ts'

/** A web site for screenshots. Give its host to EGRESS_ALLOW_HOSTS. */
export interface Site extends Listening {
  readonly host: string
}

export async function openSite(tools: Tools, answer: RequestListener = showPage): Promise<Site> {
  const listening = await listen(createServer(answer))
  tools.own(listening, (it) => it.close())
  return { ...listening, host: listening.url.replace('http://', '') }
}

const showPage: RequestListener = (req, res) => {
  res.setHeader('content-type', 'text/html').end(`<h1>Page ${req.url}</h1><p>Some words to draw.</p>`)
}

/** Asks for a screenshot. */
export function askForShot({ call, keys }: Service, url: string) {
  return call('GET', `/v1/tools/screenshot?url=${encodeURIComponent(url)}`, { key: keys.unlinked })
}

/** Queues screenshots one after the other, and waits when the service asks for it. @returns the ids of the jobs. */
export async function queueShots(service: Service, urls: readonly string[]): Promise<readonly string[]> {
  const ids: string[] = []
  while (ids.length < urls.length) {
    const { status, headers, body } = await askForShot(service, urls[ids.length] ?? '')
    if (status === 200) ids.push(body.data.jobId)
    else if (status === 429 || status === 503) await sleep(Number(headers.get('retry-after') ?? 1) * 1000)
    else throw new Error(`a screenshot was answered ${status}: ${JSON.stringify(body)}`)
  }
  return ids
}

/** A connection to the service's own Redis. */
export function openRedis(tools: Tools, { dataDir }: Service): Redis {
  const redis = new Redis(redisSocket(dataDir), { maxRetriesPerRequest: 50 })
  redis.on('error', () => undefined)
  return tools.own(redis, (it) => it.disconnect())
}

export function redisPid({ dataDir }: Service): number {
  return Number(readFileSync(join(redisFolder(dataDir), 'redis.pid'), 'utf8'))
}

/** The service's own renderer; 0 while there is none. */
export function rendererPid({ pid }: Service): number {
  return descendantsOf(pid).find((one) => argsOf(one).includes('jobs/main.ts'))?.pid ?? 0
}

/** Waits until a job is over, doing something all the time. @returns how it ended. */
export async function untilJob(
  { call, keys }: Service,
  id: string,
  withinMs: number,
  meanwhile: () => Promise<void> = async () => undefined,
): Promise<string> {
  let status = ''
  await until(
    `the job ${id} is over`,
    async () => {
      await meanwhile()
      status = (await call('GET', `/v1/jobs/${id}`, { key: keys.unlinked })).body.data?.status ?? ''
      return status === 'completed' || status === 'failed'
    },
    withinMs,
  )
  return status
}

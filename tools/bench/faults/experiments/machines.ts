import { openEvents, type Opened } from '../../../../test/support/socket.ts'
import { startMachines, type Machines, type ServiceMachine } from '../../../../test/support/machines.ts'
import { serveSkins } from '../../../../test/support/skins.ts'
import { experiment } from '../experiment.ts'
import { sleep, until, type Tools } from '../tools.ts'

const ENCODE = '/v1/tools/binary/encode?text=Hi'
const JOBS = 24
/** A dead renderer's jobs are given to another after 15 to 25 s. */
const JOBS_WITHIN_MS = 90_000
const AWAY_MS = 10_000
/** A request waits 50 ms for a Redis that hangs; the rest is a busy machine's. */
const ANSWER_WITHIN_MS = 3000

/** Two services with a bot each, three renderers, one Redis that writes to disk, one store. */
interface Plant extends Machines {
  readonly keys: { readonly all: string; readonly ofA: string; readonly ofB: string }
  readonly workers: Awaited<ReturnType<Machines['worker']>>[]
  render(service: ServiceMachine, name: string): Promise<string>
}

async function open(tools: Tools): Promise<Plant> {
  const skins = tools.own(await serveSkins(), (it) => it.close())
  const env = { EGRESS_ALLOW_HOSTS: `127.0.0.1:${skins.port}`, CHROMIUM_PATH: 'none', RENDER_CONCURRENCY: '1' }
  const at = tools.own(await startMachines({ plan: 'scale', keepsRedis: true, env }), (it) => it.close())
  const workers = await Promise.all(['one', 'two', 'three'].map((name) => at.worker(name)))
  const make = async (service: ServiceMachine, ...args: string[]) => (await at.newKey(service, ...args)).key
  const keys = {
    all: await make(at.a),
    ofA: await make(at.a, '--bot', at.a.botId),
    ofB: await make(at.b, '--bot', at.b.botId),
  }
  for (const service of [at.a, at.b]) {
    for (const key of Object.values(keys)) await untilStatus(service, key, 200)
  }
  return {
    ...at,
    keys,
    workers,
    async render(service, name) {
      // Each a picture of its own, by its name.
      const skinUrl = encodeURIComponent(`${skins.url}/${name}.png`)
      const path = `/v1/blockgame/render/${name}?skinUrl=${skinUrl}`
      const { status, body } = await service.call(keys.all, 'GET', path)
      if (status !== 202) throw new Error(`a render was answered ${status}: ${JSON.stringify(body)}`)
      return body.data.jobId
    },
  }
}

function untilStatus(service: ServiceMachine, key: string, status: number, withinMs = 10_000): Promise<number> {
  const isSo = async () => (await service.call(key, 'GET', ENCODE)).status === status
  return until(`a key is answered ${status}`, isSo, withinMs)
}

function queue(at: Plant): Promise<string[]> {
  return Promise.all(Array.from({ length: JOBS }, (_, i) => at.render(i % 2 ? at.a : at.b, `figure${i}`)))
}

/** Reads all jobs in one call: both services share the project's budget, and looking must not spend it. */
async function look(at: Plant, service: ServiceMachine, ids: readonly string[]): Promise<string> {
  const { status, body } = await service.call(at.keys.all, 'GET', '/v1/jobs?limit=100')
  if (status !== 200) return String(status)
  const jobs = new Map<string, string>(
    body.data.map((job: { jobId: string; status: string }) => [job.jobId, job.status]),
  )
  const words = new Set(ids.map((id) => jobs.get(id) ?? 'unknown'))
  return [...words].join()
}

/** All are completed, for these services, and each picture is there. */
async function mustComplete(tools: Tools, at: Plant, ids: readonly string[], services = [at.a, at.b]): Promise<void> {
  const areDone = async () => {
    const seen = await Promise.all(services.map((service) => look(at, service, ids)))
    return seen.every((words) => words === 'completed')
  }
  const tookMs = await until('all jobs are completed', areDone, JOBS_WITHIN_MS)
  const statuses = new Set(await Promise.all(ids.map((id, i) => pictureStatus(at, services[i % services.length]!, id))))
  const isGood = statuses.size === 1 && statuses.has(200)
  tools.must(isGood, `${ids.length} jobs completed, ${tookMs} ms later; pictures: ${[...statuses].join()}`)
}

async function pictureStatus(at: Plant, service: ServiceMachine, id: string): Promise<number> {
  const headers = { authorization: `Bearer ${at.keys.all}` }
  const response = await fetch(`${service.baseUrl}/v1/jobs/${id}/result`, { headers })
  await response.arrayBuffer()
  return response.status
}

/** Calls a metered route all the time. @returns a function that stops and reports the longest answer. */
function probe(tools: Tools, service: ServiceMachine, key: string): () => Promise<void> {
  const statuses = new Map<number, number>()
  const over = new AbortController()
  let longestMs = 0
  const calling = (async () => {
    while (!over.signal.aborted) {
      const startMs = performance.now()
      // 0: no answer at all.
      const status = await service.call(key, 'GET', ENCODE).then(
        (answer) => answer.status,
        () => 0,
      )
      longestMs = Math.max(longestMs, Math.round(performance.now() - startMs))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await sleep(50)
    }
  })()
  return async () => {
    over.abort()
    await calling
    const seen = [...statuses].map(([status, n]) => `${n} × ${status}`).join()
    const isGood = statuses.size === 1 && statuses.has(200) && longestMs < ANSWER_WITHIN_MS
    tools.must(isGood, `answers meanwhile: ${seen}, longest ${longestMs} ms`)
  }
}

/** Calls a route of the player that the bot of a service has in the demo guild. */
function playing({ sandbox, a, keys }: Plant, service: ServiceMachine, route: `${string} /${string}`) {
  const { guildId, voiceChannelId: channelId } = sandbox.demo
  const [method = '', path = ''] = route.split(' ')
  const body = path === '/play' ? { query: 'noise', channelId } : undefined
  return service.call(service === a ? keys.ofA : keys.ofB, method, `/v1/music/guilds/${guildId}${path}`, body)
}

/** Something happens to A's bot, and the socket on B hears of it. @returns after how long. */
async function hears(at: Plant, far: Opened, withinMs: number): Promise<number> {
  const count = far.messages.length
  const startMs = performance.now()
  const isHeard = async () => {
    await playing(at, at.a, 'POST /play')
    await sleep(200)
    await playing(at, at.a, 'DELETE /player')
    return far.messages.length > count
  }
  await until('B hears of A’s bot', isHeard, withinMs)
  return Math.round(performance.now() - startMs)
}

async function listen(tools: Tools, at: Plant): Promise<Opened> {
  return tools.own(await openEvents(at.b.baseUrl, at.keys.all), (it) => it.close())
}

/** Experiments with the loss of one of several machines. */
export const MACHINES = [
  experiment('21a', {
    title:
      'two services on one database, kill -9 of one with its bot playing and jobs of both queued; a key is revoked',
    passes: 'the other answers all the while, no job is lost, and the one that starts again refuses the key',
    limitMs: 240_000,
    async run(tools) {
      const at = await open(tools)
      const doomed = await at.newKey(at.a)
      await untilStatus(at.b, doomed.key, 200)
      for (const service of [at.a, at.b]) {
        const { status } = await playing(at, service, 'POST /play')
        tools.must(status === 200, `play: ${status}`)
      }
      const far = await listen(tools, at)
      const ids = await queue(at)
      const end = probe(tools, at.b, at.keys.all)
      await at.a.kill()
      await at.b.admin('key', 'revoke', doomed.id)
      await mustComplete(tools, at, ids, [at.b])
      const { status } = await playing(at, at.b, 'GET /player')
      tools.must(status === 200, `the other one's player: ${status}`)
      await end()
      await at.a.start()
      const refusedMs = await untilStatus(at.a, doomed.key, 401)
      tools.must(refusedMs < 2000, `the revoked key is refused ${refusedMs} ms after the start`)
      tools.must((await look(at, at.a, ids)) === 'completed', 'its jobs are known to it again')
      const isBack = async () => (await playing(at, at.a, 'GET /player')).status !== 503
      tools.saw(`its bot is back after ${await until('its bot is back', isBack, 30_000)} ms`)
      tools.must((await hears(at, far, 30_000)) > 0, 'the other hears of its bot again')
    },
  }),
  experiment('21c', {
    title:
      'kill -9 of the Redis of two services, away for 10 s, jobs of both queued; a key is revoked on one meanwhile',
    passes:
      'both answer all the while; no job is lost; the other refuses the key and hears events 5 s after Redis is back',
    limitMs: 240_000,
    async run(tools) {
      const at = await open(tools)
      const doomed = await at.newKey(at.a)
      await untilStatus(at.b, doomed.key, 200)
      const far = await listen(tools, at)
      const ids = await queue(at)
      const ends = [probe(tools, at.a, at.keys.all), probe(tools, at.b, at.keys.all)]
      await at.redis.kill()
      await at.a.admin('key', 'revoke', doomed.id)
      await sleep(AWAY_MS)
      await at.redis.start()
      const refusedMs = await untilStatus(at.b, doomed.key, 401)
      tools.must(refusedMs < 5000, `the key is refused by the other ${refusedMs} ms after Redis is back`)
      const heardMs = await hears(at, far, 10_000)
      tools.must(heardMs < 5000, `events arrive ${heardMs} ms after that`)
      for (const end of ends) await end()
      await mustComplete(tools, at, ids)
    },
  }),
]

import type { ServerResponse } from 'node:http'
import { experiment } from '../experiment.ts'
import { askForShot, openSite, queueShots, redisPid, rendererPid, untilJob, type Site } from '../jobs.ts'
import { argsOf, descendantsOf } from '../../../stage/process.ts'
import { areAll, inWords, startProbe } from '../probe.ts'
import { sleep, until, type Service, type Tools } from '../tools.ts'

const KILLS = 2
/** Jobs of a killed worker go to another one 15 to 25 s later. */
const ALL_WITHIN_MS = 150_000

type Victim = 'worker' | 'browser' | 'redis' | 'service'

/** Every end that a caller could see of a job. */
type Seen = ReadonlyMap<string, Set<string>>

/** Reads the jobs as a caller would, and notes every end. @returns how many are over. */
async function look({ call, keys }: Service, seen: Seen): Promise<number> {
  let before = ''
  do {
    const path = `/v1/jobs?limit=100${before && `&cursor=${before}`}`
    const answer = await call('GET', path, { key: keys.unlinked }).catch(() => null)
    if (answer?.status !== 200) break
    for (const { jobId, status, finishedAt } of answer.body.data) {
      if (finishedAt) seen.get(jobId)?.add(`${status} ${finishedAt}`)
    }
    before = answer.body.next ?? ''
  } while (before !== '')
  await sleep(200)
  return [...seen.values()].filter(({ size }) => size > 0).length
}

async function strike(victim: Victim, service: Service): Promise<void> {
  if (victim === 'worker') {
    await until('there is a renderer', () => rendererPid(service) > 0, 15_000)
    process.kill(rendererPid(service), 'SIGKILL')
  } else if (victim === 'browser') {
    await until('there is a browser', () => browserPid(service) > 0, 15_000)
    process.kill(browserPid(service), 'SIGKILL')
  } else if (victim === 'redis') {
    process.kill(redisPid(service), 'SIGKILL')
  } else {
    await service.kill('SIGKILL')
    await service.start()
  }
}

function browserPid(service: Service): number {
  return descendantsOf(rendererPid(service)).find((one) => isBrowser(argsOf(one)))?.pid ?? 0
}

/** Not one of the processes that a browser starts in turn. */
function isBrowser(args: string): boolean {
  return args.includes('--headless') && !args.includes('--type=')
}

async function judge(service: Service, seen: Seen): Promise<{ isGood: boolean; text: string }> {
  const { baseUrl, keys } = service
  const all = [...seen]
  const completed = all.filter(([, ends]) => [...ends].every((end) => end.startsWith('completed'))).length
  const twice = all.filter(([, ends]) => ends.size !== 1).length
  let pictures = 0
  for (const [id] of all) {
    const headers = { authorization: `Bearer ${keys.unlinked}` }
    const result = await fetch(`${baseUrl}/v1/jobs/${id}/result`, { headers })
    const bytes = Buffer.from(await result.arrayBuffer())
    if (result.status === 200 && bytes.subarray(1, 4).toString() === 'PNG') pictures++
  }
  const isGood = completed === seen.size && twice === 0 && pictures === seen.size
  return { isGood, text: `${completed} of ${seen.size} completed, ${twice} ended twice, ${pictures} pictures` }
}

async function withSite(tools: Tools, env: Readonly<Record<string, string>> = {}) {
  const held: ServerResponse[] = []
  const arrivals = new Map<string, number>()
  const site: Site = await openSite(tools, (req, res) => {
    const path = req.url ?? '/'
    arrivals.set(path, (arrivals.get(path) ?? 0) + 1)
    res.setHeader('content-type', 'text/html')
    if (path.startsWith('/endless')) held.push(res)
    if (path.startsWith('/endless')) return void res.write('<p>There is more to come …')
    if (path.startsWith('/spinning')) return void res.end('<h1>Spinning</h1><script>for (;;);</script>')
    res.end(`<h1>Page ${path}</h1>${path.startsWith('/crashing') ? '<script>for (;;);</script>' : ''}`)
  })
  const service = await tools.service({ env: { EGRESS_ALLOW_HOSTS: site.host, UPSTREAM_RETRIES: '0', ...env } })
  return { site, service, arrivals }
}

function killing(number: string, victim: Victim) {
  return experiment(number, {
    title: `kill -9 of the ${victim}, twice, in the middle of screenshots`,
    passes: 'every job completed, none of them twice, every picture there',
    limitMs: ALL_WITHIN_MS + 60_000,
    async run(tools) {
      const { site, service } = await withSite(tools)
      const urls = Array.from({ length: tools.material.jobs }, (_, i) => `${site.url}/${i}`)
      const seen = new Map((await queueShots(service, urls)).map((id) => [id, new Set<string>()]))
      for (let kills = 1; kills <= KILLS; kills++) {
        const over = Math.floor((seen.size * kills) / 5)
        await until(`${over} are over`, async () => (await look(service, seen)) >= over, ALL_WITHIN_MS)
        await strike(victim, service)
      }
      const tookMs = await until('all are over', async () => (await look(service, seen)) === seen.size, ALL_WITHIN_MS)
      const { isGood, text } = await judge(service, seen)
      tools.must(isGood, `${text}, the last one ${Math.round(tookMs / 1000)} s after the last kill`)
    },
  })
}

/** Experiments with render jobs, their workers and browsers. */
export const JOBS = [
  killing('5a', 'worker'),
  experiment('5b', {
    title: 'the worker is killed as soon as it is there, for 10 s, and a poison job kills it whenever it runs',
    passes:
      'started again at growing intervals, not more than 12 times in 10 s; the poison job fails after 3 runs; others complete',
    limitMs: 200_000,
    async run(tools) {
      const { site, service, arrivals } = await withSite(tools)
      const endMs = performance.now() + 10_000
      let kills = 0
      const probe = startProbe(tools, service, { path: '/v1/status' })
      while (performance.now() < endMs) {
        const pid = rendererPid(service)
        if (pid > 0) process.kill(pid, 'SIGKILL')
        if (pid > 0) kills++
        await sleep(50)
      }
      tools.must(kills <= 12 && kills >= 3, `${kills} starts in 10 s`)
      const [poison = '', ...good] = await queueShots(
        service,
        ['crashing', 'good/1', 'good/2', 'good/3'].map((p) => `${site.url}/${p}`),
      )
      let deaths = 0
      const status = await untilJob(service, poison, 120_000, async () => {
        if ((arrivals.get('/crashing') ?? 0) <= deaths) return
        deaths++
        process.kill(rendererPid(service), 'SIGKILL')
      })
      tools.must(status === 'failed' && deaths <= 3, `poison: ${status} after ${deaths} dead workers`)
      const others = []
      for (const id of good) others.push(await untilJob(service, id, 60_000))
      tools.must(
        others.every((one) => one === 'completed'),
        `others: ${others.join(', ')}`,
      )
      tools.must(areAll(probe.report(), 200), `status: ${inWords(probe.report())}`)
    },
  }),
  killing('6a', 'browser'),
  experiment('6b', {
    title: 'a page that never ends, one that spins for ever, and one whose process in the browser is killed',
    passes: 'each of them ends within its time, failures with a message; the pages behind them complete',
    limitMs: 180_000,
    async run(tools) {
      const { site, service, arrivals } = await withSite(tools, { RENDER_CONCURRENCY: '2' })
      let crashes = 0
      const killPages = async () => {
        if ((arrivals.get('/crashing') ?? 0) <= crashes) return
        crashes++
        await sleep(300)
        const pages = descendantsOf(rendererPid(service)).filter((one) => argsOf(one).includes('--type=renderer'))
        for (const { pid } of pages) process.kill(pid, 'SIGKILL')
      }
      const ends: string[] = []
      // The crashing page is alone in the browser, since all of its pages are killed.
      for (const names of [['endless', 'spinning', 'good/1'], ['crashing'], ['good/2', 'good/3']]) {
        const ids = await queueShots(
          service,
          names.map((name) => `${site.url}/${name}`),
        )
        for (const [i, id] of ids.entries()) {
          const status = await untilJob(service, id, 90_000, killPages)
          const { body } = await service.call('GET', `/v1/jobs/${id}`, { key: service.keys.unlinked })
          ends.push(`${names[i]} ${status}${body.data.error ? ` (${body.data.error.message})` : ''}`)
        }
      }
      const good = ends.filter((end) => end.startsWith('good'))
      tools.must(crashes > 0, ends.filter((end) => !good.includes(end)).join(', '))
      tools.must(
        good.every((end) => end.includes('completed')),
        good.join(', '),
      )
    },
  }),
  killing('1b', 'service'),
  killing('4h', 'redis'),
  experiment('31', {
    title: 'more jobs than the queue takes (RENDER_QUEUE_MAX=40, no renderer at work), by two projects',
    passes: 'refused with 503 and Retry-After; the other project still gets in; status and sound as ever',
    limitMs: 60_000,
    async run(tools) {
      const { site, service } = await withSite(tools, { RENDER_QUEUE_MAX: '40' })
      const pid = await until('there is a renderer', () => rendererPid(service) > 0, 15_000).then(() =>
        rendererPid(service),
      )
      process.kill(pid, 'SIGSTOP')
      try {
        const shots = await Promise.all(Array.from({ length: 60 }, (_, i) => askForShot(service, `${site.url}/${i}`)))
        const [taken, refused] = [200, 503].map((wanted) => shots.filter(({ status }) => status === wanted))
        const retryAfter = Number(refused?.[0]?.headers.get('retry-after'))
        const isWhole = (taken?.length ?? 0) + (refused?.length ?? 0) === shots.length
        tools.must(
          isWhole && retryAfter > 0,
          `${taken?.length} taken, ${refused?.length} refused, Retry-After ${retryAfter}`,
        )
        const other = (await service.admin('project', 'create', 'Other', '--plan', 'scale', '--json')).json.id
        const { key } = (await service.admin('key', 'create', '--project', other, '--json')).json
        const { status } = await service.call('GET', `/v1/tools/screenshot?url=${site.url}/other`, { key })
        tools.must(status === 200, `the other project: ${status}`)
      } finally {
        process.kill(pid, 'SIGCONT')
      }
    },
  }),
]

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually, startService, type RunningService } from '../test/support/service.ts'

/*
 * `npm run faults:jobs [jobs] [what …]`: kills worker, browser, Redis or the service with -9 in the middle of so many
 * screenshots of a small page, through the front door of the whole program, and counts what its callers saw. Every job
 * must be completed, none twice, and its picture must be there.
 */

const [, , jobsText = '200', ...chosen] = process.argv
const JOBS = Number(jobsText)
const KINDS = ['worker', 'browser', 'redis', 'service'] as const
type Kind = (typeof KINDS)[number]
const PATIENCE_MS = 10 * 60_000

interface Seen {
  readonly statuses: Set<string>
  finishedAt: string | null
}

const site: Server = createServer((req, res) => {
  res.setHeader('content-type', 'text/html').end(`<h1>Page ${req.url}</h1><p>Some words to draw.</p>`)
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
const host = `127.0.0.1:${(site.address() as AddressInfo).port}`

let hasFailed = false
for (const kind of chosen.length > 0 ? (chosen as Kind[]) : KINDS) {
  const told = await runOne(kind)
  console.log(told.text)
  hasFailed ||= !told.isGood
}
site.close()
process.exitCode = hasFailed ? 1 : 0

async function runOne(kind: Kind): Promise<{ text: string; isGood: boolean }> {
  let service = await startService({ env: { EGRESS_ALLOW_HOSTS: host, LOG_LEVEL: 'error', UPSTREAM_RETRIES: '0' } })
  const startedMs = performance.now()
  try {
    const seen = new Map<string, Seen>()
    for (let i = 0; i < JOBS; i++) seen.set(await queueOne(service, i), { statuses: new Set(), finishedAt: null })
    for (let kills = 1; kills <= 3; kills++) {
      await eventually(
        () => look(service, seen),
        (over) => over >= Math.floor((JOBS * kills) / 5),
        PATIENCE_MS,
      )
      service = await kill(kind, service)
    }
    await eventually(
      () => look(service, seen),
      (over) => over === JOBS,
      PATIENCE_MS,
    )
    const seconds = Math.round((performance.now() - startedMs) / 1000)
    const { isGood, text } = await judge(kind, service, seen)
    return { isGood, text: `${text}, ${seconds} s` }
  } finally {
    await service.stop()
  }
}

async function queueOne(service: RunningService, i: number): Promise<string> {
  const { unlinked } = service.demo.keys
  const answer = await service.call('GET', `/v1/tools/screenshot?url=http://${host}/${i}`, { key: unlinked })
  if (answer.status === 200) return answer.body.data.jobId
  if (answer.status !== 429 && answer.status !== 503) throw new Error(JSON.stringify(answer.body))
  await sleep(Number(answer.headers.get('retry-after') ?? 1) * 1000)
  return queueOne(service, i)
}

/** Reads all jobs as a caller would, and notes every end. */
async function look(service: RunningService, seen: Map<string, Seen>): Promise<number> {
  const jobs = new Map<string, any>()
  let before = ''
  do {
    const path = `/v1/jobs?limit=100${before && `&before=${before}`}`
    const answer = await service.call('GET', path, { key: service.demo.keys.unlinked }).catch(() => null)
    if (answer?.status !== 200) break
    for (const job of answer.body.data.jobs) jobs.set(job.jobId, job)
    before = answer.body.data.next ?? ''
  } while (before !== '')
  for (const [id, one] of seen) {
    const job = jobs.get(id)
    if (job?.finishedAt) one.statuses.add(`${job.status} ${job.finishedAt}`)
    one.finishedAt ??= job?.finishedAt ?? null
  }
  await sleep(200)
  return [...seen.values()].filter(({ finishedAt }) => finishedAt).length
}

async function kill(kind: Kind, service: RunningService): Promise<RunningService> {
  const renderer = childrenOf(service.process.pid ?? 0).find(({ args }) => args.includes('jobs/main.ts'))?.pid ?? 0
  switch (kind) {
    case 'worker':
      process.kill(renderer, 'SIGKILL')
      return service
    case 'browser':
      for (const { pid, args } of descendantsOf(renderer)) {
        if (args.includes('--headless') && !args.includes('--type=')) process.kill(pid, 'SIGKILL')
      }
      return service
    case 'redis':
      process.kill(Number(readFileSync(join(service.dataDir, 'redis', 'redis.pid'), 'utf8')), 'SIGKILL')
      return service
    case 'service': {
      const { dataDir } = service
      await service.kill('SIGKILL')
      return startService({ dataDir, env: { EGRESS_ALLOW_HOSTS: host, LOG_LEVEL: 'error' } })
    }
  }
}

async function judge(kind: Kind, service: RunningService, seen: Map<string, Seen>) {
  let [completed, twice, pictures] = [0, 0, 0]
  for (const [id, { statuses }] of seen) {
    if ([...statuses].every((status) => status.startsWith('completed'))) completed++
    if (statuses.size !== 1) twice++
    const url = `${service.demo.baseUrl}/v1/jobs/${id}/result`
    const result = await fetch(url, { headers: { authorization: `Bearer ${service.demo.keys.unlinked}` } })
    const bytes = Buffer.from(await result.arrayBuffer())
    if (result.status === 200 && bytes.subarray(1, 4).toString() === 'PNG') pictures++
  }
  const isGood = completed === JOBS && twice === 0 && pictures === JOBS
  const text = `kill -9 of the ${kind}, three times: ${completed} of ${JOBS} completed, ${twice} ended twice, ${pictures} pictures`
  return { isGood, text: `${isGood ? 'ok  ' : 'FAIL'} ${text}` }
}

interface Process {
  readonly pid: number
  readonly parent: number
  readonly args: string
}

function processes(): Process[] {
  const text = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8', maxBuffer: 1e8 })
  return text.split('\n').flatMap((line) => {
    const [, pid, parent, args] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
    return pid && parent ? [{ pid: Number(pid), parent: Number(parent), args: args ?? '' }] : []
  })
}

function childrenOf(parent: number, all = processes()): Process[] {
  return all.filter((one) => one.parent === parent)
}

function descendantsOf(parent: number, all = processes()): Process[] {
  const children = childrenOf(parent, all)
  return children.concat(children.flatMap(({ pid }) => descendantsOf(pid, all)))
}

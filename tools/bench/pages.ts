/**
 * The time that the service takes for each page of the dashboard, from the request to its last byte, for a project that is
 * full: as many keys as it may have, an entry in the audit log for each, a queue, and a request log. Beside each page stands
 * `/healthz` in the same run.
 *
 *     npm run bench:pages -- [--keys 200] [--rounds 30]
 */
import { parseArgs } from 'node:util'
import { KEY_CLASSES } from '../../db/projects/key-settings.ts'
import { createVisitor } from '../../test/support/dashboard.ts'
import { startService, type RunningService } from '../../test/support/service.ts'
import { LAUNCHER } from '../stage/process.ts'
import { median, ownAtMost, report } from './report.ts'

const { values } = parseArgs({
  options: { keys: { type: 'string', default: '200' }, rounds: { type: 'string', default: '30' } },
})
const KEYS = Number(values.keys)
const ROUNDS = Number(values.rounds)
const MOST_MS = 50
const AT_ONCE = 20
const REQUESTS = 300
const PAGES = [
  '',
  '/keys',
  '/keys?shown=all',
  '/keys/new',
  '/bots',
  '/players',
  '/sources',
  '/usage',
  '/requests',
  '/jobs',
  '/events',
].concat(['/webhooks', '/members', '/audit', '/settings', '/lavalink'])

type Visitor = ReturnType<typeof createVisitor>

/** Keys that are active have a bound, so that most of them are revoked again. */
async function makeKeys(visitor: Visitor, path: string): Promise<void> {
  const form = { bot: '', expires: 'never', allow: '', classes: [...KEY_CLASSES] }
  const active = async () =>
    [...(await visitor.get(path)).text.matchAll(/keys\/(key_\w+)"/g)].map(([, id]) => String(id))
  const kept = new Set(await active())
  for (let i = 1; i <= KEYS; i++) {
    const { text } = await visitor.get(`${path}/new`)
    const once = /name="once" value="([^"]*)"/.exec(text)?.[1] ?? ''
    const name = `Key ${i} of a program with a long name`
    const { status } = await visitor.post(`${path}/new`, { ...form, name, once })
    if (status !== 303) throw new Error(`The key ${i} was answered by ${status}.`)
    if (i % AT_ONCE > 0) continue
    for (const id of await active()) if (!kept.has(id)) await visitor.post(`${path}/${id}/revoke`)
  }
}

async function fill(service: RunningService, visitor: Visitor, base: string): Promise<void> {
  const { guildId, voiceChannelId, queries, keys } = service.demo
  for (const query of queries)
    await service.call('POST', `/v1/music/guilds/${guildId}/play`, { body: { query, channelId: voiceChannelId } })
  for (let i = 0; i < REQUESTS; i++)
    await service.call('GET', `/v1/tools/binary/encode${i % 3 === 0 ? '' : '?text=hi'}`, { key: keys.linked })
  await makeKeys(visitor, `${base}/keys`)
}

async function timeOf(ask: () => Promise<{ readonly status: number }>): Promise<number> {
  const startMs = performance.now()
  const { status } = await ask()
  if (status !== 200) throw new Error(`It answered ${status}.`)
  return performance.now() - startMs
}

/** @returns milliseconds by page. */
async function look(visitor: Visitor, base: string): Promise<ReadonlyMap<string, number>> {
  const times = new Map<string, number>()
  for (const page of PAGES) times.set(page, await timeOf(() => visitor.get(base + page)))
  return times
}

const service = await startService({ execPath: LAUNCHER })
try {
  const { baseUrl, dashboardUrl, projectId } = service.demo
  const visitor = createVisitor(baseUrl, null)
  await visitor.get(dashboardUrl.slice(baseUrl.length))
  const base = `/dashboard/projects/${projectId}`
  await fill(service, visitor, base)
  // The first look compiles the pages.
  await look(visitor, base)
  const times = new Map<string, number[]>()
  for (let round = 0; round < ROUNDS; round++)
    for (const [page, took] of await look(visitor, base)) times.set(page, [...(times.get(page) ?? []), took])
  const health: number[] = []
  for (let round = 0; round < ROUNDS; round++) health.push(await timeOf(() => visitor.get('/healthz')))
  const beside = { whom: '/healthz', value: median(health) }
  for (const [page, past] of times) {
    const what = `p50 of ${page || 'the overview'}, ${KEYS} keys`
    report({ what, own: median(past), unit: ' ms', beside, goal: ownAtMost(MOST_MS) })
  }
} finally {
  await service.stop()
}

import { randomUUID } from 'node:crypto'
import { openDatabase } from '../../db/engine/open.ts'
import { createSqliteStore } from '../../db/engine/sqlite-store.ts'
import { createAudit } from '../../db/people/audit.ts'
import { createKeys, KEY_CLASSES, MAX_ACTIVE_KEYS } from '../../db/projects/keys.ts'
import { OUTCOMES, type UsageCount } from '../../db/projects/usage-counts.ts'
import { createUsage } from '../../db/projects/usage.ts'
import { createLoggedRequests, type LoggedRequests } from '../../db/requests/logged-requests.ts'
import { firstIdAt, type LoggedRequest } from '../../lib/request-log/request-log.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS
const AT_ONCE = 2000

const ROUTES = [
  ['play', 'POST', '/v1/music/guilds/{guildId}/play'],
  ['getPlayer', 'GET', '/v1/music/guilds/{guildId}/player'],
  ['skip', 'POST', '/v1/music/guilds/{guildId}/skip'],
  ['searchTracks', 'GET', '/v1/music/search'],
  ['listPlayers', 'GET', '/v1/music/players'],
  ['getWeather', 'GET', '/v1/tools/weather'],
  ['translate', 'POST', '/v1/translation/translate'],
  ['listLanguages', 'GET', '/v1/translation/languages'],
  ['encodeBinary', 'GET', '/v1/tools/binary/encode'],
  ['listHolidays', 'GET', '/v1/holidays'],
  ['takeScreenshot', 'GET', '/v1/tools/screenshot'],
  ['listJobs', 'GET', '/v1/jobs'],
] as const

export interface Amounts {
  readonly days: number
  readonly requests: number
  readonly auditEntries: number
}

export interface Seeded {
  readonly usageRows: number
  readonly requests: number
  readonly requestId: string
  readonly keyId: string
}

/** Fills the data folder of a service that does not run, for one project. */
export async function seed(dataDir: string, projectId: string, amounts: Amounts): Promise<Seeded> {
  const db = openDatabase({ dataDir })
  const store = createSqliteStore(db)
  db.pragma('synchronous = OFF')
  const keys = createKeys(store)
  for (let left = MAX_ACTIVE_KEYS - (await keys.list(projectId)).length; left > 0; left -= 1) {
    await keys.create({ projectId, name: `Site ${left}` })
  }
  const keyIds = (await keys.list(projectId)).map(({ id }) => id)
  const usage = createUsage(store)
  await writeUsage(usage, { projectId, keyIds, days: amounts.days })
  await writeAudit(createAudit(store), projectId, amounts.auditEntries)
  const usageRows = db.prepare('SELECT (SELECT count(*) FROM usage) + (SELECT count(*) FROM usage_total)').pluck().get()
  const records = createLoggedRequests(store)
  const requestId = await writeRequests(records, { projectId, keyIds, count: amounts.requests })
  db.close()
  return { usageRows: Number(usageRows), requests: amounts.requests, requestId, keyId: keyIds[0] ?? '' }
}

interface Whose {
  readonly projectId: string
  readonly keyIds: readonly string[]
}

/** Each key with three routes a day, each day, most of them well; each minute of the last hours. */
async function writeUsage(
  usage: ReturnType<typeof createUsage>,
  { projectId, keyIds, days }: Whose & { days: number },
): Promise<void> {
  const nowMs = Date.now()
  let waiting: UsageCount[] = []
  async function count(atMs: number, at: number): Promise<void> {
    const [route] = ROUTES[at % ROUTES.length] ?? ROUTES[0]
    const buckets = OUTCOMES.flatMap(() => [40, 30, 20]).map((value, i) => Math.max(0, value - i * 3))
    const requests = buckets.reduce((sum, value) => sum + value, 0)
    const outcome = OUTCOMES[at % 9 < 6 ? 0 : (at % 9) - 5] ?? 'ok'
    const whose = { projectId, keyId: keyIds[at % keyIds.length] ?? '', routeClass: KEY_CLASSES[at % 4] ?? 'cheap' }
    const numbers = { requests, overClass: 0, overTotal: 0, totalMs: requests * 12, buckets }
    waiting.push({ ...whose, route, outcome, minuteMs: Math.floor(atMs / MINUTE_MS) * MINUTE_MS, ...numbers })
    if (waiting.length >= AT_ONCE) await flush()
  }
  async function flush(): Promise<void> {
    await usage.add(waiting)
    waiting = []
  }
  for (let day = days - 1; day >= 0; day -= 1) {
    for (let at = 0; at < keyIds.length * 3; at += 1) await count(nowMs - day * DAY_MS - at * 60_000, at + day)
  }
  for (let minute = 0; minute < 48 * 60; minute += 1) await count(nowMs - minute * MINUTE_MS, minute)
  await flush()
  while ((await usage.prune(50_000)) > 0);
}

/** A tenth of them are no controls of players. */
async function writeAudit(audit: ReturnType<typeof createAudit>, projectId: string, count: number): Promise<void> {
  const whose = { projectId, accountId: null, who: 'Mara Lindqvist', address: '192.0.2.7' }
  for (let at = 0; at < count; at += 1) {
    const isChange = at % 10 === 0
    const [action, target] = isChange ? ['key.created', `Site ${at}`] : ['player.volume', `Guild ${at % 100}`]
    const detail = isChange ? { prefix: '01234567' } : { 'volume.before': at % 100, 'volume.after': (at + 5) % 100 }
    await audit.write({ ...whose, action: action ?? '', target: target ?? '', detail })
  }
}

/** Over the last six days, one in twenty refused. @returns the id of one that was. */
async function writeRequests(
  records: LoggedRequests,
  { projectId, keyIds, count }: Whose & { readonly count: number },
): Promise<string> {
  const startMs = Date.now() - 6 * DAY_MS
  const stepMs = (6 * DAY_MS) / count
  let waiting: LoggedRequest[] = []
  let refused = ''
  for (let at = 0; at < count; at += 1) {
    const [operation, method, route] = ROUTES[at % ROUTES.length] ?? ROUTES[0]
    const isRefused = at % 20 === 0
    const requestId = randomUUID()
    if (isRefused) refused = requestId
    waiting.push({
      id: firstIdAt(Math.floor(startMs + at * stepMs)) + (at % 1000),
      projectId,
      keyId: keyIds[at % keyIds.length] ?? '',
      requestId,
      method,
      operation,
      route,
      path: null,
      status: isRefused ? (at % 40 === 0 ? 422 : 503) : 200,
      code: isRefused ? (at % 40 === 0 ? 'validation_error' : 'service_unavailable') : null,
      reason: null,
      message: isRefused ? 'body.channelId: Must be a string.' : null,
      durationMs: at % 300,
      address: '192.0.2.7',
      limitClass: 'cheap',
      limitPerMinute: 400,
      limitRemaining: 399,
      limitSpent: null,
      traceId: null,
    })
    if (waiting.length < AT_ONCE) continue
    await records.add(waiting)
    waiting = []
  }
  await records.add(waiting)
  return refused
}

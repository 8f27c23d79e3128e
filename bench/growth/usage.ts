import { createSqliteReader } from '../../db/engine/reader/sqlite-reader.ts'
import { createUsage } from '../../db/projects/usage.ts'
import type { UsageCount } from '../../db/projects/usage-counts.ts'
import { createLog } from '../../lib/log.ts'
import { temporaryDatabase, type TemporaryDatabase } from '../../test/support/database.ts'
import { HARDLY, medianMs, type Dimension } from './dimension.ts'

const DAY_MS = 86_400_000
const DAYS = 365
/** Of a project: as many keys as it may have, and most routes. */
const NAMES = { class: 5, key: 25, route: 70 }
const ROWS_EACH = DAYS * (NAMES.class + NAMES.key + NAMES.route)

/** Fills projects one after the other with a year of days, each with all of its keys and routes. */
function fill({ db }: TemporaryDatabase, size: number, todayMs: number): void {
  db.pragma('synchronous = OFF')
  db.pragma('temp_store = MEMORY')
  for (let project = 0, left = size; left > 0; project += 1, left -= ROWS_EACH) {
    db.prepare(`INSERT INTO project (id, name, plan, created_at_ms) VALUES (?, 'Growth', 'scale', 0)`).run(
      `prj_${project}`,
    )
    db.prepare(
      `INSERT INTO usage_total
       WITH RECURSIVE day (n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM day WHERE n < ${DAYS - 1}),
            name (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM name WHERE i < ${ROWS_EACH / DAYS - 1})
       SELECT :project, 'day', CASE WHEN i < 5 THEN 'class' WHEN i < 30 THEN 'key' ELSE 'route' END, :today - n * ${DAY_MS},
              'name_' || i, 900, 50, 40, 10, 30, 10, 12000000, 400, 300, 200, 50, 20, 10, 10, 5, 3, 1, 1, 0
         FROM day, name LIMIT :left`,
    ).run({ project: `prj_${project}`, today: todayMs, left })
  }
}

function countsOf(project: number, nowMs: number): readonly UsageCount[] {
  const minuteMs = Math.floor(nowMs / 60_000) * 60_000
  return Array.from({ length: 12 }, (_, i) => ({
    projectId: `prj_${project}`,
    keyId: `key_${i}`,
    routeClass: 'cheap' as const,
    route: `route_${i}`,
    outcome: 'ok' as const,
    minuteMs,
    requests: 10,
    overClass: 0,
    overTotal: 0,
    totalMs: 20,
    buckets: [10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
  }))
}

/** How long the thread of the service is held, at the longest. */
async function longestHold(work: () => Promise<unknown>): Promise<number> {
  let [last, longest] = [performance.now(), 0]
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last)
    last = performance.now()
  }, 1)
  await work()
  clearInterval(timer)
  return Math.max(longest, performance.now() - last)
}

/** Rows of usage of many projects: writing a second's counts, and the dearest report of one project. */
export const usage: Dimension = {
  name: 'usage',
  of: 'usage rows',
  sizes: [100_000, 1_000_000, 10_000_000],
  async measure(size) {
    const database = temporaryDatabase()
    const { store, dataDir, close } = database
    const todayMs = Math.floor(Date.now() / DAY_MS) * DAY_MS
    fill(database, size, todayMs)
    const reader = createSqliteReader({ dataDir, log: createLog('silent'), store })
    try {
      const projects = Math.ceil(size / ROWS_EACH)
      const counted = createUsage(store, { reader })
      const year = (part: 'key' | 'route') => ({
        projectId: 'prj_0',
        part,
        span: 'day' as const,
        sinceMs: todayMs - DAYS * DAY_MS,
        untilMs: todayMs + DAY_MS,
      })
      const each = { unit: ' ms', atMost: HARDLY, floor: 0.5 }
      await counted.totals.sums(year('key'))
      const report = await medianMs(5, () => counted.totals.sums(year('key')))
      const held = await longestHold(() => counted.totals.sums(year('route')))
      const write = await medianMs(60, (i) => counted.add(countsOf(i % projects, Date.now())))
      return [
        { what: 'write the counts of 12 keys and routes', value: write, ...each },
        { what: "report a project's year by key", value: report, ...each },
        { what: 'the service is held by a year by route', value: held, ...each, floor: 5 },
        { what: 'look for rows that are too old', value: await medianMs(5, () => counted.prune(5000)), ...each },
      ]
    } finally {
      await reader.close()
      close()
    }
  },
}

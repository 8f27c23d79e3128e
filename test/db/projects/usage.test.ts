import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import sql from 'sql-template-tag'
import { openDatabase } from '../../../db/engine/open.ts'
import { createUsageCounter, type UsageCounter } from '../../../db/projects/usage-counter.ts'
import type { Use } from '../../../lib/usage.ts'
import { percentile } from '../../../db/projects/usage-counts.ts'
import type { UsagePart } from '../../../db/projects/usage-totals.ts'
import { createUsage, type Grouping, type Usage } from '../../../db/projects/usage.ts'
import { createLog } from '../../../lib/log.ts'
import { temporaryDatabase } from '../../support/database.ts'
import { eventually } from '../../support/service.ts'
import { addProject, describeOnEachEngine } from '../../support/stores.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describeOnEachEngine('usage', (opened) => {
  const clock = { nowMs: NOON }
  let usage: Usage
  let projectId: string
  const [keyId, other] = ['key_ours', 'key_other']
  const lines: { msg?: string }[] = []
  const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line)) })
  const counters: UsageCounter[] = []

  /** Written by `close` alone, by default how often. */
  function counter(options: { usage?: Usage; everyMs?: number } = {}): UsageCounter {
    const made = createUsageCounter({ usage, log, now: () => clock.nowMs, everyMs: 3_600_000, ...options })
    counters.push(made)
    return made
  }
  const use = (change: Partial<Use> = {}): Use => {
    const whose = { projectId, keyId, routeClass: 'cheap', route: 'listImageFilters' } as const
    return { ...whose, status: 200, durationMs: 3, spent: null, ...change }
  }
  async function count(...uses: Use[]): Promise<void> {
    const counting = counter()
    for (const one of uses) counting.count(one)
    await counting.close()
  }
  const summary = (by: Grouping, sinceMs = NOON - DAY_MS, untilMs = clock.nowMs + 1) =>
    usage.summary({ projectId, by, sinceMs, untilMs })
  const starts = async (by: Grouping) =>
    (await summary(by)).map(({ group, requests }) => [Number(group) - NOON, requests])

  beforeEach(async () => {
    clock.nowMs = NOON
    lines.length = 0
    usage = createUsage(opened.store, { now: () => clock.nowMs })
    projectId = await addProject(opened.store)
    for (const id of [keyId, other]) await addKey(id)
  })
  afterEach(async () => {
    for (const made of counters.splice(0)) await made.close()
  })

  async function addKey(id: string): Promise<void> {
    await opened.store.run(sql`
      INSERT INTO api_key (id, project_id, prefix, digest, created_at_ms)
      VALUES (${id}, ${projectId}, '01234567', ${randomBytes(32)}, 0)`)
  }

  it('is counted by class, key and outcome, with how long the answers took', async () => {
    await count(
      ...[200, 204, 304, 101].map((status) => use({ status })),
      use({ status: 404 }),
      use({ status: 429, durationMs: 1 }),
      use({ status: 503, routeClass: 'fetch', route: 'getWeather', keyId: other, durationMs: 12_000 }),
    )
    const [cheap, fetch] = await summary('class')
    expect(cheap).to.include({ group: 'cheap', requests: 6, ok: 4, clientErrors: 1, limited: 1, serverErrors: 0 })
    expect(cheap?.meanMs).to.equal(2.7)
    expect(fetch).to.include({ group: 'fetch', requests: 1, serverErrors: 1, meanMs: 12_000, p99Ms: 10_000 })
    expect((await summary('key')).map(({ group, requests }) => [group, requests])).to.deep.equal([
      [keyId, 6],
      [other, 1],
    ])
    expect((await summary('outcome')).map(({ group }) => group)).to.have.members([
      'ok',
      'client_error',
      'limited',
      'server_error',
    ])
  })

  it('tells of what was refused which budget had no room for it, by class and key', async () => {
    const limited = use({ status: 429, durationMs: 1 })
    await count(
      { ...limited, spent: 'class' },
      { ...limited, spent: 'class' },
      { ...limited, spent: 'aggregate' },
      limited,
      { ...limited, routeClass: 'fetch', route: 'getWeather', spent: 'aggregate' },
      use(),
    )
    const [cheap, fetch] = await summary('class')
    expect(cheap).to.include({ group: 'cheap', limited: 4, overClass: 2, overTotal: 1 })
    expect(fetch).to.include({ group: 'fetch', limited: 1, overClass: 0, overTotal: 1 })
    const question = { projectId, span: 'hour', sinceMs: NOON - HOUR_MS, untilMs: NOON + 1 } as const
    expect(await usage.refusals(question)).to.deep.equal([
      { startMs: NOON, routeClass: 'cheap', keyId, refused: 4, overClass: 2, overTotal: 1 },
      { startMs: NOON, routeClass: 'fetch', keyId, refused: 1, overClass: 0, overTotal: 1 },
    ])
    expect(await usage.refusals({ ...question, projectId: 'another' })).to.deep.equal([])
  })

  it('adds up over many writes and many counters', async () => {
    for (let i = 0; i < 5; i++) await count(use(), use({ durationMs: 0.3 }))
    expect((await summary('class'))[0]).to.include({ requests: 10, meanMs: 1.7 })
  })

  it('is put into the minute in which it happened, and into its hour and day', async () => {
    const counting = counter()
    counting.count(use())
    clock.nowMs += MINUTE_MS
    counting.count(use())
    clock.nowMs += HOUR_MS
    counting.count(use())
    await counting.close()
    expect(await starts('minute')).to.deep.equal([
      [0, 1],
      [MINUTE_MS, 1],
      [HOUR_MS + MINUTE_MS, 1],
    ])
    expect(await starts('hour')).to.deep.equal([
      [0, 2],
      [HOUR_MS, 1],
    ])
    expect(await starts('day')).to.deep.equal([[-12 * HOUR_MS, 3]])
  })

  it('answers for a time span, and for its own project alone', async () => {
    await count(use())
    expect(await summary('class', NOON + MINUTE_MS, NOON + HOUR_MS)).to.deep.equal([])
    expect(await summary('class', NOON - HOUR_MS, NOON)).to.deep.equal([])
    expect(await usage.summary({ projectId: 'prj_other', by: 'class', sinceMs: 0, untilMs: NOON * 2 })).to.deep.equal(
      [],
    )
  })

  it('answers for times whose minutes are gone, from the hours', async () => {
    await count(use())
    clock.nowMs = NOON + 3 * DAY_MS
    // The minute itself, and the minute in all, by class, by key and by route.
    expect(await usage.prune(1000)).to.equal(5)
    expect((await summary('class', NOON))[0]).to.include({ requests: 1 })
  })

  it('is kept for ninety days by class and key, and removed a piece at a time', async () => {
    for (let i = 0; i < 4; i++) await count(use({ keyId: `key_${i}` }))
    clock.nowMs = NOON + 89 * DAY_MS
    await usage.prune(1000)
    expect((await summary('class', NOON))[0]).to.include({ requests: 4 })
    clock.nowMs = NOON + 91 * DAY_MS
    // Four keys have an hour and a day; in all, by class, by key and by route there are seven hours.
    expect([await usage.prune(5), await usage.prune(5), await usage.prune(10), await usage.prune(5)]).to.deep.equal([
      5, 5, 5, 0,
    ])
  })

  it('is kept as days for a year, in all, by class, by key and by route', async () => {
    await count(
      use(),
      use({ route: 'getWeather', routeClass: 'fetch', status: 503, durationMs: 700 }),
      use({ keyId: other }),
    )
    clock.nowMs = NOON + 365 * DAY_MS
    for (let left = await usage.prune(1000); left > 0;) left = await usage.prune(1000)
    const question = { projectId, span: 'day', sinceMs: NOON - DAY_MS, untilMs: clock.nowMs } as const
    const named = async (part: UsagePart) =>
      (await usage.totals.sums({ ...question, part })).map(({ name, requests }) => [name, requests])
    expect(await named('all')).to.deep.equal([['', 3]])
    expect(await named('class')).to.deep.equal([
      ['cheap', 2],
      ['fetch', 1],
    ])
    expect(await named('key')).to.deep.equal([
      [keyId, 2],
      [other, 1],
    ])
    expect(await named('route')).to.deep.equal([
      ['listImageFilters', 2],
      ['getWeather', 1],
    ])
    const weather = (await usage.totals.timeline({ ...question, part: 'route' })).find(
      ({ name }) => name === 'getWeather',
    )
    expect(weather).to.include({ startMs: NOON - 12 * HOUR_MS, serverErrors: 1, ok: 0, meanMs: 700, p99Ms: 995 })
    expect(await usage.totals.requests({ ...question, part: 'route' }, ['getWeather', 'other'])).to.deep.equal([
      { startMs: NOON - 12 * HOUR_MS, name: 'getWeather', requests: 1 },
    ])
    expect(await usage.totals.sums({ ...question, projectId: 'prj_other', part: 'all' })).to.deep.equal([])
    clock.nowMs = NOON + 369 * DAY_MS
    expect(await usage.prune(1000)).to.equal(7)
    expect(await named('all')).to.deep.equal([])
  })

  it('tells when a key was last used, and only its own project', async () => {
    const id = other
    const lastUsedAtMs = async () => {
      const row = await opened.store.find<{ readonly at: number | null }>(
        sql`SELECT last_used_at_ms AS at FROM api_key WHERE id = ${id}`,
      )
      return row?.at
    }
    expect(await lastUsedAtMs()).to.equal(null)
    clock.nowMs = NOON + 61_234
    await count(use({ keyId: id, projectId: 'prj_other' }))
    expect(await lastUsedAtMs()).to.equal(null)
    await count(use({ keyId: id }))
    expect(await lastUsedAtMs()).to.equal(NOON + 61_234)
    clock.nowMs = NOON
    await count(use({ keyId: id }))
    expect(await lastUsedAtMs(), 'never goes back').to.equal(NOON + 61_234)
  })

  it('is written on its own, many keys in several small writes', async () => {
    const sizes: number[] = []
    const spied = {
      ...usage,
      add: (counts: Parameters<Usage['add']>[0]) => (sizes.push(counts.length), usage.add(counts)),
    }
    const counting = counter({ usage: spied, everyMs: 10 })
    for (let i = 0; i < 350; i++) counting.count(use({ keyId: `key_${i}` }))
    await eventually(
      async () => (await summary('outcome'))[0]?.requests,
      (requests) => requests === 350,
    )
    expect(Math.max(...sizes)).to.be.at.most(100)
  })

  it('adds up what several services count at once', async () => {
    const services = Array.from({ length: 4 }, () => counter())
    for (const service of services) for (let i = 0; i < 30; i++) service.count(use({ keyId: `key_${i}` }))
    await Promise.all(services.map((service) => service.close()))
    expect((await summary('outcome'))[0]?.requests).to.equal(120)
    const hour = { projectId, sinceMs: NOON - HOUR_MS, untilMs: NOON + 1 }
    expect(await usage.peaks({ ...hour, together: ['cheap', 'fetch'] })).to.deep.equal(
      new Map([
        ['cheap', 120],
        ['aggregate', 120],
      ]),
    )
    expect((await usage.peaks({ ...hour, together: ['fetch'] })).get('aggregate')).to.equal(0)
  })
})

describe('usage on SQLite', () => {
  it('waits while another process holds the database, and then loses nothing', async () => {
    const { db, store, dataDir, close } = temporaryDatabase()
    const lines: string[] = []
    const log = createLog('info', { write: (line: string) => void lines.push(JSON.parse(line).msg) })
    const usage = createUsage(store)
    const projectId = await addProject(store)
    const counter = createUsageCounter({ usage, log, everyMs: 10 })
    const use = { projectId, keyId: 'key_1', routeClass: 'cheap', route: 'getWeather', status: 200 } as const
    const other = openDatabase({ dataDir })
    other.exec('BEGIN IMMEDIATE')
    counter.count({ ...use, durationMs: 3, spent: null })
    await eventually(
      () => lines.length,
      (length) => length > 0,
    )
    counter.count({ ...use, durationMs: 3, spent: null })
    other.exec('ROLLBACK')
    other.close()
    await eventually(
      () => db.prepare("SELECT sum(ok) FROM usage_total WHERE span = 'day' AND part = 'all'").pluck().get(),
      (requests) => requests === 2,
    )
    await counter.close()
    close()
    expect(lines.slice(0, 2)).to.deep.equal(['saving usage counts failed', 'usage counts recovered'])
  })
})

describe('usage counts', () => {
  it('estimates percentiles within a bucket', () => {
    expect(percentile([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.5)).to.equal(0)
    expect(percentile([100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.5)).to.equal(2.5)
    expect(percentile([50, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.75)).to.equal(17.5)
    expect(percentile([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], 0.99)).to.equal(10_000)
  })
})

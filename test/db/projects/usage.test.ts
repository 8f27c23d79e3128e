import { expect } from 'chai'
import { createKeys } from '../../../db/projects/keys.ts'
import { openDatabase } from '../../../db/engine/open.ts'
import { createProjects } from '../../../db/projects/projects.ts'
import { createUsageCounter, type UsageCounter } from '../../../db/projects/usage-counter.ts'
import type { Use } from '../../../db/projects/usage-tally.ts'
import { percentile } from '../../../db/projects/usage-counts.ts'
import type { Part } from '../../../db/projects/usage-totals.ts'
import { createUsage, type Grouping, type Usage } from '../../../db/projects/usage.ts'
import { createLog } from '../../../lib/log.ts'
import { temporaryDatabase } from '../../support/database.ts'
import { eventually } from '../../support/service.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

describe('usage', () => {
  const { db, dataDir, close } = temporaryDatabase()
  const clock = { nowMs: NOON }
  const usage = createUsage(db, () => clock.nowMs)
  const projectId = createProjects(db).create({ name: 'Ours', plan: 'free' }).id
  const keys = createKeys(db)
  const keyId = keys.create({ projectId }).id
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
  function count(...uses: Use[]): void {
    const counting = counter()
    for (const one of uses) counting.count(one)
    counting.close()
  }
  const summary = (by: Grouping, sinceMs = NOON - DAY_MS, untilMs = clock.nowMs + 1) =>
    usage.summary({ projectId, by, sinceMs, untilMs })
  const starts = (by: Grouping) => summary(by).map(({ group, requests }) => [Number(group) - NOON, requests])

  beforeEach(() => {
    clock.nowMs = NOON
    db.exec('DELETE FROM usage; DELETE FROM usage_total')
    lines.length = 0
  })
  afterEach(() => {
    for (const made of counters.splice(0)) made.close()
  })
  after(close)

  it('is counted by class, key and outcome, with how long the answers took', () => {
    const other = keys.create({ projectId }).id
    count(
      ...[200, 204, 304, 101].map((status) => use({ status })),
      use({ status: 404 }),
      use({ status: 429, durationMs: 1 }),
      use({ status: 503, routeClass: 'fetch', route: 'getWeather', keyId: other, durationMs: 12_000 }),
    )
    const [cheap, fetch] = summary('class')
    expect(cheap).to.include({ group: 'cheap', requests: 6, ok: 4, clientErrors: 1, limited: 1, serverErrors: 0 })
    expect(cheap?.meanMs).to.equal(2.7)
    expect(fetch).to.include({ group: 'fetch', requests: 1, serverErrors: 1, meanMs: 12_000, p99Ms: 10_000 })
    expect(summary('key').map(({ group, requests }) => [group, requests])).to.deep.equal([
      [keyId, 6],
      [other, 1],
    ])
    expect(summary('outcome').map(({ group }) => group)).to.have.members([
      'ok',
      'client_error',
      'limited',
      'server_error',
    ])
  })

  it('tells of what was refused which budget had no room for it, by class and key', () => {
    const limited = use({ status: 429, durationMs: 1 })
    count(
      { ...limited, spent: 'class' },
      { ...limited, spent: 'class' },
      { ...limited, spent: 'aggregate' },
      limited,
      { ...limited, routeClass: 'fetch', route: 'getWeather', spent: 'aggregate' },
      use(),
    )
    const [cheap, fetch] = summary('class')
    expect(cheap).to.include({ group: 'cheap', limited: 4, overClass: 2, overTotal: 1 })
    expect(fetch).to.include({ group: 'fetch', limited: 1, overClass: 0, overTotal: 1 })
    const question = { projectId, span: 'hour', sinceMs: NOON - HOUR_MS, untilMs: NOON + 1 } as const
    expect(usage.refusals(question)).to.deep.equal([
      { startMs: NOON, routeClass: 'cheap', keyId, refused: 4, overClass: 2, overTotal: 1 },
      { startMs: NOON, routeClass: 'fetch', keyId, refused: 1, overClass: 0, overTotal: 1 },
    ])
    expect(usage.refusals({ ...question, projectId: 'another' })).to.deep.equal([])
  })

  it('adds up over many writes and many counters', () => {
    for (let i = 0; i < 5; i++) count(use(), use({ durationMs: 0.3 }))
    expect(summary('class')[0]).to.include({ requests: 10, meanMs: 1.7 })
  })

  it('is put into the minute in which it happened, and into its hour and day', () => {
    const counting = counter()
    counting.count(use())
    clock.nowMs += MINUTE_MS
    counting.count(use())
    clock.nowMs += HOUR_MS
    counting.count(use())
    counting.close()
    expect(starts('minute')).to.deep.equal([
      [0, 1],
      [MINUTE_MS, 1],
      [HOUR_MS + MINUTE_MS, 1],
    ])
    expect(starts('hour')).to.deep.equal([
      [0, 2],
      [HOUR_MS, 1],
    ])
    expect(starts('day')).to.deep.equal([[-12 * HOUR_MS, 3]])
  })

  it('answers for a time span, and for its own project alone', () => {
    count(use())
    expect(summary('class', NOON + MINUTE_MS, NOON + HOUR_MS)).to.deep.equal([])
    expect(summary('class', NOON - HOUR_MS, NOON)).to.deep.equal([])
    expect(usage.summary({ projectId: 'prj_other', by: 'class', sinceMs: 0, untilMs: NOON * 2 })).to.deep.equal([])
  })

  it('answers for times whose minutes are gone, from the hours', () => {
    count(use())
    clock.nowMs = NOON + 3 * DAY_MS
    // The minute itself, and the minute in all, by class, by key and by route.
    expect(usage.prune(1000)).to.equal(5)
    expect(summary('class', NOON)[0]).to.include({ requests: 1 })
  })

  it('is kept for ninety days by class and key, and removed a piece at a time', () => {
    for (let i = 0; i < 4; i++) count(use({ keyId: `key_${i}` }))
    clock.nowMs = NOON + 89 * DAY_MS
    usage.prune(1000)
    expect(summary('class', NOON)[0]).to.include({ requests: 4 })
    clock.nowMs = NOON + 91 * DAY_MS
    // Four keys have an hour and a day; in all, by class, by key and by route there are seven hours.
    expect([usage.prune(5), usage.prune(5), usage.prune(10), usage.prune(5)]).to.deep.equal([5, 5, 5, 0])
  })

  it('is kept as days for a year, in all, by class, by key and by route', () => {
    const other = keys.create({ projectId }).id
    count(use(), use({ route: 'getWeather', routeClass: 'fetch', status: 503, durationMs: 700 }), use({ keyId: other }))
    clock.nowMs = NOON + 365 * DAY_MS
    for (let left = usage.prune(1000); left > 0;) left = usage.prune(1000)
    const question = { projectId, span: 'day', sinceMs: NOON - DAY_MS, untilMs: clock.nowMs } as const
    const named = (part: Part) => usage.totals.sums({ ...question, part }).map(({ name, requests }) => [name, requests])
    expect(named('all')).to.deep.equal([['', 3]])
    expect(named('class')).to.deep.equal([
      ['cheap', 2],
      ['fetch', 1],
    ])
    expect(named('key')).to.deep.equal([
      [keyId, 2],
      [other, 1],
    ])
    expect(named('route')).to.deep.equal([
      ['listImageFilters', 2],
      ['getWeather', 1],
    ])
    const weather = usage.totals.timeline({ ...question, part: 'route' }).find(({ name }) => name === 'getWeather')
    expect(weather).to.include({ startMs: NOON - 12 * HOUR_MS, serverErrors: 1, ok: 0, meanMs: 700, p99Ms: 995 })
    expect(usage.totals.requests({ ...question, part: 'route' }, ['getWeather', 'other'])).to.deep.equal([
      { startMs: NOON - 12 * HOUR_MS, name: 'getWeather', requests: 1 },
    ])
    expect(usage.totals.sums({ ...question, projectId: 'prj_other', part: 'all' })).to.deep.equal([])
    clock.nowMs = NOON + 369 * DAY_MS
    expect(usage.prune(1000)).to.equal(7)
    expect(named('all')).to.deep.equal([])
  })

  it('tells when a key was last used, to the minute, and only its own project', () => {
    const { id } = keys.create({ projectId })
    const lastUsedAtMs = () => keys.list(projectId).find((key) => key.id === id)?.lastUsedAtMs
    expect(lastUsedAtMs()).to.equal(null)
    clock.nowMs = NOON + 61_234
    count(use({ keyId: id, projectId: 'prj_other' }))
    expect(lastUsedAtMs()).to.equal(null)
    count(use({ keyId: id }))
    expect(lastUsedAtMs()).to.equal(NOON + MINUTE_MS)
    clock.nowMs = NOON
    count(use({ keyId: id }))
    expect(lastUsedAtMs(), 'never goes back').to.equal(NOON + MINUTE_MS)
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
      () => summary('outcome')[0]?.requests,
      (requests) => requests === 350,
    )
    expect(Math.max(...sizes)).to.be.at.most(100)
  })

  it('waits while another process holds the database, and then loses nothing', async () => {
    const other = openDatabase({ dataDir })
    other.exec('BEGIN IMMEDIATE')
    const counting = counter({ everyMs: 10 })
    counting.count(use())
    await eventually(
      () => lines.length,
      (length) => length > 0,
    )
    counting.count(use())
    other.exec('ROLLBACK')
    other.close()
    await eventually(
      () => summary('class')[0]?.requests,
      (requests) => requests === 2,
    )
    expect(lines.map(({ msg }) => msg).slice(0, 2)).to.deep.equal([
      'saving usage counts failed',
      'usage counts recovered',
    ])
  })

  it('estimates percentiles within a bucket', () => {
    expect(percentile([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.5)).to.equal(0)
    expect(percentile([100, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.5)).to.equal(2.5)
    expect(percentile([50, 0, 50, 0, 0, 0, 0, 0, 0, 0, 0, 0], 0.75)).to.equal(17.5)
    expect(percentile([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], 0.99)).to.equal(10_000)
  })
})

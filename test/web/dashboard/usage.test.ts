import { expect } from 'chai'
import type { Account } from '../../../db/people/accounts.ts'
import type { UsageCount } from '../../../db/projects/usage-counts.ts'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

interface PlotData {
  readonly times: readonly number[]
  readonly lines: readonly {
    readonly name: string
    readonly values: readonly (number | null)[]
    readonly filter?: string
  }[]
  readonly links: readonly (string | null)[]
}

function plots(text: string): readonly PlotData[] {
  return [...text.matchAll(/data-plot="([^"]+)"/g)].map(
    ([, json = '']) => JSON.parse(json.replaceAll('&quot;', '"').replaceAll('&amp;', '&')) as PlotData,
  )
}

describe('the page of usage', () => {
  let dashboard: TestDashboard
  let visitor: Visitor
  let own: string
  let other: string
  let base: string
  let ada: Account

  before(async () => {
    dashboard = await startDashboard()
    own = (await dashboard.project('Own')).id
    other = (await dashboard.project('Other')).id
    base = `/dashboard/projects/${own}/usage`
    ada = await dashboard.person('Ada', { [own]: 'viewer' })
  })
  after(() => dashboard.close())
  // Usage and sessions of other tests end up more than a year ago.
  beforeEach(() => {
    dashboard.clock.aheadMs += 400 * DAY_MS
    visitor = dashboard.visitor(ada)
  })

  const now = () => Date.now() + dashboard.clock.aheadMs
  const minute = () => Math.floor(now() / MINUTE_MS) * MINUTE_MS

  async function count(keyId: string, change: Partial<UsageCount> = {}): Promise<void> {
    const buckets = [6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    const whose = { projectId: own, keyId, routeClass: 'cheap', route: 'listImageFilters', outcome: 'ok' } as const
    const numbers = { minuteMs: minute(), requests: 6, overClass: 0, overTotal: 0, totalMs: 6, buckets }
    await dashboard.count([{ ...whose, ...numbers, ...change }])
  }

  it('says that nothing was asked in a time without requests', async () => {
    expect((await visitor.get(`${base}?range=hour`)).text).to.include('No requests in this range')
  })

  it('tells by which limit requests were refused, by class, key and time, and as CSV', async () => {
    const { context } = dashboard
    const { id: keyId } = await context.keys.create({ projectId: own, name: '=site' })
    const limited = { outcome: 'limited', overClass: 4, overTotal: 1 } as const
    const minuteMs = minute()
    await count(keyId, { ...limited, minuteMs })
    await count((await context.keys.create({ projectId: other })).id, {
      ...limited,
      projectId: other,
      routeClass: 'fetch',
      minuteMs,
    })
    const { text } = await visitor.get(`${base}?range=hour&by=limit`)
    expect(text).to.include('Rate-limited requests per minute').and.not.include('fetch')
    const lines = plots(text)[0]?.lines ?? []
    const sums = lines.map(({ name, values }) => [name, values.reduce<number>((sum, value) => sum + (value ?? 0), 0)])
    expect(sums).to.deep.equal([
      ['Class limit', 4],
      ['Project limit', 1],
      ['Other limit', 1],
    ])
    expect(text.match(/4 by class · 1 by project · 1 other/g)).to.have.lengthOf(3)
    const csv = await visitor.get(`${base}/export.csv?range=hour&by=limit`)
    expect(csv.text.split('\r\n')).to.deep.equal([
      'start,Class,Key,Class limit,Project limit,Other limit',
      `${new Date(minuteMs).toISOString()},cheap,'=site,4,1,1`,
      '',
    ])
  })

  it('leaves a gap where nothing was asked, and a zero where only others asked', async () => {
    const { id: keyId } = await dashboard.context.keys.create({ projectId: own, name: 'site' })
    const thisMinute = minute()
    const at = (ago: number) => thisMinute - ago * MINUTE_MS
    await count(keyId, { minuteMs: at(20) })
    await count(keyId, { minuteMs: at(10), route: 'getWeather', routeClass: 'fetch', outcome: 'server_error' })
    const { text } = await visitor.get(`${base}?range=hour&by=route`)
    const [requests, latency] = plots(text)
    const place = (ago: number) => requests?.times.indexOf(at(ago) / 1000) ?? -1
    const values = (name: string, plot = requests) => plot?.lines.find((line) => line.name === name)?.values ?? []
    expect(requests?.lines.map(({ name }) => name)).to.have.members(['GET /v1/image/filters', 'GET /v1/tools/weather'])
    const filters = values('GET /v1/image/filters')
    expect([place(20), place(15), place(10)].map((index) => filters[index])).to.deep.equal([6, null, 0])
    for (const name of ['p50', 'p95', 'p99']) {
      const times = values(name, latency)
      expect(
        [place(20), place(15)].map((index) => typeof times[index]),
        name,
      ).to.deep.equal(['number', 'object'])
    }
    expect(filters.filter((value) => value !== null)).to.have.lengthOf(2)
  })

  it('leads from each point of the last seven days, and from each error, to the requests behind it', async () => {
    const { id: keyId } = await dashboard.context.keys.create({ projectId: own, name: 'site' })
    await count(keyId, { outcome: 'server_error' })
    const { text } = await visitor.get(`${base}?range=month&by=status`)
    const [requests] = plots(text)
    expect(requests?.links.map((link) => link !== null).lastIndexOf(false)).to.equal(21)
    expect(requests?.lines.map(({ filter }) => filter)).to.deep.equal([
      'status=2xx',
      'status=4xx',
      'status=429',
      'status=5xx',
    ])
    const link = /href="([^"]+status=5xx[^"]*)"\s*>6</.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(link).to.match(new RegExp(`^/dashboard/projects/${own}/requests\\?(?=.*from=)(?=.*to=)`))
  })

  it('shows a year of days, with what was asked eleven months ago', async () => {
    const { id: keyId } = await dashboard.context.keys.create({ projectId: own, name: 'site' })
    await count(keyId, { requests: 1234, buckets: [0, 0, 0, 0, 1234, 0, 0, 0, 0, 0, 0, 0] })
    dashboard.clock.aheadMs += 330 * DAY_MS
    visitor = dashboard.visitor(ada)
    const { text } = await visitor.get(`${base}?range=year`)
    const [requests] = plots(text)
    expect(requests?.times).to.have.lengthOf(365)
    expect(text).to.match(/<b>1,234<\/b><span>Requests/)
    expect(text).to.match(/<b>\d\d(\.\d)? ms<\/b><span>p50/)
    expect((await visitor.get(`${base}?range=week`)).text).to.include('No requests in this range')
  })

  it('draws at most six lines and the rest as one, so that the sum stays true', async () => {
    for (let index = 1; index <= 8; index += 1) {
      const { id } = await dashboard.context.keys.create({ projectId: own, name: `key ${index}` })
      await count(id, { requests: index })
    }
    const { text } = await visitor.get(`${base}?range=hour&by=key`)
    const [requests] = plots(text)
    const sums = requests?.lines.map(({ name, values }) => [
      name,
      values.reduce<number>((sum, it) => sum + (it ?? 0), 0),
    ])
    expect(sums?.[0]).to.deep.equal(['key 8', 8])
    expect(sums?.at(-1)).to.deep.equal(['2 others', 3])
    expect(sums).to.have.lengthOf(7)
  })
})

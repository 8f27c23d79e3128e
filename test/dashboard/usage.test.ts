import { expect } from 'chai'
import { startDashboard } from '../support/dashboard.ts'

describe('the page of usage', () => {
  it('tells by which budget requests were refused, by class, key and time, and as CSV', async () => {
    const dashboard = await startDashboard()
    const { context } = dashboard
    const [own, other] = [dashboard.project('Own').id, dashboard.project('Other').id]
    const visitor = dashboard.visitor(await dashboard.person('Ada', { [own]: 'viewer' }))
    const page = `/dashboard/projects/${own}/usage?range=hour&by=budget`
    expect((await visitor.get(page)).text).to.include('Nothing was refused in this time')
    const minuteMs = Math.floor(Date.now() / 60_000) * 60_000
    const buckets = [6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    const limited = {
      outcome: 'limited',
      minuteMs,
      requests: 6,
      overClass: 4,
      overTotal: 1,
      totalMs: 6,
      buckets,
    } as const
    for (const [projectId, routeClass] of [
      [own, 'cheap'],
      [other, 'fetch'],
    ] as const) {
      const { id: keyId } = context.keys.create({ projectId, name: '=site' })
      dashboard.count([{ ...limited, projectId, keyId, routeClass }])
    }
    const { text } = await visitor.get(page)
    expect(text).to.include('Refused requests per minute').and.not.include('fetch')
    const [, plot = ''] = /data-plot="([^"]+)"/.exec(text) ?? []
    const { lines } = JSON.parse(plot.replaceAll('&quot;', '"'))
    expect(lines.map(({ name, values }: any) => [name, values.at(-1) + values.at(-2)])).to.deep.equal([
      ['Budget of the class', 4],
      ['Total of the project', 1],
      ['Another bound', 1],
    ])
    expect(text.match(/4 by class · 1 by total · 1 otherwise/g)).to.have.lengthOf(2)
    const csv = await visitor.get(`/dashboard/projects/${own}/usage/export.csv?range=hour&by=budget`)
    const start = new Date(minuteMs).toISOString()
    expect(csv.text.split('\r\n')).to.deep.equal([
      'start,Class,Key,Budget of the class,Total of the project,Another bound',
      `${start},cheap,'=site,4,1,1`,
      '',
    ])
    await dashboard.close()
  })
})

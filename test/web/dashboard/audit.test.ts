import { expect } from 'chai'
import type { Account } from '../../../db/people/accounts.ts'
import type { AuditDetail } from '../../../db/people/audit.ts'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

const iso = (agoMs: number) => new Date(Date.now() - agoMs).toISOString().slice(0, 16)

describe('the audit log', () => {
  let dashboard: TestDashboard
  let ada: Account
  let projectId: string
  let visitor: Visitor
  let base: string

  before(async () => {
    dashboard = await startDashboard()
    ada = await dashboard.person('Ada')
  })
  after(() => dashboard.close())
  beforeEach(async () => {
    projectId = (await dashboard.project('Own')).id
    await dashboard.context.memberships.set(projectId, ada.id, 'owner')
    base = `/dashboard/projects/${projectId}/audit`
    visitor = dashboard.visitor(ada)
  })

  interface Written {
    readonly detail?: AuditDetail
    readonly who?: string
    readonly agoMs?: number
  }
  /** Written as long ago as it says. */
  async function write(
    action: string,
    target: string,
    { detail = {}, who = 'Ada', agoMs = 0 }: Written = {},
  ): Promise<void> {
    dashboard.clock.aheadMs -= agoMs
    await dashboard.context.audit.write({
      projectId,
      accountId: ada.id,
      who,
      address: '192.0.2.7',
      action,
      target,
      detail,
    })
    dashboard.clock.aheadMs += agoMs
  }

  /** The text of each row, its cells apart. */
  async function rows(query = ''): Promise<readonly string[]> {
    const { text, status } = await visitor.get(base + query)
    expect(status).to.equal(200)
    const [, body = ''] = /<tbody[^>]*>([\s\S]*)<\/tbody>/.exec(text) ?? []
    return [...body.matchAll(/<tr[\s\S]*?<\/tr>/g)].map(([row]) =>
      row
        .replaceAll(/<\/(?:td|th)>/g, ' | ')
        .replaceAll(/<[^>]+>/g, '')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
  }

  const found = async (query: string) => (await rows(query)).map((row) => row.split(' | ')[3])

  it('lists changes apart from controls of players', async () => {
    await write('key.created', 'site')
    await write('player.skip', 'Harbour Town')
    expect((await rows()).join())
      .to.include('created a key')
      .and.not.include('skipped')
    expect((await rows('?kind=control')).join())
      .to.include('skipped a track')
      .and.not.include('key')
    expect(await rows('?kind=all')).to.have.lengthOf(2)
  })

  it('says when a new key expires, and the days that former versions wrote', async () => {
    await write('key.created', 'former', { detail: { expires: '90' } })
    const form = { name: 'site', bot: '', expires: '90', classes: ['cheap'] }
    expect((await visitor.post(`/dashboard/projects/${projectId}/keys/new`, form)).status).to.equal(303)
    const [latest, former] = await rows()
    expect(latest).to.match(/expires \d\d? \w{3,4} \d{4}, \d\d:\d\d UTC/)
    expect(former).to.include('expires 90')
    await write('key.created', 'standing', { detail: { expires: 'never' } })
    visitor.cookies.set('bandstand_language', 'de')
    expect((await rows())[0]).to.include('Ablauf nie')
  })

  it('merges repeats, from the first value to the last', async () => {
    for (const [at, volume] of [80, 70, 60, 50].entries()) {
      const detail = { 'volume.before': volume, 'volume.after': volume - 10 }
      await write('player.volume', 'Harbour Town', { detail, agoMs: (9 - at) * MINUTE_MS })
    }
    await write('player.volume', 'Quay', { detail: { 'volume.before': 40, 'volume.after': 45 } })
    const [quay, harbour, ...rest] = await rows('?kind=control')
    expect(quay).to.include('volume 40 → 45').and.not.include('times')
    expect(harbour).to.include('changed the volume 4 times').and.include('volume 80 → 40')
    expect(rest).to.deep.equal([])
  })

  it('does not merge what lies far apart, what others did, or what differs in more than values', async () => {
    await write('player.volume', 'Harbour Town', { agoMs: 60 * MINUTE_MS })
    await write('player.volume', 'Harbour Town', { agoMs: 3 * MINUTE_MS })
    await write('player.volume', 'Harbour Town', { who: 'Eve', agoMs: 2 * MINUTE_MS })
    await write('player.add', 'Harbour Town', { detail: { title: 'Low Tide' }, agoMs: MINUTE_MS })
    await write('player.add', 'Harbour Town', { detail: { title: 'Night Ferry' } })
    expect(await rows('?kind=control')).to.have.lengthOf(5)
  })

  it('shows what a form changed, from what to what', async () => {
    await visitor.post(
      `/dashboard/projects/${projectId}/settings/name`,
      { name: 'Harbour' },
      {
        page: `/dashboard/projects/${projectId}/settings`,
      },
    )
    expect((await rows()).join())
      .to.include('renamed the project')
      .and.include('Own → Harbour')
  })

  it('filters by who, what, target, time and words', async () => {
    await write('key.created', 'site', { who: 'Eve', agoMs: 10 * DAY_MS })
    await write('key.revoked', 'site_1', { agoMs: 5 * DAY_MS })
    await write('member.joined', 'Konrad', { detail: { role: 'viewer' } })
    expect(await found('?who=eve')).to.deep.equal(['site'])
    expect(await found('?area=key')).to.deep.equal(['site_1', 'site'])
    expect(await found('?target=site_')).to.deep.equal(['site_1'])
    expect(await found(`?from=${iso(6 * DAY_MS)}&to=${iso(DAY_MS)}`)).to.deep.equal(['site_1'])
    expect(await found('?q=viewer')).to.deep.equal(['Konrad'])
    expect(await found('?q=nothing+like+it')).to.deep.equal([])
    expect(await found('?from=yesterday&area=nonsense')).to.have.lengthOf(3)
  })

  it('shows each filter in use as a link to the list without it', async () => {
    const { text } = await visitor.get(`${base}?q=site&who=Ada`)
    expect(text).to.match(/class="tag" href="[^"]*audit\?who=Ada"/)
    expect(text).to.match(/class="tag" href="[^"]*audit\?q=site"/)
  })

  it('turns pages by cursor, without losing or repeating an entry', async () => {
    for (let at = 0; at < 120; at += 1) await write('key.created', `key ${at}`)
    const seen: string[] = []
    for (let query = ''; ;) {
      const { text } = await visitor.get(base + query)
      seen.push(...[...text.matchAll(/key \d+(?=<)/g)].map(([name]) => name))
      const next = /audit\?before=(\d+)/.exec(text)?.[1]
      if (next === undefined) break
      query = `?before=${next}`
    }
    expect(seen).to.deep.equal(Array.from({ length: 120 }, (_, at) => `key ${119 - at}`))
  })

  it('exports what the filters leave as CSV without formulas, and as JSON', async () => {
    for (let at = 0; at < 450; at += 1) await write('key.created', `=key ${at}`)
    await write('player.skip', 'Harbour Town')
    await write('plan.changed', 'Own', { detail: { before: 'free', after: 'scale' } })
    const csv = await visitor.get(`${base}/export.csv`)
    expect(csv.headers.get('content-disposition')).to.include('audit.csv')
    const lines = csv.text.trimEnd().split('\r\n')
    expect(lines).to.have.lengthOf(452)
    expect(lines[0]).to.equal('at,who,action,target,detail,address')
    expect(lines[1]).to.match(/Z,Ada,plan\.changed,Own,free → scale,192\.0\.2\.7$/)
    expect(lines[2]).to.include(",key.created,'=key 449,")
    const json = JSON.parse((await visitor.get(`${base}/export.json?kind=all&q=skip`)).text)
    expect(json).to.have.lengthOf(1)
    expect(json[0]).to.include({ who: 'Ada', action: 'player.skip', target: 'Harbour Town' })
    expect(JSON.parse((await visitor.get(`${base}/export.json?q=nothing`)).text)).to.deep.equal([])
  })

  it('shows nothing of another project, no matter what is asked for', async () => {
    await write('key.created', 'mine')
    const { id } = await dashboard.project('Other')
    const answers = ['', '/export.csv', '/export.json'].map((path) =>
      visitor.get(`/dashboard/projects/${id}/audit${path}?kind=all&q=mine`),
    )
    for (const { status, text } of await Promise.all(answers)) {
      expect(status).to.equal(404)
      expect(text).not.to.include('mine<')
    }
  })

  it('finds what is rare among many entries, a page of bounded work at a time', async () => {
    const { context } = dashboard
    await write('key.created', 'needle')
    const whose = { projectId, accountId: ada.id, who: 'Ada', address: '192.0.2.7', target: 'straw', detail: {} }
    for (let at = 0; at < 5100; at += 1) await context.audit.write({ ...whose, action: 'key.created' })
    const { text } = await visitor.get(`${base}?q=needle`)
    expect(text).to.include('Older entries may match')
    const older = /href="([^"]+before=\d+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect((await visitor.get(older)).text).to.match(/needle\s*</)
  }).timeout(30_000)
})

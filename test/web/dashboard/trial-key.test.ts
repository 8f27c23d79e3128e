import { expect } from 'chai'
import { startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { guildId } from '../../support/fake-music.ts'

const BOT = '900000000000000001'
const FOREIGN_BOT = '900000000000000002'
const KEY = /svc\.[0-9a-f]{64}/
const TRIAL = '/dashboard/trial-key'

describe('a key for an hour, for the reference', () => {
  let dashboard: TestDashboard
  beforeEach(async () => {
    dashboard = await startDashboard()
  })
  afterEach(() => dashboard.close())

  it('makes keys for managers alone, none for bots of other projects, and none beyond the 25', async () => {
    const projectId = (await dashboard.project('Harbour radio')).id
    await dashboard.person('Ada', { [projectId]: 'manager' })
    await dashboard.person('Eve', { [projectId]: 'viewer' })
    const token = 'a.b.c.d.e.f'
    await dashboard.context.bots.add({ id: BOT, projectId, name: 'Horn', token, sandbox: false })
    const other = (await dashboard.project('Other')).id
    await dashboard.context.bots.add({ id: FOREIGN_BOT, projectId: other, name: 'Foreign', token, sandbox: false })
    const visitorOf = async (name: string) =>
      dashboard.visitor((await dashboard.context.accounts.findByName(name)) ?? undefined)
    expect(JSON.parse((await dashboard.visitor().get(TRIAL)).text)).to.deep.equal({})
    const eve = await visitorOf('Eve')
    const seen = JSON.parse((await eve.get(TRIAL)).text)
    expect([seen.choices, seen.guilds[0].id, seen.guilds[0].project]).to.deep.equal([[], guildId, projectId])
    const ada = await visitorOf('Ada')
    const { csrf, choices } = JSON.parse((await ada.get(TRIAL)).text)
    expect(choices).to.deep.equal([{ project: projectId, bot: BOT, label: 'Harbour radio · Horn' }])
    expect((await eve.post(TRIAL, { project: projectId }, { csrf: seen.csrf })).status).to.equal(403)
    expect((await ada.post(TRIAL, { project: projectId }, { csrf: 'forged' })).status).to.equal(403)
    expect((await ada.post(TRIAL, { project: 'prj_of_others' }, { csrf })).status).to.equal(404)
    const made = JSON.parse((await ada.post(TRIAL, { project: projectId, bot: FOREIGN_BOT }, { csrf })).text)
    expect(made.key).to.match(KEY)
    expect((await dashboard.context.keys.list(projectId)).at(-1)?.botId).to.equal(null)
    const active = async () =>
      (await dashboard.context.keys.list(projectId)).filter(({ revokedAtMs }) => revokedAtMs === null).length
    while ((await active()) < 25) await dashboard.context.keys.create({ projectId, name: 'filler' })
    const fresh = await visitorOf('Ada')
    const { csrf: ticket } = JSON.parse((await fresh.get(TRIAL)).text)
    const refused = await fresh.post(TRIAL, { project: projectId, bot: BOT }, { csrf: ticket })
    expect(JSON.parse(refused.text)).to.deep.equal({ problem: 'full' })
  })
})

import { expect } from 'chai'
import { closing } from '../../support/closing.ts'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { guildId } from '../../support/fake-music.ts'
import { temporaryRequestLog } from '../../support/request-log.ts'

const PLAY = `/v1/music/guilds/${guildId}/play`
const SECRET = 'four-quiet-brass-horns'
const BODY = { query: 'a private song', channelId: 'x', token: SECRET }

describe('the switch for bodies of failed requests', () => {
  const close = closing()
  let dashboard: TestDashboard
  let projectId: string
  let base: string
  let key: string
  let keyId: string
  let ada: Visitor
  let eve: Visitor

  beforeEach(async () => {
    const log = close(temporaryRequestLog({ now: () => dashboard.context.now() }))
    dashboard = close(await startDashboard({ requests: log.requests }))
    projectId = (await dashboard.project('Harbour radio')).id
    base = `/dashboard/projects/${projectId}/requests`
    ada = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'manager' }))
    const other = await dashboard.project('Other')
    eve = dashboard.visitor(await dashboard.person('Eve', { [other.id]: 'owner' }))
    const botId = '900000000000000001'
    await dashboard.context.bots.add({ id: botId, projectId, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    ;({ key, id: keyId } = await dashboard.context.keys.create({ projectId, botId, classes: ['player', 'cheap'] }))
  })

  const fail = (requestId: string) =>
    fetch(`${dashboard.baseUrl}${PLAY}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': requestId },
      body: JSON.stringify(BODY),
    }).then((answer) => answer.text())
  const turn = (visitor: Visitor, on: string) => visitor.post(`${base}/bodies`, { on }, { page: base })

  it('is for managers alone, ends after an hour, and is in the audit log; members see what was kept, without its secrets', async () => {
    const vic = dashboard.visitor(await dashboard.person('Vic', { [projectId]: 'viewer' }))
    expect((await vic.get(base)).text).not.to.contain('Keep bodies of failed requests')
    const { csrf } = JSON.parse((await vic.get('/dashboard/trial-key')).text)
    expect((await vic.post(`${base}/bodies`, { on: 'yes' }, { csrf })).status).to.equal(403)
    await fail('before')
    expect((await turn(ada, 'yes')).location).to.equal(base)
    dashboard.clock.aheadMs += 60_000
    expect((await vic.get(base)).text).to.contain('Keeping bodies · 59 min left')
    await fail('during')
    expect((await ada.get(`${base}/before`)).text).not.to.contain('a private song')
    for (const visitor of [ada, vic]) {
      const { text } = await visitor.get(`${base}/during`)
      expect(text).to.contain('a private song').and.to.contain('body.channelId').and.not.to.contain(SECRET)
      expect(text.includes('data-replay')).to.equal(visitor === ada)
    }
    dashboard.clock.aheadMs += 3_600_000
    expect((await ada.get(base)).text).not.to.contain('min left')
    await fail('after')
    expect((await ada.get(`${base}/after`)).text).not.to.contain('a private song')
    const audit = (await ada.get(`/dashboard/projects/${projectId}/audit`)).text
    expect(audit).to.contain('started keeping bodies of failed requests')
  })

  it('removes what was kept when it is turned off', async () => {
    await turn(ada, 'yes')
    await fail('during')
    await turn(ada, 'no')
    expect((await ada.get(`${base}/during`)).text).not.to.contain('a private song')
    const audit = (await ada.get(`/dashboard/projects/${projectId}/audit`)).text
    expect(audit).to.contain('stopped keeping bodies of failed requests')
  })

  it('does not exist for members of other projects, nor does anything that was kept, nor a key to replay it', async () => {
    await turn(ada, 'yes')
    await fail('mine')
    const { csrf } = JSON.parse((await eve.get('/dashboard/trial-key')).text)
    for (const { status, text } of [
      await eve.get(`${base}/mine`),
      await eve.get('/dashboard/requests/mine'),
      await eve.post(`${base}/bodies`, { on: 'no' }, { csrf }),
      await eve.post('/dashboard/trial-key', { project: projectId, like: keyId }, { csrf }),
    ]) {
      expect(status).to.equal(404)
      expect(text).not.to.contain('a private song')
    }
    expect((await ada.get(`${base}/mine`)).text).to.contain('a private song')
  })

  it('leads to a key for five minutes that may do what the key of the request may, and ends the one before', async () => {
    const { csrf } = JSON.parse((await ada.get('/dashboard/trial-key')).text)
    const make = async () =>
      JSON.parse((await ada.post('/dashboard/trial-key', { project: projectId, like: keyId }, { csrf })).text)
    const { key: first } = await make()
    const { untilMs, key: second } = await make()
    expect(untilMs - dashboard.context.now()).to.be.within(290_000, 300_000)
    const [like, ...made] = await dashboard.context.keys.list(projectId)
    expect(made.map(({ botId, classes }) => ({ botId, classes }))).to.deep.equal(
      [like, like].map((it) => ({ botId: it?.botId, classes: it?.classes })),
    )
    const statusOf = async (used: string) =>
      (await fetch(`${dashboard.baseUrl}/v1/requests`, { headers: { authorization: `Bearer ${used}` } })).status
    expect([await statusOf(first), await statusOf(second)]).to.deep.equal([401, 200])
  })
})

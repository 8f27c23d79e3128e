import { expect } from 'chai'
import { keyState } from '../../../db/projects/keys.ts'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'

const BOTS = ['900000000000000001', '900000000000000002']

const query = (ids: readonly string[]) => ids.map((id) => `id=${id}`).join('&')

describe('changes of several rows at once', () => {
  let dashboard: TestDashboard
  let ada: Visitor
  let max: Visitor
  let eve: Visitor
  let projectId: string
  let base: string

  beforeEach(async () => {
    dashboard = await startDashboard()
    projectId = (await dashboard.project('Band')).id
    base = `/dashboard/projects/${projectId}`
    ada = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'owner' }))
    max = dashboard.visitor(await dashboard.person('Max', { [projectId]: 'manager' }))
    eve = dashboard.visitor(await dashboard.person('Eve', { [projectId]: 'viewer' }))
  })
  afterEach(() => dashboard.close())

  const written = async () =>
    (await dashboard.context.audit.list({ projectId, limit: 50 })).entries.map(
      ({ who, action, target }) => `${who} ${action} ${target}`,
    )

  /** Asks about the rows as a browser without script does, and agrees. */
  const agree = (visitor: Visitor, path: string, ids: readonly string[]) =>
    visitor.post(`${base}/${path}`, { id: ids }, { page: `${base}/${path}?${query(ids)}` })

  it('revoke the selected keys after one question that names them, each with its own entry in the audit log', async () => {
    const { keys, now } = dashboard.context
    const made = []
    for (const name of ['Site', 'Shop', 'Radio']) made.push(await keys.create({ projectId, name }))
    const ids = made.slice(0, 2).map(({ id }) => id)
    const list = await max.get(`${base}/keys`)
    expect(list.text).to.contain(`value="${ids[0]}" form="bulk-keyId" aria-label="Select Site"`)
    const { text } = await max.get(`${base}/keys/revoke?${query(ids)}`)
    expect(text).to.match(/<h1>Revoke 2 keys\?<\/h1>/)
    expect(text).to.contain('<li>Site</li>').and.to.contain('<li>Shop</li>').and.not.to.contain('<li>Radio</li>')
    const { location } = await agree(max, 'keys/revoke', ids)
    expect(location).to.equal(`${base}/keys?done=revoked&count=2`)
    expect((await max.get(location ?? '')).text).to.contain('2 keys revoked.')
    expect((await keys.list(projectId)).map((key) => keyState(key, now()))).to.deep.equal([
      'revoked',
      'revoked',
      'active',
    ])
    expect((await written()).toSorted()).to.deep.equal(['Max key.revoked Shop', 'Max key.revoked Site'])
  })

  it('are offered to those alone who may make them, and never reach another project', async () => {
    const { keys } = dashboard.context
    const other = await dashboard.project('Other')
    const foreign = await keys.create({ projectId: other.id, name: 'Foreign' })
    const own = await keys.create({ projectId, name: 'Own' })
    expect((await eve.get(`${base}/keys`)).text).not.to.contain('type="checkbox" name="id"')
    expect((await eve.get(`${base}/keys/revoke?id=${own.id}`)).status).to.equal(403)
    expect((await max.get(`${base}/members/remove?id=x`)).status).to.equal(403)
    expect((await max.get(`${base}/keys/revoke?id=${foreign.id}`)).location).to.equal(`${base}/keys`)
    await max.post(`${base}/keys/revoke`, { id: [foreign.id] }, { page: `${base}/keys/revoke?id=${own.id}` })
    expect((await keys.get(other.id, foreign.id)).revokedAtMs).to.equal(null)
    expect(await written()).to.deep.equal([])
  })

  it('pause, resume and delete webhooks, leaving out those that are so already', async () => {
    const { webhooks } = dashboard.context.webhooks
    const ids = []
    for (const name of ['one', 'two']) {
      const choice = {
        url: `https://example.com/${name}`,
        description: name,
        events: ['jobEnded'],
        botIds: null,
      } as const
      ids.push((await webhooks.create(projectId, choice)).id)
    }
    await webhooks.setState(projectId, ids[0] ?? '', 'paused')
    expect((await agree(max, 'webhooks/pause', ids)).location).to.equal(`${base}/webhooks?done=paused&count=1`)
    expect((await agree(max, 'webhooks/resume', ids)).location).to.equal(`${base}/webhooks?done=resumed&count=2`)
    expect((await agree(max, 'webhooks/remove', ids)).location).to.equal(`${base}/webhooks?done=removed&count=2`)
    expect(await webhooks.list(projectId)).to.deep.equal([])
    expect(await written()).to.have.length(5)
  })

  it('stop and start bots', async () => {
    const { bots } = dashboard.context
    for (const [at, id] of BOTS.entries()) {
      await bots.add({ id, projectId, name: `Horn ${at}`, token: `a.b.c.d.e.${at}`, sandbox: false })
    }
    const stopped = async () => (await bots.list(projectId)).map((bot) => bot.stopped)
    await agree(max, 'bots/stop', BOTS)
    expect(await stopped()).to.deep.equal([true, true])
    expect((await agree(max, 'bots/start', BOTS)).location).to.equal(`${base}/bots?done=started&count=2`)
    expect(await stopped()).to.deep.equal([false, false])
  })

  it('remove members but the one who asks, and revoke invites', async () => {
    const { memberships, links } = dashboard.context
    const ids = (await memberships.members(projectId)).map(({ accountId }) => accountId)
    const { location } = await agree(ada, 'members/remove', ids)
    expect(location).to.equal(`${base}/members?done=removed&count=2`)
    expect((await memberships.members(projectId)).map(({ name }) => name)).to.deep.equal(['Ada'])
    for (const role of ['viewer', 'manager'] as const) {
      await links.make({ kind: 'invitation', projectId, role, madeBy: 'Ada', lifetimeMs: 60_000 })
    }
    const waiting = (await links.invitations(projectId)).map(({ id }) => id)
    await agree(ada, 'members/invitations/withdraw', waiting)
    expect(await links.invitations(projectId)).to.deep.equal([])
    expect(await written()).to.have.length(4)
  })
})

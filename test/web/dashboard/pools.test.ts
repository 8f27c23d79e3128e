import { expect } from 'chai'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'

const [FIRST, SECOND, FOREIGN] = ['900000000000000001', '900000000000000002', '900000000000000003'] as const

const fields = (name: string, bots: readonly string[]) => ({ name, bots })

describe('pools in the dashboard', () => {
  let dashboard: TestDashboard
  let visitor: Visitor
  let viewer: Visitor
  let projectId: string
  let base: string

  before(async () => {
    dashboard = await startDashboard()
    projectId = (await dashboard.project('Band')).id
    base = `/dashboard/projects/${projectId}`
    visitor = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'manager' }))
    viewer = dashboard.visitor(await dashboard.person('Eve', { [projectId]: 'viewer' }))
    const { bots } = dashboard.context
    await bots.add({ id: FIRST, projectId, name: 'Horn', token: 'token' })
    await bots.add({ id: SECOND, projectId, name: 'Drum', token: 'token' })
    await bots.add({ id: FOREIGN, projectId: (await dashboard.project('Other')).id, name: 'Foreign', token: 'token' })
  })
  after(() => dashboard.close())

  const pools = () => dashboard.context.pools.list(projectId)
  const create = (name: string, bots: readonly string[]) => visitor.post(`${base}/pools/new`, fields(name, bots))

  it('are made of bots of the project, linked by a key, changed and removed, and it is written down who did', async () => {
    const made = await create('All of ours', [FIRST, SECOND])
    const [pool] = await pools()
    expect(made.location).to.equal(`${base}/pools/${pool?.id}?done=created`)
    expect((await visitor.get(`${base}/bots`)).text)
      .to.include('All of ours')
      .and.include('Horn, Drum')

    const form = { name: 'program', bot: pool?.id ?? '', expires: 'never' }
    await visitor.post(`${base}/keys/new`, { ...form, classes: ['player'] })
    const [key] = await dashboard.context.keys.list(projectId)
    expect(key).to.include({ poolId: pool?.id, botId: null })
    for (const path of ['/keys', `/keys/${key?.id}`])
      expect((await viewer.get(base + path)).text).to.include('All of ours')
    expect((await viewer.get(`${base}/pools/${pool?.id}`)).text)
      .to.include('program')
      .and.not.include(`action="${base}/pools`)

    await visitor.post(`${base}/pools/${pool?.id}`, fields('Drums', [SECOND]))
    expect((await pools())[0]).to.deep.include({ name: 'Drums', botIds: [SECOND] })
    await visitor.post(`${base}/pools/${pool?.id}/remove`)
    expect(await pools()).to.deep.equal([])
    expect((await viewer.get(`${base}/keys`)).text).to.include('removed pool')
    const { entries } = await dashboard.context.audit.list({ projectId, limit: 9 })
    const deeds = entries.map(({ who, action }) => `${who} ${action}`)
    expect(deeds).to.deep.equal(['Ada pool.removed', 'Ada pool.changed', 'Ada key.created', 'Ada pool.created'])
  })

  it('say what is wrong, and take no bot of another project', async () => {
    const empty = await create('Empty', [])
    expect([empty.status, empty.text.includes('Select at least one bot.')]).to.deep.equal([422, true])
    expect((await create('', [FIRST])).status).to.equal(422)
    expect((await create('Foreign', [FOREIGN])).status).to.equal(404)
    expect(await pools()).to.deep.equal([])
  })

  it('belong to one project, and are changed by managers alone', async () => {
    const other = (await dashboard.project('Third')).id
    const stranger = dashboard.visitor(await dashboard.person('Bob', { [other]: 'owner' }))
    const pool = await dashboard.context.pools.create({ projectId, name: 'Ours', botIds: [FIRST] })
    const theirs = `/dashboard/projects/${other}/pools/${pool.id}`
    expect((await stranger.get(theirs)).status).to.equal(404)
    expect((await stranger.get(`${base}/pools/${pool.id}`)).status).to.equal(404)
    expect((await viewer.get(`${base}/pools/new`)).status).to.equal(403)
  })
})

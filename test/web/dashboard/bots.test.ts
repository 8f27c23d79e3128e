import { expect } from 'chai'
import type { Sandbox } from 'bandstand-sandbox'
import { openSandbox } from '../../../packages/sandbox/test/stage.ts'
import { guildId } from '../../support/fake-music.ts'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'

describe('bots in the dashboard', () => {
  let sandbox: Sandbox
  let dashboard: TestDashboard
  let visitor: Visitor
  let base: string
  let projectId: string
  let synced = 0

  before(async () => {
    sandbox = await openSandbox({ demoMember: false })
    const standIn = { apiUrl: `${sandbox.url}/api`, called: 'The sandbox', sandbox: true }
    dashboard = await startDashboard({ discords: [standIn] })
    dashboard.fleet.sync = async () => void (synced += 1)
    projectId = (await dashboard.project('Band')).id
    base = `/dashboard/projects/${projectId}/bots`
    visitor = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'manager' }))
  })
  after(async () => {
    await dashboard.close()
    await sandbox.close()
  })

  const add = (token: string) => visitor.post(`${base}/new`, { token })

  it('adds a bot by its token, which Discord is asked about and no page shows again', async () => {
    const { applicationId, botToken } = sandbox.demo
    const answer = await add(` Bot ${botToken} `)
    expect(answer.location).to.equal(`${base}/${applicationId}?done=added`)
    expect(await dashboard.context.bots.token(projectId, applicationId)).to.equal(botToken)
    expect(synced).to.equal(1)
    for (const path of [base, `${base}/${applicationId}`, `/dashboard/projects/${projectId}/audit`]) {
      expect((await visitor.get(path)).text)
        .to.include('Bandstand')
        .and.not.include(botToken)
    }
  })

  it('says what is wrong with a token, without writing it back', async () => {
    const unknown = `${'M'.repeat(24)}.aaaaaa.${'b'.repeat(38)}`
    const refused = await add(unknown)
    expect([refused.status, refused.text.includes('rejected this token')]).to.deep.equal([422, true])
    expect(refused.text).not.to.include(unknown)
    expect((await add('short')).text).to.include('Not a bot token')
  })

  it('refuses the bot of another project', async () => {
    const other = (await dashboard.project('Other')).id
    const bob = dashboard.visitor(await dashboard.person('Bob', { [other]: 'owner' }))
    const to = `/dashboard/projects/${other}/bots/new`
    expect((await bob.post(to, { token: sandbox.demo.botToken })).text).to.include('belongs to another project')
  })

  it('shows what members may do in each of its servers, to those of the project alone', async () => {
    const { applicationId } = sandbox.demo
    const page = `${base}/${applicationId}/guilds/${guildId}`
    expect((await visitor.get(`${base}/${applicationId}`)).text).to.include(`href="${page}"`)
    const { text } = await visitor.get(page)
    expect(text).to.include('Permissions in Harbour Town').and.include('Stop and leave').and.include('others by vote')
    expect(text).to.include('50% of the listeners').and.not.include('changed')
    expect((await visitor.get(`${base}/${applicationId}/guilds/1`)).status).to.equal(404)
    const stranger = dashboard.visitor(
      await dashboard.person('Eve', { [(await dashboard.project('Theirs')).id]: 'owner' }),
    )
    expect((await stranger.get(page)).status).to.equal(404)
  })

  it('stops, starts and removes a bot, and writes down who did', async () => {
    const page = `${base}/${sandbox.demo.applicationId}`
    const isStopped = async () => (await dashboard.context.bots.list(projectId))[0]?.stopped
    await visitor.post(`${page}/stop`)
    expect([await isStopped(), (await visitor.get(page)).text.includes('stopped')]).to.deep.equal([true, true])
    await visitor.post(`${page}/start`, {}, { page })
    expect(await isStopped()).to.equal(false)
    await visitor.post(`${page}/remove`)
    expect(await dashboard.context.bots.list(projectId)).to.deep.equal([])
    const { entries } = await dashboard.context.audit.list({ projectId, limit: 9 })
    const deeds = entries.map(({ who, action }) => `${who} ${action}`)
    expect(deeds).to.deep.equal(['Ada bot.removed', 'Ada bot.started', 'Ada bot.stopped', 'Ada bot.added'])
  })
})

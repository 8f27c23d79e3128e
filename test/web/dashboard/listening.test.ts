import { expect } from 'chai'
import { PASSWORD, signedInCookie, startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { channelId, guildId } from '../../support/fake-music.ts'

const BOT = '900000000000000001'

describe('listening along in the dashboard', () => {
  let dashboard: TestDashboard
  let projectId: string
  let bot: string
  let sound: string
  let owner: Visitor

  before(async () => {
    dashboard = await startDashboard()
    const { context } = dashboard
    projectId = (await dashboard.project('Harbour radio')).id
    bot = `/dashboard/projects/${projectId}/bots/${BOT}`
    sound = `/dashboard/projects/${projectId}/players/${BOT}/${guildId}/listen`
    owner = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'owner' }))
    await dashboard.person('Max', { [projectId]: 'manager' })
    await dashboard.person('Eve', { [projectId]: 'viewer' })
    await context.bots.add({ id: BOT, projectId, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    const who = { projectId, botId: BOT, playerCeiling: 5 }
    await context.music.play(who, guildId, { query: 'night ferry', channelId })
  })
  after(() => dashboard.close())

  /** Opens the stream as a browser does, and leaves the response open. */
  async function open(name: string) {
    const { name: cookie, value } = await signedInCookie(dashboard, name)
    const answer = await fetch(dashboard.baseUrl + sound, { headers: { cookie: `${cookie}=${value}` } })
    return { status: answer.status, type: answer.headers.get('content-type'), body: answer.body?.getReader() }
  }
  const allow = (allowed: string) => owner.post(`${bot}/listening`, { allowed }, { page: bot })

  it('is no one’s until an owner has allowed it for the bot, and then not for viewers', async () => {
    expect((await open('Ada')).status).to.equal(403)
    expect((await allow('yes')).location).to.equal(`${bot}?done=listening`)
    const { status, type, body } = await open('Max')
    expect([status, type]).to.deep.equal([200, 'audio/ogg'])
    expect(Buffer.from((await body?.read())?.value ?? []).toString()).to.match(/^OggS/)
    await body?.cancel()
    expect((await open('Eve')).status).to.equal(403)
    const { accounts } = dashboard.context
    const players = `/dashboard/projects/${projectId}/players/${BOT}/${guildId}`
    const visitorOf = async (name: string) => dashboard.visitor((await accounts.findByName(name)) ?? undefined)
    const [max, eve] = [await visitorOf('Max'), await visitorOf('Eve')]
    expect((await max.get(players)).text).to.include(`src="${sound}"`)
    expect((await eve.get(players)).text).not.to.include('<audio')
  })

  it('ends for those who listen when it is not allowed any more', async () => {
    const { body } = await open('Max')
    await body?.read()
    await allow('no')
    // Silence may be on its way still. However the connection goes, it ends.
    while (!(await body?.read().catch(() => ({ done: true })))?.done);
    expect((await open('Max')).status).to.equal(403)
  })

  it('is written down, once for a while of it', async () => {
    await allow('yes')
    const visitor = dashboard.visitor()
    await visitor.post('/dashboard/sign-in', { name: 'Max', password: PASSWORD, next: '' })
    const cookie = `bandstand_session=${visitor.cookies.get('bandstand_session')}`
    for (let i = 0; i < 3; i += 1) {
      await (await fetch(dashboard.baseUrl + sound, { headers: { cookie } })).body?.cancel()
    }
    const { entries } = await dashboard.context.audit.list({ projectId, limit: 20 })
    const deeds = entries.map(({ who, action }) => `${who} ${action}`)
    const listened = 'Max player.listen'
    const until = ['Ada listening.allowed', listened, listened, 'Ada listening.ended']
    expect(deeds.toReversed()).to.deep.equal([...until, 'Ada listening.allowed', listened])
  })
})

import { expect } from 'chai'
import { TOTP } from 'otpauth'
import type { Sandbox } from 'bandstand-sandbox'
import { createDiscordSignIn } from '../../../../upstream/discord/discord-oauth.ts'
import { openSandbox } from '../../../../packages/sandbox/test/stage.ts'
import { startDashboard, type TestDashboard, type Visitor } from '../../../support/dashboard.ts'

describe('signing in with Discord', () => {
  let sandbox: Sandbox
  let dashboard: TestDashboard
  let mira: string
  let jonas: string

  before(async () => {
    sandbox = await openSandbox({ demoMember: false })
    const { applicationId: clientId, botToken: clientSecret, memberIds } = sandbox.demo
    ;[mira = '', jonas = ''] = memberIds
    const discord = createDiscordSignIn({ apiUrl: `${sandbox.url}/api`, clientId, clientSecret })
    dashboard = await startDashboard({ discord })
  })
  after(async () => {
    await dashboard.close()
    await sandbox.close()
  })

  const leave = (from: string) => dashboard.visitor().get('/dashboard/discord', { 'x-forwarded-for': from })

  it('asks for the name alone, with a state and a challenge', async () => {
    const { asking } = await goRound(dashboard.visitor(), mira)
    expect(asking.searchParams.get('scope')).to.equal('identify')
    expect(asking.searchParams.get('code_challenge_method')).to.equal('S256')
    expect(asking.searchParams.get('state')).to.match(/^[0-9a-f]{32}$/)
  })

  it('lets no one in whom no account knows and no link has invited', async () => {
    const visitor = dashboard.visitor()
    const { answer } = await goRound(visitor, jonas)
    expect(answer.status).to.equal(403)
    expect(answer.text).to.include('No account for this Discord account')
    expect(visitor.cookies.has('bandstand_session')).to.equal(false)
  })

  it('lets someone in with an invitation, and from then on without', async () => {
    const project = await dashboard.project('Round trip')
    const wish = { kind: 'invitation', projectId: project.id, role: 'viewer', madeBy: 'x', lifetimeMs: 60_000 } as const
    const token = await dashboard.context.links.make(wish)
    const first = await goRound(dashboard.visitor(), mira, `?token=${token}`)
    expect(first.answer.location).to.equal(`/dashboard/projects/${project.id}`)
    const visitor = dashboard.visitor()
    expect((await goRound(visitor, mira)).answer.location).to.equal('/dashboard')
    expect((await visitor.get(`/dashboard/projects/${project.id}`)).text).to.include('mira')
    expect((await goRound(dashboard.visitor(), jonas, `?token=${token}`)).answer.status).to.equal(403)
  })

  it('joins by an invitation after the second factor, and not before', async () => {
    const project = await dashboard.project('Second factor')
    const owner = await dashboard.person('Owner F', { [project.id]: 'owner' })
    const twice = await dashboard.person('Twice F')
    const secret = 'JBSWY3DPEHPK3PXP'
    const { accounts, links, memberships, now } = dashboard.context
    const [, , discordId = ''] = sandbox.demo.memberIds
    await accounts.change(twice.id, { discordId })
    await accounts.setTotp(twice.id, secret)
    const wish = { kind: 'invitation', projectId: project.id, role: 'viewer', lifetimeMs: 60_000 } as const
    const token = await links.make({ ...wish, accountId: owner.id, madeBy: owner.name })
    const visitor = dashboard.visitor()
    const { answer } = await goRound(visitor, discordId, `?token=${token}`)
    expect(answer.location).to.match(/^\/dashboard\/sign-in\/code\?ticket=/)
    expect(await memberships.role(project.id, twice.id)).to.equal(null)
    const page = answer.location ?? ''
    const code = new TOTP({ secret }).generate({ timestamp: now() })
    await visitor.post('/dashboard/sign-in/code', { code, ticket: page.split('ticket=')[1] ?? '' }, { page })
    expect(await memberships.role(project.id, twice.id)).to.equal('viewer')
  })

  it('lets one address begin so many sign-ins and no more, and others meanwhile', async () => {
    const statuses: number[] = []
    for (let at = 0; at < 30; at += 1) statuses.push((await leave(`2001:db8::${at}`)).status)
    expect(statuses.filter((status) => status === 429).length).to.be.within(5, 10)
    expect((await leave('203.0.113.9')).status).to.equal(303)
  })

  it('connects the account of who is signed in', async () => {
    const ada = await dashboard.person('Ada D')
    const { answer } = await goRound(dashboard.visitor(ada), jonas, '?connect')
    expect(answer.location).to.equal('/dashboard/account?done=discord')
    expect((await dashboard.context.accounts.findByDiscord(jonas))?.name).to.equal('Ada D')
  })

  it('takes a way back once, and from the browser alone that left', async () => {
    const visitor = dashboard.visitor()
    const { back } = await goRound(visitor, mira)
    expect((await visitor.get(back.pathname + back.search)).status).to.equal(403)
    const away = await dashboard.visitor().get('/dashboard/discord')
    const state = new URL(away.location ?? '').searchParams.get('state')
    expect((await dashboard.visitor().get(`/dashboard/discord/back?code=x&state=${state}`)).status).to.equal(403)
  })

  it('says so when Discord did not let someone in', async () => {
    const { answer } = await goRound(dashboard.visitor(), '')
    expect(answer.status).to.equal(403)
    expect(answer.text).to.include('Discord rejected the sign-in')
  })

  it('leads nowhere else than to our own pages', async () => {
    const { answer } = await goRound(dashboard.visitor(), mira, '?next=https%3A%2F%2Fevil.example%2F')
    expect(answer.location).to.equal('/dashboard')
  })
})

/** To Discord, where someone chooses who they are, and back. @returns where that leads. */
async function goRound(visitor: Visitor, as: string, query = '') {
  const away = await visitor.get(`/dashboard/discord${query}`)
  const asking = new URL(away.location ?? '')
  asking.searchParams.set('as', as)
  const { headers } = await fetch(asking, { redirect: 'manual' })
  const back = new URL(headers.get('location') ?? '')
  return { asking, back, answer: await visitor.get(back.pathname + back.search) }
}

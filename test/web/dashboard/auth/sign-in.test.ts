import { expect } from 'chai'
import { TOTP } from 'otpauth'
import { entryPath } from '../../../../web/dashboard/http/open-dashboard.ts'
import { PASSWORD, startDashboard, type TestDashboard, type Visitor } from '../../../support/dashboard.ts'

const RECOVERY_CODE = /\b[a-z2-9]{4}(?:-[a-z2-9]{4}){3}\b/g

describe('getting into the dashboard', () => {
  let dashboard: TestDashboard

  before(async () => {
    dashboard = await startDashboard()
    await dashboard.person('Ada')
  })
  after(() => dashboard.close())

  it('makes the first account by a link that works once, and it owns what there is', async () => {
    const fresh = await startDashboard()
    const project = await fresh.project('Made before')
    const path = (await entryPath(fresh.context, null)) ?? ''
    const visitor = fresh.visitor()
    expect((await visitor.get(path)).text).to.include('Create the first account')
    const token = path.split('token=')[1] ?? ''
    const fields = { token, name: 'First', password: PASSWORD }
    const made = await visitor.post('/dashboard/enter', fields, { page: path })
    expect(made.location).to.equal('/dashboard')
    expect((await visitor.get('/dashboard')).location).to.equal(`/dashboard/projects/${project.id}`)
    expect((await fresh.context.accounts.findByName('first'))?.isOperator).to.equal(true)
    expect((await fresh.visitor().get(path)).status).to.equal(404)
    expect(await entryPath(fresh.context, null)).to.equal(null)
    await fresh.close()
  })

  it('signs the owner of the sandbox in by the printed link, and only while there is a sandbox', async () => {
    const fresh = await startDashboard()
    const project = await fresh.project('Sandbox demo')
    const path = (await entryPath(fresh.context, project.id)) ?? ''
    const visitors = [fresh.visitor(), fresh.visitor()]
    for (const visitor of visitors) {
      expect((await visitor.get(path)).location).to.equal('/dashboard')
      expect((await visitor.get(`/dashboard/projects/${project.id}`)).status).to.equal(200)
    }
    expect(await entryPath(fresh.context, null)).to.include('/dashboard/enter')
    for (const visitor of visitors) expect((await visitor.get('/dashboard')).location).to.include('/dashboard/sign-in')
    expect(await fresh.context.accounts.list(), 'its account ends with it').to.deep.equal([])
    expect((await fresh.visitor().get(path)).status).to.equal(404)
    await fresh.close()
  })

  it('lets in by name and password, and out again', async () => {
    const visitor = dashboard.visitor()
    expect((await signIn(visitor, ' ADA ')).location).to.equal('/dashboard')
    expect((await visitor.get('/dashboard/account')).text).to.include('Signed in as Ada')
    const session = sessionOf(visitor) ?? ''
    await visitor.post('/dashboard/sign-out', {}, { page: '/dashboard/account' })
    expect(sessionOf(visitor)).to.equal(undefined)
    visitor.cookies.set('bandstand_session', session)
    expect((await visitor.get('/dashboard/account')).location).to.equal(
      '/dashboard/sign-in?next=%2Fdashboard%2Faccount',
    )
  })

  it('says the same of a wrong name and a wrong password', async () => {
    const answers = [
      await signIn(dashboard.visitor(), 'Ada', 'wrong words here'),
      await signIn(dashboard.visitor(), 'Nobody', 'wrong words here'),
    ]
    for (const { status, text } of answers) {
      expect(status).to.equal(422)
      expect(text).to.include('Wrong name or password.')
      expect(text).not.to.include('wrong words here')
    }
  })

  it('opens a new session at every sign-in, and takes none that was planted', async () => {
    const visitor = dashboard.visitor()
    visitor.cookies.set('bandstand_session', 'ab'.repeat(32))
    await signIn(visitor, 'Ada')
    const first = sessionOf(visitor)
    expect(first)
      .to.match(/^[0-9a-f]{64}$/)
      .and.not.equal('ab'.repeat(32))
    const visitorId = visitor.cookies.get('bandstand_visitor')
    await visitor.post('/dashboard/sign-out', {}, { page: '/dashboard/account' })
    await signIn(visitor, 'Ada')
    expect(sessionOf(visitor)).not.to.equal(first)
    expect(visitor.cookies.get('bandstand_visitor')).not.to.equal(visitorId)
  })

  it('ends sessions that no one uses, and old ones in any case', async () => {
    const ada = await dashboard.context.accounts.findByName('Ada')
    const visitor = dashboard.visitor(ada ?? undefined)
    const hour = 3_600_000
    for (let hours = 0; hours < 14 * 24; hours += 11) {
      expect((await visitor.get('/dashboard/account')).status).to.equal(200)
      dashboard.clock.aheadMs += 11 * hour
    }
    expect((await visitor.get('/dashboard/account')).status).to.equal(303)
    const idle = dashboard.visitor(ada ?? undefined)
    dashboard.clock.aheadMs += 12 * hour
    expect((await idle.get('/dashboard/account')).status).to.equal(303)
  })

  it('slows down who guesses, however many at once, and lets others in meanwhile', async () => {
    await dashboard.person('Target')
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => signIn(dashboard.visitor(), 'Target', 'a wrong guess')),
    )
    expect(guesses.filter(({ status }) => status === 422)).to.have.length(5)
    expect(guesses.filter(({ status }) => status === 429)).to.have.length(7)
    expect((await signIn(dashboard.visitor(), 'Target')).status).to.equal(429)
    expect((await signIn(dashboard.visitor(), 'Ada')).status).to.equal(303)
    dashboard.clock.aheadMs += 2001
    expect((await signIn(dashboard.visitor(), 'Target')).status).to.equal(303)
  })

  it('slows down an address that tries many names', async () => {
    const fresh = await startDashboard()
    await fresh.person('Ada')
    for (let i = 0; i < 20; i += 1) {
      await fresh.visitor().post('/dashboard/sign-in', { name: `name ${i}`, password: 'a wrong guess' })
    }
    const answer = await fresh.visitor().post('/dashboard/sign-in', { name: 'Ada', password: PASSWORD })
    expect(answer.status).to.equal(429)
    await fresh.close()
  })

  describe('with a second factor', () => {
    let secret = ''
    let codes: readonly string[] = []
    const code = (aheadMs = 0) =>
      new TOTP({ secret }).generate({ timestamp: Date.now() + dashboard.clock.aheadMs + aheadMs })

    before(async () => {
      const visitor = dashboard.visitor(await dashboard.person('Grace'))
      const page = await visitor.get('/dashboard/account/totp')
      secret = /<code>([A-Z2-7]{32})<\/code>/.exec(page.text)?.[1] ?? ''
      const ticket = /name="ticket" value="([0-9a-f]+)"/.exec(page.text)?.[1] ?? ''
      const csrf = /name="csrf" value="([0-9a-f]+)"/.exec(page.text)?.[1] ?? ''
      const wrong = await visitor.post('/dashboard/account/totp', { ticket, code: '000000' }, { csrf })
      expect(wrong.text).to.include('Wrong code')
      const right = await visitor.post('/dashboard/account/totp', { ticket, code: code() }, { csrf })
      expect(right.location).to.match(/^\/dashboard\/account\/recovery\?ticket=\w+$/)
      const shown = await visitor.get(right.location ?? '')
      codes = shown.text.match(RECOVERY_CODE) ?? []
      expect(new Set(codes).size).to.equal(10)
      expect((await visitor.get(right.location ?? '')).text).not.to.match(RECOVERY_CODE)
    })

    it('asks for a code after the password, and takes each code once', async () => {
      dashboard.clock.aheadMs += 60_000
      const { visitor, location, send } = await half(dashboard.visitor())
      expect(location).to.match(/^\/dashboard\/sign-in\/code\?ticket=/)
      expect(sessionOf(visitor)).to.equal(undefined)
      const used = code()
      expect((await send(used)).location).to.equal('/dashboard/projects')
      expect(sessionOf(visitor)).to.match(/^[0-9a-f]{64}$/)
      const again = await half(dashboard.visitor())
      expect((await again.send(used)).text).to.include('Wrong or used code')
    })

    it('slows down who guesses codes', async () => {
      const { send } = await half(dashboard.visitor())
      const statuses: number[] = []
      for (let i = 0; i < 6; i += 1) statuses.push((await send('123456')).status)
      expect(statuses.at(-1)).to.equal(429)
    })

    it('takes a recovery code instead, once each and however it is typed, and writes that down', async () => {
      dashboard.clock.aheadMs += 2 * 3_600_000
      const [first = ''] = codes
      const { visitor, send, location } = await half(dashboard.visitor())
      expect((await visitor.get(`${location}&way=recovery`)).text).to.include('Recovery code')
      expect((await send(first)).text).to.include('Wrong or used code')
      expect((await send('abcd-2345-efgh-6789', 'recovery')).text).to.include('Wrong or used code')
      const typed = ` ${first.toUpperCase().replaceAll('-', '')} `
      expect((await send(typed, 'recovery')).location).to.equal('/dashboard/projects')
      const account = await visitor.get('/dashboard/account')
      expect(account.text).to.include('9 of 10 recovery codes are left').and.include('signed in with a recovery code')
      const again = await half(dashboard.visitor())
      expect((await again.send(first, 'recovery')).status).to.equal(422)
    })

    it('makes new recovery codes for who knows the password, and ends them all with the second factor', async () => {
      dashboard.clock.aheadMs += 2 * 3_600_000
      const grace = await dashboard.context.accounts.findByName('Grace')
      const visitor = dashboard.visitor(grace ?? undefined)
      const to = '/dashboard/account/recovery'
      expect((await visitor.post(to, { password: 'not the password' })).text).to.include('Wrong password')
      const { location } = await visitor.post(to, { password: PASSWORD })
      const [fresh = ''] = (await visitor.get(location ?? '')).text.match(RECOVERY_CODE) ?? []
      const old = await half(dashboard.visitor())
      expect((await old.send(codes[1] ?? '', 'recovery')).status).to.equal(422)
      const { context } = dashboard
      const [id, kept] = [grace?.id ?? '', await context.accounts.totpSecret(grace?.id ?? '')]
      expect(await context.recoveryCodes.use((await dashboard.person('Heidi')).id, fresh)).to.equal(false)
      await context.accounts.setTotp(id, null)
      expect(await context.recoveryCodes.count(id)).to.equal(0)
      expect((await visitor.get(to)).location).to.equal('/dashboard/account')
      await context.accounts.setTotp(id, kept)
    })

    it('is of no use in another browser than the one that gave the password', async () => {
      const { location } = await half(dashboard.visitor())
      const other = await dashboard.visitor().get(location ?? '')
      expect(other.text).to.include('Your sign-in has expired')
    })
  })

  it('sets a new password by a link, and signs every browser out', async () => {
    const lost = await dashboard.person('Lost')
    const { links } = dashboard.context
    const signedIn = dashboard.visitor(lost)
    const token = await links.make({ kind: 'reset', accountId: lost.id, madeBy: 'operator', lifetimeMs: 60_000 })
    const path = `/dashboard/enter?token=${token}`
    const visitor = dashboard.visitor()
    const tooShort = await visitor.post('/dashboard/enter', { token, password: 'short' }, { page: path })
    expect(tooShort.text).to.include('at least 12 characters')
    const own = await visitor.post('/dashboard/enter', { token, password: 'lostlostlost' }, { page: path })
    expect(own.text).to.include('Too easy to guess')
    const fresh = 'seven slow river boats'
    expect((await visitor.post('/dashboard/enter', { token, password: fresh }, { page: path })).status).to.equal(303)
    expect((await signedIn.get('/dashboard/account')).status).to.equal(303)
    expect((await signIn(dashboard.visitor(), 'Lost', fresh)).status).to.equal(303)
    expect(
      (await visitor.post('/dashboard/enter', { token, password: fresh }, { page: '/dashboard/sign-in' })).status,
    ).to.equal(404)
  })
})

function signIn(visitor: Visitor, name: string, password = PASSWORD, next = '') {
  return visitor.post('/dashboard/sign-in', { name, password, next })
}

function sessionOf(visitor: Visitor): string | undefined {
  return visitor.cookies.get('bandstand_session')
}

/** Signs in with the password; the code is still to come. */
async function half(visitor: Visitor) {
  const { location } = await signIn(visitor, 'Grace', PASSWORD, '/dashboard/projects')
  const ticket = location?.split('ticket=')[1] ?? ''
  const send = (typed: string, way = 'app') =>
    visitor.post('/dashboard/sign-in/code', { ticket, code: typed, way }, { page: location ?? '' })
  return { visitor, location, send }
}

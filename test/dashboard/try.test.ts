import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { expectAccessible, launchBrowser, openTab, type Tab } from '../support/browser.ts'
import { PASSWORD, signedInCookie, startDashboard, type TestDashboard } from '../support/dashboard.ts'
import { guildId } from '../support/fake-music.ts'

const BOT = '900000000000000001'
const FOREIGN_BOT = '900000000000000002'
const KEY = /svc\.[0-9a-f]{64}/

describe('the page for trying the API', function () {
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let projectId: string
  let base: string
  /** Everything that went to the dashboard's own addresses. */
  const sent: string[] = []

  before(async () => {
    dashboard = await startDashboard()
    projectId = dashboard.project('Harbour radio').id
    base = `/dashboard/projects/${projectId}/try`
    await dashboard.person('Ada', { [projectId]: 'manager' })
    await dashboard.person('Eve', { [projectId]: 'viewer' })
    const token = 'a.b.c.d.e.f'
    dashboard.context.bots.add({ id: BOT, projectId, name: 'Horn', token, sandbox: false })
    const other = dashboard.project('Other').id
    dashboard.context.bots.add({ id: FOREIGN_BOT, projectId: other, name: 'Foreign', token, sandbox: false })
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await tab.context.addCookies([signedInCookie(dashboard, 'Ada')])
    tab.page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/dashboard')) sent.push(`${request.url()} ${request.postData() ?? ''}`)
    })
  })
  after(async () => {
    await browser.close()
    await dashboard.close()
  })
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  it('calls a route with a key that was made for an hour, and shows all that came back', async () => {
    const { page } = tab
    await page.goto(`${base}/play`)
    expect(await page.inputValue('[name="path.guildId"]')).to.equal(guildId)
    await page.fill('[name="body.query"]', "don't stop the night ferry")
    await page.click('[data-send]')
    expect(await page.textContent('[data-problem]')).to.equal('Choose a key first.')
    await page.click('text=Make a key')
    await page.waitForSelector('[data-key-now]:visible')
    expect(await page.textContent('main')).not.to.match(KEY)
    expect(await page.inputValue('[name="body.query"]')).to.include('night ferry')
    expect(await page.textContent('[data-line] code'))
      .to.include(String.raw`don'\''t stop`)
      .and.include('Bearer $KEY')
    await page.fill('[name="body.query"]', 'night ferry')
    await page.click('[data-send]')
    expect(await stateOf(page)).to.match(/^200 OK.* ms · \d+ B$/)
    expect(await page.textContent('[data-body] code')).to.include('"Night Ferry"')
    await page.click('summary:has-text("Headers")')
    expect(await page.textContent('tr:has-text("x-request-id")')).to.include('Finds this call in the log')
    await expectAccessible(page)
    const [key] = dashboard.context.keys.list(projectId)
    expect([key?.name, key?.botId]).to.deep.equal(['try it', BOT])
    expect((key?.expiresAtMs ?? 0) - Date.now()).to.be.within(3_500_000, 3_600_000)
  })

  it('explains what a limit says, and marks what the API refused', async () => {
    const { page } = tab
    await page.goto(`${base}/listJobs`)
    await page.fill('[name="query.limit"]', '101')
    await page.click('[data-send]')
    expect(await stateOf(page)).to.include('422')
    expect(await page.textContent('.field:has([name="query.limit"]) [data-said]')).to.include('100')
    await page.fill('[name="query.limit"]', '7')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-state]:has-text("200 OK")')
    await page.click('summary:has-text("Headers")')
    expect(await page.textContent('tr:has-text("x-ratelimit-remaining")')).to.include('would pass right now')
    expect(await page.locator('[aria-invalid]').count()).to.equal(0)
  })

  it('sends a file and shows the picture that comes back', async () => {
    const { page } = tab
    await page.goto(`${base}/overlaySnowUpload`)
    await page.setInputFiles('#file', { name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from('a picture') })
    await page.selectOption('[name=accept]', 'image/png')
    expect(await page.textContent('[data-line] code')).to.include(`--data-binary '@cat.png'`)
    await page.click('[data-send]')
    await page.waitForSelector('[data-body] img')
    await stateOf(page)
    expect(await page.evaluate<number>(`document.querySelector('[data-body] img').naturalWidth`)).to.equal(1)
    expect(await page.getAttribute('[data-body] a', 'download')).to.equal('overlaySnowUpload.png')
    await expectAccessible(page)
  })

  it('connects to the events, and stops', async () => {
    const { page } = tab
    await page.goto(`${base}/openEvents`)
    await page.click('text="Connect"')
    await page.waitForSelector('.messages li:has-text("ready")')
    await page.click('text="Stop"')
    await page.waitForSelector('[data-state]:has-text("closed")')
  })

  it('turns nothing that was answered into markup, and tells when there was no answer', async () => {
    const { page } = tab
    await page.goto(`${base}/encodeBinary`)
    const body = '<img src=x onerror="document.title = 1"><script>document.title = 2</script>'
    for (const contentType of ['text/html', 'application/json']) {
      await page.route('**/v1/tools/**', (route) => route.fulfill({ contentType, body }), { times: 1 })
      await page.click('[data-send]')
      await page.waitForSelector('[data-body] code:has-text("onerror")')
    }
    expect(await page.title()).to.include('Bandstand')
    await page.route('**/v1/tools/**', (route) => route.abort(), { times: 1 })
    await page.click('[data-send]')
    await page.waitForSelector('[data-state]:has-text("There was no answer")')
    tab.complaints.splice(0)
  })

  it('keeps what was called in this tab, and fills it in again', async () => {
    const { page } = tab
    await page.goto(base)
    await page.fill('#filter', 'night')
    expect(await page.textContent('[data-none]:visible')).to.include('No route fits')
    await page.fill('#filter', 'post play')
    expect(await page.locator('[data-routes] li:visible').count()).to.be.lessThan(12)
    await expectAccessible(page)
    await page.click('.calls a:has-text("/play")')
    await page.waitForURL('**/play#call-*')
    expect(await page.inputValue('[name="body.query"]')).to.equal('night ferry')
    await page.click('text=As JSON')
    expect(JSON.parse(await page.inputValue('[name=json]'))).to.have.property('query')
    await page.fill('[name=json]', '{')
    await page.click('[data-send]')
    expect(await page.textContent('[data-problem]')).to.include('not well-formed JSON')
    await page.click('[data-clear]')
    expect(await page.locator('[data-history]:visible').count()).to.equal(0)
  })

  it('ends the key of before when another is made, and says so in the audit log', async () => {
    const { page } = tab
    await page.goto(base)
    await page.click('text=Forget it')
    await page.fill('#key', 'svc.too short')
    await page.keyboard.press('Enter')
    expect(await page.textContent('#key-problem:visible')).to.include('64 hex digits')
    await page.click('text=Make a key')
    await page.waitForSelector('[data-key-now]:visible')
    const keys = dashboard.context.keys.list(projectId)
    expect(keys.map(({ revokedAtMs }) => revokedAtMs !== null)).to.deep.equal([true, false])
    const deeds = dashboard.context.audit
      .list({ projectId, limit: 9 })
      .entries.map(({ who, action }) => `${who} ${action}`)
    expect(deeds).to.deep.equal(['Ada key.created', 'Ada key.revoked', 'Ada key.created'])
  })

  it('forgets the key with the tab, and whoever signs in next finds none', async () => {
    const { page } = tab
    await page.goto(base)
    expect(await page.evaluate<string>('JSON.stringify(sessionStorage)')).to.match(KEY)
    await page.goto('/docs')
    await page.evaluate('0')
    const fresh = await tab.context.newPage()
    await fresh.goto(base)
    expect(await fresh.locator('[data-key-now]:visible').count()).to.equal(0)
    await fresh.close()
    await page.goto(base)
    await page.click('text=Sign out')
    await page.waitForSelector('h1:has-text("Sign in")')
    await page.waitForFunction('sessionStorage.length === 0')
  })

  it('has never sent a key to the pages of the dashboard', () => {
    expect(sent.length).to.be.greaterThan(20)
    expect(sent.filter((line) => KEY.test(line))).to.deep.equal([])
  })

  it('is reached from the reference, through the door, and leads back', async () => {
    const { page } = tab
    await page.goto('/docs#skip')
    await page.click('#skip >> text=Try it in the dashboard')
    await page.fill('#name', 'ada')
    await page.fill('#password', PASSWORD)
    await page.click('main .button.primary')
    await page.waitForURL(`**${base}/skip`)
    await page.click('text=In the reference')
    await page.waitForURL('**/docs#skip')
  })

  it('without script fills in the command line, for viewers too, who cannot make a key', async () => {
    const other = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'de-DE', javaScriptEnabled: false })
    await other.context.addCookies([signedInCookie(dashboard, 'Eve')])
    const { page } = other
    await page.goto(`${base}/searchTracks`)
    expect(await page.locator('[data-mint]').count()).to.equal(0)
    await page.fill('[name="query.q"]', `"><script>alert(1)</script>'`)
    await page.click('text=In die Kommandozeile einsetzen')
    const line = await page.textContent('[data-line] code')
    expect(line).to.include(`q=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E'\\''&limit=5' \\`)
    expect(await page.content()).not.to.include('<script>alert')
    await other.context.close()
  })

  it('makes no key for the bot of another project, and none beyond the 25', async () => {
    const visitor = dashboard.visitor(dashboard.context.accounts.findByName('Ada') ?? undefined)
    const made = await visitor.post(`${base}/key`, { bot: FOREIGN_BOT, from: '//evil.example' }, { page: base })
    expect(made.location).to.match(new RegExp(`^${base}\\?ticket=\\w+$`))
    expect((await visitor.get(made.location ?? '')).text).to.match(KEY)
    expect((await visitor.get(made.location ?? '')).text).not.to.match(KEY)
    expect(dashboard.context.keys.list(projectId).at(-1)?.botId).to.equal(null)
    const active = () => dashboard.context.keys.list(projectId).filter(({ revokedAtMs }) => revokedAtMs === null).length
    while (active() < 25) dashboard.context.keys.create({ projectId, name: 'filler' })
    const fresh = dashboard.visitor(dashboard.context.accounts.findByName('Ada') ?? undefined)
    const refused = await fresh.post(`${base}/key`, { bot: BOT, from: 'play' }, { page: base })
    expect(refused.location).to.equal(`${base}/play?full`)
    expect((await fresh.get(refused.location ?? '')).text).to.include('All 25 places for keys are taken')
    expect((await fresh.get(`${base}/constructor`)).status).to.equal(404)
  })
})

/** What became of the call, once it is over. */
async function stateOf(page: Page): Promise<string> {
  await page.waitForSelector('[data-state]:has-text(" ms")')
  return (await page.textContent('[data-state]')) ?? ''
}

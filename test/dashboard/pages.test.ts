import { expect } from 'chai'
import type { Browser } from 'playwright-core'
import { expectAccessible, launchBrowser, openTab, type Tab } from '../support/browser.ts'
import { PASSWORD, startDashboard, type TestDashboard } from '../support/dashboard.ts'

const BOT = '900000000000000001'

describe('dashboard in a browser', () => {
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let base: string

  before(async function () {
    this.timeout(30_000)
    dashboard = await startDashboard()
    const { desk } = dashboard
    const project = dashboard.project('Harbour radio')
    base = `/dashboard/projects/${project.id}`
    const ada = await dashboard.person('Ada', { [project.id]: 'owner' })
    const eve = await dashboard.person('Eve', { [project.id]: 'viewer' })
    desk.bots.add({ id: BOT, projectId: project.id, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    desk.keys.create({ projectId: project.id, name: 'site', botId: BOT, expiresAtMs: Date.now() + 86_400_000 })
    const old = desk.keys.create({ projectId: project.id, name: 'old' })
    desk.keys.revoke(project.id, old.id)
    desk.links.make({ kind: 'invitation', projectId: project.id, role: 'viewer', madeBy: 'Ada', lifetimeMs: 60_000 })
    desk.audit.write({
      projectId: project.id,
      accountId: ada.id,
      who: 'Ada',
      address: '127.0.0.1',
      action: 'key.created',
      target: 'site',
      detail: { prefix: '01234567' },
    })
    desk.sessions.open({
      accountId: ada.id,
      address: '2001:db8::1',
      userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
    })
    expect(eve.hasPassword).to.equal(true)
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await tab.page.goto('/dashboard/sign-in')
    await tab.page.fill('#name', 'ada')
    await tab.page.fill('#password', PASSWORD)
    await tab.page.click('main .button.primary')
    await tab.page.waitForURL(`**${base}`)
  })
  after(async () => {
    await browser.close()
    await dashboard.close()
  })
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  it('has pages that axe finds nothing wrong with, in light and dark, wide and narrow', async function () {
    this.timeout(60_000)
    const { page } = tab
    const [key] = dashboard.desk.keys.list(base.split('/').at(-1) ?? '')
    const paths = [
      `/keys /keys/new /keys/${key?.id} /keys/${key?.id}/rotate /keys/${key?.id}/revoke`,
      `/bots /bots/new /bots/${BOT} /bots/${BOT}/stop /members /audit /settings /nothing`,
    ].flatMap((some) => some.split(' ').map((path) => base + path))
    for (const path of [base, ...paths, '/dashboard/projects', '/dashboard/account', '/dashboard/account/totp']) {
      await page.emulateMedia({ colorScheme: 'light' })
      await page.goto(path)
      await expectAccessible(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page)
    }
    await page.emulateMedia({ colorScheme: 'light' })
  })
})

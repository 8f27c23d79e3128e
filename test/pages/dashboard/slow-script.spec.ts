import type { Browser } from 'playwright'
import { launchBrowser, openTab } from '../../support/browser.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'

const BOT = '900000000000000001'

describe('the page of one player, before its script is there', () => {
  let dashboard: TestDashboard
  let browser: Browser

  before(async () => {
    dashboard = await startDashboard()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await dashboard.close()
  })

  it('keeps what is typed, and searches for it once the script has come', async () => {
    const { id } = await dashboard.project('Harbour radio')
    await dashboard.person('Ada', { [id]: 'owner' })
    await dashboard.context.bots.add({ id: BOT, projectId: id, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    const { page, context } = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await context.addCookies([await signedInCookie(dashboard, 'Ada')])
    const held = Promise.withResolvers<void>()
    await page.route(/player-find/, (route) => held.promise.then(() => route.continue()))
    await page.goto(`/dashboard/projects/${id}/players`)
    await page.fill('#query', 'night ferry')
    await page.click('text="Play"')
    await page.fill('#q', 'low')
    held.resolve()
    await page.getByRole('button', { name: 'Add to queue' }).click()
    await page.waitForSelector('.rows li:has-text("Low Tide")')
  })
})

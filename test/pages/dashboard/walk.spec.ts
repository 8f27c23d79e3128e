import { expect } from 'chai'
import type { Browser } from 'playwright'
import { firstIdAt } from '../../../lib/request-log/request-log.ts'
import { launchBrowser, openTab, type Tab } from '../../support/browser.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { temporaryRequestLog, type TemporaryRequestLog } from '../../support/request-log.ts'

const MOST_CLICKS = 3
const HOUR_MS = 3_600_000

describe('ways from the overview', () => {
  let log: TemporaryRequestLog
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let projectId: string
  let clicks = 0

  before(async () => {
    log = temporaryRequestLog()
    dashboard = await startDashboard({ requests: log.requests })
    projectId = (await dashboard.project('Harbour radio')).id
    await dashboard.person('Ada', { [projectId]: 'owner' })
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
  })
  after(async () => {
    await browser.close()
    await dashboard.close()
    await log.close()
  })
  beforeEach(async () => {
    await tab.page.goto(`/dashboard/projects/${projectId}`)
    clicks = 0
  })
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  async function click(selector: string): Promise<void> {
    clicks += 1
    expect(clicks).to.be.at.most(MOST_CLICKS)
    await tab.page.click(selector)
  }

  it('makes a key in three clicks', async () => {
    await click('nav >> text="Keys"')
    await click('main a[href$="/keys/new"]')
    await tab.page.fill('#name', 'Jukebox')
    await click('text=Create key')
    expect(await tab.page.textContent('.secret code')).to.match(/^svc\.[0-9a-f]{64}$/)
  })

  it('revokes a key in three clicks', async () => {
    const { id } = await dashboard.context.keys.create({ projectId, name: 'Old jukebox' })
    await click('nav >> text="Keys"')
    await click(`a[href$="/keys/${id}/revoke"]`)
    await click('text=Revoke key')
    await tab.page.waitForSelector('[role=status]:has-text("Key revoked.")')
  })

  it('finds why a request of yesterday failed in three clicks', async () => {
    const { id: keyId } = await dashboard.context.keys.create({ projectId, name: 'Canteen' })
    const requestId = `yesterday-${keyId}`
    log.requests.add({
      id: firstIdAt(Date.now() - 20 * HOUR_MS),
      projectId,
      keyId,
      requestId,
      method: 'POST',
      operation: 'play',
      route: '/v1/music/guilds/{guildId}/play',
      path: '/v1/music/guilds/81384788765712384/play',
      status: 422,
      code: 'validation_error',
      reason: null,
      message: 'body.channelId: Must be a string.',
      durationMs: 1.4,
      address: '192.0.2.7',
      limitClass: null,
      limitPerMinute: null,
      limitRemaining: null,
      limitSpent: null,
      traceId: null,
    })
    await click('.tile:has-text("Errors")')
    // Before its script is there, the link leads to a page.
    await tab.page.waitForURL('**/requests?*')
    await tab.page.waitForLoadState('load')
    await click(`tbody a[href*="${requestId}"]`)
    await tab.page.waitForSelector('[data-drawer] >> text=body.channelId: Must be a string.')
  })

  it('sets a webhook in three clicks', async () => {
    await click('nav >> text="Webhooks"')
    await click('a[href$="/webhooks/new"]')
    await tab.page.fill('#url', 'http://127.0.0.1:9/hook')
    await click('.buttons .primary')
    await tab.page.waitForURL('**/shown?ticket=*')
    expect((await dashboard.context.webhooks.webhooks.list(projectId)).map(({ url }) => url)).to.include(
      'http://127.0.0.1:9/hook',
    )
  })
})

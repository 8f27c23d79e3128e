import { expect } from 'chai'
import type { Page } from 'playwright'
import { Fault } from '../../../lib/errors.ts'
import { expectAccessible, launchBrowser, openTab } from '../../support/browser.ts'
import { closing } from '../../support/closing.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { channelId, guildId, type FakeMusic } from '../../support/fake-music.ts'
import { temporaryRequestLog } from '../../support/request-log.ts'

const PLAY = `/v1/music/guilds/${guildId}/play`
const SCREENSHOT = '/v1/tools/screenshot'
const BOT = '900000000000000001'

describe('A failed request in the drawer', () => {
  const close = closing()
  let dashboard: TestDashboard
  let page: Page
  let complaints: readonly string[]
  let base: string
  let key: string

  beforeEach(async () => {
    const log = close(temporaryRequestLog())
    dashboard = close(await startDashboard({ requests: log.requests }))
    const { id: projectId } = await dashboard.project('Harbour radio')
    base = `/dashboard/projects/${projectId}/requests`
    await dashboard.person('Ada', { [projectId]: 'manager' })
    await dashboard.context.bots.add({ id: BOT, projectId, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    ;({ key } = await dashboard.context.keys.create({ projectId, botId: BOT, name: 'shop' }))
    const browser = close(await launchBrowser())
    const tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
    ;({ page, complaints } = tab)
    await page.goto(base)
    await page.click('text=Keep bodies of failed requests for 1 hour')
    await page.waitForSelector('text=Keeping bodies · 60 min left')
  })

  async function call(requestId: string, path: string, body?: object): Promise<void> {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'x-request-id': requestId }
    const sent = body && { method: 'POST', body: JSON.stringify(body) }
    expect((await fetch(dashboard.baseUrl + path, { headers, ...sent })).status).to.be.at.least(400)
  }
  const open = async (requestId: string) => {
    await page.goto(base)
    await page.click(`tbody a[href*="${requestId}"]`)
    await page.waitForSelector('[data-drawer] >> text=Request and response')
  }
  const result = (part: string) => page.locator(`[data-result] ${part}`).textContent()

  it('shows what was sent and answered, and is sent again for real once the member has confirmed what that does', async function () {
    this.timeout(120_000)
    const music = dashboard.context.music as FakeMusic
    music.failWith(new Fault('service_unavailable', 'The bot is away.'))
    await call('play:1', PLAY, { query: 'night ferry', channelId })
    music.failWith(null)
    await open('play:1')
    const drawn = (await page.locator('[data-drawn]').textContent()) ?? ''
    for (const said of [
      '"query": "night ferry"',
      'The bot is away.',
      `-d '{"query":"night ferry","channelId":"${channelId}"}'`,
    ])
      expect(drawn).to.contain(said)
    await page.click('[data-replay] .form button')
    await page.waitForSelector('dialog[open] >> text=the API runs it again')
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('dialog[open]', { state: 'detached' })
    expect(await page.locator('[data-result]').isVisible()).to.equal(false)
    await page.click('[data-replay] .form button')
    await page.click('dialog[open] button[value=yes]')
    await page.waitForSelector('[data-result] .chip.good')
    expect(await result('[data-status]')).to.equal('200')
    expect(await result('[data-took]')).to.match(/^\d+ ms$/)
    expect(JSON.parse((await result('code')) ?? '').data.track.title).to.equal('Night Ferry')
    await page.click('[data-result] a')
    await page.waitForSelector('main dd >> text=try it')
    expect(await page.locator('.facts .chip').first().textContent()).to.equal('200')
    expect(complaints).to.deep.equal([])
  })

  it('asks for the secrets that were left out, and sends a GET at once', async function () {
    this.timeout(120_000)
    const body = { url: 'https://example.com/?token=SIGNED', width: 1, cookies: [{ name: 'a', value: 'SIGNED' }] }
    await call('shot:1', SCREENSHOT, body)
    await open('shot:1')
    expect(await page.locator('[data-drawn]').textContent()).not.to.contain('SIGNED')
    await page.getByLabel('body.url').fill('https://example.com/?token=entered')
    await page.click('[data-replay] .form button')
    expect(await page.locator('dialog[open]').count()).to.equal(0)
    await page.getByLabel('body.cookies').fill('[{"name":"a","value":"b"}]')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    await page.click('[data-replay] .form button')
    const sent = page.waitForRequest(`**${SCREENSHOT}`)
    await page.click('dialog[open] button[value=yes]')
    const entered = { url: 'https://example.com/?token=entered', cookies: [{ name: 'a', value: 'b' }] }
    expect((await sent).postDataJSON()).to.deep.equal({ ...body, ...entered })
    await page.waitForSelector('[data-result] .chip.warn')
    expect(await result('code')).to.contain('body.width')

    await call('get:1', '/v1/tools/binary/encode?nothing=here')
    await open('get:1')
    await page.click('[data-replay] .form button')
    await page.waitForSelector('[data-result] .chip.warn')
    expect(await result('[data-status]')).to.equal('400')
    expect(complaints).to.deep.equal([])
  })

  it('says why it cannot be sent again, and fits a phone', async function () {
    this.timeout(120_000)
    await call('gone:1', '/v1/nothing/here')
    await call('play:2', PLAY, { query: 'x'.repeat(20_000), channelId })
    await open('gone:1')
    await page.waitForSelector('[data-drawer] >> text=the API has no such route')
    await open('play:2')
    await page.waitForSelector('[data-drawer] >> text=too much was left out')
    await page.setViewportSize({ width: 390, height: 844 })
    for (const path of [base, `${base}/play:2`]) {
      await page.goto(path)
      await page.waitForFunction('document.documentElement.scrollWidth <= innerWidth')
      await expectAccessible(page)
    }
    expect(complaints).to.deep.equal([])
  })
})

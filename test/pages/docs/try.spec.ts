import { expect } from 'chai'
import type { Browser, Page } from 'playwright'
import { expectAccessible, launchBrowser, loadAtBest, openTab, type Tab } from '../../support/browser.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { channelId, guildId } from '../../support/fake-music.ts'

const BOT = '900000000000000001'
const KEY = /svc\.[0-9a-f]{64}/

describe('the reference in a browser', function () {
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let projectId: string
  /** Every request of the tab. */
  const sent: { readonly url: string; readonly body: string; readonly key: string }[] = []

  before(async () => {
    dashboard = await startDashboard()
    projectId = (await dashboard.project('Harbour radio')).id
    await dashboard.person('Ada', { [projectId]: 'manager' })
    const token = 'a.b.c.d.e.f'
    await dashboard.context.bots.add({ id: BOT, projectId, name: 'Horn', token, sandbox: false })
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
    await tab.context.grantPermissions(['clipboard-read', 'clipboard-write'])
    tab.page.on('request', (request) => {
      const key = request.headers()['authorization'] ?? ''
      sent.push({ url: request.url(), body: request.postData() ?? '', key })
    })
  })
  after(async () => {
    await browser.close()
    await dashboard.close()
  })
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  it('paints early and moves nothing, with little weight, in light and dark, wide and on a phone', async function () {
    // Four pages, each loaded up to ten times for each of two sizes.
    this.timeout(400_000)
    const { page } = tab
    for (const path of ['/docs', '/docs/play', '/docs/errors', '/docs/schemas']) {
      for (const viewport of [
        { width: 1280, height: 800 },
        { width: 360, height: 740 },
      ]) {
        await page.setViewportSize(viewport)
        const best = await loadAtBest(page, path)
        expect(best.paintedMs, path).to.be.within(1, 1500)
        expect(best.scriptBytes + best.firstBytes, path).to.be.within(1, 100 * 1024)
        expect(await page.evaluate<number>(SHIFT), path).to.be.lessThan(0.05)
        expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), path).to.equal(true)
        if (viewport.width > 1000 || path === '/docs/play') await expectAccessible(page)
      }
      await page.emulateMedia({ colorScheme: 'dark' })
      await expectAccessible(page, ['color-contrast'])
      await page.emulateMedia({ colorScheme: 'light' })
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('finds routes, fields, errors and guides by English and German words, by keyboard alone', async () => {
    const { page } = tab
    await page.goto('/docs')
    await page.keyboard.press('/')
    for (const [words, to] of Object.entries(FINDS)) {
      await page.fill('#search', words)
      await page.waitForSelector(`#results li:nth-child(-n+3)[data-to="${to}"]`)
    }
    await expectAccessible(page)
    await page.fill('#search', 'überspringen')
    await page.waitForSelector('#results [data-to="/docs/skip"]')
    await page.keyboard.press('ArrowDown')
    const to = (await page.getAttribute('#results [aria-selected="true"]', 'data-to')) ?? ''
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${to}`)
    await page.keyboard.press('Control+k')
    await page.fill('#search', 'zzzzqqqq')
    await page.waitForSelector('#results li:has-text("No results.")')
    await page.keyboard.press('Escape')
    expect(await page.locator('#results:visible').count()).to.equal(0)
  })

  it('keeps the language of snippets from page to page, and copies them with the key of this tab', async () => {
    const { page } = tab
    await page.goto('/docs/play')
    await page.selectOption('#language', 'python')
    await page.goto('/docs/skip')
    expect(await page.locator('[data-snippets] code:visible').allTextContents()).to.have.length(1)
    expect(await page.textContent('[data-snippets] code:visible')).to.include('import urllib.request')
    await openWithoutKey(page, '/docs/play')
    await page.click('text="Create key"')
    await page.waitForSelector('[data-key-now]:visible')
    await page.fill('[name="body.query"]', "don't stop")
    await page.waitForSelector('[data-language=python] code:has-text("don\'t stop")')
    expect(await page.textContent('[data-snippets] code:visible')).not.to.match(KEY)
    await page.click('[data-copy-key]')
    await page.waitForSelector('[data-copy-key]:has-text("✓")')
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).to.match(KEY).and.include("don't stop").and.include(guildId).and.include(channelId)
    await page.selectOption('#language', 'shell')
    await page.click('text="Remove"')
  })

  it('calls a route with a key that was made for an hour, and shows all that came back', async () => {
    const { page } = tab
    await openWithoutKey(page, '/docs/play')
    expect(await page.inputValue('[name="path.guildId"]')).to.equal(guildId)
    await page.fill('[name="body.query"]', "don't stop the night ferry")
    await page.click('[data-send]')
    expect(await page.textContent('[data-problem]')).to.equal('Choose a key first.')
    await page.click('text="Create key"')
    await page.waitForSelector('[data-key-now]:visible')
    expect(await page.textContent('main')).not.to.match(KEY)
    expect(await page.inputValue('[name="body.query"]')).to.include('night ferry')
    await page.fill('[name="body.query"]', 'night ferry')
    await page.click('[data-send]')
    expect(await stateOf(page)).to.match(/^200 OK.* ms · \d+ B$/)
    expect(await page.textContent('[data-body] code')).to.include('"Night Ferry"')
    await page.click('summary:has-text("Headers")')
    expect(await page.textContent('tr:has(th:text-is("x-request-id"))')).to.match(/[0-9a-f-]{36}/)
    await expectAccessible(page)
    const key = (await dashboard.context.keys.list(projectId)).at(-1)
    expect([key?.name, key?.botId]).to.deep.equal(['try it', BOT])
    expect((key?.expiresAtMs ?? 0) - Date.now()).to.be.within(3_500_000, 3_600_000)
  })

  it('marks what the API refused', async () => {
    const { page } = tab
    await page.goto('/docs/listJobs')
    await page.fill('[name="query.limit"]', '101')
    await page.click('[data-send]')
    expect(await stateOf(page)).to.include('422')
    expect(await page.textContent('.field:has([name="query.limit"]) [data-said]')).to.include('100')
    await page.fill('[name="query.limit"]', '7')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-state]:has-text("200 OK")')
    expect(await page.locator('[aria-invalid]').count()).to.equal(0)
  })

  it('sends a file and shows the picture that comes back', async () => {
    const { page } = tab
    await page.goto('/docs/overlaySnowUpload')
    await page.setInputFiles('#file', { name: 'cat.png', mimeType: 'image/png', buffer: Buffer.from('a picture') })
    await page.selectOption('[name=accept]', 'image/png')
    await page.click('[data-send]')
    await page.waitForSelector('[data-body] img')
    await stateOf(page)
    expect(await page.evaluate<number>(`document.querySelector('[data-body] img').naturalWidth`)).to.equal(1)
    expect(await page.getAttribute('[data-body] a', 'download')).to.equal('overlaySnowUpload.png')
    await expectAccessible(page)
  })

  it('connects to the events, and stops', async () => {
    const { page } = tab
    await page.goto('/docs/openEvents')
    await page.click('text="Connect"')
    await page.waitForSelector('.events li:has-text("ready")')
    await page.click('text="Stop"')
    await page.waitForSelector('[data-state]:has-text("closed")')
  })

  it('turns nothing that was answered into markup, and tells when there was no answer', async () => {
    const { page } = tab
    await page.goto('/docs/encodeBinary')
    const body = '<img src=x onerror="document.title = 1"><script>document.title = 2</script>'
    for (const contentType of ['text/html', 'application/json']) {
      await page.route('**/v1/tools/**', (route) => route.fulfill({ contentType, body }), { times: 1 })
      await page.click('[data-send]')
      await page.waitForSelector('[data-body] code:has-text("onerror")')
    }
    expect(await page.title()).to.include('Bandstand')
    await page.route('**/v1/tools/**', (route) => route.abort(), { times: 1 })
    await page.click('[data-send]')
    await page.waitForSelector('[data-state]:has-text("No response.")')
    tab.complaints.splice(0)
  })

  it('takes a body as JSON too, and says when it is none', async () => {
    const { page } = tab
    await page.goto('/docs/play')
    await page.fill('[name="body.query"]', 'low tide')
    await page.click('text="As JSON"')
    expect(JSON.parse(await page.inputValue('[name=json]'))).to.include({ query: 'low tide' })
    await page.fill('[name=json]', '{')
    await page.click('[data-send]')
    expect(await page.textContent('[data-problem]')).to.include('valid JSON')
  })

  it('ends the key of before when another is made, and says so in the audit log', async () => {
    const { page } = tab
    await openWithoutKey(page, '/docs/play')
    await page.click('text="Create key"')
    await page.waitForSelector('[data-key-now]:visible')
    const before = (await dashboard.context.keys.list(projectId)).length
    await page.click('text="Remove"')
    await page.fill('#key', 'svc.too short')
    await page.keyboard.press('Enter')
    expect(await page.textContent('#key-problem:visible')).to.include('64 hex digits')
    await page.click('text="Create key"')
    await page.waitForSelector('[data-key-now]:visible')
    const keys = await dashboard.context.keys.list(projectId)
    expect(keys).to.have.length(before + 1)
    expect(keys.filter(({ revokedAtMs }) => revokedAtMs === null)).to.have.length(1)
    const { entries } = await dashboard.context.audit.list({ projectId, limit: 2 })
    const deeds = entries.map(({ who, action }) => `${who} ${action}`)
    expect(deeds).to.deep.equal(['Ada key.created', 'Ada key.revoked'])
  })

  it('forgets the key with the tab, and anyone who signs in next finds none', async () => {
    const { page } = tab
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
    await openWithoutKey(page, '/docs/play')
    await page.click('text="Create key"')
    await page.waitForSelector('[data-key-now]:visible')
    expect(await page.evaluate<string>('JSON.stringify([sessionStorage, localStorage])')).to.match(KEY)
    expect(await page.evaluate<string>('JSON.stringify(localStorage)')).not.to.match(KEY)
    const fresh = await tab.context.newPage()
    await fresh.goto('/docs/play')
    expect(await fresh.locator('[data-key-now]:visible').count()).to.equal(0)
    await fresh.close()
    await page.goto('/dashboard')
    await page.click('text=Sign out')
    await page.waitForSelector('h1:has-text("Sign in")')
    await page.waitForFunction('sessionStorage.length === 0')
    await page.goto('/docs/play')
    await page.waitForSelector('[data-sign-in]:visible')
  })

  it('has asked nothing of other origins, and given the key to nothing but the API', () => {
    expect(sent.length).to.be.greaterThan(100)
    const foreign = sent.filter(({ url }) => !url.startsWith(dashboard.baseUrl) && !/^(?:blob|data):/.test(url))
    expect(foreign).to.deep.equal([])
    const others = sent.filter(({ url }) => !new URL(url).pathname.startsWith('/v1/'))
    expect(others.filter(({ url, body, key }) => KEY.test(url + body + key))).to.deep.equal([])
    expect(sent.some(({ key }) => KEY.test(key))).to.equal(true)
  })

  it('without script fills in the snippets, in German', async () => {
    const other = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'de-DE', javaScriptEnabled: false })
    const { page } = other
    await page.goto('/docs/searchTracks')
    await page.fill('[name="query.q"]', `"><script>alert(1)</script>'`)
    await page.click('text=Anfrage aktualisieren')
    const code = await page.textContent('[data-language=shell] code')
    expect(code).to.include(`q=%22%3E%3Cscript%3Ealert(1)%3C%2Fscript%3E'\\''&limit=5' \\`)
    expect(await page.content()).not.to.include('<script>alert')
    await expectNothingLost(page)
    await other.context.close()
  })
})

/** Expected target of each search, among the first three results. */
const FINDS: Readonly<Record<string, string>> = {
  'skip track': '/docs/skip',
  crossfadeMs: '/docs/updatePlayer',
  rate_limited: '/docs/errors#rate_limited',
  limits: '/docs#plans',
  trackStarted: '/docs/schemas#schema-TrackStartedEvent',
  warteschlange: '/docs/getQueue',
  wetter: '/docs/getWeather',
  'übersetzung sprache': '/docs/listLanguages',
  tranlsate: '/docs/translate',
}

/** Sum of layout shifts since the page was loaded. */
const SHIFT = `new Promise((resolve) => {
  let sum = 0
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) sum += value
  }).observe({ type: 'layout-shift', buffered: true })
  requestAnimationFrame(() => setTimeout(() => resolve(sum)))
})`

/** All ten snippets stand below each other where no script can choose one. */
async function expectNothingLost(page: Page): Promise<void> {
  expect(await page.locator('[data-snippets] figure:visible').count()).to.equal(10)
  expect(await page.locator('[data-send]:visible, .search:visible').count()).to.equal(0)
}

/** A page of a route, as it is for a signed-in user who has no key in this tab. */
async function openWithoutKey(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await page.evaluate('sessionStorage.clear()')
  await page.reload()
  await page.waitForSelector('[data-mint]:visible')
}

/** State of the call, once it is over. */
async function stateOf(page: Page): Promise<string> {
  await page.waitForSelector('[data-state]:has-text(" ms")')
  return (await page.textContent('[data-state]')) ?? ''
}

import { expect } from 'chai'
import type { Browser, Request } from 'playwright'
import { expectAccessible, launchBrowser, loadAtBest, openTab, type Tab } from '../../support/browser.ts'
import { PASSWORD, signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { guildId } from '../../support/fake-music.ts'

const BOT = '900000000000000001'

describe('dashboard in a browser', () => {
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let base: string

  before(async () => {
    dashboard = await startDashboard()
    const { context } = dashboard
    const project = await dashboard.project('Harbour radio')
    base = `/dashboard/projects/${project.id}`
    const ada = await dashboard.person('Ada', { [project.id]: 'owner' })
    const eve = await dashboard.person('Eve', { [project.id]: 'viewer' })
    await context.bots.add({ id: BOT, projectId: project.id, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    const name = 'a name without a place to break it at '.replaceAll(' ', '').repeat(2)
    await context.keys.create({ projectId: project.id, name, botId: BOT, expiresAtMs: Date.now() + 86_400_000 })
    const old = await context.keys.create({ projectId: project.id, name: 'old' })
    await context.keys.revoke(project.id, old.id)
    await context.links.make({
      kind: 'invitation',
      projectId: project.id,
      role: 'viewer',
      madeBy: 'Ada',
      lifetimeMs: 3_600_000,
    })
    await context.audit.write({
      projectId: project.id,
      accountId: ada.id,
      who: 'Ada',
      address: '127.0.0.1',
      action: 'key.created',
      target: 'site',
      detail: { prefix: '01234567' },
    })
    await context.sessions.open({
      accountId: ada.id,
      address: '2001:db8::1',
      userAgent: 'Mozilla/5.0 (X11; Linux) Firefox/140.0',
    })
    const buckets = [3, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    const [{ id: keyId } = { id: '' }] = await context.keys.list(project.id)
    for (const [minutes, outcome] of ['ok', 'ok', 'limited', 'client_error', 'server_error'].entries()) {
      const minuteMs = Math.floor(Date.now() / 60_000 - minutes * 7) * 60_000
      const count = {
        projectId: project.id,
        keyId,
        routeClass: 'cheap',
        route: 'listImageFilters',
        minuteMs,
        requests: 6,
        overClass: 0,
        overTotal: 0,
        totalMs: 40,
        buckets,
      } as const
      await dashboard.count([{ ...count, outcome: outcome as 'ok' }])
    }
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

  it('has pages that axe finds nothing wrong with, in light and dark, and that fit a phone', async function () {
    // Thirty pages, most of them looked at twice.
    this.timeout(400_000)
    const { page } = tab
    const projectId = base.split('/').at(-1) ?? ''
    const [key] = await dashboard.context.keys.list(projectId)
    const pool = await dashboard.context.pools.create({ projectId, name: 'All of ours', botIds: [BOT] })
    await dashboard.context.keys.create({ projectId, name: 'pooled', poolId: pool.id })
    const paths = [
      `/keys /keys/new /keys/${key?.id} /keys/${key?.id}/rotate /keys/${key?.id}/revoke`,
      `/pools/new /pools/${pool.id} /pools/${pool.id}/remove /bots /bots/new /bots/${BOT} /bots/${BOT}/guilds/${guildId} /bots/${BOT}/stop /players /lavalink /sources /usage /usage?by=key&range=hour /requests /jobs /events /members /audit /settings /nothing`,
    ].flatMap((some) => some.split(' ').map((path) => base + path))
    const dark = new Set([
      base,
      `${base}/keys`,
      `${base}/usage`,
      `${base}/players`,
      `${base}/lavalink`,
      '/dashboard/account',
    ])
    for (const path of [base, ...paths, '/dashboard/projects', '/dashboard/account', '/dashboard/account/totp']) {
      await page.goto(path)
      await expectAccessible(page)
      if (dark.has(path)) {
        await page.emulateMedia({ colorScheme: 'dark' })
        await expectAccessible(page, ['color-contrast'])
        await page.emulateMedia({ colorScheme: 'light' })
      }
      await page.setViewportSize({ width: 360, height: 740 })
      // A plot follows the width of its page a frame later.
      const fits = page.waitForFunction('document.documentElement.scrollWidth <= innerWidth', null, { timeout: 10_000 })
      await fits.catch(() => expect.fail(`${path} is too wide for a phone`))
      await page.setViewportSize({ width: 1280, height: 720 })
    }
  })

  it('loads less than 150 KiB of script, nothing from anywhere else, and paints within half a second', async () => {
    const { page } = tab
    const foreign: string[] = []
    const onRequest = (request: Request) => {
      if (!request.url().startsWith(dashboard.baseUrl)) foreign.push(request.url())
    }
    page.on('request', onRequest)
    for (const path of ['', '/keys', '/bots', '/players', '/usage', '/jobs', '/events', '/members']) {
      const best = await loadAtBest(page, base + path)
      expect(best.paintedMs, path).to.be.within(1, 500)
      expect(best.scriptBytes, path).to.be.within(1, 150 * 1024)
      expect(best.firstBytes, path).to.be.within(1, 100 * 1024)
    }
    page.off('request', onRequest)
    expect(foreign).to.deep.equal([])
  })

  it('draws the usage, with the same numbers in a table and as CSV', async () => {
    const { page } = tab
    await page.goto(`${base}/usage?range=hour`)
    await page.waitForSelector('[data-plot] canvas')
    expect(await page.locator('canvas').count()).to.equal(2)
    await page.click('summary >> nth=0')
    expect(await page.locator('details[open] tbody tr').count()).to.equal(5)
    const row = (await page.textContent('tr:has-text("Lists, lookups")')) ?? ''
    expect(row.replaceAll(/\s+/g, ' ')).to.match(/^ ?Lists, lookups, jobs, text 30 6 6 /)
    const csv = await (await page.request.get(`${base}/usage/export.csv?range=hour&by=status`)).text()
    expect(csv.split('\r\n')[0]).to.equal('start,2xx,4xx,429,5xx')
    expect(csv).to.match(/Z,6,0,0,0\r\n/)
  })

  it('shows events as they happen, by kind', async () => {
    const { page } = tab
    await page.goto(`${base}/events`)
    await page.waitForSelector('[data-live]:visible')
    const projectId = base.split('/').at(-1) ?? ''
    const { events } = dashboard.context
    const stopped = { type: 'botStopped', botId: BOT, reason: 'removed' } as const
    events.emit({ projectId: 'another project', event: stopped })
    events.emit({ projectId, event: { type: 'queueEmptied', botId: BOT, guildId: '1' } })
    events.emit({ projectId, event: stopped })
    await page.waitForSelector('tr:has-text("botStopped")')
    expect(await page.locator('tbody tr').count()).to.equal(2)
    await page.uncheck('input[value=botStopped]')
    expect(await page.locator('tbody tr:visible').count()).to.equal(1)
    await page.reload()
    expect(await page.locator('tbody tr').count()).to.equal(2)
  })

  it('makes a key that is shown once, with a line to paste, and revokes it', async () => {
    const { page, context } = tab
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto(`${base}/keys`)
    await page.click('text=New key')
    await page.fill('#name', 'from the browser')
    await page.selectOption('#expires', '30')
    await page.fill('#allow', 'not an address')
    await page.click('text=Create key')
    expect(await page.textContent('#allow-problem')).to.include('not isn’t an IP address or range')
    await page.fill('#allow', '203.0.113.0/24')
    await page.click('text=Create key')
    await page.waitForURL('**/shown?ticket=*')
    const key = (await page.textContent('.secret code')) ?? ''
    expect(key).to.match(/^svc\.[0-9a-f]{64}$/)
    await page.click('.secret button')
    await page.waitForSelector('.secret button:text("Copied")')
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).to.equal(key)
    expect(await page.textContent('figure:not(.secret) code')).to.include(`-H 'Authorization: Bearer ${key}'`)
    const settings = JSON.parse((await page.textContent('figure:nth-of-type(3) code')) ?? '')
    expect(settings.mcpServers.bandstand.headers).to.deep.equal({ Authorization: `Bearer ${key}` })
    await page.reload()
    expect(await page.textContent('main'))
      .to.include('already shown')
      .and.not.include(key)
    await page.goto(`${base}/keys`)
    await page.click('text=from the browser')
    expect(await page.inputValue('#allow')).to.equal('203.0.113.0/24')
    await page.click('text=Revoke')
    await page.click('text=Revoke key')
    await page.waitForSelector('[role=status]:has-text("Key revoked.")')
    expect(await page.locator('tr:has-text("from the browser")').count()).to.equal(0)
    await page.click('main nav >> text=All')
    expect(await page.textContent('tr:has-text("from the browser")')).to.include('revoked')
  })

  it('makes one key however often the button was pressed', async () => {
    const visitor = dashboard.visitor((await dashboard.context.accounts.findByName('Ada')) ?? undefined)
    const { text } = await visitor.get(`${base}/keys/new`)
    const once = /name="once" value="([0-9a-f]+)"/.exec(text)?.[1] ?? ''
    const csrf = /name="csrf" value="([0-9a-f]+)"/.exec(text)?.[1] ?? ''
    const fields = { once, name: 'twice', bot: '', expires: 'never', allow: '', classes: ['cheap', 'fetch'] }
    const first = await visitor.post(`${base}/keys/new`, fields, { csrf })
    const second = await visitor.post(`${base}/keys/new`, fields, { csrf })
    expect(second.location).to.equal(first.location)
    const made = (await dashboard.context.keys.list(base.split('/').at(-1) ?? '')).filter(
      ({ name }) => name === 'twice',
    )
    expect(made.map(({ classes }) => classes)).to.deep.equal([['cheap', 'fetch']])
  })

  it('brings a second person in by a link, who sees and may no more than their role', async () => {
    const { page } = tab
    await page.goto(`${base}/members`)
    await page.check('input[value=viewer]')
    await page.click('text=Create invite link')
    const link = (await page.textContent('.secret code')) ?? ''
    const other = await openTab(browser, { locale: 'de-DE' })
    await other.page.goto(link)
    expect(await other.page.textContent('h1')).to.equal('Harbour radio beitreten')
    await other.page.fill('#name', 'Konrad')
    await other.page.fill('#password', PASSWORD)
    await other.page.click('text=Konto anlegen')
    await other.page.waitForURL(`**${base}`)
    await other.page.click('nav >> text=Schlüssel')
    expect(await other.page.textContent('h1')).to.equal('Schlüssel')
    expect(await other.page.locator('text=Neuer Schlüssel').count()).to.equal(0)
    await page.goto(`${base}/members`)
    expect(await page.textContent('tr:has-text("Konrad")')).to.include('Viewer')
    await page.click('tr:has-text("Konrad") >> text=Remove')
    await page.click('text=Remove member')
    await page.waitForURL('**/members?done=removed')
    await other.page.reload()
    expect(await other.page.textContent('h1')).to.equal('Seite nicht gefunden')
    expect(other.complaints).to.deep.equal([])
    await other.context.close()
  })

  it('shows one person what another does to a player, as it happens', async () => {
    const { page } = tab
    const other = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await other.context.addCookies([await signedInCookie(dashboard, 'Eve')])
    await other.page.goto(`${base}/players`)
    expect(await other.page.textContent('.empty')).to.include('Nothing is playing')
    await page.goto(`${base}/players`)
    await page.fill('#query', 'night ferry')
    await page.click('text="Play"')
    await other.page.waitForSelector('.now-title:has-text("Night Ferry")')
    expect(await other.page.locator('.transport').count()).to.equal(0)
    await other.page.click('text=Open player')
    for (const query of ['glass', 'low']) {
      await page.fill('#q', query)
      await page.getByRole('button', { name: 'Add to queue' }).click()
      await page.waitForSelector('[data-toast]:has-text("Added")')
      await page.fill('#q', '')
      await page.waitForSelector('.results', { state: 'detached' })
    }
    await other.page.waitForSelector('.rows li:nth-child(2):has-text("Low Tide")')
    await page.getByRole('slider', { name: 'Volume' }).focus()
    await page.keyboard.press('ArrowRight')
    await page.waitForSelector('output:has-text("101%")')
    await page.click('text=Audio diagnostics')
    await page.waitForSelector('[data-plot] canvas')
    await expectAccessible(page)
    await page.goBack()
    await page.getByRole('button', { name: 'Skip', exact: true }).click()
    await other.page.waitForSelector('.now-title:has-text("Glass Harbour")')
    await page.getByRole('button', { name: 'Stop and leave the channel' }).click()
    await other.page.waitForSelector('.empty:visible')
    expect(other.complaints).to.deep.equal([])
    await other.context.close()
  })

  it('works without script', async () => {
    const other = await openTab(browser, { baseURL: dashboard.baseUrl, javaScriptEnabled: false })
    await other.context.addCookies([await signedInCookie(dashboard, 'Ada')])
    await other.page.goto(`${base}/players`)
    await other.page.fill('#query', 'night ferry')
    await other.page.click('text="Play"')
    await other.page.getByRole('button', { name: 'Pause' }).click()
    await other.page.getByRole('button', { name: 'Resume' }).waitFor()
    await other.page.fill('[name=volume]', '50')
    await other.page.click('form:has([name=volume]) >> text=Set')
    await other.page.waitForSelector('output:has-text("50%")')
    await other.page.getByRole('button', { name: 'Stop and leave the channel' }).click()
    await other.page.click('[aria-label="Switch to dark theme"]')
    await other.page.waitForSelector('html[data-theme=dark]')
    await other.context.close()
  })
})

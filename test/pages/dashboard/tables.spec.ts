import { expect } from 'chai'
import type { Browser, Page } from 'playwright'
import { firstIdAt } from '../../../lib/request-log/request-log.ts'
import { expectAccessible, launchBrowser, openTab, type Tab } from '../../support/browser.ts'
import { closing } from '../../support/closing.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { loggedRequest } from '../../support/example-requests.ts'
import { temporaryRequestLog } from '../../support/request-log.ts'

const LONG = 'A name that is far longer than the column of any table that it could be put into, وبعض العربية 日本語'

describe('the tables of the dashboard', () => {
  const close = closing(after)
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let page: Page
  let base: string
  let projectId: string

  before(async () => {
    const log = close(temporaryRequestLog())
    dashboard = close(await startDashboard({ requests: log.requests }))
    projectId = (await dashboard.project('Harbour radio')).id
    base = `/dashboard/projects/${projectId}`
    await dashboard.person('Ada', { [projectId]: 'owner' })
    await dashboard.person(LONG.slice(0, 60), { [projectId]: 'viewer' })
    const { keys, audit, links, webhooks, bots } = dashboard.context
    for (let i = 0; i < 200; i++) {
      const { id } = await keys.create({ projectId, name: i % 20 === 0 ? LONG.slice(0, 99) : `program ${i}` })
      if (i < 180) await keys.revoke(projectId, id)
    }
    for (let i = 0; i < 400; i++) {
      const who = {
        accountId: null,
        who: i % 9 === 0 ? LONG.slice(0, 60) : 'Ada',
        address: '2001:db8:85a3::8a2e:370:7334',
      }
      const detail = { prefix: 'f00fbeef', 'name.before': 'Site', 'name.after': LONG }
      await audit.write({ projectId, ...who, action: 'key.changed', target: `program ${i} ${LONG}`, detail })
    }
    for (let i = 0; i < 60; i++) {
      const failed = { status: 422, code: 'validation_error', message: LONG } as const
      const id = firstIdAt(Date.now() - i * 60_000) + i
      log.requests.add(loggedRequest({ id, projectId, requestId: `request-${i}`, ...(i % 3 === 0 ? failed : {}) }))
    }
    for (const role of ['viewer', 'manager'] as const)
      await links.make({ kind: 'invitation', projectId, role, madeBy: LONG.slice(0, 60), lifetimeMs: 3_600_000 })
    for (const name of ['one', LONG.slice(0, 90)]) {
      const choice = {
        url: 'https://example.com/hooks',
        description: name,
        events: ['jobEnded'],
        botIds: null,
      } as const
      await webhooks.webhooks.create(projectId, choice)
    }
    for (const at of [1, 2]) {
      await bots.add({
        id: `90000000000000000${at}`,
        projectId,
        name: `Horn ${at}`,
        token: `a.b.c.d.e.${at}`,
        sandbox: false,
      })
    }
    browser = await launchBrowser()
    tab = await openTab(browser, {
      baseURL: dashboard.baseUrl,
      locale: 'en-GB',
      viewport: { width: 1280, height: 800 },
    })
    page = tab.page
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
  })
  after(() => browser?.close())
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  const LISTS = [
    '',
    '/keys',
    '/keys?shown=all',
    '/audit',
    '/requests',
    '/members',
    '/webhooks',
    '/bots',
    '/usage',
  ] as const

  it('have one line a row at 1280, never break an ID, and are nowhere wider than the screen', async () => {
    for (const width of [1280, 820, 640, 390]) {
      await page.setViewportSize({ width, height: 800 })
      for (const list of LISTS) {
        await page.goto(base + list)
        const at = `${list} at ${width}`
        expect(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), at).to.equal(false)
        const broken = `[...document.querySelectorAll('.table .id code')].filter((it) => it.getClientRects().length > 1).length`
        expect(await page.evaluate(broken), at).to.equal(0)
        const tallest = `Math.max(0, ...[...document.querySelectorAll('.table tbody tr:not(:has([data-col="wrap"]))')].map((it) => it.offsetHeight))`
        if (width === 1280) expect(await page.evaluate<number>(tallest), at).to.be.below(50)
      }
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  it('show fifteen requests above the fold, and keep their head in sight', async () => {
    await page.goto(`${base}/requests`)
    const seen = `[...document.querySelectorAll('.table tbody tr')].filter((it) => it.getBoundingClientRect().bottom <= innerHeight).length`
    expect(await page.evaluate<number>(seen)).to.be.at.least(15)
    for (const list of ['requests', 'keys?shown=all', 'audit']) {
      await page.goto(`${base}/${list}`)
      await page.evaluate('scrollTo(0, 700)')
      expect((await page.locator('.table thead th').first().boundingBox())?.y, list).to.be.within(0, 60)
      const bar = page.locator('form.bulk')
      if ((await bar.count()) > 0) expect((await bar.boundingBox())?.y, list).to.be.within(0, 10)
    }
  })

  it('revoke the selected keys after a question in place, by keyboard, with the names of all', async () => {
    for (const viewport of [
      { width: 1280, height: 800 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport)
      await page.goto(`${base}/keys`)
      const revoke = page.locator('form.bulk').getByRole('button', { name: 'Revoke' })
      expect(await revoke.isDisabled()).to.equal(true)
      const boxes = page.getByRole('checkbox', { name: /^Select (?!all)/ })
      await boxes.nth(0).focus()
      await page.keyboard.press('Space')
      await boxes.nth(2).click({ modifiers: ['Shift'] })
      await page.locator('[data-selected]', { hasText: '3 selected' }).waitFor()
      await expectAccessible(page)
      await revoke.click()
      const dialog = page.getByRole('dialog', { name: 'Revoke 3 keys?' })
      await dialog.waitFor()
      expect(await dialog.locator('.bulk-rows li').count()).to.equal(3)
      await expectAccessible(page)
      await page.keyboard.press('Escape')
      await revoke.click()
      await dialog.getByRole('button', { name: 'Revoke' }).click()
      await page.getByText('3 keys revoked.').waitFor()
    }
    await page.setViewportSize({ width: 1280, height: 800 })
    await page.goto(`${base}/webhooks`)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.locator('[data-selected]', { hasText: '2 selected' }).waitFor()
  })

  it('find a single setting by Ctrl-K and put the cursor into its field', async () => {
    await page.goto(base)
    const [hook] = await dashboard.context.webhooks.webhooks.list(projectId)
    for (const [text, title, path, name] of [
      ['name settings', 'NameSettings', '/settings', 'name'],
      ['description one', 'DescriptionWebhook · one', `/webhooks/${hook?.id}/edit`, 'description'],
      ['screenshots', 'Screenshots and renders', '', 'limit-browser'],
    ] as const) {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      await page.getByRole('option').filter({ hasText: title }).first().click()
      await page.waitForURL(`**${base}${path}#${name}`)
      await page.waitForFunction(`document.activeElement.id === '${name}' || document.activeElement.name === '${name}'`)
    }
  })

  it('leave single keys alone once their switch is off, until it is on again', async () => {
    await page.goto(`${base}/keys`)
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
    await page.keyboard.press('Escape')
    await page.reload()
    for (const key of ['?', '/']) await page.keyboard.press(key)
    expect(await dialog.isVisible()).to.equal(false)
    expect(await page.evaluate('document.activeElement.localName')).to.equal('body')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await expectAccessible(page)
    await dialog.getByRole('checkbox').check()
    await page.keyboard.press('Escape')
    await page.locator('h1').click()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.name')).to.equal('q')
  })
})

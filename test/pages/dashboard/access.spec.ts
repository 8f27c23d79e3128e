import { expect } from 'chai'
import { TOTP } from 'otpauth'
import type { Browser, Page } from 'playwright'
import { expectAccessible, launchBrowser, openTab, type Tab } from '../../support/browser.ts'
import { PASSWORD, signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'

const BOT = '900000000000000001'

describe('the doors of the dashboard, and the pages that ask once more', () => {
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let projectId: string
  let base: string

  before(async () => {
    dashboard = await startDashboard()
    projectId = (await dashboard.project('Harbour radio')).id
    base = `/dashboard/projects/${projectId}`
    await dashboard.person('Ada', { [projectId]: 'owner' })
    await dashboard.person('Eve', { [projectId]: 'viewer' })
    await dashboard.context.bots.add({ id: BOT, projectId, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'de-DE' })
  })
  after(async () => {
    await browser.close()
    await dashboard.close()
  })
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  const link = async (kind: 'first' | 'reset' | 'invitation') => {
    const { links, accounts } = dashboard.context
    const whose = kind === 'reset' ? { accountId: (await accounts.findByName('Eve'))?.id ?? '' } : {}
    const where = kind === 'invitation' ? { projectId, role: 'viewer' as const } : {}
    const secret = await links.make({ kind, madeBy: 'Ada', lifetimeMs: 3_600_000, ...whose, ...where })
    return `/dashboard/enter?token=${secret}`
  }

  it('are accessible to strangers, in both looks and on a phone', async () => {
    const { page } = tab
    const paths = [
      '/dashboard/sign-in',
      await link('first'),
      await link('reset'),
      await link('invitation'),
      '/dashboard/enter?token=x',
    ]
    for (const path of [...paths, '/dashboard/sign-in/code?ticket=x', '/dashboard/nothing']) await look(page, path)
    await page.goto('/dashboard/sign-in')
    await page.fill('#name', 'Ada')
    await page.fill('#password', 'not the password')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[role=alert]')
    await expectAccessible(page)
  })

  it('are passed with a second factor, and with a recovery code when the phone is gone', async () => {
    const { page } = tab
    await page.goto('/dashboard/sign-in?next=/dashboard/account')
    await enter(page)
    await page.click('text=Einrichten')
    const secret = (await page.textContent('.totp code')) ?? ''
    await expectAccessible(page)
    await page.fill('#code', new TOTP({ secret }).generate())
    await page.keyboard.press('Enter')
    await page.waitForURL('**/recovery?ticket=*')
    await expectAccessible(page)
    const [code = ''] = ((await page.textContent('.secret code')) ?? '').split('\n')
    await page.click('text=Ich habe sie gesichert')
    expect(await page.textContent('main')).to.include('Von 10 Wiederherstellungscodes sind noch 10 übrig')
    await look(page, '/dashboard/account/recovery')
    await page.click('text=Abmelden')
    await enter(page)
    await page.waitForSelector('h1:has-text("Zwei-Faktor-Authentifizierung")')
    await expectAccessible(page)
    await page.click('text=Nutze einen Wiederherstellungscode')
    await expectAccessible(page)
    await page.fill('#code', 'abcd-2345-efgh-6789')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#code-problem')
    await expectAccessible(page)
    await page.fill('#code', code)
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${base}`)
  })

  it('ask once more, and show what is shown once, without anything wrong', async () => {
    const { page } = tab
    const { context } = dashboard
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
    const eve = (await context.accounts.findByName('Eve'))?.id ?? ''
    const ada = (await context.accounts.findByName('Ada'))?.id ?? ''
    const paths = [`/bots/${BOT}/remove`, `/members/${eve}`, `/members/${eve}/remove`, `/members/${ada}/remove`]
    for (const path of paths) await look(page, base + path)
    await page.goto(`${base}/keys/new`)
    await page.fill('#name', 'Überwachungsrechner im Funkhaus')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/shown?ticket=*')
    await expectAccessible(page)
    await page.goto(`${base}/members`)
    await page.click('text=Einladungslink erstellen')
    await page.waitForURL('**/invited?ticket=*')
    await expectAccessible(page)
    const second = (await dashboard.project('Second')).id
    await context.memberships.set(second, ada, 'viewer')
    await page.goto(`/dashboard/projects/${second}/keys/new`)
    expect(await page.textContent('h1')).to.equal('Keine Berechtigung')
    await expectAccessible(page)
    await look(page, `${base}/keys/key_0`)
  })

  it('say in German what a player refuses, with the English where it says more', async () => {
    const { page } = tab
    await page.goto(`${base}/players`)
    await page.fill('#query', 'something that nobody has')
    await page.click('text="Abspielen"')
    await page.waitForSelector('[data-refusal] .note, main .note.bad')
    const said = (await page.textContent('[data-refusal]')) ?? ''
    expect(said).to.include('Die Aktion ist fehlgeschlagen. Keine Treffer').and.include('Nothing')
  })

  it('can be walked through with the keyboard alone', async () => {
    const other = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await other.context.addCookies([await signedInCookie(dashboard, 'Ada')])
    const { page } = other
    await page.goto(base)
    await page.keyboard.press('Tab')
    expect(await focused(page)).to.equal('Skip to content')
    await tabTo(page, 'Keys')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/keys')
    await tabTo(page, 'New key')
    await page.keyboard.press('Enter')
    await page.waitForSelector('#name:focus')
    await page.keyboard.type('by keyboard')
    await tabTo(page, 'Create key')
    await page.keyboard.press('Space')
    await page.waitForURL('**/shown?ticket=*')
    await tabTo(page, 'I have saved it')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/keys')
    await tabTo(page, 'by keyboard')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/keys/key_*')
    await tabTo(page, 'Revoke')
    await page.keyboard.press('Enter')
    await page.waitForSelector('dialog[open] >> text="Revoke key"')
    await tabTo(page, 'Revoke key')
    await page.keyboard.press('Enter')
    await page.waitForURL('**/keys?done=revoked')
    await page.goto('/docs/encodeBinary')
    await page.waitForSelector('[data-mint]:visible')
    await tabTo(page, 'Create key')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-key-now]:visible')
    expect(await focused(page)).to.equal('Remove')
    await tabTo(page, 'Send')
    await page.keyboard.press('Enter')
    await page.waitForSelector('[data-state]:has-text("200 OK")')
    expect(other.complaints).to.deep.equal([])
    await other.context.close()
  })
})

/** Opens a page as a desktop and as a phone, in both looks, and holds it against the rules. */
async function look(page: Page, path: string): Promise<void> {
  await page.goto(path)
  await expectAccessible(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page, ['color-contrast'])
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 360, height: 740 })
  const fits = await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')
  expect(fits, `${path} on a phone`).to.equal(true)
  await page.setViewportSize({ width: 1280, height: 720 })
}

async function enter(page: Page): Promise<void> {
  await page.fill('#name', 'Ada')
  await page.fill('#password', PASSWORD)
  await page.click('main .button.primary')
}

function focused(page: Page): Promise<string> {
  return page.evaluate<string>(`document.activeElement.textContent.trim()`)
}

async function tabTo(page: Page, text: string): Promise<void> {
  for (let i = 0; i < 80; i += 1) {
    if ((await focused(page)) === text) return
    await page.keyboard.press('Tab')
  }
  expect.fail(`Tab never comes to ${text}; it stays at ${await focused(page)}.`)
}

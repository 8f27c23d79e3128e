import { expect } from 'chai'
import type { Browser, Page } from 'playwright'
import { expectAccessible, launchBrowser, openTab, type Tab } from '../../support/browser.ts'
import { MEMBER_ID, signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { channelId, guildId, songs } from '../../support/fake-music.ts'
import { eventually } from '../../support/service.ts'
import { tokenOf } from '../../support/stage.ts'

const BOT = '900000000000000001'
const LONG = 5000

describe('the search in a queue of the dashboard', () => {
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let page: Page
  let scope: { projectId: string; botId: string; playerCeiling: number }

  before(async () => {
    dashboard = await startDashboard()
    const { id } = await dashboard.project('Harbour radio')
    scope = { projectId: id, botId: BOT, playerCeiling: 5 }
    await dashboard.person('Ada', { [id]: 'owner' })
    const { bots, music } = dashboard.context
    await bots.add({ id: BOT, projectId: id, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    await music.play(scope, guildId, { encoded: songs[0].encoded, channelId })
    const playlist = Array.from({ length: LONG - 1 }, (_, at) =>
      tokenOf(at % 1000 === 500 ? `Café ${at + 1}` : `wave ${at + 1}`),
    )
    await music.play(scope, guildId, { playlist })
    await music.play(scope, guildId, { encoded: songs[2].encoded, requesterId: MEMBER_ID })
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    page = tab.page
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
    await page.goto(`/dashboard/projects/${id}/players/${BOT}/${guildId}`)
    await page.waitForSelector('.rows.virtual')
  })
  after(async () => {
    await browser?.close()
    await dashboard.close()
  })
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  const field = () => page.getByRole('searchbox', { name: 'Search in the queue' })
  const find = async (text: string, hits: string) => {
    await field().fill(text)
    await page.locator('[data-hits]', { hasText: hits }).waitFor()
  }
  const shown = async () => {
    const rows = await page.locator('.rows li[data-id]').all()
    return Promise.all(
      rows.map(async (row) => `${await row.locator('.place').textContent()} ${await row.locator('b').textContent()}`),
    )
  }
  const titles = async () => (await dashboard.context.music.info(scope, guildId)).queue.map(({ title }) => title)

  it('shows tracks by title, artist and requester, without case and accents, each at its place of 5,000', async () => {
    await find('cafe', '5 results')
    expect(await shown()).to.deep.equal(
      [501, 1501, 2501, 3501, 4501].map((at) => `${at.toLocaleString('en')} Café ${at}`),
    )
    await expectAccessible(page)
    await find('fakes mara', '1 result')
    expect(await shown()).to.deep.equal(['5,000 Low Tide'])
    await find('wave', '4,994 results')
    await page.locator('.rows').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.locator('.rows li', { hasText: 'wave 4999' }).waitFor()
    await field().press('Escape')
    await page.locator('.rows li', { hasText: 'Low Tide' }).waitFor({ state: 'detached' })
    expect((await shown())[0]).to.equal('1 wave 1')
  })

  it('acts on the rows that were found, also while the queue moves under them', async () => {
    await find('cafe', '5 results')
    expect(await page.locator('.rows [data-handle]:visible').count()).to.equal(0)
    await page.getByRole('button', { name: 'Play Café 2501 next' }).click()
    await eventually(titles, ([first]) => first === 'Café 2501')
    await page.locator('.rows li', { hasText: 'Café 2501' }).locator('.place', { hasText: /^1$/ }).waitFor()
    expect(await shown()).to.include('502 Café 501')
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.locator('[data-selected]', { hasText: '5 selected' }).waitFor()
    await page.getByRole('button', { name: 'Remove', exact: true }).click()
    await page.locator('[data-hits]', { hasText: '0 results' }).waitFor()
    expect((await titles()).filter((title) => title.startsWith('Café'))).to.deep.equal([])
    expect(await titles()).to.have.length(LONG - 5)
  })
})

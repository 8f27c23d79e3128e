import { expect } from 'chai'
import type { Browser, Page } from 'playwright'
import { encodeToken } from '../../../bot/tracks/track-token.ts'
import { expectAccessible, launchBrowser, openTab, type Tab } from '../../support/browser.ts'
import { MEMBER_ID, signedInCookie, startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { channelId, guildId, songs } from '../../support/fake-music.ts'
import { eventually } from '../../support/service.ts'

const BOT = '900000000000000001'
const LONG = 2000

/** Tracks by their numbers, as tokens. */
function tokens(count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) =>
    encodeToken({
      title: `Wave ${at + 1}`,
      author: 'The Fakes',
      lengthMs: 60_000,
      uri: null,
      artworkUrl: null,
      isStream: false,
      identifier: `wave-${at + 1}`,
      isrc: null,
      sourceName: 'local',
      probe: 'ogg',
    }),
  )
}

describe('the page of one player', () => {
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let page: Page
  let address: string
  let scope: { projectId: string; botId: string; playerCeiling: number }
  let manager: Visitor

  before(async () => {
    dashboard = await startDashboard()
    const { id } = await dashboard.project('Harbour radio')
    address = `/dashboard/projects/${id}/players/${BOT}/${guildId}`
    scope = { projectId: id, botId: BOT, playerCeiling: 5 }
    await dashboard.person('Ada', { [id]: 'owner' })
    await dashboard.person('Eve', { [id]: 'viewer' })
    manager = dashboard.visitor(await dashboard.person('Max', { [id]: 'manager' }))
    await dashboard.context.bots.add({ id: BOT, projectId: id, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    page = tab.page
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
  })
  after(async () => {
    await browser?.close()
    await dashboard.close()
  })
  beforeEach(() => fill(5))
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  const music = () => dashboard.context.music
  const info = () => music().info(scope, guildId)
  const titles = async () => (await info()).queue.map(({ title }) => title.replace('Wave ', ''))

  /** Night Ferry plays, and so many wait. */
  async function fill(count: number): Promise<void> {
    await music()
      .close(scope, guildId)
      .catch(() => undefined)
    await music().play(scope, guildId, { encoded: songs[0].encoded, channelId, requesterId: MEMBER_ID })
    if (count > 0) await music().play(scope, guildId, { playlist: tokens(count) })
  }
  async function open(): Promise<void> {
    await page.goto(address)
    await page.waitForSelector('[data-live]:visible')
    await page.waitForSelector('.rows.virtual')
  }
  const rows = () => page.locator('.rows li b').allTextContents()
  const until = (wanted: string) => eventually(titles, (now) => now.join(' ') === wanted)

  it('says what plays and who asked for it, and seeks on its bar by key and by pointer', async () => {
    // Or the bar would move on while the keys are pressed.
    await music().patch(scope, guildId, { paused: true })
    await open()
    expect(await page.textContent('.now'))
      .to.include('Night Ferry')
      .and.include('Requested by Mara')
    const bar = page.getByRole('slider', { name: 'Position' })
    await bar.press('ArrowRight')
    await bar.press('ArrowRight')
    await eventually(info, ({ positionMs }) => positionMs === 10_000)
    expect(await bar.getAttribute('aria-valuetext')).to.equal('0:10 / 3:34')
    const box = await bar.boundingBox()
    if (!box) throw new Error('The bar is not there.')
    await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2)
    const { positionMs } = await eventually(info, (it) => it.positionMs > 90_000)
    expect(positionMs).to.be.within(100_000, 114_000)
  })

  it('sends a slider that is drawn along once it rests, and shows what the player made of it', async () => {
    await open()
    const sent: string[] = []
    page.on('request', (request) => request.url().endsWith('/volume') && sent.push(request.postData() ?? ''))
    const volume = page.getByRole('slider', { name: 'Volume' })
    await volume.evaluate((slider: { value: string; dispatchEvent: (event: Event) => void }) => {
      for (let level = 99; level >= 60; level -= 1) {
        slider.value = String(level)
        slider.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await eventually(
      () => sent.at(-1),
      (it) => it?.includes('volume=60') ?? false,
    )
    await eventually(info, (it) => it.volume === 60)
    expect(sent).to.have.length(1)
    await manager.post(`${address}/volume`, { volume: '130' }, { page: address })
    await page.waitForSelector('output:has-text("130%")')
    expect(await volume.inputValue()).to.equal('130')
  })

  it('sets presets and every filter by its own numbers', async () => {
    await open()
    await page.getByLabel('Preset').selectOption('nightcore')
    await eventually(info, ({ filters }) => filters.preset === 'nightcore' && filters.timescale?.rate === 1.2)
    await page.click('summary:text("Custom")')
    const tremolo = page.locator('[data-filter=tremolo]')
    await tremolo.getByLabel('Tremolo').check()
    await tremolo.getByLabel('Depth').fill('0.8')
    const { filters } = await eventually(info, (it) => it.filters.tremolo?.depth === 0.8)
    expect(filters).to.deep.equal({
      timescale: { speed: 1, pitch: 1, rate: 1.2 },
      tremolo: { frequency: 2, depth: 0.8 },
    })
    await page.waitForSelector('[name=preset]:has(option[value=custom]:checked)')
    await page.getByLabel('Preset').selectOption('')
    await eventually(info, (it) => Object.keys(it.filters).length === 0)
    await eventually(
      () => tremolo.getByLabel('Tremolo').isChecked(),
      (isOn) => !isOn,
    )
  })

  it('shows a queue of thousands by the rows that are seen, and skips to any of them', async () => {
    await fill(LONG)
    await open()
    expect(await page.textContent('[data-summary]')).to.include('2,000 tracks')
    await page.locator('.rows').evaluate((list) => list.scrollTo(0, list.scrollHeight))
    await page.waitForSelector('.rows li:has-text("Wave 2000")')
    expect((await rows()).length).to.be.below(60)
    expect(await page.locator('.rows li:has-text("Wave 2000")').getAttribute('aria-posinset')).to.equal('2000')
    await page.getByRole('button', { name: 'Skip to Wave 1990', exact: true }).click()
    await eventually(info, ({ current }) => current?.title === 'Wave 1990')
    await page.waitForSelector('.now-title:has-text("Wave 1990")')
    await eventually(rows, (all) => all.join() === Array.from({ length: 10 }, (_, at) => `Wave ${at + 1991}`).join())
  })

  it('moves a row by dragging its handle and by the keys on it, and says where it is', async () => {
    await open()
    const handle = async (at: number) => page.locator(`.rows li:nth-child(${at}) [data-handle]`).boundingBox()
    const [fourth, first] = [await handle(4), await handle(1)]
    if (!fourth || !first) throw new Error('The handles are not there.')
    await page.mouse.move(fourth.x + 5, fourth.y + 10)
    await page.mouse.down()
    await page.mouse.move(first.x + 5, first.y + 10, { steps: 4 })
    await page.mouse.up()
    await until('4 1 2 3 5')
    await page.getByRole('button', { name: 'Move Wave 2', exact: true }).press('ArrowUp')
    await until('4 2 1 3 5')
    await page.waitForSelector('[data-announce]:text("Wave 2: position 2")', { state: 'attached' })
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).to.equal('Move Wave 2')
  })

  it('selects a range and more, moves and removes it at once, and takes that back', async () => {
    await open()
    const select = (name: string) => page.getByLabel(`Select Wave ${name}`)
    await select('2').click()
    await select('4').click({ modifiers: ['Shift'] })
    expect(await page.textContent('[data-selected]')).to.equal('3 selected')
    await select('3').click()
    await page.click('[data-bulk=next]')
    await until('2 4 1 3 5')
    await page.locator('.rows').press('Control+a')
    await select('1').click()
    await page.locator('.rows').press('Delete')
    await until('1')
    await page.click('[data-toast] >> text=Undo')
    await until('2 4 1 3 5')
    await eventually(rows, (all) => all.join(' ') === 'Wave 2 Wave 4 Wave 1 Wave 3 Wave 5')
    await page.getByRole('button', { name: 'Play Wave 5 next' }).click()
    await until('5 2 4 1 3')
  })

  it('finds as one types, and plays what was found next, at once or after all others', async () => {
    await open()
    await page.fill('#q', 'glass')
    await page.getByRole('button', { name: 'Play next: Glass Harbour' }).click()
    await until('Glass Harbour 1 2 3 4 5')
    await page.getByRole('button', { name: 'Play now: Glass Harbour' }).click()
    await eventually(info, ({ current }) => current?.title === 'Glass Harbour')
    await page.fill('#q', 'no such song')
    await page.waitForSelector('[data-found]:has-text("No results")')
    await page.getByLabel('Type').selectOption('album')
    await page.waitForSelector('[data-found]:has-text("No results")')
  })

  it('is told of what has changed and no more, and touches no other row', async () => {
    await fill(200)
    await open()
    await page.evaluate(`document.querySelector('.rows li:nth-child(3)').isKept = true`)
    const source = await fetch(`${dashboard.baseUrl}${address}/live`, {
      headers: { cookie: `bandstand_session=${(await signedInCookie(dashboard, 'Ada')).value}` },
    })
    const reader = source.body?.pipeThrough(new TextDecoderStream()).getReader()
    /** Bytes up to the first message that this is in. */
    async function bytesUntil(text: string): Promise<number> {
      let all = ''
      while (!all.includes(text)) all += (await reader?.read())?.value ?? ''
      return all.split('\n\n').find((it) => it.includes(text))?.length ?? 0
    }
    await bytesUntil('"isWhole"')
    await music().patch(scope, guildId, { volume: 42 })
    expect(await bytesUntil('"volume":42')).to.be.below(300)
    await music().move(scope, guildId, { from: 150, to: 1 })
    expect(await bytesUntil('"out":[149]')).to.be.below(300)
    await music().play(scope, guildId, { query: 'low', when: 'next' })
    expect(await bytesUntil('Low Tide')).to.be.below(3000)
    await reader?.cancel()
    await page.waitForSelector('.rows li:nth-child(1):has-text("Low Tide")')
    expect(await page.evaluate(`document.querySelector('.rows li:nth-child(5)').isKept`)).to.equal(true)
  })

  it('refuses what came too late, in words, and shows how it is', async () => {
    const { ids } = await music().queueItems(scope, guildId)
    await music().clear(scope, guildId)
    const { status, text } = await manager.post(`${address}/remove`, { only: String(ids[0]) }, { page: address })
    expect(status).to.equal(422)
    expect(text).to.include('These tracks are no longer in the queue.')
  })

  it('is to be read by viewers, who are offered and allowed nothing; other projects have no such page', async () => {
    const { context } = dashboard
    const eve = dashboard.visitor((await context.accounts.findByName('Eve')) ?? undefined)
    const { text } = await eve.get(address)
    expect(text).to.include('Wave 5').and.not.include('formaction')
    const { ids } = await music().queueItems(scope, guildId)
    for (const action of ['remove', 'seek', 'filters', 'add', 'undo']) {
      expect((await eve.post(`${address}/${action}`, { only: String(ids[0]) }, { page: address })).status).to.equal(403)
    }
    const other = (await dashboard.project('Other')).id
    const stranger = dashboard.visitor(await dashboard.person('Sam', { [other]: 'owner' }))
    const theirs = address.replace(scope.projectId, other)
    for (const path of ['', '/queue', '/lyrics', '/live', '/add?q=low']) {
      expect((await stranger.get(address + path)).status, path).to.equal(404)
      expect((await stranger.get(theirs + path)).status, path).to.equal(404)
    }
    expect(await titles()).to.have.length(5)
  })

  it('works without script: pages of the queue, and what is done to rows', async () => {
    await fill(150)
    const plain = await openTab(browser, { baseURL: dashboard.baseUrl, javaScriptEnabled: false, locale: 'en-GB' })
    await plain.context.addCookies([await signedInCookie(dashboard, 'Ada')])
    await plain.page.goto(address)
    await plain.page.click('text=Next page')
    await plain.page.getByLabel('Select Wave 101').check()
    await plain.page.getByLabel('Select Wave 103').check()
    await plain.page.click('[data-bulk=next]')
    await eventually(titles, (all) => all.slice(0, 3).join(' ') === '101 103 1')
    await plain.page.getByRole('button', { name: 'Remove Wave 101', exact: true }).click()
    await eventually(titles, (all) => all.slice(0, 2).join(' ') === '103 1')
    await plain.page.fill('[name=positionMs]', '60000')
    await plain.page.click('text="Seek"')
    await eventually(info, ({ positionMs }) => positionMs === 60_000)
    await plain.context.close()
  })

  it('has nothing that axe finds wrong, fits a phone, and does not move while it loads', async () => {
    await fill(200)
    await page.addInitScript(`globalThis.shift = 0
      new PerformanceObserver((list) => {
        for (const { hadRecentInput, value } of list.getEntries()) if (!hadRecentInput) globalThis.shift += value
      }).observe({ type: 'layout-shift', buffered: true })`)
    await open()
    expect(await page.evaluate<number>('globalThis.shift')).to.be.below(0.05)
    await page.click('summary:text("Custom")')
    await page.fill('#q', 'low')
    await page.waitForSelector('.results li')
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, ['color-contrast'])
    await page.emulateMedia({ colorScheme: 'light' })
    await page.setViewportSize({ width: 360, height: 740 })
    await page.waitForFunction('document.documentElement.scrollWidth <= innerWidth')
    await open()
    expect(await page.evaluate<number>('globalThis.shift')).to.be.below(0.05)
    await page.setViewportSize({ width: 1280, height: 720 })
  })
})

import { expect } from 'chai'
import { Readable } from 'node:stream'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import sharp from 'sharp'
import { encodeToken } from '../../../bot/tracks/track-token.ts'
import { until } from '../../support/bots.ts'
import { expectAccessible, launchBrowser, openTab } from '../../support/browser.ts'
import { tokenOf, trackNamed } from '../../support/stage.ts'
import { startWebPlayer, type TestWebPlayer } from '../../support/web-player.ts'

const PHONE = { width: 390, height: 844 }
const WIDE = { width: 1280, height: 800 }
const LONG = 5000
const SHIFTS = `new Promise((resolve) => {
  new PerformanceObserver((list) => resolve(list.getEntries().reduce((sum, { value }) => sum + value, 0)))
    .observe({ type: 'layout-shift', buffered: true })
  setTimeout(() => resolve(0), 300)
})`

describe('the web player on a phone and by keys', () => {
  let player: TestWebPlayer
  let browser: Browser
  let complaints: readonly string[]

  const open = async (member: number, options: BrowserContextOptions = {}): Promise<Page> => {
    const tab = await openTab(browser, { viewport: PHONE, ...options })
    complaints = tab.complaints
    await tab.page.goto(player.baseUrl + (await player.link(member)))
    await tab.page.locator('[data-live]:visible').waitFor()
    await until('it is known who looks', async () => (await tab.page.locator('[data-me]').textContent()) !== '')
    return tab.page
  }
  const info = () => player.stage.music.info(player.stage.scope, player.stage.guild.id)
  const titles = async () => (await info()).queue.map(({ title }) => title).join(' ')
  const play = (given: object) => player.stage.music.play(player.stage.scope, player.stage.guild.id, given)

  before(async () => {
    const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const headers = { 'content-type': 'image/png' }
    player = await startWebPlayer({
      fetchCover: async (url) => ({ url: new URL(url), status: 200, headers, body: Readable.from([picture]) }),
    })
    browser = await launchBrowser()
  })
  beforeEach(async () => {
    player.clock.aheadMs += 60_000
    const { stage } = player
    await stage.sit(0)
    await play({ query: 'now a b c', channelId: stage.sandbox.demo.voiceChannelId })
  })
  afterEach(async () => {
    const { stage } = player
    for (const context of browser.contexts()) await context.close()
    await stage.music.close(stage.scope, stage.guild.id).catch(() => undefined)
    for (const at of stage.ids.keys()) await stage.sit(at, null)
    expect(complaints).to.deep.equal([])
  })
  after(async () => {
    await browser.close()
    await player.close()
  })

  it('keeps what plays in sight on each tab, never wider than the screen, also at twice the size', async () => {
    const page = await open(0)
    for (const viewport of [PHONE, { width: 195, height: 422 }, { width: 820, height: 1180 }]) {
      await page.setViewportSize(viewport)
      for (const name of ['search', 'queue', 'lyrics', 'history', 'favourites']) {
        await page.locator(`#tab-${name}`).click()
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        expect(isTooWide, `${name} at ${viewport.width}`).to.equal(false)
        const { y, height } = (await page.locator('.mini').boundingBox()) ?? { y: 0, height: 0 }
        expect(height).to.be.greaterThan(40)
        expect(y + height).to.be.at.most(viewport.height)
        expect(await page.locator('.mini b').textContent()).to.equal('now')
      }
    }
    await page.locator('[data-open-now]').click()
    await page.locator('#now [data-do="skip"]').waitFor()
    await page.locator('.mini [data-do="pause"]').click()
    await until('the bot pauses', async () => (await info()).paused)
  })

  it('says before the tap that a skip takes a vote, and nothing of keys on a touch screen', async () => {
    for (const at of [1, 2]) await player.stage.sit(at)
    const page = await open(1, { hasTouch: true, isMobile: true })
    const skip = page.locator('.mini').getByRole('button', { name: 'Vote to skip' })
    await skip.waitFor()
    expect(await skip.textContent()).to.contain('Vote to skip')
    await page.locator('[data-vote-hint]:visible').waitFor()
    await page.locator('#tab-queue').click()
    await page.locator('[data-queue] li').first().waitFor()
    expect(await page.locator('body').innerText()).not.to.match(/arrow key/i)
    await expectAccessible(page)
  })

  it('takes a member from the link to a song of their own, and by a vote of two past the one that plays', async () => {
    for (const at of [1, 2]) await player.stage.sit(at)
    const page = await open(1, { hasTouch: true, isMobile: true })
    await page.locator('#tab-search').tap()
    await page.locator('#panel-history:visible').waitFor()
    await page.locator('#q').fill('one two')
    await page.getByRole('button', { name: 'Add: one', exact: true }).tap()
    await page.locator('#panel-history').waitFor({ state: 'hidden' })
    await page.locator('#tab-queue').tap()
    await page.locator('[data-queue] li', { hasText: 'one' }).waitFor()
    expect(await titles()).to.equal('a b c one')
    await page.locator('.mini').getByRole('button', { name: 'Vote to skip' }).tap()
    await page.locator('[data-votes] li', { hasText: 'Skip now?' }).getByRole('button', { name: 'You voted' }).waitFor()
    const friend = await open(2)
    await friend.locator('[data-votes] li', { hasText: 'Skip now?' }).getByRole('button', { name: 'Vote' }).click()
    await page.locator('.mini', { hasText: 'a' }).waitFor()
    await until('the next track plays', async () => (await info()).current?.title === 'a')
  })

  it('plays a track of the queue next by a button of its own', async () => {
    const page = await open(0)
    await page.locator('#tab-queue').click()
    await page.getByRole('button', { name: 'Play next: c' }).click()
    await until('it is next up', async () => (await titles()) === 'c a b')
    expect((await info()).current?.title).to.equal('now')
  })

  it('keeps a favourite by the heart, and lets it go by the same', async () => {
    const page = await open(0)
    const heart = page.locator('#now [data-do="addFavourite"]')
    for (const isKept of ['true', 'false'] as const) {
      await heart.click()
      await until('the heart shows it', async () => (await heart.getAttribute('aria-pressed')) === isKept)
    }
    await page.locator('#tab-favourites').click()
    await page.locator('#panel-favourites', { hasText: 'You have no favorites yet.' }).waitFor()
  })

  it('shows a queue of 5,000 whole, with its length, in few elements', async () => {
    await play({ playlist: Array.from({ length: LONG - 3 }, (_, at) => tokenOf(`wave-${at}`)) })
    const page = await open(0)
    await page.locator('#tab-queue').click()
    await page.locator('[data-queue-sum]', { hasText: '5,000 tracks · 83:20:00' }).waitFor()
    await page.evaluate(`document.querySelector('[data-queue]').scrollTo(0, 1e9)`)
    await page.locator('[data-queue] li', { hasText: `wave-${LONG - 4}` }).waitFor()
    expect(await page.locator('[data-queue] li').count()).to.be.lessThan(60)
    await page.getByRole('button', { name: `Play next: wave-${LONG - 4}` }).click()
    await until('the last is the first', async () => (await info()).queue[0]?.title === `wave-${LONG - 4}`)
    await expectAccessible(page)
  })

  it('searches a queue of 5,000, where each track keeps its place, and plays a found one next', async () => {
    const names = Array.from({ length: LONG - 3 }, (_, at) => (at % 2000 === 1999 ? `rare-${at}` : `wave-${at}`))
    await play({ playlist: names.map(tokenOf) })
    const page = await open(0)
    await page.locator('#tab-queue').click()
    const field = page.getByRole('searchbox', { name: 'Search in the queue' })
    await field.fill('SOMEBODY rare')
    await page.locator('[data-hits]', { hasText: '2 results' }).waitFor()
    await expectAccessible(page)
    const row = (name: string) => page.locator('[data-queue] li', { hasText: name })
    expect(await row('rare-3999').locator('[data-handle]').getAttribute('aria-label')).to.contain('Position 4,003')
    await page.getByRole('button', { name: 'Play next: rare-3999' }).click()
    await page.getByRole('button', { name: 'Play next: rare-1999' }).click()
    await until('both are next up', async () => (await titles()).startsWith('rare-1999 rare-3999 a'))
    await page.getByRole('button', { name: 'Remove: rare-3999' }).click()
    await page.locator('[data-hits]', { hasText: '1 result' }).waitFor()
    await field.press('Escape')
    await row('wave-0').waitFor()
    expect(await titles()).to.match(/^rare-1999 a b c wave-0 /)
  })

  it('offers another try where something failed', async () => {
    await play({ query: 'down', when: 'now' })
    const page = await open(0)
    await page.locator('#tab-lyrics').click()
    await page.locator('#panel-lyrics', { hasText: 'load the lyrics' }).waitFor()
    await play({ query: 'song', when: 'now' })
    await page.locator('#panel-lyrics p', { hasText: 'line 1' }).first().waitFor()
    await page.route('**/do/pause', (route) => route.abort(), { times: 1 })
    await page.locator('.mini [data-do="pause"]').click()
    await page.locator('[data-toast]').getByRole('button', { name: 'Try again' }).click()
    await until('the bot pauses', async () => (await info()).paused)
    complaints = complaints.filter((text) => !text.includes('ERR_FAILED'))
  })

  it('fills the screen with the lyrics, in the colour of the cover', async () => {
    const artworkUrl = 'https://covers.example/song.png'
    await play({ encoded: encodeToken({ ...trackNamed('song'), artworkUrl }), when: 'now' })
    const page = await open(0)
    await page.locator('html[data-tinted]').waitFor()
    const colour = `getComputedStyle(document.documentElement).getPropertyValue('--cover')`
    expect(await page.evaluate(colour)).to.equal('rgb(0 128 128)')
    await page.locator('#tab-lyrics').click()
    await page.locator('[data-open-stage]').click()
    await page.locator('.stage p', { hasText: 'line 1' }).first().waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.locator('#panel-lyrics p', { hasText: 'line 1' }).first().waitFor()
  })

  it('obeys keys, and lists them', async () => {
    const page = await open(0, { viewport: WIDE })
    await page.keyboard.press(' ')
    await until('the bot pauses', async () => (await info()).paused)
    await page.keyboard.press('ArrowRight')
    await until('it has gone forward', async () => (await info()).positionMs >= 5000)
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).to.equal('q')
    await page.keyboard.type(' /?')
    expect(await page.locator('#q').inputValue()).to.equal(' /?')
    await page.locator('h2').first().click()
    await page.keyboard.press('?')
    const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
    await dialog.waitFor()
    await expectAccessible(page)
    await dialog.getByRole('checkbox', { name: 'Single-key shortcuts' }).uncheck()
    await dialog.getByRole('button', { name: 'Close' }).click()
    await page.locator('h2').first().click()
    for (const key of ['?', '/']) await page.keyboard.press(key)
    expect(await dialog.isVisible()).to.equal(false)
    expect(await page.evaluate('document.activeElement.id')).not.to.equal('q')
    await page.getByRole('button', { name: 'Keyboard shortcuts' }).click()
    await dialog.getByRole('checkbox').check()
  })

  it('names who listens, hardly moves as it opens, and can be put on a home screen', async () => {
    await player.stage.sit(1)
    for (const viewport of [PHONE, WIDE]) {
      const page = await open(0, { viewport })
      await until('both are named', async () => (await page.locator('[data-listeners] li').count()) === 2)
      expect(await page.evaluate<number>(SHIFTS)).to.be.at.most(0.05)
    }
    const page = browser.contexts()[0]?.pages()[0]
    const href = await page?.locator('link[rel="manifest"]').getAttribute('href')
    const manifest: any = await (await fetch(player.baseUrl + href)).json()
    expect(manifest.start_url).to.equal(`/listen/${player.stage.guild.id}`)
    for (const { src, type } of manifest.icons) {
      const icon = await fetch(player.baseUrl + src)
      expect([icon.status, icon.headers.get('content-type')]).to.deep.equal([200, type])
    }
  })
})

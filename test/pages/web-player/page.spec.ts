import { expect } from 'chai'
import { Readable } from 'node:stream'
import type { Browser, Locator } from 'playwright'
import sharp from 'sharp'
import { LANGUAGES } from '../../../lib/texts/languages.ts'
import { encodeToken } from '../../../bot/tracks/track-token.ts'
import { until } from '../../support/bots.ts'
import { expectAccessible, launchBrowser, openTab } from '../../support/browser.ts'
import { trackNamed } from '../../support/stage.ts'
import { startWebPlayer, type TestWebPlayer } from '../../support/web-player.ts'

const SIZES = { phone: { width: 390, height: 844 }, wide: { width: 1280, height: 800 } } as const

describe('the page of the web player', () => {
  let player: TestWebPlayer
  let browser: Browser

  const open = async (
    member: number,
    { locale = 'en-US', ...options }: Parameters<Browser['newContext']>[0] & { locale?: string } = {},
  ) => {
    const tab = await openTab(browser, { viewport: SIZES.phone, ...options })
    await tab.page.goto(player.baseUrl + (await player.link(member, locale)))
    await tab.page.locator('[data-live]:not([hidden])').waitFor()
    return tab
  }
  const titles = async () =>
    (await player.stage.music.info(player.stage.scope, player.stage.guild.id)).queue.map(({ title }) => title)

  before(async () => {
    const picture = await sharp({ create: { width: 40, height: 40, channels: 3, background: 'teal' } })
      .png()
      .toBuffer()
    const headers = { 'content-type': 'image/png' }
    player = await startWebPlayer({
      fetchCover: async (url) => ({ url: new URL(url), status: 200, headers, body: Readable.from([picture]) }),
    })
    browser = await launchBrowser()
    await player.stage.sit(0)
    const { demo } = player.stage.sandbox
    const channelId = demo.voiceChannelId
    await player.stage.music.play(player.stage.scope, demo.guildId, { query: 'now a b c d', channelId })
  })
  after(async () => {
    await browser.close()
    await player.close()
  })

  it('enters by the link without a press, and can be read by all in light and dark, on a phone and wide', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const { page, context, complaints } = await open(0, { colorScheme })
      for (const [name, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport)
        await expectAccessible(page)
        await page.locator('#tab-queue').click()
        await page.locator('[data-queue] li').nth(3).waitFor()
        for (const tab of ['queue', 'lyrics', 'history', 'favourites']) {
          await page.locator(`#tab-${tab}`).click()
          await expectAccessible(page)
        }
        if (name === 'phone') await page.locator('#tab-search').click()
        await page.locator('#q').fill('one two')
        await page.locator('[data-found] li').nth(1).waitFor()
        await expectAccessible(page)
        const isTooWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
        expect(isTooWide, 'it scrolls sideways').to.equal(false)
      }
      expect(complaints).to.deep.equal([])
      await context.close()
    }
  })

  it('moves tracks by the keyboard, says where they are, and keeps the focus on what was moved', async () => {
    const { page, context } = await open(0, { viewport: SIZES.wide })
    const handle = page.locator('[data-queue] li', { hasText: 'a' }).first().locator('[data-handle]')
    await handle.focus()
    await page.keyboard.press('ArrowDown')
    await until('the bot has the order', async () => (await titles()).join(' ') === 'b a c d')
    await page.locator('[data-announce]', { hasText: 'a: Position 2' }).waitFor({ state: 'attached' })
    await until('the list is drawn again', async () => (await labelOfFocus(page)).endsWith(': a. Position 2'))
    await page.keyboard.press('ArrowUp')
    await until('it is back', async () => (await titles()).join(' ') === 'a b c d')
    await context.close()
  })

  it('puts what was found ahead of what waits', async () => {
    const { page, context } = await open(0)
    await page.locator('#tab-search').click()
    await page.locator('#q').fill('one two')
    await page.getByRole('button', { name: 'Play next: one', exact: true }).click()
    await until('it is next up', async () => (await titles()).join(' ') === 'one a b c d')
    await player.stage.music.remove(player.stage.scope, player.stage.guild.id, { position: 1 })
    await context.close()
  })

  it('shows the cover of what plays, and lyrics that follow the music', async () => {
    const { page, context, complaints } = await open(0)
    const { music, scope, guild } = player.stage
    const artworkUrl = 'https://covers.example/song.png'
    await music.play(scope, guild.id, { encoded: encodeToken({ ...trackNamed('song'), artworkUrl }), when: 'now' })
    const width = `document.querySelector('[data-cover] img')?.naturalWidth`
    await until('the cover is there', async () => (await page.evaluate(width)) === 40)
    await page.locator('#tab-lyrics').click()
    for (const [positionMs, line] of [
      [6000, 'line 2'],
      [13_000, 'line 5'],
      [3000, 'line 1'],
    ] as const) {
      await music.patch(scope, guild.id, { paused: true, positionMs })
      await page.locator('#panel-lyrics [aria-current]', { hasText: line }).waitFor()
    }
    expect(await page.locator('#panel-lyrics [aria-current]').count()).to.equal(1)
    await music.patch(scope, guild.id, { paused: false })
    expect(complaints).to.deep.equal([])
    await context.close()
  })

  it('moves tracks by dragging their handle', async () => {
    const { page, context } = await open(0, { viewport: SIZES.wide })
    const rows = page.locator('[data-queue] li')
    // Nothing is drawn again from then on.
    await until('it is known who looks', async () => (await page.locator('[data-me]').textContent()) !== '')
    const [from, to] = [await boxOf(rows.nth(0).locator('[data-handle]')), await boxOf(rows.nth(2))]
    const x = from.x + from.width / 2
    await page.mouse.move(x, from.y + from.height / 2)
    await page.mouse.down()
    await page.mouse.move(x, to.y + to.height - 2, { steps: 8 })
    await page.mouse.up()
    await until('the bot has the order', async () => (await titles()).join(' ') === 'b c a d')
    await player.stage.music.move(player.stage.scope, player.stage.guild.id, { from: 3, to: 1 })
    await until('every page has it', async () => (await rows.locator('b').allTextContents()).join(' ') === 'a b c d')
    await context.close()
  })

  it('says why a control is not allowed, to those who press it and to screen readers', async () => {
    const { page, context } = await open(1)
    const pause = page.locator('#now [data-do="pause"]')
    await until('the rights are known', async () => (await pause.getAttribute('aria-disabled')) === 'true')
    // The control stays reachable, so a member who cannot see it hears the reason.
    await pause.click({ force: true })
    await page.locator('[data-toast].shown', { hasText: 'Music is playing in #' }).waitFor()
    await context.close()
  })

  it('speaks the six languages of members', async () => {
    for (const locale of LANGUAGES) {
      const { page, context, complaints } = await open(0, { locale: locale === 'en' ? 'en-GB' : locale })
      expect(await page.locator('html').getAttribute('lang')).to.equal(locale)
      await expectAccessible(page, ['html-lang-valid', 'valid-lang'])
      expect(await page.locator('main').textContent()).not.to.match(/undefined|\[object/)
      expect(complaints, locale).to.deep.equal([])
      await context.close()
    }
  })
})

/** Bounding box of an element, once it is drawn. */
async function boxOf(locator: Locator) {
  let box = await locator.boundingBox()
  await until('it is seen', async () => (box = await locator.boundingBox()) !== null)
  if (!box) throw new Error('It is not seen.')
  return box
}

function labelOfFocus(page: { evaluate: (code: string) => Promise<unknown> }): Promise<string> {
  return page.evaluate('document.activeElement?.getAttribute("aria-label") ?? ""') as Promise<string>
}

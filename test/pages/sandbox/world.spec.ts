import { expect } from 'chai'
import type { Locator, Page } from 'playwright'
import { getGuild } from 'bandstand-sandbox/world'
import { until } from '../../support/bots.ts'
import { expectAccessible, loadAtBest, openTab } from '../../support/browser.ts'
import { loaded, openPageStage, PHONE, useCommand, WIDE, type PageStage } from './page-stage.ts'

describe('the world around the messages on the page of the sandbox', function () {
  this.timeout(240_000)
  let stage: PageStage
  let page: Page
  let complaints: string[]

  before(async () => {
    stage = await openPageStage()
  })
  after(() => stage.close())
  beforeEach(async () => {
    const tab = await stage.open()
    page = tab.page
    complaints = tab.complaints
  })
  afterEach(async () => {
    expect(complaints).to.deep.equal([])
    await page.context().close()
  })

  const channelOf = (member: number) => {
    const { world, demo } = stage.sandbox
    return getGuild(world, demo.guildId).voice.get(demo.memberIds[member] ?? '')?.channelId ?? null
  }

  it('moves members between voice channels by mouse, by finger and by keyboard', async () => {
    const { voiceChannelId, secondVoiceChannelId } = stage.sandbox.demo
    const sitter = page.locator('.voice-member', { hasText: 'Mira' })
    await sitter.waitFor()
    const [from, to] = [await middle(sitter), await middle(page.locator(`[data-channel="${secondVoiceChannelId}"]`))]
    await page.mouse.move(from.x, from.y)
    await page.mouse.down()
    await page.mouse.move(to.x, to.y, { steps: 5 })
    await page.locator('.drop-target.over').waitFor()
    await page.mouse.up()
    await page.locator(`[data-channel="${secondVoiceChannelId}"] .voice-member`, { hasText: 'Mira' }).waitFor()
    expect(channelOf(0)).to.equal(secondVoiceChannelId)

    await page.locator('.voice-member', { hasText: 'Mira' }).press('Alt+ArrowUp')
    await page.locator(`[data-channel="${voiceChannelId}"] .voice-member`, { hasText: 'Mira' }).waitFor()

    const touch = await page.context().newCDPSession(page)
    const at = await middle(page.locator('.voice-member', { hasText: 'Mira' }))
    const target = await middle(page.locator(`[data-channel="${secondVoiceChannelId}"]`))
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] })
    await page.locator('.ghost').waitFor({ state: 'attached' })
    await touch.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [target] })
    await page.locator('.drop-target.over').waitFor()
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await until('the world has it', () => channelOf(0) === secondVoiceChannelId)
    await page
      .getByRole('button', { name: 'Join The Pier' })
      .or(page.locator('[title="Join The Pier"]'))
      .first()
      .click()
    await until('Mira is back', () => channelOf(0) === voiceChannelId)
  })

  it('switches faults of the network, says what to expect, and shows other pages that they are on', async () => {
    const network = async () => (await stage.call('GET', `/guilds/${stage.sandbox.demo.guildId}/network`)).body
    await stage.call('PUT', `/guilds/${stage.sandbox.demo.guildId}/faults`, {})
    await stage.call('PATCH', '/rules', { restLimitedPercent: 0 })
    await page.getByRole('tab', { name: 'Network' }).click()
    await expectAccessible(page)
    const loss = page.getByRole('switch', { name: 'Packet loss, 10 percent' })
    await loss.click()
    await page.locator('[data-key=loss][aria-checked=true]').waitFor()
    expect((await network()).faults.lossPercent).to.equal(10)
    expect(await page.locator('#fault-loss-text').textContent()).to.match(/crackles and gaps/)
    const other = await stage.open()
    await other.page.locator('#tab-network .count', { hasText: '1' }).waitFor()
    await page.getByRole('switch', { name: /429/ }).click()
    await page.locator('#tab-network .count', { hasText: '2' }).waitFor()
    await page.getByRole('button', { name: 'Turn all faults off' }).click()
    await until('all is as it was', async () => (await network()).rules.restLimitedPercent === 0)
    await other.page.locator('#tab-network .count').waitFor({ state: 'detached' })
    expect((await network()).faults.lossPercent ?? 0).to.equal(0)
    await other.context.close()
  })

  it('lists requests and gateway messages while its tab is open, without secrets', async () => {
    await page.getByRole('tab', { name: 'Traffic' }).click()
    await useCommand(page, 'secret')
    const request = page.locator('.traffic summary', { hasText: /POST \/interactions\/.*callback/ }).first()
    await request.waitFor()
    const event = page.locator('.traffic details', { hasText: 'INTERACTION_CREATE' }).first()
    await event.locator('summary').click()
    expect(await event.locator('pre').textContent()).to.include('"token": "…"')
    await expectAccessible(page)
  })

  it('says that the bot is offline, and when it is back', async () => {
    await stage.logOut()
    await page.getByText('Bandstand is offline. Its commands get no response').waitFor()
    await stage.logIn()
    await page.getByText('Bandstand is offline. Its commands get no response').waitFor({ state: 'detached' })
  })

  it('comes back on its own when the sandbox did not answer', async () => {
    const tab = await openTab(stage.browser, { viewport: WIDE, locale: 'en-GB' })
    await tab.page.route('**/sandbox/events*', (route) => route.abort())
    await tab.page.goto(`${stage.sandbox.url}/sandbox/`)
    await tab.page.getByText('Disconnected, trying again').waitFor()
    await tab.page.unroute('**/sandbox/events*')
    await loaded(tab.page)
    await tab.page.locator('.status', { hasText: 'Live' }).waitFor()
    await tab.context.close()
  })

  it('fits a phone and a wide screen, light and dark, and can be used by all', async () => {
    const dark = await stage.open({ colorScheme: 'dark' })
    await expectAccessible(dark.page)
    await dark.page.setViewportSize(PHONE)
    await expectAccessible(dark.page)
    await dark.context.close()

    const light = await stage.open({ viewport: PHONE, hasTouch: true })
    await light.page.getByRole('button', { name: 'Open channels' }).tap()
    await light.page.getByRole('navigation', { name: 'Channels' }).getByText('The Lighthouse').waitFor()
    await expectAccessible(light.page)
    await light.page.keyboard.press('Escape')
    await light.page.getByRole('button', { name: /^Open members/ }).tap()
    await light.page.getByRole('tab', { name: 'Members' }).waitFor()
    await expectAccessible(light.page)
    await light.page.keyboard.press('Escape')
    expect(await light.page.evaluate('document.documentElement.scrollWidth > innerWidth'), 'sideways').to.equal(false)
    expect([...dark.complaints, ...light.complaints]).to.deep.equal([])
    await light.context.close()
  })

  it('is painted within 1.5 s, and nothing moves while it comes in', async () => {
    expect((await loadAtBest(page, `${stage.sandbox.url}/sandbox/`)).paintedMs).to.be.below(1500)
    await loaded(page)
    const moved = await page.evaluate<number>(SHIFTS)
    expect(moved).to.be.below(0.05)
  })
})

const SHIFTS = `new Promise((resolve) => {
  const sum = (list) => list.getEntries().reduce((all, { value }) => all + value, 0)
  new PerformanceObserver((list) => resolve(sum(list))).observe({ type: 'layout-shift', buffered: true })
  // Where nothing has moved the observer is never called.
  requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)))
})`

async function middle(locator: Locator): Promise<{ x: number; y: number }> {
  const box = await locator.boundingBox()
  if (!box) throw new Error('It is not seen.')
  return { x: box.x + box.width / 2, y: box.y + Math.min(box.height / 2, 16) }
}

import { expect } from 'chai'
import type { Browser } from 'playwright'
import { encodeToken } from '../../../bot/tracks/track-token.ts'
import { launchBrowser, openTab } from '../../support/browser.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { channelId, guildId, songs } from '../../support/fake-music.ts'

const BOT = '900000000000000001'
const LONG = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'

describe('the players of the dashboard on a phone', () => {
  let dashboard: TestDashboard
  let browser: Browser

  before(async () => {
    dashboard = await startDashboard()
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await dashboard.close()
  })

  it('have the words for an empty queue in its card, without tools, and are widened by no long title', async () => {
    const { id } = await dashboard.project('Harbour radio')
    await dashboard.person('Ada', { [id]: 'owner' })
    await dashboard.context.bots.add({ id: BOT, projectId: id, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    const { music } = dashboard.context
    const scope = { projectId: id, botId: BOT, playerCeiling: 5 }
    await music.play(scope, guildId, { encoded: songs[0].encoded, channelId })
    const { page, context } = await openTab(browser, {
      baseURL: dashboard.baseUrl,
      viewport: { width: 390, height: 844 },
    })
    await context.addCookies([await signedInCookie(dashboard, 'Ada')])
    const players = `/dashboard/projects/${id}/players`
    await page.goto(`${players}/${BOT}/${guildId}`)
    await page.locator('.queue-panel', { hasText: 'The queue is empty.' }).waitFor()
    expect(await page.locator('.queue-tools').isHidden()).to.equal(true)
    const track = { title: LONG, author: LONG, lengthMs: 60_000, uri: null, artworkUrl: null, isStream: false }
    const encoded = encodeToken({ ...track, isrc: null, identifier: 'long', sourceName: 'local', probe: 'ogg' })
    await music.play(scope, guildId, { encoded })
    await page.locator('.queue-tools').waitFor()
    await page.goto(players)
    await page.locator('.up-next b', { hasText: 'Donau' }).waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).to.equal(true)
  })
})

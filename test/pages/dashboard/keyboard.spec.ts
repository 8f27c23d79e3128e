import { expect } from 'chai'
import type { Browser, Page } from 'playwright'
import { expectAccessible, launchBrowser, openTab, type Tab } from '../../support/browser.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'
import { eventually } from '../../support/service.ts'
import { channelId, guildId } from '../../support/fake-music.ts'

const BOT = '900000000000000001'

/** Result of a walk by Tab. */
interface Walk {
  /** All that can be operated, in the order of the document. */
  readonly wanted: readonly string[]
  /** Elements that had the focus, in order. */
  readonly came: readonly string[]
  /** Elements that had the focus without being visible or marked. */
  readonly unseen: readonly string[]
}

/**
 * Runs in the page before the first Tab: lists the elements that can be operated, and records the focus. One of a group
 * of radio buttons is a stop; so is a scrollable area that nothing else can reach.
 */
const BEGIN = `(() => {
  const stops = 'a[href], button, input:not([type="hidden"]), select, textarea, summary, audio[controls], [tabindex="0"]'
  const isStop = (it) => {
    // Of a list whose rows the arrow keys go through, one row is a stop.
    if (it.disabled || it.tabIndex === -1 || !it.checkVisibility({ visibilityProperty: true })) return false
    if (it.type !== 'radio') return true
    const all = [...document.getElementsByName(it.name)].filter(({ form }) => form === it.form)
    return it === (all.find(({ checked }) => checked) ?? all[0])
  }
  const name = (it) => [it.localName, it.id, it.name, it.getAttribute('href'), (it.getAttribute('aria-label') ?? it.textContent).trim().slice(0, 30)].filter(Boolean).join(' ')
  const all = [...document.querySelectorAll(stops)].filter(isStop)
  const walk = { wanted: all.map(name), came: [], unseen: [] }
  addEventListener('focusin', ({ target }) => {
    const said = name(target)
    walk.came.push(said)
    const look = getComputedStyle(target)
    const box = target.getBoundingClientRect()
    const isMarked = look.outlineStyle !== 'none' && parseFloat(look.outlineWidth) >= 2
    const isThere = box.width > 0 && box.right > 0 && box.bottom > 0 && box.left < innerWidth && box.top < innerHeight
    if (!isMarked || !isThere) walk.unseen.push(said)
  })
  globalThis.walk = walk
  return all.length
})()`

const FOCUSED = `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent.trim()`

describe('the dashboard by keyboard', () => {
  let dashboard: TestDashboard
  let browser: Browser
  let tab: Tab
  let base: string

  before(async () => {
    dashboard = await startDashboard()
    const { context } = dashboard
    const { id } = await dashboard.project('Harbour radio')
    base = `/dashboard/projects/${id}`
    await dashboard.person('Ada', { [id]: 'owner' })
    await dashboard.person('Max', { [id]: 'manager' })
    await context.bots.add({ id: BOT, projectId: id, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    await context.bots.setMayListen(id, BOT, true)
    await context.links.make({
      kind: 'invitation',
      projectId: id,
      role: 'viewer',
      madeBy: 'Ada',
      lifetimeMs: 3_600_000,
    })
    const who = { projectId: id, botId: BOT, playerCeiling: 5 }
    for (const query of ['night ferry', 'glass harbour', 'low tide']) {
      await context.music.play(who, guildId, { query, channelId })
    }
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
  })
  after(async () => {
    await browser?.close()
    await dashboard.close()
  })
  afterEach(() => expect(tab.complaints).to.deep.equal([]))

  it('comes to everything that can be operated by Tab alone, in order, seen, and out again', async () => {
    const { page } = tab
    const { context } = dashboard
    const projectId = base.split('/').at(-1) ?? ''
    const key = await context.keys.create({ projectId, name: 'site', botId: BOT })
    const choice = { url: 'https://example.com/hook', description: '', events: ['jobEnded'], botIds: null } as const
    const hook = await context.webhooks.webhooks.create(projectId, choice)
    const max = (await context.accounts.findByName('Max'))?.id
    const paths = [
      `/keys /keys/new /keys/${key.id} /keys/${key.id}/rotate /keys/${key.id}/revoke`,
      `/bots /bots/new /bots/${BOT} /bots/${BOT}/stop /bots/${BOT}/remove`,
      `/players /players/${BOT}/${guildId} /players/${BOT}/${guildId}/add?q=low /players/${BOT}/${guildId}/sound /usage /jobs /events`,
      `/webhooks /webhooks/new /webhooks/${hook.id} /webhooks/${hook.id}/rotate`,
      `/members /members/${max} /members/${max}/remove /audit /settings`,
    ].flatMap((some) => some.split(' ').map((path) => base + path))
    const own = ['/dashboard/projects', '/dashboard/account', '/dashboard/account/totp', '/dashboard/sign-in']
    for (const path of [base, ...paths, ...own]) {
      await page.goto(path)
      await expectWalk(page)
    }
  })

  it('finds pages, keys, bots, players, requests by ID and the reference by Ctrl-K, and lists the shortcuts by ?', async () => {
    const { page } = tab
    const { context } = dashboard
    const projectId = base.split('/').at(-1) ?? ''
    const other = await dashboard.project('Another one')
    const named = { projectId, name: 'night key' }
    await context.keys.create({ projectId: other.id, name: 'night key of others' })
    if (!(await context.keys.list(projectId)).some(({ name }) => name === named.name)) await context.keys.create(named)
    await page.goto(base)
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    const hits = page.getByRole('option')
    const found = async (text: string) => {
      await page.keyboard.press('Control+k')
      await page.keyboard.type(text)
      await hits
        .filter({ hasText: new RegExp(text, 'i') })
        .first()
        .waitFor()
      await expectAccessible(page)
      const all = await hits.allTextContents()
      await page.keyboard.press('Escape')
      return all
    }
    expect((await found('night')).map((hit) => hit.replace(/ · svc.*/, ''))).to.deep.equal([
      'night keyKey',
      'Harbour TownPlayer · Night Ferry',
    ])
    expect((await found('horn'))[0]).to.equal(`HornBot · ${BOT}`)
    expect(await found('skip')).to.satisfy(
      (all: string[]) => all.length <= 25 && all.some((hit) => hit.includes('/v1/')),
    )
    await page.keyboard.press('Control+k')
    await page.keyboard.type('audit')
    await hits.filter({ hasText: 'Audit log' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${base}/audit`)
    const stranger = dashboard.visitor(await dashboard.person('Zoe', { [other.id]: 'owner' }))
    expect((await stranger.get(`${base}/search?q=night`)).status).to.equal(404)
  })

  it('asks in place whether to go on, and keeps things as they are at Escape', async () => {
    const { page } = tab
    await page.goto(`${base}/bots/${BOT}`)
    for (const way of ['Escape', 'Enter']) {
      await page.getByRole('link', { name: 'Remove' }).click()
      await page.getByRole('dialog', { name: /Horn/ }).waitFor()
      await expectAccessible(page)
      await page.keyboard.press(way)
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      expect(new URL(page.url()).pathname).to.equal(`${base}/bots/${BOT}`)
    }
  })

  it('moves and removes what waits, and keeps the focus where the hand is', async () => {
    const { page } = tab
    await page.goto(`${base}/players/${BOT}/${guildId}`)
    const titles = (...wanted: readonly string[]) =>
      eventually(
        () => page.locator('.rows b').allTextContents(),
        (all) => all.join() === wanted.join(),
      )
    const focused = () => page.evaluate<string>(FOCUSED)
    await titles('Glass Harbour', 'Low Tide')
    await page.waitForSelector('.rows.virtual')
    // Unchanged elements stay, such as an open list of choices.
    await page.evaluate(`document.querySelector('.settings').isKept = true`)
    await page.getByLabel('Move Low Tide', { exact: true }).focus()
    await page.keyboard.press('ArrowUp')
    await titles('Low Tide', 'Glass Harbour')
    expect(await focused()).to.equal('Move Low Tide')
    await page.waitForSelector('[data-announce]:has-text("Low Tide: position 1")', { state: 'attached' })
    await page.keyboard.press('ArrowDown')
    await titles('Glass Harbour', 'Low Tide')
    expect(await focused()).to.equal('Move Low Tide')
    await page.getByLabel('Remove Glass Harbour').focus()
    await page.keyboard.press('Space')
    await titles('Low Tide')
    expect(await focused()).to.equal('Remove Low Tide')
    expect(await page.evaluate<boolean>(`document.querySelector('.settings').isKept`)).to.equal(true)
    for (const [before, after] of [
      ['Pause', 'Resume'],
      ['Resume', 'Pause'],
      ['Mute', 'Unmute'],
      ['Unmute', 'Mute'],
    ] as const) {
      await page.getByRole('button', { name: before, exact: true }).focus()
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: after, exact: true }).waitFor()
      expect(await focused()).to.equal(after)
    }
    await page.getByRole('button', { name: 'Stop and leave the channel' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('.empty:visible')
    expect(await page.evaluate<string>('document.activeElement.id')).to.equal('main')
  })

  it('opens the menu of a phone, and closes it with Escape', async () => {
    const { page } = tab
    await page.setViewportSize({ width: 390, height: 844 })
    await page.goto(`${base}/keys`)
    await page.getByRole('button', { name: 'Menu' }).focus()
    await page.keyboard.press('Enter')
    await page.waitForSelector('nav >> text=Webhooks')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Escape')
    await page.waitForSelector('nav >> text=Webhooks', { state: 'hidden' })
    expect(await page.evaluate<string>(FOCUSED)).to.equal('Menu')
    await page.setViewportSize({ width: 1280, height: 720 })
  })
})

async function expectWalk(page: Page): Promise<void> {
  const count = await page.evaluate<number>(BEGIN)
  // Some controls have several stops inside.
  let walk: Walk = { wanted: [], came: [], unseen: [] }
  for (let i = 0; i < 4 && walk.came.length <= count; i += 1) {
    for (let at = 0; at <= count; at += 1) await page.keyboard.press('Tab')
    walk = await page.evaluate<Walk>('globalThis.walk')
  }
  expect(walk.unseen, page.url()).to.deep.equal([])
  // A field with initial focus starts the round there.
  const round = walk.came.slice(0, count)
  const start = round.indexOf(walk.wanted[0] ?? '')
  expect([...round.slice(start), ...round.slice(0, start)], page.url()).to.deep.equal(walk.wanted)
}

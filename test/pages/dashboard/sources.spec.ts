import { expect } from 'chai'
import type { Browser } from 'playwright'
import type { SourceStatus } from '../../../bot/sources/source-state.ts'
import { expectAccessible, launchBrowser, openTab } from '../../support/browser.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'

function source(name: SourceStatus['name'], kind: SourceStatus['kind'], more: Partial<SourceStatus>): SourceStatus {
  return { name, kind, title: name, state: 'ready', isFailing: false, unset: [], control: 'switch', ...more }
}

/** Texts of a card's parts, as they are read. */
function partsOf(card: string): readonly string[] {
  return card.split(/<\/(?:h2|p|div)>/).map((part) =>
    part
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  )
}

describe('the page of the music sources', function () {
  this.timeout(60_000)
  let dashboard: TestDashboard
  let browser: Browser
  let sources: readonly SourceStatus[]
  let path: string

  async function turn(name: string, isOn: boolean): Promise<void> {
    sources = sources.map((one) => (one.name === name ? { ...one, state: isOn ? 'ready' : 'off' } : one))
  }

  before(async () => {
    dashboard = await startDashboard({ sources: { states: () => sources }, sourceSwitches: { set: turn } })
    const { context } = dashboard
    const { id } = await dashboard.project('Harbour radio')
    path = `/dashboard/projects/${id}/sources`
    await dashboard.person('Eve', { [id]: 'viewer' })
    const operator = await context.accounts.create({ name: 'Ada', password: null, isOperator: true })
    await context.memberships.set(id, operator.id, 'owner')
    browser = await launchBrowser()
  })
  after(async () => {
    await browser?.close()
    await dashboard?.close()
  })
  beforeEach(() => {
    sources = [
      source('library', 'files', {}),
      source('http', 'addresses', {}),
      source('soundcloud', 'songs', { title: 'SoundCloud', state: 'unreachable', isFailing: true }),
      source('youtube', 'songs', { title: 'YouTube', state: 'needs_yt_dlp' }),
      source('radio', 'stations', { title: 'Radio Browser', state: 'off' }),
      source('subsonic', 'songs', {
        title: 'Subsonic',
        state: 'needs_setting',
        unset: ['SUBSONIC_URL', 'SUBSONIC_USER'],
        control: 'settings',
      }),
      source('spotify', 'links', { title: 'Spotify', state: 'off', control: 'settings' }),
    ]
  })

  /** The parts of each card as a reader sees them. */
  async function cardsFor(name: string, headers?: Readonly<Record<string, string>>) {
    const visitor = dashboard.visitor((await dashboard.context.accounts.findByName(name)) ?? undefined)
    const { status, text } = await visitor.get(path, headers)
    expect(status).to.equal(200)
    const [, body = ''] = /<ul class="sources">([\s\S]*?)<\/ul>/.exec(text) ?? []
    return body.split('</li>').slice(0, -1).map(partsOf)
  }

  it('shows members what each source plays, and its state', async () => {
    const cards = await cardsFor('Eve')
    expect(cards.map(([name, state]) => [name, state])).to.deep.equal([
      ['Library library', 'on'],
      ['URLs http', 'on'],
      ['SoundCloud soundcloud', 'unreachable It didn’t respond in time. Searches skip it until it recovers.'],
      ['YouTube youtube', 'needs yt-dlp Without yt-dlp it finds tracks but can play only a few.'],
      ['Radio stations radio', 'off'],
      ['Subsonic subsonic', 'needs a setting SUBSONIC_URL, SUBSONIC_USER'],
      ['Spotify spotify', 'off'],
    ])
    expect(cards[2]?.[2]).to.equal('SoundCloud tracks, by name or link')
    expect(cards.every((parts) => parts[3] === '')).to.equal(true)
  })

  it('gives operators a switch for each one, or says what takes the place of one', async () => {
    expect((await cardsFor('Ada')).map((parts) => parts[3])).to.deep.equal([
      'Turn off Library',
      'Turn off URLs',
      'Turn off SoundCloud',
      'Turn off YouTube',
      'Turn on Radio stations',
      'To turn it on, set SUBSONIC_URL, SUBSONIC_USER, MUSIC_SOURCES and restart the service.',
      'To turn it on, add spotify to MUSIC_SOURCES and restart the service.',
    ])
    sources = [source('library', 'files', {}), source('radio', 'stations', { state: 'off', control: 'bot' })]
    expect((await cardsFor('Ada')).map((parts) => parts[3])).to.deep.equal([
      'At least one source must be on.',
      'Not asked while only the sandbox’s bot is registered.',
    ])
  })

  it('turns a source on and off for operators alone, and writes that down', async () => {
    const { context } = dashboard
    const [ada, eve] = await Promise.all(['Ada', 'Eve'].map((name) => context.accounts.findByName(name)))
    const press = async (who: typeof ada, name: string, on: string) =>
      (await dashboard.visitor(who ?? undefined).post(`${path}/${name}`, { on }, { page: path })).status
    expect(await press(eve, 'radio', 'yes')).to.equal(404)
    expect(await press(ada, 'spotify', 'yes')).to.equal(404)
    expect(await press(ada, 'radio', 'yes')).to.equal(303)
    expect(await press(ada, 'library', 'no')).to.equal(303)
    expect(sources.map(({ state }) => state)).to.deep.equal([
      'off',
      'ready',
      'unreachable',
      'needs_yt_dlp',
      'ready',
      'needs_setting',
      'off',
    ])
    const { text } = await dashboard.visitor(ada ?? undefined).get(path.replace('/sources', '/audit'))
    expect(text).to.include('turned on a music source').and.include('turned off a music source')
    sources = sources.slice(0, 2)
    expect(await press(ada, 'http', 'no')).to.equal(409)
  })

  it('speaks German', async () => {
    const [library, , soundCloud, youTube] = await cardsFor('Eve', { 'accept-language': 'de' })
    expect(library?.slice(0, 3)).to.deep.equal([
      'Bibliothek library',
      'an',
      'Audiodateien in einem Ordner des Dienstes, nach Namen',
    ])
    expect(soundCloud?.[1]).to.match(/^nicht erreichbar /)
    expect(youTube?.[1]).to.match(/^braucht yt-dlp/)
  })

  it('is without fault for axe, in light and dark, and fits a phone', async () => {
    const { page, context, complaints } = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await context.addCookies([await signedInCookie(dashboard, 'Ada')])
    await page.goto(path)
    expect(await page.locator('nav [aria-current="page"]').textContent()).to.include('Sources')
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, ['color-contrast'])
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth')).to.equal(true)
    expect(complaints).to.deep.equal([])
    await context.close()
  })
})

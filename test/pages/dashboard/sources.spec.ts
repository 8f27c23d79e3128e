import { expect } from 'chai'
import type { Browser } from 'playwright'
import type { SourceStatus } from '../../../bot/sources/source-state.ts'
import { expectAccessible, launchBrowser, openTab } from '../../support/browser.ts'
import { signedInCookie, startDashboard, type TestDashboard } from '../../support/dashboard.ts'

function source(name: SourceStatus['name'], kind: SourceStatus['kind'], more: Partial<SourceStatus>): SourceStatus {
  return { name, kind, title: name, state: 'ready', isFailing: false, unset: [], ...more }
}

/** Texts of a row's cells, as they are read. */
function cellsOf(row: string): readonly string[] {
  const whole = row.replaceAll(/<wbr[^>]*>/g, '')
  return [...whole.matchAll(/<t[hd][^>]*>([\s\S]*?)<\/t[hd]>/g)].map(([, cell = '']) =>
    cell
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

  before(async () => {
    dashboard = await startDashboard({ sources: { states: () => sources } })
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
      }),
      source('spotify', 'links', { title: 'Spotify', state: 'off' }),
    ]
  })

  /** The cells of each row as a reader sees them. */
  async function rowsFor(name: string, headers?: Readonly<Record<string, string>>) {
    const visitor = dashboard.visitor((await dashboard.context.accounts.findByName(name)) ?? undefined)
    const { status, text } = await visitor.get(path, headers)
    expect(status).to.equal(200)
    const [, body = ''] = /<tbody[^>]*>([\s\S]*)<\/tbody>/.exec(text) ?? []
    return body.split('</tr>').slice(0, -1).map(cellsOf)
  }

  it('shows members what each source plays, and its state', async () => {
    const rows = await rowsFor('Eve')
    expect(rows.map(([name, , state]) => [name, state])).to.deep.equal([
      ['Library library', 'on'],
      ['URLs http', 'on'],
      ['SoundCloud soundcloud', 'unreachable It didn’t respond in time. Searches skip it until it recovers.'],
      ['YouTube youtube', 'needs yt-dlp Without yt-dlp it finds tracks but can play only a few.'],
      ['Radio stations radio', 'off'],
      ['Subsonic subsonic', 'needs a setting SUBSONIC_URL, SUBSONIC_USER'],
      ['Spotify spotify', 'off'],
    ])
    expect(rows[2]?.[1]).to.equal('Tracks of SoundCloud, by name or link')
    expect(rows.every((cells) => cells.length === 3)).to.equal(true)
  })

  it('shows operators the line that switches each one off or on', async () => {
    expect((await rowsFor('Ada')).map((cells) => cells[3])).to.deep.equal([
      'To turn it off: MUSIC_SOURCES=http,soundcloud,youtube',
      'To turn it off: MUSIC_SOURCES=library,soundcloud,youtube',
      'To turn it off: MUSIC_SOURCES=library,http,youtube',
      'To turn it off: MUSIC_SOURCES=library,http,soundcloud',
      'To turn it on: MUSIC_SOURCES=library,http,soundcloud,youtube,radio',
      'To turn it on: MUSIC_SOURCES=library,http,soundcloud,youtube,subsonic SUBSONIC_URL=… SUBSONIC_USER=…',
      'To turn it on: MUSIC_SOURCES=library,http,soundcloud,youtube,spotify',
    ])
    sources = sources.slice(0, 1)
    expect((await rowsFor('Ada'))[0]?.[3]).to.equal('At least one source must be on.')
  })

  it('speaks German', async () => {
    const [library, , soundCloud, youTube] = await rowsFor('Eve', { 'accept-language': 'de' })
    expect(library?.slice(0, 3)).to.deep.equal([
      'Bibliothek library',
      'Audiodateien in einem Ordner des Dienstes, nach Namen',
      'an',
    ])
    expect(soundCloud?.[2]).to.match(/^nicht erreichbar /)
    expect(youTube?.[2]).to.match(/^braucht yt-dlp/)
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

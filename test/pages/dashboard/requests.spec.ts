import { expect } from 'chai'
import { firstIdAt, type LoggedRequest } from '../../../lib/request-log/request-log.ts'
import { expectAccessible, launchBrowser, openTab } from '../../support/browser.ts'
import { closing } from '../../support/closing.ts'
import { signedInCookie, startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { loggedRequest } from '../../support/example-requests.ts'
import { temporaryRequestLog, type TemporaryRequestLog } from '../../support/request-log.ts'

const NOON = Date.UTC(2026, 10, 21, 12)
const REFUSED = {
  requestId: 'refused:1',
  method: 'POST',
  operation: 'play',
  route: '/v1/music/guilds/{guildId}/play',
  path: '/v1/music/guilds/81384788765712384/play',
  status: 422,
  code: 'validation_error',
  message: 'body.channelId: Must be a Discord ID of 17 to 20 digits.',
} as const

/** The request ids that a list links to. */
function linksIn(text: string): readonly (string | undefined)[] {
  return [...text.matchAll(/href="[^"]*\/requests\/([\w.:-]+)\?n=/g)].map(([, requestId]) => requestId)
}

describe('the pages of requests', () => {
  const close = closing(after)
  let log: TemporaryRequestLog
  let dashboard: TestDashboard
  let ada: Visitor
  let projectId: string
  let base: string
  let count: number
  /** So that requests of two tests do not share an id. */
  let project = 0

  before(async () => {
    log = close(temporaryRequestLog())
    const traceUrl = 'https://traces.test/t/{traceId}?from=bandstand'
    dashboard = close(await startDashboard({ requests: log.requests, traceUrl }))
  })
  beforeEach(async () => {
    projectId = (await dashboard.project('Harbour radio')).id
    base = `/dashboard/projects/${projectId}/requests`
    ada = dashboard.visitor(await dashboard.person(`Ada ${projectId}`, { [projectId]: 'viewer' }))
    count = 0
    project++
  })

  /** A request of the project, a minute after the previous one. */
  const add = (given: Partial<LoggedRequest> = {}) => {
    const id = firstIdAt(NOON + count * 60_000) + project
    log.requests.add(loggedRequest({ id, projectId, requestId: `request-${count++}`, ...given }))
  }

  const shown = async (query: string) => linksIn((await ada.get(`${base}?${query}`)).text)

  it('list the requests of the project, the newest first, with what was refused and why', async () => {
    add()
    add(REFUSED)
    const { status, text } = await ada.get(base)
    expect(status).to.equal(200)
    expect(linksIn(text)).to.deep.equal(['refused:1', 'request-0'])
    expect(text).to.contain(REFUSED.message)
  })

  it('find a request by its id, and show the one that is found', async () => {
    add(REFUSED)
    add()
    const { status, location } = await ada.get(`${base}?q=refused:1`)
    expect(status).to.equal(303)
    const { text } = await ada.get(location ?? '')
    expect(text).to.contain(REFUSED.message)
    expect((await ada.get(`${base}?q=unknown`)).text).to.contain('No matching requests')
  })

  it('find a part of a path, an error or the name of a key, and sum errors up by code and route', async () => {
    const recent = firstIdAt(Date.now() - 60_000) + project * 8
    const { id: keyId } = await dashboard.context.keys.create({ projectId, name: 'Jukebox of the canteen' })
    add({ id: recent })
    add({ ...REFUSED, id: recent + 1 })
    add({ ...REFUSED, id: recent + 2, requestId: 'refused:2', path: null, keyId })
    expect(await shown('q=81384788765712384')).to.deep.equal(['refused:1'])
    expect(await shown('q=DISCORD+id')).to.deep.equal(['refused:2', 'refused:1'])
    expect(await shown('q=jukebox')).to.deep.equal(['refused:2'])
    expect(await shown('q=jukebox&status=2xx')).to.deep.equal([])
    const { text } = await ada.get(base)
    expect(text).to.match(/href="[^"]*status=error&amp;route=play&amp;code=validation_error"\s*>\s*<b>2<\/b>/)
    expect(text).to.contain('/v1/music/guilds/81384788765712384</span>')
    const filtered = await ada.get(`${base}?status=error&route=play&q=jukebox`)
    expect(filtered.text).to.contain(`href="${base}?status=error&amp;q=jukebox"`)
  })

  it('tell all of one request, what its error means, how to fix it, and how to send it again', async () => {
    add({ ...REFUSED, traceId: '0af7651916cd43dd8448eb211c80319c' })
    const { text } = await ada.get(`${base}/refused:1`)
    for (const said of [
      '422',
      REFUSED.message,
      'Correct the field in the message',
      'Allowed: 5,999 of 6,000 per minute left for “Lists, lookups, jobs, text”',
      '192.0.2.7',
      'https://traces.test/t/0af7651916cd43dd8448eb211c80319c?from=bandstand',
      `curl -X POST &#39;${dashboard.baseUrl}${REFUSED.path}&#39;`,
      'Authorization: Bearer svc.YOUR_KEY',
    ])
      expect(text).to.contain(said)
    const german = await ada.get(`${base}/refused:1`, { 'accept-language': 'de' })
    expect(german.text).to.contain('So behebst du das')
  })

  it('tell several with one id apart', async () => {
    add({ requestId: 'twice', status: 503, code: 'service_unavailable', message: 'Away.' })
    add({ requestId: 'twice' })
    const newest = await ada.get(`${base}/twice`)
    expect(newest.text).not.to.contain('Away.')
    const [, older = ''] = /href="([^"]*\/requests\/twice\?n=[^"]+)"/.exec(newest.text) ?? []
    expect((await ada.get(older)).text).to.contain('Away.')
  })

  it('filter by status, route, code, key and a span of time, as links of other pages ask for', async () => {
    add()
    add(REFUSED)
    add({ status: 503, code: 'service_unavailable', operation: 'search', keyId: 'key-other' })
    expect(await shown('status=error')).to.deep.equal(['request-2', 'refused:1'])
    expect(await shown('status=5xx')).to.deep.equal(['request-2'])
    expect(await shown('route=play')).to.deep.equal(['refused:1'])
    expect(await shown('code=validation_error')).to.deep.equal(['refused:1'])
    expect(await shown('key=key-other')).to.deep.equal(['request-2'])
    expect(await shown('from=2026-11-21T12:01:00.000Z&to=2026-11-21T12:02:00.000Z')).to.deep.equal(['refused:1'])
    expect(await shown('from=2026-11-21T12:02')).to.deep.equal(['request-2'])
    expect(await shown('from=2026-11-21T13:02:00%2B01:00')).to.deep.equal(['request-2'])
    expect(await shown('status=nonsense&from=yesterday')).to.have.length(3)
  })

  it('lead on to older requests and back to the newest', async () => {
    for (let i = 0; i < 60; i++) add()
    const first = await ada.get(`${base}?status=2xx`)
    expect(linksIn(first.text)).to.have.length(50)
    const [, older = ''] = /href="([^"]*before=[^"]+)"/.exec(first.text) ?? []
    const second = await ada.get(older.replaceAll('&amp;', '&'))
    expect(linksIn(second.text)).to.deep.equal(Array.from({ length: 10 }, (_, i) => `request-${9 - i}`))
  })

  it('show no request of a project to those who are not in it', async () => {
    add(REFUSED)
    const other = await dashboard.project('Another')
    const eve = dashboard.visitor(await dashboard.person(`Eve ${projectId}`, { [other.id]: 'owner' }))
    for (const path of [base, `${base}/refused:1`, `${base}/live`, '/dashboard/requests/refused:1']) {
      const { status, text } = await eve.get(path)
      expect([path, status]).to.deep.equal([path, 404])
      expect(text).not.to.contain(REFUSED.message)
    }
    const own = `/dashboard/projects/${other.id}/requests`
    expect((await eve.get(`${own}/refused:1`)).status).to.equal(404)
    expect(linksIn((await eve.get(own)).text)).to.deep.equal([])
  })

  it('are where the `Link` of a refusal leads', async () => {
    const { key } = await dashboard.context.keys.create({ projectId })
    const headers = { authorization: `Bearer ${key}` }
    const refused = await fetch(`${dashboard.baseUrl}/v1/nothing/here`, { headers })
    const [, url = ''] = /^<([^>]+)>; rel="describedby"/.exec(refused.headers.get('link') ?? '') ?? []
    const { status, location } = await ada.get(url.replace(dashboard.baseUrl, ''))
    expect(status).to.equal(303)
    expect((await ada.get(location ?? '')).text).to.contain('No route has this path.')
    const succeeded = await fetch(`${dashboard.baseUrl}/v1/tools/binary/encode?text=Hi`, { headers })
    expect(succeeded.headers.get('link')).to.equal(null)
    const keyless = await fetch(`${dashboard.baseUrl}/v1/jobs`)
    expect(keyless.headers.get('link')).to.equal(null)
  })
})

describe('the pages of requests in a browser', () => {
  const close = closing()

  it('tell in three clicks from the overview why a request failed, show new ones live, and axe finds nothing wrong', async function () {
    this.timeout(120_000)
    const log = close(temporaryRequestLog())
    const dashboard = close(await startDashboard({ requests: log.requests }))
    const { id: projectId } = await dashboard.project('Harbour radio')
    await dashboard.person('Ada', { [projectId]: 'viewer' })
    const yesterday = firstIdAt(Date.now() - 86_400_000)
    for (let i = 0; i < 30; i++) log.requests.add(loggedRequest({ projectId, id: yesterday + i, requestId: `ok-${i}` }))
    log.requests.add(loggedRequest({ ...REFUSED, projectId, id: yesterday + 30 }))
    const browser = close(await launchBrowser())
    const { page, context, complaints } = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await context.addCookies([await signedInCookie(dashboard, 'Ada')])

    await page.goto(`/dashboard/projects/${projectId}`)
    await page.click('nav >> text=Requests')
    await page.click('main nav >> text=Errors')
    await page.click('main tbody a')
    await page.waitForSelector(`[data-drawer] >> text=${REFUSED.message}`)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.waitForSelector('main tbody a:focus')
    expect(await page.locator('[data-drawer]').isVisible()).to.equal(false)
    await page.setViewportSize({ width: 820, height: 1180 })
    await page.click('main tbody a')
    await page.waitForURL('**/requests/refused:1?n=*')
    await page.setViewportSize({ width: 1280, height: 800 })

    await page.goto(`/dashboard/projects/${projectId}/requests`)
    await page.waitForSelector('[data-live]:not([hidden])')
    const rows = page.locator('main tbody tr')
    expect(await rows.count()).to.equal(31)
    const seen = `[...document.querySelectorAll('main tbody tr')].filter((row) => row.getBoundingClientRect().bottom <= innerHeight)`
    expect(await page.evaluate<number>(`${seen}.length`)).to.be.at.least(15)
    await page.click('thead >> text=Status')
    await page.click('thead >> text=Status')
    expect(await rows.first().textContent()).to.include('422')
    log.requests.add(loggedRequest({ projectId, id: log.requests.nextId(), requestId: 'just-now' }))
    await page.waitForSelector('main tbody tr:first-child a[href*="just-now"]')
    expect(await rows.count()).to.equal(32)

    await page.click('summary')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await expectAccessible(page)
    }
    await page.setViewportSize({ width: 360, height: 740 })
    await page.waitForFunction('document.documentElement.scrollWidth <= innerWidth')
    expect(complaints).to.deep.equal([])
  })
})

import { expect } from 'chai'
import type { Browser } from 'playwright'
import { expectAccessible, launchBrowser, openTab, type Tab } from '../../support/browser.ts'
import { csrfOf, signedInCookie, startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { eventually } from '../../support/service.ts'
import { isSignedBy, startReceiver, type Receiver, type Received } from '../../support/webhooks.ts'

describe('the pages of webhooks', () => {
  let dashboard: TestDashboard
  let receiver: Receiver
  let browser: Browser
  let tab: Tab
  let visitor: Visitor
  let projectId: string
  let base: string
  /** Status that the receiver returns. */
  let status = 200

  before(async () => {
    dashboard = await startDashboard()
    receiver = await startReceiver((response) => response.writeHead(status).end('from the receiver'))
    projectId = (await dashboard.project('Harbour radio')).id
    base = `/dashboard/projects/${projectId}/webhooks`
    const ada = await dashboard.person('Ada', { [projectId]: 'owner' })
    await dashboard.context.bots.add({ id: '900000000000000001', projectId, name: 'Horn', token: 'abcdefghijkl' })
    visitor = dashboard.visitor(ada)
    browser = await launchBrowser()
    tab = await openTab(browser, { baseURL: dashboard.baseUrl, locale: 'en-GB' })
    await tab.context.addCookies([await signedInCookie(dashboard, 'Ada')])
  })
  after(async () => {
    await browser.close()
    await dashboard.close()
    await receiver.close()
  })

  const told = (botId: string) =>
    dashboard.context.events.emit({ projectId, event: { type: 'queueEmptied', botId, guildId: '1' } })
  const deeds = async () =>
    (await dashboard.context.audit.list({ projectId, limit: 50 })).entries.map(({ action }) => action)

  it('make one whose secret is shown once, test it, and lead through a failure to the end', async () => {
    const { page } = tab
    await page.goto(base)
    await page.click('text=New webhook')
    await page.fill('#url', 'http://10.0.0.7/inner')
    await page.fill('#description', 'Lobby screen')
    await page.click('text=Create webhook')
    expect(await page.textContent('#url-problem')).to.include('10.0.0.7 has no public address')
    await page.fill('#url', 'ftp://example.com/')
    await page.click('text=Create webhook')
    await page.waitForSelector('#url-problem:has-text("Enter a URL that starts with https://")')
    await page.fill('#url', receiver.url)
    await page.check('input[name=bots]')
    await page.click('text=Create webhook')
    await page.waitForURL('**/shown?ticket=*')
    const secret = (await page.textContent('.secret code')) ?? ''
    expect(secret).to.match(/^whsec_[A-Za-z0-9+/]{43}=$/)
    await expectAccessible(page)
    await page.reload()
    expect(await page.textContent('main'))
      .to.include('already shown')
      .and.not.include(secret)
    await page.click('text="Lobby screen" >> nth=-1')
    await page.click('text=Send a test')
    await page.waitForURL('**/deliveries/*')
    expect(await page.textContent('main'))
      .to.include('delivered')
      .and.include('from the receiver')
    const [test] = await receiver.count(1)
    expect(await isSignedBy(secret, test as Received)).to.equal(true)
    expect(JSON.parse(test?.body ?? '').type).to.equal('test')
    status = 503
    told('900000000000000002')
    told('900000000000000001')
    await receiver.count(2)
    const [hook] = await dashboard.context.webhooks.webhooks.list(projectId)
    const question = { projectId, webhookId: hook?.id ?? '', state: null, before: null, limit: 1 }
    await eventually(
      async () => (await dashboard.context.webhooks.deliveries.list(question))[0],
      (latest) => latest?.type === 'queueEmptied' && latest.last !== null,
    )
    await page.goto(base)
    await page.click('text=Lobby screen')
    await page.click('text=/Pending 1/')
    expect(await page.textContent('tbody'))
      .to.include('queueEmptied')
      .and.include('503')
    await page.click('tbody >> text=queueEmptied')
    await page.waitForSelector('dl:has-text("retrying")')
    status = 200
    await page.click('text=Resend')
    await page.waitForSelector('dl:has-text("delivered")')
    expect(await page.locator('tbody tr').count()).to.equal(2)
    expect(receiver.received).to.have.lengthOf(3)
    expect(tab.complaints.filter((line) => !line.includes('422'))).to.deep.equal([])
    expect((await deeds()).slice(0, 3)).to.deep.equal(['webhook.redelivered', 'webhook.tested', 'webhook.created'])
  })

  it('are without fault for axe, in light and dark, and fit a phone', async () => {
    const { page } = tab
    const [hook] = await dashboard.context.webhooks.webhooks.list(projectId)
    const question = { projectId, webhookId: hook?.id ?? '', state: null, before: null, limit: 1 }
    const [delivery] = await dashboard.context.webhooks.deliveries.list(question)
    const paths = ['', '/edit', '/rotate', '/remove', `/deliveries/${delivery?.id}`].map(
      (path) => `/${hook?.id}${path}`,
    )
    for (const path of ['', ...paths]) {
      await page.goto(base + path)
      await expectAccessible(page)
      await page.setViewportSize({ width: 360, height: 740 })
      expect(await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'), path).to.equal(true)
      await page.setViewportSize({ width: 1280, height: 720 })
    }
    await page.emulateMedia({ colorScheme: 'dark' })
    await expectAccessible(page, ['color-contrast'])
  })

  it('pause, resume, change, rotate and delete without script, each written down', async () => {
    const [hook] = await dashboard.context.webhooks.webhooks.list(projectId)
    const to = `${base}/${hook?.id}`
    const now = () => dashboard.context.webhooks.webhooks.get(projectId, hook?.id ?? '')
    expect((await visitor.post(`${to}/pause`, {}, { page: to })).location).to.equal(`${to}?done=paused`)
    const before = receiver.received.length
    told('900000000000000001')
    expect((await visitor.post(`${to}/test`, {}, { page: to })).location).to.equal(`${to}?not=inactive`)
    expect((await visitor.get(`${to}?not=inactive`)).text).to.include('Resume it first')
    await visitor.post(`${to}/resume`, {}, { page: to })
    const choice = { url: receiver.url, description: 'Foyer', events: ['jobEnded', 'trackEnded'] }
    expect((await visitor.post(`${to}/edit`, { ...choice, events: [] })).text).to.include('Select at least one event')
    expect((await visitor.post(`${to}/edit`, choice)).location).to.equal(`${to}?done=changed`)
    expect(await now()).to.deep.include({ description: 'Foyer', events: ['jobEnded', 'trackEnded'], botIds: null })
    told('900000000000000001')
    const { location } = await visitor.post(`${to}/rotate`, { grace: '3600' })
    const { text } = await visitor.get(location ?? '')
    const secret = /whsec_[A-Za-z0-9+/]{43}=/.exec(text)?.[0] ?? ''
    await visitor.post(`${to}/test`, {}, { page: to })
    const sent = receiver.received.slice(before)
    expect(sent.map(({ body }) => JSON.parse(body).type)).to.deep.equal(['test'])
    expect(await isSignedBy(secret, sent[0] as Received)).to.equal(true)
    expect(String(sent[0]?.headers['webhook-signature']).split(' ')).to.have.lengthOf(2)
    expect((await visitor.post(`${to}/remove`)).location).to.equal(`${base}?done=removed`)
    expect((await visitor.get(to)).status).to.equal(404)
    expect((await deeds()).slice(0, 6)).to.deep.equal([
      'webhook.removed',
      'webhook.tested',
      'webhook.rotated',
      'webhook.changed',
      'webhook.resumed',
      'webhook.paused',
    ])
  })

  it('make one however often the button was pressed, and ten at most', async () => {
    const { text } = await visitor.get(`${base}/new`)
    const once = /name="once" value="([0-9a-f]+)"/.exec(text)?.[1] ?? ''
    const choice = { url: receiver.url, description: 'twice', events: ['jobEnded'], once }
    const first = await visitor.post(`${base}/new`, choice, { csrf: csrfOf(text) })
    const second = await visitor.post(`${base}/new`, choice, { csrf: csrfOf(text) })
    expect(second.location).to.equal(first.location)
    for (let i = 1; i < 10; i += 1) await visitor.post(`${base}/new`, { ...choice, once: '' })
    expect(await dashboard.context.webhooks.webhooks.list(projectId)).to.have.lengthOf(10)
    const eleventh = await visitor.post(`${base}/new`, { ...choice, once: '' })
    expect([eleventh.status, /Limit of 10 webhooks reached/.test(eleventh.text)]).to.deep.equal([422, true])
  })

  it('send everything again that had failed', async () => {
    const [hook] = await dashboard.context.webhooks.webhooks.list(projectId)
    const webhookId = hook?.id ?? ''
    const to = `${base}/${webhookId}`
    status = 410
    dashboard.context.events.emit({
      projectId,
      event: { type: 'jobEnded', jobId: 'j', jobType: 't', status: 'failed' },
    })
    await eventually(
      () => dashboard.context.webhooks.webhooks.get(projectId, webhookId),
      ({ state }) => state === 'disabled',
    )
    expect((await visitor.get(to)).text).to.include('the URL returned 410')
    expect((await visitor.post(`${to}/recover`, {}, { page: to })).location).to.equal(`${to}?not=inactive`)
    status = 200
    await visitor.post(`${to}/resume`, {}, { page: to })
    expect((await visitor.get(to)).text).to.include('Resend failed (1)')
    await visitor.post(`${to}/recover`, {}, { page: to })
    await eventually(
      () => dashboard.context.webhooks.deliveries.counts(projectId, webhookId),
      ({ delivered, failed }) => delivered === 1 && failed === 0,
    )
  })
})

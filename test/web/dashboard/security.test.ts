import { expect } from 'chai'
import { PAGES } from '../../../web/dashboard/pages/index.ts'
import type { Account } from '../../../db/people/accounts.ts'
import { csrfOf, startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { startReceiver } from '../../support/webhooks.ts'

const SCRIPT = `"'><script>alert(1)</script><img src=x onerror=alert(1)>`
const BOT = '900000000000000001'
const FOREIGN_BOT = '900000000000000002'

describe('dashboard under attack', () => {
  let dashboard: TestDashboard
  let own: string
  let foreign: string
  let owner: Account
  let viewer: Account
  /** Values of each path parameter, in the own project and in the other one. */
  let ids: { own: Record<string, string>; foreign: Record<string, string> }

  before(async () => {
    dashboard = await startDashboard()
    const { context } = dashboard
    own = (await dashboard.project('Own')).id
    foreign = (await dashboard.project('Foreign secret')).id
    owner = await dashboard.person('Owner', { [own]: 'owner' })
    viewer = await dashboard.person('Viewer', { [own]: 'viewer' })
    const stranger = await dashboard.person('Stranger', { [foreign]: 'owner' })
    await context.bots.add({ id: BOT, projectId: own, name: 'Horn', token: 'abcdefghijkl' })
    await context.bots.add({ id: FOREIGN_BOT, projectId: foreign, name: 'Foreign horn', token: 'abcdefghijkl' })
    const invite = async (projectId: string) => {
      await context.links.make({ kind: 'invitation', projectId, role: 'viewer', madeBy: 'x', lifetimeMs: 3_600_000 })
      return (await context.links.invitations(projectId))[0]?.id ?? ''
    }
    const things = async (projectId: string, botId: string, accountId: string) => ({
      ...(await sentTo(dashboard, projectId, 'http://127.0.0.1:1/secret')),
      projectId,
      keyId: (await context.keys.create({ projectId, name: 'secret key' })).id,
      botId,
      accountId,
      linkId: await invite(projectId),
      sessionId: 'ses_0',
    })
    ids = { own: await things(own, BOT, viewer.id), foreign: await things(foreign, FOREIGN_BOT, stranger.id) }
  })
  after(() => dashboard.close())

  const PROJECT_ROUTES = PAGES.filter(({ path }) => path.includes(':projectId'))

  it('shows nothing of a project to those who are not in it: its pages and forms do not exist for them', async () => {
    const visitor = dashboard.visitor(owner)
    for (const { method, path } of PROJECT_ROUTES) {
      const { status, text } = await ask(visitor, method, fill(path, ids.foreign))
      expect(status, `${method} ${path}`).to.equal(404)
      expect(text).not.to.match(/Foreign|secret/)
    }
  })

  it('finds nothing of another project under the own one', async () => {
    const visitor = dashboard.visitor(owner)
    const routes = PROJECT_ROUTES.filter(({ path }) => /:(?!projectId)/.test(path))
    expect(routes.length).to.be.greaterThan(12)
    for (const { method, path } of routes) {
      const { status } = await ask(visitor, method, fill(path, { ...ids.foreign, projectId: own }))
      expect(status, `${method} ${path}`).to.equal(404)
    }
    const form = { name: 'x', bot: FOREIGN_BOT, expires: 'never', allow: '', classes: ['cheap'] }
    const path = `/dashboard/projects/${own}/keys/new`
    expect((await visitor.post(path, form)).status).to.equal(404)
    const hook = { url: 'http://127.0.0.1/', description: '', events: ['jobEnded'], bots: [FOREIGN_BOT] }
    expect((await visitor.post(`/dashboard/projects/${own}/webhooks/new`, hook)).status).to.equal(404)
    const { webhookId } = ids.own
    const delivery = `/dashboard/projects/${own}/webhooks/${webhookId}/deliveries/${ids.foreign['deliveryId']}`
    expect((await visitor.get(delivery)).status).to.equal(404)
    const again = await visitor.post(`${delivery}/redeliver`, {}, { page: '/dashboard/account' })
    expect(again.status).to.equal(404)
  })

  it('lets each role do what it may and nothing more', async () => {
    const visitor = dashboard.visitor(viewer)
    for (const { method, path, access } of PROJECT_ROUTES) {
      const { status } = await ask(visitor, method, fill(path, { ...ids.own, accountId: owner.id }))
      const isForbidden = access !== 'viewer' || path.endsWith(':accountId/remove')
      expect(status === 403, `${method} ${path} answered ${status}`).to.equal(isForbidden)
    }
  })

  it('sends everybody else to the door', async () => {
    for (const { method, path, access } of PAGES) {
      if (access === 'anyone') continue
      const { status, location } = await dashboard.visitor().get(fill(path, ids.own))
      if (method === 'GET') {
        expect([status, location?.split('?')[0]], path).to.deep.equal([303, '/dashboard/sign-in'])
      }
    }
  })

  it('takes no form without its token, with one of another session, or from another site', async () => {
    const visitor = dashboard.visitor(owner)
    const other = dashboard.visitor(owner)
    const theirs = csrfOf((await other.get('/dashboard/account')).text)
    const mine = csrfOf((await visitor.get('/dashboard/account')).text)
    for (const { method, path } of PAGES) {
      if (method !== 'POST') continue
      const to = fill(path, ids.own)
      expect((await visitor.post(to, {}, { csrf: '' })).status, path).to.equal(403)
      expect((await visitor.post(to, {}, { csrf: theirs })).status, path).to.equal(403)
    }
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const send = (headers: Readonly<Record<string, string>>) =>
      fetch(`${dashboard.baseUrl}/dashboard/looks`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, ...headers },
        body: new URLSearchParams({ csrf: mine, theme: 'dark' }),
      })
    expect((await send({ 'sec-fetch-site': 'cross-site' })).status).to.equal(403)
    expect((await send({ 'sec-fetch-site': 'same-site' })).status).to.equal(403)
    expect((await send({ origin: 'https://evil.example' })).status).to.equal(403)
    expect((await send({ origin: 'null' })).status).to.equal(403)
    expect((await send({ origin: dashboard.baseUrl })).status).to.equal(303)
    const json = { method: 'POST', headers: { cookie, 'content-type': 'application/json' }, body: '{}' }
    expect((await fetch(`${dashboard.baseUrl}/dashboard/looks`, json)).status).to.equal(415)
  })

  it('shows what people and programs have written as text, in every place', async () => {
    const { context } = dashboard
    const hostile = await context.projects.create({ name: SCRIPT, plan: 'free' })
    const mallory = await context.accounts.create({ name: SCRIPT, isOperator: true, password: 'x' })
    await context.memberships.set(hostile.id, mallory.id, 'owner')
    const id = '900000000000000003'
    await context.bots.add({ id, projectId: hostile.id, name: SCRIPT, token: 'abcdefghijkl' })
    const key = await context.keys.create({ projectId: hostile.id, name: SCRIPT, botId: id })
    await context.links.make({
      kind: 'invitation',
      projectId: hostile.id,
      role: 'viewer',
      madeBy: SCRIPT,
      lifetimeMs: 60_000,
    })
    await context.sessions.open({ accountId: mallory.id, address: '127.0.0.1', userAgent: SCRIPT })
    const subcommand = { accountId: mallory.id, who: SCRIPT, address: SCRIPT, action: SCRIPT, target: SCRIPT }
    await context.audit.write({ ...subcommand, projectId: hostile.id, detail: { [SCRIPT]: SCRIPT } })
    await context.audit.write({ ...subcommand, projectId: null, detail: {} })
    dashboard.fleet.guildsOf = () => [
      { id: SCRIPT, name: SCRIPT, members: 1, channels: [{ id: SCRIPT, name: SCRIPT }] },
    ]
    const receiver = await startReceiver((response) => response.writeHead(500).end(SCRIPT))
    const sent = await sentTo(dashboard, hostile.id, receiver.url)
    await receiver.close()
    const values = { ...ids.own, ...sent, projectId: hostile.id, keyId: key.id, botId: id, accountId: mallory.id }
    const visitor = dashboard.visitor(mallory)
    let shown = 0
    for (const { method, path } of PAGES) {
      const query = new URLSearchParams()
      for (const name of ['done', 'not', 'shown', 'next', 'ticket', 'before', 'token', 'bot', 'state'])
        query.set(name, SCRIPT)
      if (method !== 'GET' || path === '/dashboard/enter') continue
      const { text, headers } = await visitor.get(`${fill(path, values)}?${query.toString()}`)
      if (!headers.get('content-type')?.startsWith('text/html')) continue
      expect(text, path).not.to.match(/<script>|<img|onerror=alert\(1\)>/)
      if (text.includes('&lt;script&gt;')) shown += 1
    }
    expect(shown).to.be.greaterThan(12)
    const csv = await visitor.get(`/dashboard/projects/${hostile.id}/audit/export.csv`)
    expect(csv.headers.get('content-disposition')).to.match(/^attachment/)
    const again = await dashboard.visitor().post('/dashboard/sign-in', { name: SCRIPT, password: SCRIPT, next: SCRIPT })
    expect(again.text).to.include('&lt;script&gt;').and.not.include('<script>alert')
  })

  it('writes no formula into a table for spreadsheets', async () => {
    const who = '=HYPERLINK("http://evil.example")'
    const subcommand = {
      projectId: own,
      accountId: null,
      who,
      address: '',
      action: 'key.created',
      target: '@x',
      detail: {},
    }
    await dashboard.context.audit.write(subcommand)
    const { text } = await dashboard.visitor(owner).get(`/dashboard/projects/${own}/audit/export.csv`)
    expect(text).to.include(`"'=HYPERLINK(""http://evil.example"")"`).and.include(`'@x`)
  })

  it('leads nowhere else than to its own pages', async () => {
    const places = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/dashboard/../x',
      'javascript:alert(1)',
    ]
    for (const place of [
      ...places,
      '/dashboard@evil.example',
      '/dashboard//evil.example',
      '/dashboard\n',
      '/v1/status',
    ]) {
      const visitor = dashboard.visitor(owner)
      const looks = { from: place, theme: 'light' }
      const { location } = await visitor.post('/dashboard/looks', looks, { page: '/dashboard/account' })
      expect(location, place).to.equal('/dashboard')
      const { text } = await dashboard.visitor().get(`/dashboard/sign-in?next=${encodeURIComponent(place)}`)
      expect(text).to.include('name="next" value="/dashboard"')
    }
  })

  it('cannot be framed, sniffed or kept by anybody between, and runs no script but its own', async () => {
    const visitor = dashboard.visitor(owner)
    for (const path of [
      '/dashboard/account',
      '/dashboard/sign-in',
      '/dashboard/nothing',
      `/dashboard/projects/${own}`,
    ]) {
      const { headers, text } = await visitor.get(path)
      const policy = headers.get('content-security-policy') ?? ''
      expect(policy, path).to.include("frame-ancestors 'none'").and.include("script-src 'self';")
      expect(policy).to.include("form-action 'self'").and.include("base-uri 'none'").and.not.include('unsafe')
      expect(headers.get('x-frame-options')).to.equal('DENY')
      expect(headers.get('x-content-type-options')).to.equal('nosniff')
      expect(headers.get('cache-control')).to.equal('no-store')
      expect(headers.get('access-control-allow-origin')).to.equal(null)
      expect(text).not.to.match(/<script(?! type="module" src=)|<style/)
      // Names chosen by others are attribute values, where they are text.
      expect(text.replaceAll(/="[^"]*"/g, '=""')).not.to.match(/<[^<>]*\s(?:style|on[a-z]+)=/)
    }
  })

  it('keeps its cookies from scripts and other sites, and on https from every other host', async () => {
    const plain = (await dashboard.visitor().get('/dashboard/sign-in')).headers.getSetCookie()
    expect(plain.join()).to.match(/^bandstand_visitor=\w+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/)
    const secure = await startDashboard({ baseUrl: () => 'https://music.example.org' })
    const cookies = (await secure.visitor().get('/dashboard/sign-in')).headers.getSetCookie()
    expect(cookies.join()).to.match(/^__Host-bandstand_visitor=\w+; Path=\/; HttpOnly; SameSite=Lax; .*; Secure$/)
    await secure.close()
  })

  it('answers what it does not know without telling anything, and bounds what it reads', async () => {
    const visitor = dashboard.visitor(owner)
    expect((await visitor.get('/dashboard/%00')).status).to.equal(404)
    expect((await visitor.get('/dashboard/projects/__proto__')).status).to.equal(404)
    expect((await visitor.get(`/dashboard/projects/${own}/keys/constructor`)).status).to.equal(404)
    const put = await fetch(`${dashboard.baseUrl}/dashboard/projects`, { method: 'PUT' })
    expect([put.status, put.headers.get('allow')]).to.deep.equal([405, 'GET, HEAD'])
    const huge = await visitor.post('/dashboard/looks', { from: 'x'.repeat(70_000) }, { csrf: 'x' })
    expect(huge.status).to.equal(413)
  })
})

/** A webhook of a project, and what was sent to it. */
async function sentTo({ context }: TestDashboard, projectId: string, url: string) {
  const choice = { url, description: SCRIPT, events: ['jobEnded'], botIds: null } as const
  const { id: webhookId } = await context.webhooks.webhooks.create(projectId, choice)
  return { webhookId, deliveryId: (await context.webhooks.sendTest(projectId, webhookId)) ?? '' }
}

/** A path with its parameters. */
function fill(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/:(\w+)/g, (_, name: string) => values[name] ?? 'x')
}

function ask(visitor: Visitor, method: string, path: string) {
  return method === 'GET' ? visitor.get(path) : visitor.post(path, {}, { page: '/dashboard/account' })
}

import { expect } from 'chai'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'

const DAY_MS = 86_400_000

/** Names of the keys that a list links to. */
function namesIn({ text }: { readonly text: string }): readonly (string | undefined)[] {
  return [...text.matchAll(/<th[^>]*><a href="[^"]*\/keys\/key_[^"]*">([^<]*)<\/a>/g)].map(([, name]) => name)
}

describe('keys in the dashboard', () => {
  let dashboard: TestDashboard
  let ada: Visitor
  let eve: Visitor
  let projectId: string
  let base: string

  beforeEach(async () => {
    dashboard = await startDashboard()
    projectId = (await dashboard.project('Band')).id
    base = `/dashboard/projects/${projectId}/keys`
    ada = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'manager' }))
    eve = dashboard.visitor(await dashboard.person('Eve', { [projectId]: 'viewer' }))
  })
  afterEach(() => dashboard.close())

  it('are listed as active or all, the newest first, found by name or prefix, and read page by page', async () => {
    const { keys } = dashboard.context
    for (let i = 0; i < 210; i++) {
      const { id } = await keys.create({ projectId, name: `Program ${i}` })
      if (i < 200) await keys.revoke(projectId, id)
    }
    expect(namesIn(await ada.get(base))).to.deep.equal(Array.from({ length: 10 }, (_, i) => `Program ${209 - i}`))
    const all = await ada.get(`${base}?shown=all`)
    expect(namesIn(all)).to.have.length(100)
    const [, older = ''] = /href="([^"]*before=[^"]+)"/.exec(all.text) ?? []
    expect(namesIn(await ada.get(older.replaceAll('&amp;', '&')))[0]).to.equal('Program 109')
    expect(namesIn(await ada.get(`${base}?shown=all&q=PROGRAM+77`))).to.deep.equal(['Program 77'])
    expect(namesIn(await ada.get(`${base}?q=program+77`))).to.deep.equal([])
    const [first] = await keys.list(projectId)
    expect(namesIn(await ada.get(`${base}?shown=all&q=svc.${first?.prefix}`))).to.deep.equal(['Program 0'])
  })

  it('are renamed and limited by managers in place, and it is written down what changed', async () => {
    const { keys, audit } = dashboard.context
    const { id, prefix } = await keys.create({ projectId, name: 'Site', expiresAtMs: Date.now() + DAY_MS })
    const fields = { name: 'Shop', allow: '203.0.113.7', classes: ['cheap', 'fetch'], expires: 'never' }
    const { location } = await ada.post(`${base}/${id}`, fields)
    expect(location).to.equal(`${base}/${id}?done=changed`)
    expect(await keys.get(projectId, id)).to.deep.include({
      name: 'Shop',
      allow: ['203.0.113.7/32'],
      classes: ['cheap', 'fetch'],
      expiresAtMs: null,
    })
    const { entries } = await audit.list({ projectId, limit: 9 })
    expect(entries.map(({ who, action, target }) => `${who} ${action} ${target}`)).to.deep.equal([
      'Ada key.changed Shop',
    ])
    expect(entries[0]?.detail).to.include({
      prefix,
      'name.before': 'Site',
      'name.after': 'Shop',
      'expires.after': null,
    })
    await ada.post(`${base}/${id}`, { ...fields, expires: 'same' })
    expect((await audit.list({ projectId, limit: 9 })).entries).to.have.length(1)
  })

  it('keep their settings where the form is wrong, the key has ended, or the reader may not change it', async () => {
    const { keys } = dashboard.context
    const { id } = await keys.create({ projectId, name: 'Site' })
    const other = (await dashboard.project('Other')).id
    const foreign = await keys.create({ projectId: other, name: 'Foreign' })
    const fields = { name: 'Shop', allow: '', classes: ['cheap'], expires: 'same' }
    const wrong = await ada.post(`${base}/${id}`, { ...fields, allow: 'nowhere' })
    expect([wrong.status, wrong.text.includes('isn’t an IP address or range')]).to.deep.equal([422, true])
    expect((await ada.post(`${base}/${foreign.id}`, fields, { page: `${base}/${id}` })).status).to.equal(404)
    expect((await eve.get(`${base}/${id}`)).text).not.to.include('<textarea')
    expect((await eve.post(`${base}/${id}`, fields)).status).to.equal(403)
    const page = `${base}/new`
    await keys.revoke(projectId, id)
    expect((await ada.post(`${base}/${id}`, fields, { page })).status).to.equal(422)
    expect((await keys.get(projectId, id)).name).to.equal('Site')
  })
})

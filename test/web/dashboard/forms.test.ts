import { expect } from 'chai'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'

const GOOD = { name: 'program', expires: 'never', classes: ['cheap'] }

/** Ids of the fields that get the focus. */
const focused = (text: string) => [...text.matchAll(/id="(\w+)"[^>]*\sautofocus/g)].map(([, id]) => id)

describe('a form of the dashboard', () => {
  let dashboard: TestDashboard
  let visitor: Visitor
  let path: string

  before(async () => {
    dashboard = await startDashboard()
    const projectId = (await dashboard.project('Band')).id
    visitor = dashboard.visitor(await dashboard.person('Ada', { [projectId]: 'owner' }))
    path = `/dashboard/projects/${projectId}/keys/new`
  })
  after(() => dashboard.close())

  it('says what is wrong with a value that no page of ours sends, in the words of the API', async () => {
    const { status, text } = await visitor.post(path, { ...GOOD, expires: 'monthly' })
    expect(status).to.equal(422)
    expect(text).to.match(/id="expires-problem">\s*Must be one of 30, 90, 365, never\./)
  })

  it('has the focus on the field that is wrong, and on its first one before', async () => {
    expect(focused((await visitor.get(path)).text)).to.deep.equal(['name'])
    expect(focused((await visitor.post(path, { ...GOOD, allow: 'not an address' })).text)).to.deep.equal(['allow'])
  })

  it('says it in German to those who read German', async () => {
    await visitor.post('/dashboard/looks', { from: path, language: 'de' }, { page: path })
    const { text } = await visitor.post(path, { ...GOOD, expires: 'monthly' })
    expect(text).to.match(/id="expires-problem">\s*Wähle eines von 30, 90, 365, never\./)
    expect((await visitor.post(path, { ...GOOD, bot: 'x'.repeat(31) })).text).to.include('Höchstens 30 Zeichen.')
    expect((await visitor.post(path, { ...GOOD, name: '' })).text).to.include('Dieses Feld ist erforderlich.')
    await visitor.post('/dashboard/looks', { from: path, language: 'en' }, { page: path })
  })
})

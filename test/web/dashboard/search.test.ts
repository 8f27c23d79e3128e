import { expect } from 'chai'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { guildId } from '../../support/fake-music.ts'

const BOT = '900000000000000001'

describe('the search of the dashboard for single settings', () => {
  let dashboard: TestDashboard
  let base: string
  let hookId: string
  let keyId: string
  const visitors = new Map<string, Visitor>()

  before(async () => {
    dashboard = await startDashboard()
    const { id: projectId } = await dashboard.project('Band')
    base = `/dashboard/projects/${projectId}`
    for (const role of ['owner', 'manager', 'viewer'] as const) {
      visitors.set(role, dashboard.visitor(await dashboard.person(role, { [projectId]: role })))
    }
    const { bots, keys, webhooks } = dashboard.context
    await bots.add({ id: BOT, projectId, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    const choice = { url: 'https://example.com/', description: 'chat', events: ['jobEnded'], botIds: null } as const
    hookId = (await webhooks.webhooks.create(projectId, choice)).id
    keyId = (await keys.create({ projectId, name: 'site' })).id
  })
  after(() => dashboard.close())

  const found = async (role: string, text: string): Promise<readonly string[]> => {
    const answer = await visitors.get(role)?.get(`${base}/search?q=${encodeURIComponent(text)}`)
    return JSON.parse(answer?.text ?? '').hits.map(({ to }: { readonly to: string }) => to.slice(base.length))
  }

  it('leads to the field, and only readers who may change it', async () => {
    for (const [text, to, roles] of [
      ['name settings', '/settings#name', ['owner']],
      ['description chat', `/webhooks/${hookId}/edit#description`, ['owner', 'manager']],
      ['allowlist site', `/keys/${keyId}#allow`, ['owner', 'manager']],
      ['screenshots plan', '#limit-browser', ['owner', 'manager', 'viewer']],
      ['volume harbour', `/bots/${BOT}/guilds/${guildId}#volume`, ['owner', 'manager', 'viewer']],
    ] as const) {
      for (const role of ['owner', 'manager', 'viewer'] as const) {
        const isIn = (await found(role, text)).includes(to)
        expect(isIn, `${text} for the ${role}`).to.equal(roles.some((it) => it === role))
      }
    }
  })

  it('leads to a page that has the field', async () => {
    for (const to of [...(await found('owner', 'name')), ...(await found('owner', 'harbour volume'))]) {
      const [path = '', name = ''] = to.split('#')
      if (name === '') continue
      const { text } = (await visitors.get('owner')?.get(base + path)) ?? { text: '' }
      expect(text, to).to.match(new RegExp(`(?:id|name)="${name}"`))
    }
  })

  it('finds no setting by the name of its key alone', async () => {
    expect(await found('owner', 'site')).to.deep.equal([`/keys/${keyId}`])
  })
})

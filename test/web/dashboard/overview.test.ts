import { expect } from 'chai'
import type { Account } from '../../../db/people/accounts.ts'
import { startDashboard, type TestDashboard, type Visitor } from '../../support/dashboard.ts'
import { channelId, guildId } from '../../support/fake-music.ts'

describe('the overview of a project', () => {
  let dashboard: TestDashboard
  let ada: Account
  let eve: Account
  let nextBot = 900000000000000000n

  before(async () => {
    dashboard = await startDashboard()
    ada = await dashboard.person('Ada')
    eve = await dashboard.person('Eve')
  })
  after(() => dashboard.close())

  interface Project {
    readonly id: string
    readonly path: string
    readonly owner: Visitor
  }
  async function project(): Promise<Project> {
    const { id } = await dashboard.project('Harbour radio')
    await dashboard.context.memberships.set(id, ada.id, 'owner')
    await dashboard.context.memberships.set(id, eve.id, 'viewer')
    return { id, path: `/dashboard/projects/${id}`, owner: dashboard.visitor(ada) }
  }
  async function addBot(projectId: string): Promise<string> {
    const id = String((nextBot += 1n))
    await dashboard.context.bots.add({ id, projectId, name: 'Horn', token: 'a.b.c.d.e.f', sandbox: false })
    return id
  }

  /** Completed steps, and the target of the next one. */
  async function steps({ path, owner }: Pick<Project, 'path' | 'owner'>) {
    const { text } = await owner.get(path)
    const [, list = ''] = /<section class="panel steps">([\s\S]*?)<\/section>/.exec(text) ?? []
    const done = [...list.matchAll(/<b>([^<]+)<\/b>/g)].map(([, name]) => name)
    return { done, next: /aria-current="step"[\s\S]*?<a href="([^"]+)"/.exec(list)?.[1]?.replace(path, '') ?? null }
  }

  it('leads from an empty project to music, and ticks off what is there', async () => {
    const own = await project()
    const { fleet, context } = dashboard
    const guildsOf = fleet.guildsOf
    fleet.guildsOf = () => []
    expect(await steps(own)).to.deep.equal({ done: [], next: '/bots/new' })
    const botId = await addBot(own.id)
    expect(await steps(own)).to.deep.equal({ done: ['Add a bot'], next: `/bots/${botId}` })
    fleet.guildsOf = guildsOf
    expect(await steps(own)).to.deep.equal({ done: ['Add a bot', 'Invite the bot to a server'], next: '/players' })
    await context.keys.create({ projectId: own.id })
    expect((await steps(own)).done).to.include('Create an API key')
    fleet.countPlayers = () => 1
    expect((await own.owner.get(own.path)).text).not.to.include('Next steps')
    fleet.countPlayers = () => 0
  })

  it('says how many players are still to come back after a restart, there and above the list of players', async () => {
    const { fleet } = dashboard
    const { path, owner } = await project()
    expect((await owner.get(path)).text).not.to.include('after the restart')
    fleet.countRestoring = () => 288
    const [overview, players] = [await owner.get(path), await owner.get(`${path}/players`)]
    fleet.countRestoring = () => 0
    expect(overview.text).to.include('288 players return after the restart')
    expect(players.text).to.include('288 return after the restart')
  })

  it('keeps the steps away from who dismissed them, and from those who may not do them', async () => {
    const own = await project()
    expect((await own.owner.get(own.path)).text).to.include('Next steps')
    const { status } = await own.owner.post(`${own.path}/hide-steps`, {}, { page: own.path })
    expect(status).to.equal(303)
    expect((await own.owner.get(own.path)).text).not.to.include('Next steps')
    expect((await dashboard.visitor(eve).get(own.path)).text).not.to.include('Next steps')
  })

  it('counts requests and errors of a day, and leads to them in the request log', async () => {
    const own = await project()
    const { id: keyId } = await dashboard.context.keys.create({ projectId: own.id })
    const minuteMs = Math.floor(Date.now() / 60_000) * 60_000
    const whose = { projectId: own.id, keyId, routeClass: 'cheap', route: 'getWeather', minuteMs } as const
    const buckets = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]
    for (const [outcome, requests] of [
      ['ok', 40],
      ['client_error', 3],
      ['server_error', 2],
    ] as const) {
      await dashboard.count([{ ...whose, outcome, requests, overClass: 0, overTotal: 0, totalMs: 9, buckets }])
    }
    const music = { ...whose, routeClass: 'player', route: 'play', outcome: 'ok', requests: 2000 } as const
    await dashboard.count([{ ...music, overClass: 0, overTotal: 0, totalMs: 9, buckets }])
    const { text } = await own.owner.get(own.path)
    // Music requests have no rate limit.
    expect(text).to.match(/aria-label="Total: 45 of \d/)
    const tile = (label: string) =>
      new RegExp(String.raw`<a class="tile[a-z ]*" href="([^"]+)"\s*><b>([^<]+)</b><span>${label}<`)
        .exec(text)
        ?.slice(1)
    const [requests, errors] = [tile('Requests'), tile('Errors')]
    expect([requests?.[1], errors?.[1]]).to.deep.equal(['2,045', '5'])
    expect(errors?.[0]).to.include(`${own.path}/requests?status=error`)
    expect(text).to.include('data-plot=')
  })

  it('shows what plays, how bots and sources are, and what was changed', async () => {
    const own = await project()
    const botId = await addBot(own.id)
    const { context, fleet } = dashboard
    const scope = { projectId: own.id, botId, playerCeiling: 5 }
    await context.music.play(scope, guildId, { query: 'night ferry', channelId })
    fleet.stateOf = () => 'refused'
    const whose = { projectId: own.id, accountId: ada.id, who: 'Ada', address: '192.0.2.7' }
    await context.audit.write({
      ...whose,
      action: 'plan.changed',
      target: 'Own',
      detail: { before: 'free', after: 'scale' },
    })
    await context.audit.write({ ...whose, action: 'player.skip', target: 'Harbour Town', detail: {} })
    const { text } = await own.owner.get(own.path)
    fleet.stateOf = () => 'connected'
    expect(text).to.include('Night Ferry').and.include('refused')
    expect(text).to.include('changed the plan').and.include('<ins>scale</ins>').and.not.include('skipped a track')
  })

  it('has every id with a button that copies it, and a command line for them', async () => {
    const own = await project()
    const botId = await addBot(own.id)
    const { prefix } = await dashboard.context.keys.create({ projectId: own.id, botId })
    const { text } = await own.owner.get(own.path)
    for (const id of [own.id, botId, guildId, `svc.${prefix}`]) expect(text).to.include(`data-copy="${id}"`)
    expect(text).to.include(`/v1/music/guilds/${guildId}/player`).and.include('Bearer $BANDSTAND_KEY')
  })
})

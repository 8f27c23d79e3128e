import { expect } from 'chai'
import { itCopesWithEveryFailure } from '../../support/upstreams/failing.ts'
import { startRoblox, type Roblox } from '../../support/upstreams/roblox.ts'
import { startStandIn, type StandIn } from '../../support/upstreams/stand-in.ts'
import { dataOf, startUtilityApi, type UtilityApi } from '../../support/utilities.ts'
import { robloxAt, upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('GET /v1/gameplatform', () => {
  let service: Roblox
  let api: UtilityApi
  beforeEach(async () => {
    service = await startRoblox()
    api = await startUtilityApi({ ...upstreamUrls(robloxAt(service.url)), UPSTREAM_TIMEOUT_MS: '1500' })
  })
  afterEach(async () => {
    await api.close()
    await service.close()
  })

  const ask = (path: string) => api.call('GET', `/v1/gameplatform/${path}`)
  const found = (path: string) => dataOf(ask(path))

  it('answers who a user is, with pictures and counts', async () => {
    const { body, headers } = await ask('users/Brick_Smith')
    expect(headers.get('x-ratelimit-class')).to.equal('cheap')
    expect(body).to.deep.equal({
      success: true,
      data: {
        id: '7001',
        name: 'Brick_Smith',
        displayName: 'Bricky',
        description: 'Builder 🧱\nand more',
        createdAt: '2008-03-09T11:22:33.400Z',
        isBanned: false,
        hasVerifiedBadge: true,
        profileUrl: 'https://www.roblox.com/users/7001/profile',
        avatar: {
          headshot: 'https://tr.rbxcdn.com/avatar-headshot-7001.png',
          full: 'https://tr.rbxcdn.com/avatar-7001.png',
        },
        counts: { friends: 7, followers: 9, followings: 10 },
      },
    })
  })

  it('finds users by id, by name in any case and width, by a former name, and by a name of digits', async () => {
    for (const user of ['7001', 'brick_smith', ' BRICK_SMITH ', 'old_brick', 'ｂｒｉｃｋ_smith']) {
      expect((await found(`users/${encodeURIComponent(user)}`)).id, user).to.equal('7001')
    }
    expect((await found('users/1234567')).id).to.equal('7002')
  })

  it('loses no digit of an id that no number holds', async () => {
    const long = '9007199254740993'
    service.next = { text: `{"data":[{"requestedUsername":"long","id":${long},"hasVerifiedBadge":false}]}` }
    expect((await ask('users/long')).status).to.equal(404)
    expect(service.received.at(-1)?.path).to.equal(`/v1/users/${long}`)
  })

  it('has a banned user without description and without pictures that may be shown', async () => {
    expect(await found('users/7002')).to.deep.include({
      isBanned: true,
      description: '',
      createdAt: '2015-10-11T12:13:14.123Z',
      avatar: { headshot: null, full: null },
    })
  })

  it('waits for a picture that is being made, but not for long', async () => {
    service.pending = 2
    const avatar = await found('users/7001/avatar')
    expect(avatar).to.deep.equal({
      id: '7001',
      name: 'Brick_Smith',
      headshot: 'https://tr.rbxcdn.com/avatar-headshot-7001.png',
      bust: 'https://tr.rbxcdn.com/avatar-bust-7001.png',
      full: 'https://tr.rbxcdn.com/avatar-7001.png',
    })
    api.clock.nowMs += 600_000
    service.pending = 9
    expect(await found('users/7001/avatar')).to.include({ headshot: null, bust: null, full: null })
  })

  it('answers what a group is, with or without owner and shout', async () => {
    expect(await found('groups/81')).to.deep.equal({
      id: '81',
      name: 'Masons',
      description: 'Stone.',
      memberCount: 55,
      owner: { id: '7001', name: 'Brick_Smith', displayName: 'Bricky' },
      shout: { body: 'Hi', updatedAt: '2026-01-02T00:00:00.500Z' },
      hasVerifiedBadge: true,
      publicEntryAllowed: true,
      iconUrl: 'https://tr.rbxcdn.com/groups-81.png',
      url: 'https://www.roblox.com/communities/81',
    })
    expect(await found('groups/82')).to.include({ owner: null, shout: null, description: '', hasVerifiedBadge: false })
  })

  it('answers what a game is, by the id of its place or its own', async () => {
    const game = await found('games/66001')
    expect(game).to.deep.equal({
      id: '660',
      placeId: '66001',
      name: 'Towers',
      description: '',
      creator: { id: '81', name: 'Masons', type: 'Group' },
      playing: 12,
      visits: 3_456_789,
      favorites: 777,
      maxPlayers: 20,
      upVotes: 90,
      downVotes: 9,
      price: null,
      genre: 'All',
      createdAt: '2019-08-07T06:05:04.321Z',
      updatedAt: '2026-02-03T04:05:06.700Z',
      iconUrl: 'https://tr.rbxcdn.com/games-660.png',
      url: 'https://www.roblox.com/games/66001',
    })
    expect(await found('games/660')).to.deep.equal(game)
  })

  it('answers 404 for what does not exist, also where the platform calls that a bad request', async () => {
    for (const path of ['users/9', 'users/nobody', 'users/9/avatar', 'groups/9', 'games/9', 'users/constructor']) {
      const { status, body } = await ask(path)
      expect([status, body.error.code], path).to.deep.equal([404, 'not_found'])
    }
    service.next = { status: 404, text: '<html>Cloud</html>' }
    expect((await ask('users/7001')).status).to.equal(503)
    expect((await ask('groups/9007199254740993')).status).to.equal(404)
  })

  it('answers 422 for what can be no id and no name', async () => {
    for (const path of [
      'users/x',
      'users/a%2Fb',
      'users/__',
      'users/%F0%9F%98%80%F0%9F%98%80%F0%9F%98%80',
      `users/${'x'.repeat(21)}`,
      'groups/abc',
      'groups/0',
      'games/1.5',
      'games/-1',
    ]) {
      const { status, body } = await ask(path)
      expect([status, body.error.code], path).to.deep.equal([422, 'validation_error'])
    }
  })

  it('has null for what cannot be had besides, and 503 only where the thing itself cannot be had', async () => {
    for (const path of ['/v1/users/avatar', '/v1/users/7001/', '/v1/groups/icons', '/v1/games/'])
      service.failing.add(path)
    expect(await found('users/7001')).to.deep.include({
      avatar: { headshot: null, full: null },
      counts: { friends: null, followers: null, followings: null },
    })
    expect((await found('groups/81')).iconUrl).to.equal(null)
    expect(await found('games/660')).to.include({ upVotes: null, downVotes: null, iconUrl: null })
    expect((await ask('users/7001/avatar')).status).to.equal(503)
  })

  it('asks once for a hundred identical requests at once, and not at all for what is known', async () => {
    await Promise.all(Array.from({ length: 100 }, () => found('groups/81')))
    await found('groups/81')
    expect(service.received).to.have.length(2)
  })

  itCopesWithEveryFailure(it, {
    service: () => service,
    ask: () => ask('users/7001'),
    status: 503,
    code: 'service_unavailable',
    words: /^The game platform \(127\.0\.0\.1:\d+\) /,
    wait: () => (api.clock.nowMs += 60_000),
  })

  describe('where the platform refuses who asks without an account', () => {
    let cloud: StandIn
    let keyed: UtilityApi
    beforeEach(async () => {
      const users: Record<string, unknown> = {
        '7001': {
          path: 'users/7001',
          createTime: '2008-03-09T11:22:33.4Z',
          id: '7001',
          name: 'Brick_Smith',
          displayName: 'Bricky',
          about: 'Builder',
          locale: 'en_us',
        },
      }
      const group = {
        path: 'groups/81',
        id: '81',
        displayName: 'Masons',
        description: 'Stone.',
        owner: 'users/7001',
        memberCount: 12,
        publicEntryAllowed: true,
        locked: false,
        verified: true,
      }
      cloud = await startStandIn(({ path, headers }) => {
        if (headers['x-api-key'] !== 'cloud-key-0123456789') return { status: 401, json: { code: 'UNAUTHENTICATED' } }
        const [, kind, id = ''] = /^\/cloud\/v2\/(users|groups)\/(\d+)$/.exec(path) ?? []
        const found = kind === 'groups' ? (id === '81' ? group : undefined) : users[id]
        return found ? { json: found } : { status: 404, json: { code: 'NOT_FOUND', message: 'not found' } }
      })
      service.answerAll({
        status: 401,
        json: { errors: [{ code: 0, message: 'Authorization has been denied for this request.' }] },
      })
      keyed = await startUtilityApi({
        ...upstreamUrls({ ...robloxAt(service.url), 'roblox-apis': cloud.url }),
        ROBLOX_API_KEY: 'cloud-key-0123456789',
      })
    })
    afterEach(async () => {
      await keyed.close()
      await cloud.close()
    })

    it('finds users and groups with the key of the operator, and leaves open what that does not say', async () => {
      const user = await dataOf(keyed.call('GET', '/v1/gameplatform/users/7001'))
      expect(user).to.include({ name: 'Brick_Smith', description: 'Builder', isBanned: null, hasVerifiedBadge: null })
      expect(user.counts).to.deep.equal({ friends: null, followers: null, followings: null })
      const group = await dataOf(keyed.call('GET', '/v1/gameplatform/groups/81'))
      expect(group).to.include({ name: 'Masons', memberCount: 12, hasVerifiedBadge: true, shout: null })
      expect(group.owner).to.deep.equal({ id: '7001', name: 'Brick_Smith', displayName: 'Bricky' })
      expect((await keyed.call('GET', '/v1/gameplatform/users/9')).status).to.equal(404)
    })

    it('answers 503 without a key', async () => {
      expect((await ask('users/7001')).status).to.equal(503)
    })
  })
})

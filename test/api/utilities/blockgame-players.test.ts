import { expect } from 'chai'
import type { Fault } from '../../../lib/errors.ts'
import { readConfig } from '../../../config.ts'
import { createBlockPlayers } from '../../../upstream/blockgame/players.ts'
import { createTestContext } from '../../support/upstreams/context.ts'
import { itCopesWithEveryFailure } from '../../support/upstreams/failing.ts'
import {
  CAPE_HASH,
  IDS,
  SKIN_HASH,
  startGeyser,
  startMojang,
  XUIDS,
  type Mojang,
} from '../../support/upstreams/mojang.ts'
import type { StandIn } from '../../support/upstreams/stand-in.ts'
import { dataOf, startUtilityApi, type UtilityApi } from '../../support/utilities.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

const SLIM = '11112222-3333-4444-5555-666677778888'
const skin = { url: `https://textures.minecraft.net/texture/${SKIN_HASH}`, hash: SKIN_HASH, model: 'slim' }
const cape = { url: `https://textures.minecraft.net/texture/${CAPE_HASH}`, hash: CAPE_HASH }

describe('GET /v1/blockgame/players and /textures', () => {
  let mojang: Mojang
  let geyser: StandIn
  let api: UtilityApi
  let env: Record<string, string>

  beforeEach(async () => {
    mojang = await startMojang()
    geyser = await startGeyser()
    env = {
      ...upstreamUrls({
        'mojang-services': mojang.url,
        'mojang-api': mojang.url,
        'mojang-session': mojang.url,
        geyser: geyser.url,
      }),
      UPSTREAM_TIMEOUT_MS: '1000',
    }
    api = await startUtilityApi(env)
  })
  afterEach(async () => {
    await api.close()
    await mojang.close()
    await geyser.close()
  })

  const ask = (player: string, what = 'players') =>
    api.call('GET', `/v1/blockgame/${what}/${encodeURIComponent(player)}`)
  const playerOf = (player: string) => dataOf(ask(player))

  it('answers who a name belongs to, in its true case, with skin and cape on https', async () => {
    const { body, headers } = await ask('sLIM_jane')
    expect(headers.get('x-ratelimit-class')).to.equal('cheap')
    expect(body).to.deep.equal({
      success: true,
      data: { id: SLIM, name: 'Slim_Jane', platform: 'java', xuid: null, skin, cape, defaultSkin: 'steve' },
    })
  })

  it('takes a UUID with and without dashes, in braces and in upper case', async () => {
    for (const uuid of [SLIM, IDS.slim, IDS.slim.toUpperCase(), `{${SLIM}}`]) {
      expect((await playerOf(uuid)).name, uuid).to.equal('Slim_Jane')
    }
  })

  it('says which default skin a player without one wears', async () => {
    expect(await playerOf('PlainJoe')).to.include({ skin: null, cape: null, defaultSkin: 'alex' })
    expect((await playerOf('2533274790395904')).defaultSkin).to.equal('steve')
  })

  it('finds Bedrock players by account number, by gamertag, and by the id that servers make up', async () => {
    const hex = BigInt(XUIDS.known).toString(16).padStart(16, '0')
    const id = `00000000-0000-0000-${hex.slice(0, 4)}-${hex.slice(4)}`
    const expected = {
      id,
      name: 'Bed Rocker',
      platform: 'bedrock',
      xuid: XUIDS.known,
      skin,
      cape: null,
      defaultSkin: null,
    }
    for (const player of [XUIDS.known, '.Bed Rocker', 'bed rocker', id]) {
      expect(await playerOf(player), player).to.deep.equal(expected)
    }
    expect(geyser.received.find(({ path }) => path.includes('xuid/'))?.rawUrl).to.contain('/Bed%20Rocker')
  })

  it('takes sixteen digits for an account number or a name, whichever exists', async () => {
    expect((await playerOf('2533274790395904')).platform).to.equal('java')
    expect((await ask('123456789012345')).status).to.equal(404)
    expect((await ask('99999999999999999999')).status).to.equal(404)
  })

  it('answers 404 for who does not exist, however that is said', async () => {
    for (const player of [
      'Nobody',
      'f'.repeat(32),
      '.Nobody Here',
      '2535499999999999',
      '0'.repeat(32),
      'constructor',
    ]) {
      const { status, body } = await ask(player)
      expect([status, body.error.code], player).to.deep.equal([404, 'not_found'])
    }
    mojang.isOldFashioned = true
    expect((await ask('Nobody2')).status).to.equal(404)
  })

  it('answers 422 for what can be no player', async () => {
    for (const player of ['bad-name!', 'x'.repeat(17), '..%2f', 'a\u0000b', 'ünï', '/', '1'.repeat(30), ' ']) {
      const { status, body } = await ask(player)
      expect([status, body.error.details?.[0].field], player).to.deep.equal([422, 'path.player'])
    }
    expect([...mojang.received, ...geyser.received]).to.have.length(0)
  })

  it('tells the textures alone, 404 where none is stored for a Bedrock player', async () => {
    expect((await ask('Slim_Jane', 'textures')).body.data).to.deep.equal({
      id: SLIM,
      name: 'Slim_Jane',
      skin,
      cape,
      defaultSkin: 'steve',
    })
    expect((await ask(XUIDS.skinless)).body.data.skin).to.equal(null)
    expect((await ask(XUIDS.skinless, 'textures')).status).to.equal(404)
  })

  it('takes no texture from anywhere but the texture server, and no garbled ones', async () => {
    for (const player of [IDS.evil, IDS.garbled]) {
      const { status, body } = await ask(player)
      expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
      expect(JSON.stringify(body)).not.to.contain('169.254')
    }
  })

  it('asks the older service for a name when the newer one is blocked, and leaves the newer one alone for a minute', async () => {
    mojang.names = { status: 403, text: '<html>ERROR: The request could not be satisfied</html>' }
    expect((await playerOf('Slim_Jane')).name).to.equal('Slim_Jane')
    await playerOf('PlainJoe')
    const paths = mojang.received.map(({ path }) => path.split('/')[1])
    expect(paths).to.deep.equal(['minecraft', 'users', 'session', 'users', 'session'])
  })

  it('does not take a page for the answer that there is no such player', async () => {
    mojang.next = { status: 404, text: '<html>Not here</html>' }
    expect((await ask(IDS.slim)).status).to.equal(503)
  })

  it('asks once for a hundred identical requests at once, and not at all for who is known', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, i) => playerOf(i % 2 ? 'Slim_Jane' : 'SLIM_JANE')))
    await playerOf('slim_jane')
    expect(mojang.received).to.have.length(2)
  })

  itCopesWithEveryFailure(it, {
    service: () => mojang,
    ask: () => ask('Slim_Jane'),
    status: 503,
    code: 'service_unavailable',
    words: /^The (game's )?account service \(127\.0\.0\.1:\d+\) /,
    wait: () => (api.clock.nowMs += 60_000),
  })

  itCopesWithEveryFailure(it, {
    service: () => geyser,
    ask: () => ask('.Bed Rocker'),
    status: 503,
    code: 'service_unavailable',
    words: /^The lookup service for Bedrock players /,
    wait: () => (api.clock.nowMs += 60_000),
    // An empty object is how it says that it knows no one.
    except: ['wrong shape'],
  })

  it('lets the render routes choose their own statuses: 400 and 502', async () => {
    const context = createTestContext()
    const players = createBlockPlayers(context, readConfig(env).utilities)
    const options = { invalid: 'bad_request', failing: 'upstream_failed' } as const
    const faultOf = (player: string) => players.find(player, options).then(null, (error: Fault) => error.code)
    expect(await faultOf('bad-name!')).to.equal('bad_request')
    expect(await faultOf('Nobody')).to.equal('not_found')
    mojang.misbehave('status 500')
    expect(await faultOf('PlainJoe')).to.equal('upstream_failed')
    await context.close()
  })
})

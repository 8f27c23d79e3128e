import { expect } from 'chai'
import { MISBEHAVIOURS, startStandIn, type Reply, type StandIn } from '../../support/upstreams/stand-in.ts'
import { startUtilityApi, type UtilityApi } from '../../support/utilities.ts'
import { upstreamUrls } from '../../../tools/stage/upstream-addresses.ts'

describe('GET /v1/fun/roleplay', () => {
  let otaku: StandIn
  let purr: StandIn
  let nekos: StandIn
  let api: UtilityApi
  let gif: Reply | null
  let serial: number
  /** Number of further requests that fail at the first provider. */
  let failing: number

  beforeEach(async () => {
    serial = 0
    gif = null
    failing = 0
    otaku = await startStandIn(({ path, query }) => {
      if (failing-- > 0) return { status: 503 }
      const reaction = query.get('reaction')
      if (path !== '/gif' || reaction === 'run') return { status: 404, json: { error: 'No such reaction' } }
      return gif ?? { json: { url: `https://cdn.otakugifs.xyz/gifs/${reaction}/${++serial}.gif` } }
    })
    purr = await startStandIn(({ path }) => {
      const name = /^\/v2\/img\/sfw\/(\w+)\/gif$/.exec(path)?.[1]
      if (name === undefined) return { status: 403, json: { error: true, message: 'Forbidden' } }
      return { json: { link: `https://purrbot.site/img/sfw/${name}/gif/${name}_001.gif`, error: false, time: 3 } }
    })
    nekos = await startStandIn(({ path }) => ({
      json: {
        results: [
          { anime_name: 'x', url: `https://nekos.best/api/v2${path}/1.gif`, dimensions: { width: 1, height: 1 } },
        ],
      },
    }))
    api = await startUtilityApi(env())
  })
  afterEach(async () => {
    await api.close()
    for (const each of [otaku, purr, nekos]) await each.close()
  })

  const env = () => ({
    ...upstreamUrls({ otakugifs: otaku.url, purrbot: `${purr.url}/v2`, nekosbest: nekos.url }),
    UPSTREAM_TIMEOUT_MS: '1000',
  })
  const ask = (action: string) => api.call('GET', `/v1/fun/roleplay/${encodeURIComponent(action)}`)
  const remaining = async () => Number((await ask('hug')).headers.get('x-ratelimit-remaining'))

  it('lists the actions, and has a picture of each', async () => {
    const { status, body } = await api.call('GET', '/v1/fun/roleplay')
    expect(status).to.equal(200)
    expect(body.data).to.include.members(['hug', 'pat', 'highfive', 'angry', 'run']).and.have.length(33)
    for (const action of body.data as string[]) {
      if (action !== 'run') expect((await ask(action)).body.data?.action, action).to.equal(action)
    }
  })

  it('answers a picture and whose it is, calling the action what the provider calls it', async () => {
    const { body, headers } = await ask('hug')
    expect(headers.get('x-ratelimit-class')).to.equal('fetch')
    expect(body).to.deep.equal({
      success: true,
      data: { action: 'hug', url: 'https://cdn.otakugifs.xyz/gifs/hug/1.gif', source: 'otakugifs' },
    })
    expect((await ask('angry')).body.data.url).to.contain('/gifs/mad/')
    expect(otaku.received[0]?.headers['user-agent']).to.match(/^Bandstand\//)
  })

  it('takes an action in any case and with a hyphen or a space', async () => {
    for (const action of ['High-Five', 'high five', 'HIGHFIVE'])
      expect((await ask(action)).body.data.action).to.equal('highfive')
  })

  it('answers 400 for an unknown action and asks no one; the key still comes first', async () => {
    for (const action of ['bogus', '../nsfw/hug', '__proto__', 'constructor', 'neko', 'x'.repeat(51), 'hug?']) {
      const { status, body } = await ask(action)
      expect([status, body.error.code, body.error.details[0].field], action).to.deep.equal([
        400,
        'bad_request',
        'path.action',
      ])
    }
    expect((await api.call('GET', '/v1/fun/roleplay/bogus', { key: null })).status).to.equal(401)
    expect([...otaku.received, ...purr.received]).to.have.length(0)
  })

  it('costs the caller one request, however often the provider is asked', async () => {
    await api.close()
    api = await startUtilityApi({ ...env(), UPSTREAM_RETRIES: '1' })
    const before = await remaining()
    failing = 1
    expect(await remaining()).to.equal(before - 1)
    expect(otaku.received).to.have.length(3)
    expect(purr.received).to.have.length(0)
  })

  for (const how of MISBEHAVIOURS) {
    it(`asks the next provider when one fails: ${how}`, async () => {
      otaku.misbehave(how)
      expect((await ask('hug')).body.data).to.include({
        source: 'purrbot',
        url: 'https://purrbot.site/img/sfw/hug/gif/hug_001.gif',
      })
    })
  }

  it('passes no picture on that is not on https and with the provider itself', async () => {
    const bad = [
      'http://cdn.otakugifs.xyz/a.gif',
      '/gifs/a.gif',
      'https://evil.example/a.gif',
      'https://otakugifs.xyz.evil.example/a.gif',
      'javascript:alert(1)',
      '',
    ]
    for (const url of bad) {
      gif = { json: { url } }
      expect((await ask('hug')).body.data.source, url).to.equal('purrbot')
    }
  })

  it('reads an error that comes with a status of success as one', async () => {
    otaku.misbehave('status 500')
    await purr.close()
    purr = await startStandIn(() => ({ json: { error: true, message: 'x', link: 'https://purrbot.site/a.gif' } }))
    await api.close()
    api = await startUtilityApi(env())
    expect((await ask('hug')).status).to.equal(503)
  })

  it('answers 503 when no one has one, and a picture of before where there is one', async () => {
    otaku.misbehave('status 500')
    purr.misbehave('HTML')
    const { status, body } = await ask('hug')
    expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
    otaku.misbehave(null)
    const { url } = (await ask('hug')).body.data
    otaku.misbehave('status 500')
    expect((await ask('hug')).body.data).to.deep.equal({ action: 'hug', url, source: 'otakugifs' })
    expect((await ask('pat')).status).to.equal(503)
    expect((await ask('run')).status).to.equal(503)
  })

  it('asks the providers that the operator names, in that order', async () => {
    await api.close()
    api = await startUtilityApi({ ...env(), ROLEPLAY_PROVIDERS: 'nekosbest, purrbot' })
    expect((await ask('hug')).body.data.source).to.equal('nekosbest')
    expect((await ask('lick')).body.data.source).to.equal('purrbot')
    nekos.misbehave('status 500')
    purr.misbehave('status 500')
    // nekos.best is not cached, since its terms forbid it.
    expect((await ask('wave')).status).to.equal(503)
  })
})

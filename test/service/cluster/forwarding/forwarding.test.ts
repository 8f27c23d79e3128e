import { once } from 'node:events'
import { connect } from 'node:net'
import { expect } from 'chai'
import { request } from 'undici'
import { createSigning } from '../../../../service/cluster/signing.ts'
import { createLog } from '../../../../lib/log.ts'
import { bots, keys, startApi, type TestApi } from '../../../support/api.ts'
import { channelId, guildId } from '../../../support/fake-music.ts'
import { eventually } from '../../../support/service.ts'
import { createHandLeases, type HandLeases } from '../../../support/one-address.ts'

const PLAYER = `/v1/music/guilds/${guildId}/player`
const PLAY = `/v1/music/guilds/${guildId}/play`

const play = (api: TestApi, headers = {}) => api.call('POST', PLAY, { body: { query: 'night', channelId }, headers })

describe('a request about a guild that another service runs', () => {
  let leases: HandLeases
  let apis: readonly [TestApi, TestApi]
  let links: readonly ReturnType<HandLeases['link']>[]
  const used: string[] = []
  beforeEach(async () => {
    leases = createHandLeases()
    leases.spread([bots.first], ['owner', 'entry'], 1)
    leases.give(bots.first, guildId, 'owner')
    links = [leases.link('entry'), leases.link('owner')]
    used.length = 0
    const usage = (name: string) => ({
      count: ({ route, status }: any) => void used.push(`${name} ${route} ${status}`),
    })
    apis = [
      await startApi({ peers: links[0]!, app: { usage: usage('entry') } }),
      await startApi({ peers: links[1]!, app: { usage: usage('owner') } }),
    ]
    leases.arrive('entry', apis[0].baseUrl)
    leases.arrive('owner', apis[1].baseUrl)
  })
  afterEach(async () => {
    for (const link of links) await link.close()
    for (const api of apis) await api.close()
  })

  const [entry, owner] = [() => apis[0], () => apis[1]]

  it('is carried out there, and counted once where it arrived', async () => {
    const { status, body, headers } = await play(entry(), { 'x-request-id': 'one-request' })
    expect(status).to.equal(200)
    expect(body.data.track.title).to.equal('Night Ferry')
    expect(headers.get('x-request-id')).to.equal('one-request')
    expect([...headers.keys()].filter((name) => name.startsWith('bandstand'))).to.deep.equal([])
    expect((await entry().music.players({ projectId: 'one', botIds: [bots.first], playerCeiling: 9 })).length).to.equal(
      0,
    )
    expect((await owner().call('GET', PLAYER)).body.data.current.title).to.equal('Night Ferry')
    expect(used).to.deep.equal(['entry play 200', 'owner getPlayer 200'])
    expect(owner().log.filter(({ msg }) => msg === 'request answered').length).to.equal(1)
  })

  it('is refused as there, with the same status, body and headers', async () => {
    for (const path of [PLAYER, `${PLAYER}?channelId=1`, `/v1/music/lyrics?guildId=${guildId}`]) {
      const [here, there] = await Promise.all([entry().call('GET', path), owner().call('GET', path)])
      expect([here.status, here.body.error], path).to.deep.equal([there.status, there.body.error])
      expect([...here.headers.keys()].toSorted()).to.deep.equal([...there.headers.keys()].toSorted())
    }
  })

  it('has the same ETag, and 304 for who knows it', async () => {
    await play(entry())
    const first = await entry().call('GET', PLAYER)
    const etag = first.headers.get('etag')!
    expect(etag).to.equal((await owner().call('GET', PLAYER)).headers.get('etag'))
    expect((await entry().call('GET', PLAYER, { headers: { 'if-none-match': etag } })).status).to.equal(304)
    const stale = await entry().call('POST', PLAY, { body: { query: 'night' }, headers: { 'if-match': '"none"' } })
    expect([stale.status, stale.body.error.code]).to.deep.equal([412, 'precondition_failed'])
    expect(stale.headers.get('etag')).not.to.equal(null)
  })

  it('waits for a guild that changes hands, and is carried out once', async () => {
    leases.give(bots.first, guildId, null)
    const played = play(entry())
    setTimeout(() => leases.give(bots.first, guildId, 'owner'), 300)
    expect((await played).status).to.equal(200)
    const { body } = await owner().call('GET', PLAYER)
    expect(body.data.queue.length).to.equal(0)
  })

  it('gets 503 that says when to try again where no service takes the guild over', async () => {
    leases.give(bots.first, guildId, null)
    const { status, body } = await entry().call('GET', PLAYER)
    expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
    expect(body.error.retryAfterMs).to.be.at.least(1)
  })

  it('is not passed on by a service that it was forwarded to', async () => {
    // Each believes that the other one runs it.
    const mirror = createHandLeases()
    mirror.spread([bots.first], ['entry'], 1)
    mirror.arrive('entry', entry().baseUrl)
    const lost = await startApi({ peers: mirror.link('owner'), app: { log: createLog('silent') } })
    leases.arrive('owner', lost.baseUrl)
    const { status } = await entry().call('GET', PLAYER)
    expect(status).to.equal(503)
    await lost.close()
  })

  it('is not believed to be forwarded without the signature of a service', async () => {
    const forged = await request(`${owner().baseUrl}${PLAYER}`, {
      headers: { 'bandstand-peer': `entry 1 ${Date.now()} ${'a'.repeat(43)}`, 'bandstand-identity': 'e30' },
    })
    expect(forged.statusCode).to.equal(401)
    await forged.body.dump()
  })

  it('is refused by its headers, before a byte of its body is sent', async () => {
    const { port } = new URL(owner().baseUrl)
    const socket = connect(Number(port), '127.0.0.1')
    const peer = `entry 1 ${Date.now()} ${'a'.repeat(43)}`
    const signed = ['bandstand-identity: e30', 'bandstand-signed: 1000000 x']
    socket.write([`POST ${PLAY} HTTP/1.1`, 'Host: x', `bandstand-peer: ${peer}`, ...signed, ''].join('\r\n'))
    socket.write('Content-Length: 1000000\r\n\r\n')
    const [answer] = (await once(socket, 'data')) as [Buffer]
    expect(answer.toString())
      .to.match(/^HTTP\/1\.1 401 /)
      .and.match(/connection: close/i)
    socket.destroy()
  })

  it('keeps to the bound of requests that wait on a connection, whatever it says of itself', async () => {
    const { port } = new URL(owner().baseUrl)
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (piece) => (text += piece.toString()))
    socket.on('error', () => undefined)
    const peer = `bandstand-peer: entry 1 ${Date.now()} ${'a'.repeat(43)}`
    socket.write(`GET ${PLAYER} HTTP/1.1\r\nHost: x\r\n${peer}\r\n\r\n`.repeat(500))
    await once(socket, 'close')
    expect(text.split('HTTP/1.1 ').length - 1).to.be.at.most(33)
  })

  it('gets 503 where the services refuse each other, which says why at /readyz', async () => {
    for (const [more, words] of [
      [{ now: () => Date.now() - 31_000 }, /clocks differ/],
      [{ signing: createSigning('6f'.repeat(32)) }, /different SERVICES_KEYs/],
    ] as const) {
      const link = leases.link('entry', undefined, { ...more, greetEveryMs: 20 })
      const api = await startApi({ peers: link })
      await eventually(
        () => link.problem(),
        (problem) => problem !== null,
      )
      expect(link.problem()).to.include(`${owner().baseUrl} refuses this service`).and.match(words)
      const { status, body } = await play(api)
      expect([status, body.error.code]).to.deep.equal([503, 'service_unavailable'])
      await link.close()
      await api.close()
    }
  })

  it('is carried out once by its Idempotency-Key, whichever service it comes to', async () => {
    const headers = { 'idempotency-key': 'the-same' }
    expect((await play(entry(), headers)).headers.get('idempotent-replayed')).to.equal(null)
    expect((await play(owner(), headers)).headers.get('idempotent-replayed')).to.equal('true')
    expect((await play(entry(), headers)).headers.get('idempotent-replayed')).to.equal('true')
    expect((await entry().call('GET', PLAYER)).body.data.queue.length).to.equal(0)
  })

  it('needs a key that works where it arrives', async () => {
    expect((await entry().call('GET', PLAYER, { key: keys.revoked })).status).to.equal(401)
    expect((await entry().call('GET', PLAYER, { key: keys.unlinked })).status).to.equal(403)
    expect(owner().log.filter(({ msg }) => msg === 'request answered').length).to.equal(0)
  })
})

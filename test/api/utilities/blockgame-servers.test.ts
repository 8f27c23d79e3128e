import { expect } from 'chai'
import { createBlockServers, type BlockServers } from '../../../upstream/blockgame/servers/servers.ts'
import { createEgress, type Egress } from '../../../upstream/egress/egress-guard.ts'
import { createTestContext, type TestContext } from '../../support/upstreams/context.ts'
import {
  startBedrockServer,
  startGameServer,
  type Behaviour,
  type GameServer,
} from '../../support/upstreams/game-server.ts'
import { dataOf, startUtilityApi, type UtilityApi } from '../../support/utilities.ts'

const PNG = `data:image/png;base64,${Buffer.from('a picture').toString('base64')}`
const STATUS = {
  version: { name: '1.21.4', protocol: 769 },
  players: { online: 2, max: 40, sample: [{ name: 'Jane', id: '1111' }, { name: 7 }] },
  description: {
    text: 'A ',
    color: 'gold',
    extra: [{ text: 'fine', bold: true, color: '#00ff7f' }, ' ', { translate: 'server' }],
  },
  favicon: PNG.replace('base64,', 'base64,\n'),
}
const OFFLINE = {
  online: false,
  version: null,
  protocol: null,
  players: null,
  motd: null,
  favicon: null,
  latencyMs: null,
}

describe('GET /v1/blockgame/servers/{address}', () => {
  let api: UtilityApi
  const open: { close(): Promise<void> }[] = []
  before(async () => {
    api = await startUtilityApi({ UPSTREAM_TIMEOUT_MS: '1500' })
  })
  afterEach(async () => {
    for (const each of open.splice(0)) await each.close()
  })
  after(() => api.close())

  const start = async (behaviour: Behaviour): Promise<GameServer> => {
    const server = await startGameServer(behaviour)
    open.push(server)
    return server
  }
  const ask = (address: string, query = '') =>
    api.call('GET', `/v1/blockgame/servers/${encodeURIComponent(address)}${query}`)
  const statusOf = (address: string, query = '') => dataOf(ask(address, query))
  const statusBy = async (behaviour: Behaviour) => statusOf(`127.0.0.1:${(await start(behaviour)).port}`)

  it('answers how a Java server is', async () => {
    const server = await start({ kind: 'status', status: STATUS })
    const { latencyMs, ...data } = await statusOf(`127.0.0.1:${server.port}`)
    expect(data).to.deep.equal({
      online: true,
      edition: 'java',
      host: '127.0.0.1',
      port: server.port,
      version: '1.21.4',
      protocol: 769,
      players: { online: 2, max: 40, sample: [{ name: 'Jane', id: '1111' }] },
      motd: { raw: '§6A §x§0§0§f§f§7§f§lfine server', clean: 'A fine server' },
      favicon: PNG,
    })
    expect(latencyMs).to.be.a('number').within(0, 1500)
    expect(server.said).to.deep.equal({ host: '127.0.0.1', port: server.port })
  })

  it('puts a large answer together from many small pieces', async () => {
    const favicon = `data:image/png;base64,${Buffer.alloc(60_000, 5).toString('base64')}`
    const data = await statusBy({ kind: 'status', status: { ...STATUS, favicon }, chunkBytes: 1400 })
    expect(data.favicon).to.equal(favicon)
  })

  it('needs neither players nor version nor an answer to its ping', async () => {
    const data = await statusBy({ kind: 'status', status: { description: '§aHello §kxx' }, pong: false })
    expect(data).to.deep.include({
      online: true,
      version: null,
      players: null,
      motd: { raw: '§aHello §kxx', clean: 'Hello xx' },
    })
  })

  it('takes no favicon that is no picture', async () => {
    for (const favicon of ['javascript:alert(1)', 'data:text/html;base64,PGI+', 7]) {
      expect((await statusBy({ kind: 'status', status: { ...STATUS, favicon } })).favicon).to.equal(null)
    }
  })

  it('asks in the old way what hangs up on the new one', async () => {
    const data = await statusBy({ kind: 'legacy', text: ['§1', '127', '1.6.4', 'An §cold one', '3', '20'].join('\0') })
    expect(data).to.deep.include({
      online: true,
      version: '1.6.4',
      protocol: 127,
      players: { online: 3, max: 20, sample: [] },
    })
    expect(data.motd).to.deep.equal({ raw: 'An §cold one', clean: 'An old one' })
    expect(await statusBy({ kind: 'legacy', text: 'Ancient§1§8' })).to.deep.include({
      version: null,
      motd: { raw: 'Ancient', clean: 'Ancient' },
    })
  })

  it('answers offline, within its bound, no matter what a server does instead of answering', async () => {
    const lies: Record<string, Buffer> = {
      'a number without end': Buffer.alloc(64, 0xff),
      'a packet of a gigabyte': Buffer.from([0xff, 0xff, 0xff, 0xff, 0x03, 0]),
      'a packet of nothing': Buffer.from([0]),
      'a text longer than its packet': Buffer.from([3, 0, 0x7f, 0x20]),
      'no JSON': Buffer.from([7, 0, 5, ...Buffer.from('{"a":')]),
      'another shape': Buffer.from([5, 0, 3, ...Buffer.from('[1]')]),
      HTTP: Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n'),
    }
    const behaviours: Behaviour[] = [
      { kind: 'hang' },
      { kind: 'hangUp' },
      ...Object.values(lies).map((bytes) => ({ kind: 'bytes' as const, bytes })),
    ]
    const startedAt = performance.now()
    for (const data of await Promise.all(behaviours.map(statusBy))) expect(data).to.deep.include(OFFLINE)
    expect(performance.now() - startedAt).to.be.below(8000)
  })

  it('costs a moment alone, no matter how much and in how small packets a server sends', async () => {
    const flood = Buffer.alloc(4 * 1024 * 1024, Buffer.from([1, 5]))
    const description = Array.from({ length: 150_000 }, () => ({}))
    const before = process.cpuUsage()
    expect(await statusBy({ kind: 'bytes', bytes: flood })).to.deep.include(OFFLINE)
    const many = await statusBy({ kind: 'status', status: { description } })
    expect(many).to.deep.include({ online: true, motd: { raw: '', clean: '' } })
    expect(process.cpuUsage(before).user / 1000).to.be.lessThan(700)
  })

  it('answers offline when no one listens there', async () => {
    const server = await start({ kind: 'hang' })
    await server.close()
    open.length = 0
    expect(await statusOf(`127.0.0.1:${server.port}`)).to.deep.include({ ...OFFLINE, port: server.port })
    expect(await statusOf('127.0.0.1', '?edition=bedrock')).to.deep.include({ ...OFFLINE, port: 19_132 })
  })

  it('asks once a minute, and once for a hundred at once', async () => {
    const server = await start({ kind: 'status', status: STATUS })
    await Promise.all(Array.from({ length: 100 }, () => statusOf(`127.0.0.1:${server.port}`)))
    expect(server.connections).to.equal(1)
    api.clock.nowMs += 60_000
    await statusOf(`127.0.0.1:${server.port}`)
    expect(server.connections).to.equal(2)
  })

  it('answers how a Bedrock server is, though a packet be lost and fields be missing', async () => {
    const payload = 'MCPE;§bBedrock;766;1.21.50;4;30;123456;Second line;Survival;1;19132;19133;'
    for (const [text, deafTo] of [
      [payload, 1],
      ['MCPE;Short;1;2;3;4', 0],
    ] as const) {
      const server = await startBedrockServer(text, deafTo)
      open.push(server)
      const slow = createBlockServers(createTestContext(), { egress: local(), timeoutMs: 3000, cacheMax: 10 })
      const data = await slow.status(`127.0.0.1:${server.port}`, 'bedrock', 'prj_one')
      expect(data).to.deep.include(
        deafTo === 1
          ? {
              online: true,
              version: '1.21.50',
              protocol: 766,
              motd: { raw: '§bBedrock\nSecond line', clean: 'Bedrock\nSecond line' },
            }
          : {
              online: true,
              version: '2',
              players: { online: 3, max: 4, sample: [] },
              motd: { raw: 'Short', clean: 'Short' },
            },
      )
    }
  })

  it('answers 422 for an address that is none, or that is not public', async () => {
    const bad = [
      'a b',
      'host:0',
      'host:65536',
      'host:x',
      'http://x.example',
      '[::1',
      'user@host',
      'a..b',
      '-'.repeat(64),
      'x'.repeat(301),
    ]
    const hidden = [
      '10.0.0.1',
      '169.254.169.254',
      '[::ffff:10.0.0.1]:25565',
      'localhost',
      '0x0a000001',
      'printer.local',
      '192.168.1.1:22',
    ]
    for (const address of [...bad, ...hidden]) {
      const { status, body } = await ask(address)
      expect([status, body.error?.details?.[0].field], address).to.deep.equal([422, 'path.address'])
    }
    expect((await ask('127.0.0.1:1', '?edition=x')).status).to.equal(422)
  })

  describe('with names of its own', () => {
    let context: TestContext
    let egress: Egress
    beforeEach(() => {
      context = createTestContext()
      egress = createEgress({
        allowHosts: ['play.example', 'real.example', 'xn--mnchen-3ya.example', 'a_b.example', '::1'],
        lookup: (host) => Promise.resolve([{ address: host === 'evil.example' ? '10.0.0.1' : '127.0.0.1', family: 4 }]),
      })
      open.push(egress, context)
    })
    const servers = (records: Record<string, { name: string; port: number }>): BlockServers =>
      createBlockServers(context, {
        egress,
        timeoutMs: 1000,
        cacheMax: 10,
        resolveSrv: (name) => {
          const found = records[name]
          return found ? Promise.resolve([found]) : Promise.reject(new Error('ENOTFOUND'))
        },
      })

    it('follows the record of a name to where its server is, and checks that address too', async () => {
      const server = await start({ kind: 'status', status: STATUS })
      const asked = servers({
        '_minecraft._tcp.play.example': { name: 'real.example.', port: server.port },
        '_minecraft._tcp.a_b.example': { name: 'evil.example', port: 25_565 },
      })
      const data = await asked.status('Play.Example.', 'java', 'prj_one')
      expect(data).to.include({ online: true, host: 'play.example', port: server.port })
      expect(server.said).to.deep.equal({ host: 'real.example', port: server.port })
      expect(
        await asked.status('a_b.example', 'java', 'prj_one').catch((error: { code: string }) => error.code),
      ).to.equal('validation_error')
    })

    it('leaves room for other projects while one asks servers that say nothing', async () => {
      const silent = await start({ kind: 'hang' })
      const server = await start({ kind: 'status', status: STATUS })
      const names = Array.from({ length: 100 }, (_, i) => `n${i}.example`)
      egress = createEgress({
        allowHosts: [...names, 'play.example'],
        lookup: () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]),
      })
      open.push(egress)
      const asked = servers({})
      const waiting = names.map((name) => asked.status(`${name}:${silent.port}`, 'java', 'prj_one').catch(() => null))
      expect(await asked.status(`play.example:${server.port}`, 'java', 'prj_two')).to.include({ online: true })
      await Promise.all(waiting)
    })

    it('dials the port that was named, and knows international names', async () => {
      const server = await start({ kind: 'status', status: STATUS })
      const data = await servers({}).status(`München.example:${server.port}`, 'java', 'prj_one')
      expect(data).to.include({ online: true, host: 'xn--mnchen-3ya.example' })
      expect(await servers({}).status('[::1]:1', 'java', 'prj_one')).to.include({ online: false, host: '::1', port: 1 })
    })
  })
})

function local(): Egress {
  return createEgress({ allowHosts: ['127.0.0.1'] })
}

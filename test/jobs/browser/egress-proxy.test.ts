import { expect } from 'chai'
import { once } from 'node:events'
import { request as ask } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import type { EgressPassage, PassageBounds } from '../../../jobs/browser/egress-grant.ts'
import { openEgressProxy } from '../../../jobs/browser/egress-proxy.ts'
import { createLog } from '../../../lib/log.ts'
import { createEgress, type EgressOptions } from '../../../upstream/egress/egress-guard.ts'
import { closing } from '../../support/closing.ts'
import { listen, serve } from '../../support/web.ts'

describe('egress proxy', () => {
  const own = closing()

  async function open(options: EgressOptions, bounds?: Partial<PassageBounds>) {
    const egress = own(createEgress(options))
    const proxy = own(await openEgressProxy({ egress, log: createLog('silent') }))
    return { proxy, passage: proxy.admit(bounds), port: Number(new URL(proxy.server).port) }
  }
  /** The socket behind a CONNECT and the status line that answered it. */
  async function tunnelTo(port: number, target: string, passage: EgressPassage | null): Promise<[Socket, string]> {
    const socket = connect(port, '127.0.0.1')
    own({ close: () => socket.destroy() })
    const auth = passage ? `Proxy-Authorization: ${authorization(passage)}\r\n` : ''
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${auth}\r\n`)
    const first = await Promise.race([once(socket, 'data'), once(socket, 'close').then(() => [''])])
    return [socket, String(first[0]).split('\r\n', 1)[0] ?? '']
  }

  it('carries requests and their answers unchanged, without what belongs to one connection', async () => {
    const seen: Record<string, unknown>[] = []
    const site = own(
      await serve((asked, answer) => {
        seen.push({ url: asked.url, ...asked.headers })
        answer.writeHead(203, { 'x-twice': ['a', 'b'], 'keep-alive': 'timeout=9' }).end('hello')
      }),
    )
    const { port, passage } = await open({ allowHosts: [`127.0.0.1:${site.port}`] })
    const answer = await get(port, `${site.url}/a?b=c`, passage, { host: 'other.test', 'x-mine': '1', te: 'trailers' })
    expect(answer).to.deep.include({ status: 203, body: 'hello' })
    expect(answer?.headers['x-twice']).to.equal('a, b')
    expect(answer?.headers['keep-alive']).to.not.equal('timeout=9')
    expect(seen[0]).to.include({ url: '/a?b=c', host: `127.0.0.1:${site.port}`, 'x-mine': '1' })
    expect(seen[0]).to.not.have.any.keys('te', 'proxy-authorization')
  })

  it('carries the bytes of an address that redirects as the host sent them', async () => {
    const location = Buffer.from('/música/東京').toString('latin1')
    const site = own(await serve((_, answer) => answer.writeHead(302, { location }).end()))
    const { port, passage } = await open({ allowHosts: [`127.0.0.1:${site.port}`] })
    const answer = await get(port, site.url, passage)
    expect(answer?.headers['location']).to.equal(location)
  })

  it('lets no one through without the credential of an open passage', async () => {
    let hits = 0
    const site = own(await serve((_, answer) => answer.end(String(hits++))))
    const { proxy, port, passage } = await open({ allowHosts: [`127.0.0.1:${site.port}`] })
    const wrong = { ...passage, username: passage.username, password: 'A'.repeat(32) }
    expect((await get(port, site.url, null))?.status).to.equal(407)
    expect((await get(port, site.url, wrong))?.status).to.equal(407)
    expect((await tunnelTo(port, `127.0.0.1:${site.port}`, null))[1]).to.contain(' 407 ')
    expect(hits).to.equal(0)

    expect((await get(port, site.url, passage))?.status).to.equal(200)
    passage.close()
    expect((await get(port, site.url, passage))?.status).to.equal(407)
    expect((await get(port, site.url, proxy.admit()))?.status).to.equal(200)
  })

  it('drops what may not be reached without a word, and remembers why', async () => {
    let connections = 0
    const inner = own(await listen(createServer(() => connections++)))
    const { port, passage } = await open({
      allowHosts: [],
      lookup: async (host) => (host === 'none.test' ? [] : [{ address: '127.0.0.1', family: 4 }]),
    })
    for (const target of [
      `127.0.0.1:${inner.port}`,
      `loop.test:${inner.port}`,
      `[::1]:${inner.port}`,
      'none.test:80',
    ]) {
      expect(await get(port, `http://${target}/`, passage), target).to.equal(null)
      expect((await tunnelTo(port, target, passage))[1], target).to.equal('')
      const obstacle = passage.obstacleTo(`http://${target}/`)
      expect(obstacle?.kind, target).to.equal('refused')
      expect(obstacle?.message).to.match(/(?:has no|isn't a) public address/)
    }
    expect(await get(port, 'http://attacker.test:6379/', passage)).to.equal(null)
    expect(passage.obstacleTo('http://attacker.test:6379/')?.message).to.contain('Port 6379')
    expect(connections).to.equal(0)
  })

  it('tells a host that is down from one that is refused', async () => {
    const gone = await serve(() => {})
    await gone.close()
    const { port, passage } = await open({ allowHosts: ['127.0.0.1'] })
    expect(await get(port, gone.url, passage)).to.equal(null)
    expect(passage.obstacleTo(gone.url)).to.deep.equal({
      kind: 'unreachable',
      message: `127.0.0.1:${gone.port} refuses connections.`,
    })
  })

  it('carries tunnels both ways, and dials the address that it checked', async () => {
    const echo = own(await listen(createServer((socket) => socket.pipe(socket))))
    let lookups = 0
    const { port, passage } = await open({
      allowHosts: [`echo.test:${echo.port}`],
      lookup: async () => [{ address: lookups++ === 0 ? '127.0.0.1' : '203.0.113.1', family: 4 }],
    })
    const [socket, status] = await tunnelTo(port, `echo.test:${echo.port}`, passage)
    expect(status).to.contain(' 200 ')
    socket.write('there and back')
    expect(String(await once(socket, 'data'))).to.equal('there and back')
    expect(lookups).to.equal(1)
    expect(passage.usedBytes).to.equal(28)
  })

  it('cuts a passage that carried too much, and says so for anything it asks next', async () => {
    const site = own(
      await serve((_, answer) => {
        const timer = setInterval(() => answer.write(Buffer.alloc(50_000)), 1)
        answer.once('close', () => clearInterval(timer))
      }),
    )
    const { port, passage } = await open({ allowHosts: ['127.0.0.1'] }, { maxBytes: 1_000_000 })
    expect(await get(port, site.url, passage)).to.equal(null)
    expect(passage.usedBytes).to.be.within(1_000_000, 1_200_000)
    expect(await get(port, site.url, passage)).to.equal(null)
    expect(passage.obstacleTo(site.url)).to.deep.equal({ kind: 'spent', message: 'The page requested more than 1 MB.' })
  })

  it('bounds how many requests a passage makes, and how many at once', async () => {
    const site = own(await serve(({ url }, answer) => (url === '/hang' ? answer.write('x') : answer.end('ok'))))
    const { proxy, port } = await open({ allowHosts: ['127.0.0.1'] })
    const few = proxy.admit({ maxRequests: 2 })
    const statuses = []
    for (let i = 0; i < 3; i++) statuses.push((await get(port, site.url, few))?.status ?? null)
    expect(statuses).to.deep.equal([200, 200, null])

    const narrow = proxy.admit({ maxOpen: 1 })
    const hanging = get(port, `${site.url}/hang`, narrow)
    while (narrow.requests === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expect(await get(port, site.url, narrow)).to.equal(null)
    narrow.close()
    expect(await hanging).to.equal(null)
  })
})

function authorization({ username, password }: EgressPassage): string {
  return `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
}

/** A plain request through the proxy; null when it was dropped without an answer. */
async function get(port: number, url: string, passage: EgressPassage | null, headers: Record<string, string> = {}) {
  const asking = ask({
    port,
    path: url,
    headers: { ...headers, ...(passage ? { 'proxy-authorization': authorization(passage) } : {}) },
  })
  asking.end()
  try {
    const [answer] = await once(asking, 'response')
    return { status: answer.statusCode as number, headers: answer.headers, body: await text(answer) }
  } catch {
    return null
  }
}

import { expect } from 'chai'
import { once } from 'node:events'
import { Agent, get } from 'node:http'
import { connect } from 'node:net'
import { maxConnections } from '../../../api/http/connections/connection-limit.ts'
import { keys, startApi } from '../../support/api.ts'
import { closing } from '../../support/closing.ts'
import { exchangeBytes, parseAnswers } from '../../support/raw.ts'
import { eventually } from '../../support/service.ts'
import { openEvents, refusedHandshake } from '../../support/socket.ts'

const ask = async (port: number) => {
  const bytes = `GET /v1/status HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`
  return parseAnswers(await exchangeBytes(port, bytes))[0]
}

const from = (address: string) => ({
  headers: { 'x-forwarded-for': address, authorization: `Bearer ${keys.linked}` },
})

const limits = (files: string) =>
  `Limit  Soft Limit  Hard Limit  Units\nMax open files            ${files}  ${files}  files\n`

describe('room for connections', () => {
  it('leaves files to the music, no matter what the system allows', () => {
    expect(maxConnections(limits('512'))).to.equal(256)
    expect(maxConnections(limits('20000'))).to.equal(15_904)
    expect(maxConnections(limits('1048576'))).to.equal(20_000)
  })

  it('is bounded where the system says nothing', () => {
    expect(maxConnections('')).to.equal(20_000)
    expect(maxConnections(limits('unlimited'))).to.equal(20_000)
  })
})

describe('the connections of one address', () => {
  const keep = closing()
  const idle = async (port: number) => {
    const socket = connect(port, '127.0.0.1')
    keep({ close: () => void socket.destroy() })
    socket.on('error', () => {})
    await once(socket, 'connect')
    return socket
  }

  it('are refused with 429 beyond the bound, and served again once one has closed', async () => {
    const { port } = keep(await startApi({ connectionsPerAddress: 3, unboundedAddresses: [] }))
    const [first] = await Promise.all([idle(port), idle(port), idle(port)])
    const refused = await ask(port)
    expect([refused?.status, refused?.body.error.code]).to.deep.equal([429, 'rate_limited'])
    expect(refused?.headers).to.include({ 'retry-after': '10', connection: 'close' })
    expect(refused?.body.requestId).to.equal(refused?.headers['x-request-id'])
    const handshake = await refusedHandshake(`http://127.0.0.1:${port}`, `/v1/events?key=${keys.linked}`)
    expect(handshake.status).to.equal(429)
    first?.destroy()
    await eventually(
      () => ask(port),
      (answer) => answer?.status === 200,
    )
  })

  it('are cut at once when many more come, and when the refused ones stay', async () => {
    const { port } = keep(await startApi({ connectionsPerAddress: 1, unboundedAddresses: [] }))
    const first = await idle(port)
    const crowd = await Promise.all(Array.from({ length: 200 }, () => idle(port)))
    const open = () => crowd.filter(({ closed }) => !closed).length
    await eventually(open, (count) => count <= 64)
    await eventually(open, (count) => count === 0)
    expect(first.closed).to.equal(false)
  }).timeout(10_000)

  it('may be any number from this machine and from trusted proxies', async () => {
    const { port } = keep(await startApi({ connectionsPerAddress: 1 }))
    await Promise.all([idle(port), idle(port), idle(port)])
    expect((await ask(port))?.status).to.equal(200)
  })

  it('are counted by the forwarded address for event sockets behind a trusted proxy, of IPv6 by its /64', async () => {
    const { baseUrl } = keep(await startApi({ connectionsPerAddress: 2, trustedProxies: ['127.0.0.0/8'] }))
    for (const address of ['2001:db8::1', '2001:db8:0:0:ffff::2', '203.0.113.9', '::ffff:203.0.113.9']) {
      keep(await openEvents(baseUrl, null, '', from(address)))
    }
    for (const address of ['2001:db8::3:0:0:4', '::ffff:cb00:7109']) {
      const { status, body, headers } = await refusedHandshake(baseUrl, '/v1/events', from(address))
      expect([status, body.error.code, headers['retry-after']], address).to.deep.equal([429, 'rate_limited', '30'])
    }
    keep(await openEvents(baseUrl, null, '', from('2001:db8:0:1::1')))
  })
})

describe('the event sockets of one project', () => {
  const keep = closing()

  it('leave half of what is free to other projects', async () => {
    const { baseUrl } = keep(await startApi({ events: { perProcess: 8 } }))
    const openAll = async (key: string, count: number) => {
      for (let at = 0; at < count; at++) keep(await openEvents(baseUrl, key))
      return (await refusedHandshake(baseUrl, `/v1/events?key=${key}`)).status
    }
    expect(await openAll(keys.linked, 4)).to.equal(429)
    expect(await openAll(keys.otherProject, 2)).to.equal(429)
    expect(await openAll(keys.free, 1)).to.equal(429)
  })
})

describe('requests that one connection sends ahead', () => {
  const keep = closing()
  it('are answered in their order up to 32, and refused with 429 beyond', async () => {
    const api = keep(await startApi())
    const answers = parseAnswers(
      await exchangeBytes(api.port, 'GET /v1/status HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(2000)),
    )
    expect(answers.slice(0, 32).map(({ status }) => status)).to.deep.equal(Array.from({ length: 32 }, () => 200))
    expect(answers).to.have.length(33)
    expect(answers[32]?.status).to.equal(429)
    expect(answers[32]?.headers).to.include({ connection: 'close', 'retry-after': '10' })
    expect(api.log.filter(({ msg }) => msg === 'request answered')).to.have.length(33)
  })

  it('may be any number one after the other', async () => {
    const { port } = keep(await startApi())
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    keep({ close: () => agent.destroy() })
    for (let at = 0; at < 100; at++) {
      const [response] = await once(get({ port, agent, path: '/v1/status' }), 'response')
      expect(response.statusCode).to.equal(200)
      await once(response.resume(), 'end')
    }
  })
})

import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { expect } from 'chai'
import type { Redis } from 'ioredis'
import { WebSocket, WebSocketServer } from 'ws'
import { connectRedis, untilReady } from '../../jobs/redis/redis-client.ts'
import { redisSocket } from '../../jobs/redis/redis-paths.ts'
import { silent } from '../support/encode-queue.ts'
import { hasRedis } from '../support/redis.ts'
import { eventually, makeDataDir, startService, type RunningService } from '../support/service.ts'
import { listen, type Listening } from '../support/web.ts'

const NEVER_MEANT: readonly (string | Buffer)[] = [
  '',
  'x',
  '{',
  'null',
  '0',
  '[]',
  '{}',
  '"text"',
  '{"kind":"beat","players":"many"}',
  '{"kind":"event","event":null}',
  '{"kind":"sound","player":null,"frames":[1]}',
  '{"kind":"lost","players":[null]}',
  '{"op":"ready"}',
  '{"op":"event","type":"TrackEndEvent","guildId":7}',
  '{"op":2,"d":null}',
  '{"op":2,"d":{"token":7,"intents":"all"}}',
  '{"op":4,"d":[]}',
  '{"op":1,"d":{}}',
  '['.repeat(20_000),
  Buffer.from([0x83, 0xff, 0, 0xc3, 0x28]),
]

/** An audio node that says one thing of the list on each connection, and answers its HTTP requests with `body`. */
async function startBrokenNode(body: string): Promise<Listening & { connections(): number }> {
  let connections = 0
  const server = createServer((_, response) => response.setHeader('content-type', 'application/json').end(body))
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) => {
    socket.on('error', () => undefined)
    socket.send(NEVER_MEANT[connections++ % NEVER_MEANT.length] ?? '')
  })
  return { ...(await listen(server)), connections: () => connections }
}

/** Says each thing of the list on a connection of its own, and waits until the other side has had its say. */
async function sayAll(url: string, options: { readonly headers?: Record<string, string> } = {}): Promise<void> {
  for (const message of NEVER_MEANT) {
    const socket = new WebSocket(url, { rejectUnauthorized: false, ...options })
    socket.on('error', () => undefined)
    await once(socket, 'open')
    socket.send(message)
    socket.ping()
    await Promise.race([once(socket, 'pong'), once(socket, 'close')])
    socket.terminate()
  }
}

/** Frames that no client may send: unmasked, of a reserved kind, a ping that is cut, a length of eight bytes of ones. */
const WRONG_FRAMES = ['8103616263', '83820000000078', '8902', '81ff'.padEnd(20, 'f'), 'ffffffff']

describe('a message that was never meant, on each wire of the service,', () => {
  const dataDir = makeDataDir()
  let ours: Awaited<ReturnType<typeof startBrokenNode>>
  let service: RunningService
  let redis: Redis | null = null
  before(async () => {
    ours = await startBrokenNode('x')
    service = await startService({ dataDir, env: { AUDIO_NODES: `ours=${ours.url.replace('//', '//:x@')}` } })
  })
  after(async () => {
    redis?.disconnect()
    await service.stop()
    await ours.close()
  })
  afterEach(async () => {
    expect((await service.call('GET', '/v1/status')).status).to.equal(200)
    expect([service.process.exitCode, service.output()]).to.satisfy(([code, output]: [unknown, string]) => {
      return code === null && !output.includes('Uncaught')
    })
  })

  it('from an audio node of ours costs that connection alone, which is tried again', async () => {
    await eventually(
      () => ours.connections(),
      (count) => count >= 4,
    )
    await service.logged('audio node sent a malformed message')
  })

  it('from Redis is dropped, on each channel, and in each value that workers and jobs leave there', async function () {
    if (!hasRedis()) this.skip()
    redis = connectRedis({ path: redisSocket(dataDir) }, silent)
    await untilReady(redis, 5000)
    const channels = (await redis.pubsub('CHANNELS')) as string[]
    expect(channels.join()).to.match(/:ended/)
    for (const channel of channels) for (const message of NEVER_MEANT) await redis.publish(channel, message)
    const prefix = channels[0]!.split(':').slice(0, -1).join(':')
    await redis.sadd(`${prefix}:workers`, 'stranger')
    await redis.set(`${prefix}:worker:stranger`, '{"id":')
    await service.logged('malformed message from Redis dropped')
    expect((await service.call('GET', '/v1/jobs')).status).to.equal(200)
  })

  it('from a listener of events is taken or costs that socket alone', async () => {
    const { baseUrl, keys } = service.demo
    const headers = { authorization: `Bearer ${keys.linked}` }
    await sayAll(`${baseUrl.replace('http', 'ws')}/v1/events`, { headers })
  })

  it('in frames that no client may send costs that socket alone', async () => {
    const { baseUrl, keys } = service.demo
    for (const frame of WRONG_FRAMES) {
      const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(
        `GET /v1/events?key=${keys.linked} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n` +
          'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      )
      await once(socket, 'data')
      socket.end(Buffer.from(frame, 'hex'))
      await once(socket.resume(), 'close')
    }
  })

  it('from a bot of the sandbox costs its connection alone', async () => {
    await sayAll(`${service.demo.sandboxUrl.replace('http', 'ws')}/?v=10&encoding=json`)
    await sayAll(`${service.demo.sandboxUrl.replace('http', 'ws')}/?v=10&encoding=etf`)
  })
})

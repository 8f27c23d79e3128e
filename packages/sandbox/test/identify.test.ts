import { once } from 'node:events'
import { expect } from 'chai'
import type { WebSocket } from 'ws'
import { createApplication } from 'bandstand-sandbox/world'
import type { Sandbox } from 'bandstand-sandbox'
import { dial } from './dial.ts'
import { openSandbox } from './stage.ts'

const GUILDS = 1
const CONTENT = 32_768

describe('an identify', () => {
  let sandbox: Sandbox
  let token: string
  const open: { socket: WebSocket }[] = []

  before(async () => {
    sandbox = await openSandbox({ demoMember: false })
    token = sandbox.demo.botToken
  })
  after(() => sandbox.close())
  afterEach(() => {
    for (const { socket } of open.splice(0)) socket.terminate()
  })

  function connect() {
    const client = dial(sandbox.url)
    open.push(client)
    return client
  }

  it('is taken as released clients send it, and answered with all that READY has', async () => {
    const shapes: Record<string, object> = {
      'null presence, shard and threshold': { presence: null, shard: null, large_threshold: null },
      'presence without activities': { presence: { status: 'online', afk: false, activities: null, since: null } },
      'transport compression in the payload': { compress: 'zlib-stream' },
      'no properties': { properties: null },
    }
    for (const [what, more] of Object.entries(shapes)) {
      const client = connect()
      await client.op(10)
      client.send(2, { token, intents: GUILDS, properties: {}, ...more })
      const { d } = await client.event('READY')
      expect(d, what).to.deep.include({ private_channels: [], relationships: [], shard: [0, 1] })
    }
  })

  it('is closed with words for a shard that cannot be, and for a bot that must shard', async () => {
    const large = createApplication(sandbox.world, { name: 'large', shards: 2 })
    for (const [shard, code, reason] of [
      [[0, 0], 4010, 'Invalid shard.'],
      [[-1, 2], 4010, 'Invalid shard.'],
      [[0, 1], 4011, 'Sharding required.'],
    ] as const) {
      const client = connect()
      await client.op(10)
      const closing = once(client.socket, 'close')
      client.send(2, { token: large.token, intents: GUILDS, properties: {}, shard })
      const [closed, words] = (await closing) as [number, Buffer]
      expect([closed, words.toString()]).to.deep.equal([code, reason])
    }
  })

  it('is closed with 4014 for privileged intents that a bot was not given', async () => {
    const plain = createApplication(sandbox.world, { name: 'plain', privileged: 0 })
    const client = connect()
    await client.op(10)
    client.send(2, { token: plain.token, intents: GUILDS | CONTENT, properties: {} })
    expect(await client.closed).to.equal(4014)
  })

  it('is for one shard in five seconds where limits are enforced, and resets the token of a bot without session starts', async () => {
    let nowMs = Date.now()
    const strict = await openSandbox({ demoMember: false, now: () => nowMs })
    const dialed: { socket: WebSocket }[] = []
    try {
      strict.world.rules.identifyLimits = true
      const two = createApplication(strict.world, { name: 'two', shards: 2, sessionStarts: 3 })
      const answer = async (shard: readonly [number, number]) => {
        const client = dial(strict.url)
        dialed.push(client)
        await client.op(10)
        client.send(2, { token: two.token, intents: GUILDS, properties: {}, shard })
        return Promise.race([client.receive(), client.closed])
      }
      expect((await answer([0, 2])).t).to.equal('READY')
      expect(await answer([1, 2])).to.deep.include({ op: 9, d: false })
      nowMs += 5000
      expect((await answer([1, 2])).t).to.equal('READY')
      const before = two.token
      nowMs += 5000
      expect((await answer([0, 2])).t).to.equal('READY')
      expect(strict.gateway.startLimit(two.id)).to.include({ total: 3, remaining: 0 })
      nowMs += 5000
      expect(await answer([0, 2])).to.equal(4004)
      expect(two.token).not.to.equal(before)
    } finally {
      for (const { socket } of dialed) socket.terminate()
      await strict.close()
    }
  })
})

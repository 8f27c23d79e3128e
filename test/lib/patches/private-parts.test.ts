import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { DAVESession, VoiceUDPSocket, VoiceWebSocket } from '@discordjs/voice'
import { expect } from 'chai'
import { Client, SimpleShardingStrategy, WebSocketShard } from 'discord.js'

const fromHere = createRequire(import.meta.url)
const ofDiscord = createRequire(fromHere.resolve('discord.js'))

/** When one of these fails, read the library's new version before the file in lib/patches/ is changed. */
describe('what lib/patches uses of the inside of libraries', () => {
  it('is there in the voice library', async () => {
    const methods: [object, string][] = [
      [DAVESession.prototype, 'processProposals'],
      [VoiceWebSocket.prototype, 'onMessage'],
      [VoiceUDPSocket.prototype, 'performIPDiscovery'],
      [VoiceUDPSocket.prototype, 'send'],
    ]
    for (const [owner, name] of methods) expect(Reflect.get(owner, name), name).to.be.a('function')
    const udp = new VoiceUDPSocket({ ip: '127.0.0.1', port: 9 })
    // Waits for the socket's first keep-alive.
    await nextTurn()
    try {
      expect(Reflect.get(udp, 'remote')).to.deep.equal({ ip: '127.0.0.1', port: 9 })
      expect(Reflect.get(udp, 'socket')).to.have.property('send')
      expect(Reflect.get(DAVESession.prototype, 'recoverFromInvalidTransition')).to.be.a('function')
    } finally {
      udp.destroy()
    }
  })

  it('is there in the client of discord.js', () => {
    const client = new Client({ intents: [] })
    for (const name of ['handlePacket', 'checkShardsReady'])
      expect(Reflect.get(client.ws, name), name).to.be.a('function')
    expect(client.ws).to.include.keys('_ws')
    const manager = join(dirname(fromHere.resolve('discord.js')), 'client/websocket/WebSocketManager.js')
    expect(readFileSync(manager, 'utf8')).to.include('this.totalShards')
    expect(Reflect.get(client.guilds, '_add')).to.be.a('function')
    const shard = Reflect.construct(WebSocketShard, [client.ws, 0]) as object
    expect(Reflect.get(shard, 'checkReady')).to.be.a('function')
    for (const name of ['sessionInfo', 'expectedGuilds', 'readyTimeout']) expect(name in shard, name).to.equal(true)
  })

  it('is there in the connections of @discordjs/ws', () => {
    const strategy = new SimpleShardingStrategy({ options: {} } as never)
    expect(Reflect.get(strategy, 'shards')).to.be.instanceOf(Map)
    const source = readFileSync(ofDiscord.resolve('@discordjs/ws'), 'utf8')
    for (const part of [
      'async internalConnect()',
      'async onMessage(',
      'timeoutAbortControllers = ',
      'connection = null',
    ]) {
      expect(source, part).to.include(part)
    }
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { pino } from 'pino'
import { startSandbox } from 'bandstand-sandbox'
import { getApplication } from 'bandstand-sandbox/world'
import { startBots, until } from '../../support/bots.ts'
import { createFakeAudioNode } from '../../support/fake-audio-node.ts'
import { testSources } from '../../support/stage.ts'

/** A shard of discord.js that is left behind connects again after half a second. */
const RECONNECTED_MS = 700

describe('a bot that logs in', () => {
  it('ends for good when it is closed at any moment of that', async () => {
    const log = pino({ level: 'silent' })
    const sandbox = await startSandbox({ port: 0, stateFile: null, limits: false, demoMember: false, log })
    const { applicationId: id, botToken: token } = sandbox.demo
    for (const afterMs of [0, 2, 5, 8, 10, 12, 13, 14, 15, 17, 20, 30]) {
      const test = await startBots({
        apiUrl: `${sandbox.url}/api`,
        nodes: [createFakeAudioNode()],
        sources: testSources,
      })
      await test.records.add({ id, projectId: test.projectId, name: 'Bot', token })
      test.changed()
      await sleep(afterMs)
      await test.close()
    }
    await sleep(RECONNECTED_MS)
    const connected = [...sandbox.gateway.sessions.values()].filter(({ carrier }) => carrier)
    await sandbox.close()
    expect(connected).to.deep.equal([])
  })

  it('is refused for how it does, and tries again only after a long while', async () => {
    const log = pino({ level: 'silent' })
    const sandbox = await startSandbox({ port: 0, stateFile: null, limits: false, demoMember: false, log })
    const { applicationId: id, botToken: token } = sandbox.demo
    // A login that asked for Message Content would be tried again at once, without it.
    getApplication(sandbox.world, id).privileged = 0
    const test = await startBots({ apiUrl: `${sandbox.url}/api`, nodes: [createFakeAudioNode()], sources: testSources })
    await test.records.add({ id, projectId: test.projectId, name: 'Bot', token })
    test.changed()
    await until('it is connected', () => test.bots.isConnected(id))
    const left = sandbox.gateway.startLimit(id).remaining
    sandbox.gateway.closeSockets(id, 4014)
    await until('it has stopped', () => test.events.some(({ type }) => type === 'botStopped'))
    // After any other failure it would be there again by then.
    await sleep(1400)
    expect(sandbox.gateway.startLimit(id).remaining).to.equal(left)
    await test.close()
    await sandbox.close()
  })

  it('counts among those that should run while its token cannot be read, and says so of it until it can', async () => {
    const log = pino({ level: 'silent' })
    const sandbox = await startSandbox({ port: 0, stateFile: null, limits: false, demoMember: false, log })
    const { applicationId: id, botToken: token } = sandbox.demo
    const test = await startBots({ apiUrl: `${sandbox.url}/api`, nodes: [createFakeAudioNode()], sources: testSources })
    const bot = { id, projectId: test.projectId, name: 'Bot', token }
    await test.foreignRecords.add(bot)
    test.changed()
    await until('its token was tried', () => test.bots.stateOf(id) === 'unreadable')
    expect(test.bots.counts()).to.include({ bots: 1, connectedBots: 0, unreadableBots: 1 })
    await test.records.add(bot)
    test.changed()
    await until('it is connected', () => test.bots.isConnected(id))
    expect(test.bots.counts()).to.include({ bots: 1, connectedBots: 1, unreadableBots: 0 })
    await test.close()
    await sandbox.close()
  })
})

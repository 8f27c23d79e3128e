import { expect } from 'chai'
import { pino } from 'pino'
import { startSandbox, type Sandbox } from 'bandstand-sandbox'
import type { Fault } from '../../../lib/errors.ts'
import { startBots, until, type TestBots } from '../../support/bots.ts'
import { createFakeAudioNode } from '../../support/fake-audio-node.ts'
import { testSources } from '../../support/stage.ts'

describe('a player that there is not', () => {
  let sandbox: Sandbox
  let test: TestBots
  before(async () => {
    sandbox = await startSandbox({
      port: 0,
      stateFile: null,
      limits: false,
      demoMember: false,
      log: pino({ level: 'silent' }),
    })
    test = await startBots({ apiUrl: `${sandbox.url}/api`, nodes: [createFakeAudioNode()], sources: testSources })
    const { applicationId: id, botToken: token } = sandbox.demo
    await test.records.add({ id, projectId: test.projectId, name: 'Bot', token })
    test.changed()
  })
  after(async () => {
    await test.close()
    await sandbox.close()
  })

  const stateIs = (state: string) => until(state, () => test.bots.stateOf(sandbox.demo.applicationId) === state)
  async function refusal(guildId = sandbox.demo.guildId): Promise<Fault> {
    const scope = { projectId: test.projectId, botId: sandbox.demo.applicationId, playerCeiling: 1 }
    return (await test.bots.music.info(scope, guildId).catch((err: unknown) => err)) as Fault
  }

  it('is refused with what would help: an invitation, a start of the bot, or another token', async () => {
    await stateIs('connected')
    expect((await refusal()).message).to.match(/^There is no player in server \d+\. POST …\/play starts one\.$/)
    const elsewhere = await refusal('999999999999999999')
    expect([elsewhere.code, elsewhere.message]).to.deep.equal([
      'not_found',
      "The bot isn't in server 999999999999999999. Invite it first.",
    ])

    await test.records.setStopped(test.projectId, sandbox.demo.applicationId, true)
    test.changed()
    await stateIs('stopped')
    const stopped = await refusal()
    expect(stopped).to.include({ code: 'service_unavailable', retryAfterMs: undefined })
    expect(stopped.message).to.match(/^The bot \d+ is stopped\. Start it/)

    await test.records.setStopped(test.projectId, sandbox.demo.applicationId, false)
    test.changed()
    await stateIs('connected')
    sandbox.gateway.closeSockets(sandbox.demo.applicationId, 4004)
    await stateIs('refused')
    const refused = await refusal()
    expect(refused).to.include({ code: 'service_unavailable', retryAfterMs: undefined })
    expect(refused.message).to.match(/^Discord refuses the token of bot \d+\. Waiting doesn't help/)
  })
})

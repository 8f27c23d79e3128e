import { expect } from 'chai'
import type { AudioNode, NodeStats } from '../../../../bot/audio/node/protocol.ts'
import { systemClock, type Clock } from '../../../../bot/player/timers.ts'
import { until } from '../../../support/bots.ts'
import { hear, startConcert, type Concert } from '../../../support/playing-service.ts'
import { eventually } from '../../../support/service.ts'

/** Ten times as fast as the machine's. */
const hurried: Clock = {
  ...systemClock,
  nowMs: () => systemClock.nowMs() * 10,
  after: (delayMs, call) => systemClock.after(delayMs / 10, call),
}
const rules = { idleMs: Infinity, aloneMs: Infinity }
/** On their way to the voice server in the moment in which it ends the old session. */
const MOST_MISSING = 10

describe('a player on an audio thread that is full', () => {
  let concert: Concert
  const utilization = new Map<string, number>()
  const joins: string[] = []
  /** A real thread, which says how busy it is as the test wants it. */
  function shown(node: AudioNode): AudioNode {
    const stats = async (): Promise<NodeStats> => ({
      ...(await node.stats()),
      utilization: utilization.get(node.id) ?? 0,
    })
    node.onEvent((event) => event.type === 'gatewayPayload' && joins.push(event.guildId))
    return new Proxy(node, { get: (target, name) => (name === 'stats' ? stats : Reflect.get(target, name)) })
  }
  before(async () => {
    concert = await startConcert({ threadCount: 2, shown, clock: hurried, rules })
  })
  after(() => concert.close())

  const isIn = (guildId: string) => concert.test.bots.guildsOf(concert.botId).some(({ id }) => id === guildId)

  it('goes on in the other one with the next frame, and Discord is not asked to let it in again', async () => {
    const { heard } = await concert.listen()
    await concert.play()
    await hear(heard, 20)
    expect((await concert.info()).node.id).to.equal('audio-1')
    for (const name of ['second', 'third', 'fourth', 'fifth']) {
      const { guildId, channelId } = concert.addGuild(name)
      await until('the bot knows the guild', () => isIn(guildId))
      await concert.play('A', guildId, channelId)
    }
    const { privacyCode } = await concert.info()
    utilization.set('audio-1', 0.9)
    await eventually(
      () => concert.info(),
      ({ node }) => node.id === 'audio-2',
    )
    await hear(heard, heard.length + 50)
    const steps = heard.slice(1).map(({ frame }, at) => frame - (heard[at]?.frame ?? 0))
    expect(Math.min(...steps), 'none is heard twice').to.equal(1)
    expect(steps.reduce((sum, step) => sum + step - 1, 0)).to.be.at.most(MOST_MISSING)
    expect(joins.filter((guildId) => guildId === concert.guild.id)).to.have.length(1)
    expect(concert.told()).to.deep.equal(['trackStarted'])
    await eventually(
      () => concert.info(),
      (info) => info.privacyCode !== null && info.privacyCode !== privacyCode,
    )
    // It takes orders there.
    await concert.music.patch(concert.scope, concert.guild.id, { paused: true })
    expect((await concert.info()).paused).to.equal(true)
  })
})

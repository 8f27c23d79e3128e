import { expect } from 'chai'
import { removeFromVoice } from 'bandstand-sandbox/world'
import { untilGone, isRunning } from '../audio/processes.ts'
import { until } from '../../support/bots.ts'
import { hear, startConcert, type Concert } from '../../support/playing-service.ts'

/** User complaints about bots that do not end: in channels, in memory, as processes. */
describe('complaints about what is left behind', () => {
  let concert: Concert

  before(async () => {
    concert = await startConcert({ rules: { idleMs: 700, aloneMs: 500 } })
  })
  afterEach(() => concert.clear())
  after(() => concert.close())

  const isShown = () => concert.guild.voice.has(concert.botId)
  /** Discord shows it nowhere, and everybody was told. */
  const isGone = () => !isShown() && concert.told().includes('playerClosed idle')
  const everybodyLeaves = () => {
    for (const userId of concert.sandbox.demo.memberIds)
      removeFromVoice(concert.sandbox.world, concert.guild, userId, null)
  }

  it('“sat in an empty channel for 21 hours”: it leaves when no one listens any more', async () => {
    const { heard } = await concert.listen()
    await concert.play()
    await hear(heard, 10)
    everybodyLeaves()
    await until('it is gone', isGone)
    expect(concert.told()).to.deep.equal(['trackStarted', 'trackEnded cleanup', 'playerClosed idle'])
  })

  it('“never leaves a live stream, which never ends”: it leaves that, too', async () => {
    const { heard } = await concert.listen()
    await concert.play('radio')
    await hear(heard, 10)
    everybodyLeaves()
    await until('it is gone', isGone)
    expect(concert.told().at(-1)).to.equal('playerClosed idle')
  })

  it('“stays when the queue is over”: it leaves though someone is there', async () => {
    await concert.listen()
    await concert.play()
    await concert.music.skip(concert.scope, concert.guild.id)
    await until('it is gone', isGone)
    expect(concert.told().slice(-2)).to.deep.equal(['queueEmptied', 'playerClosed idle'])
  })

  it('“ffmpegs pile up”: none outlives its track or its player, however fast one skips', async () => {
    const { guild, scope, music, path } = concert
    await concert.listen()
    await concert.play('A B C D E F')
    await music.patch(scope, guild.id, { volume: 50 })
    await until('it is transcoded', () => isRunning(path))
    for (const volume of [60, 70, 80]) {
      await music.skip(scope, guild.id)
      await music.patch(scope, guild.id, { volume })
    }
    await music.close(scope, guild.id)
    await untilGone(path)
  })

  it('“two gigabytes after a night”: of players that come and go nothing is left', async () => {
    const places = Array.from({ length: 12 }, (_, index) => concert.addGuild(`Night ${index}`))
    for (let round = 0; round < 2; round += 1) {
      await Promise.all(
        places.map(({ guildId, channelId }) =>
          until(`guild ${guildId} plays`, async () => {
            const [played] = await Promise.allSettled([concert.play('A', guildId, channelId)])
            return played?.status === 'fulfilled'
          }),
        ),
      )
      await Promise.allSettled(places.map(({ guildId }) => concert.music.close(concert.scope, guildId)))
    }
    await until('no player is left', async () => concert.test.bots.counts().players === 0)
    const { guilds } = concert.sandbox.world
    await until('no call is left', () => places.every(({ guildId }) => guilds.get(guildId)?.voice.size === 0))
    expect(await concert.test.states.list(concert.test.projectId, concert.botId)).to.deep.equal([])
    expect(concert.threads).to.have.length(1)
  })

  it('“has forgotten everything after a restart”, the most frequent wish of all: it continues as it was', async () => {
    const { guild, scope, test } = concert
    const [userId = ''] = concert.sandbox.demo.memberIds
    const { heard } = await concert.listen()
    const { voiceChannelId: channelId } = concert.sandbox.demo
    await concert.music.play(scope, guild.id, { query: 'A B C', channelId, requesterId: userId })
    await concert.music.patch(scope, guild.id, { loop: 'queue', positionMs: 20_000 })
    await until('it plays from there', () => (heard.at(-1)?.frame ?? 0) > 1020)
    const before = await concert.info()
    await test.bots.close()
    expect(isShown()).to.equal(false)
    const { length } = heard
    test.restart()
    await hear(heard, length + 10)
    const after = await concert.info()
    expect(after).to.deep.include({ loop: 'queue', current: before.current, queue: before.queue, volume: 100 })
    expect((heard[length]?.frame ?? 0) - (heard[length - 1]?.frame ?? 0), 'frames lost').to.be.within(-25, 25)
    expect((await concert.music.requesters(scope, guild.id)).current).to.equal(userId)
  })
})

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'chai'
import { GatewayDispatchEvents } from 'discord-api-types/v10'
import { moveInVoice, removeFromVoice, type Happening } from 'bandstand-sandbox/world'
import { until } from '../../support/bots.ts'
import { hear, startConcert, type Concert, type Heard } from '../../support/playing-service.ts'

/** Frames that listeners hear before the disruption, and after it. */
interface Listeners {
  readonly before: readonly Heard[]
  readonly after: readonly Heard[]
}

interface Survival {
  readonly listeners?: Listeners
  /** Longest silence allowed, not counting moments in which this process does not run. */
  readonly mostMs?: number
}

/** A member of the stand-in Discord decrypts what the bot sends and knows every frame of it. */
describe('voice', () => {
  let concert: Concert

  before(async () => {
    concert = await startConcert()
  })
  afterEach(() => concert.clear())
  after(() => concert.close())

  async function listenAlone(): Promise<Listeners> {
    const { heard } = await concert.listen()
    return { before: heard, after: heard }
  }

  /** Does something to the voice of a bot that plays; then the music must continue where it was. */
  async function survives(happening: () => unknown, { listeners, mostMs = 2000 }: Survival = {}): Promise<void> {
    const { before, after } = listeners ?? (await listenAlone())
    const stalls = monitorEventLoopDelay({ resolution: 20 })
    await concert.play()
    await hear(before, 60)
    stalls.enable()
    await happening()
    const last = before.at(-1) ?? { frame: 0, atMs: 0 }
    const isNew = ({ atMs, frame }: Heard) => atMs > last.atMs + 25 && frame > last.frame + 25
    await until('the music goes on', () => after.some(isNew))
    stalls.disable()
    const stalledMs = stalls.max / 1e6
    // All that was heard since, with the longest silence in it.
    const since = [last, ...after.filter(({ atMs }) => atMs > last.atMs)]
    const gaps = since.slice(1).map(({ atMs }, index) => atMs - (since[index]?.atMs ?? 0))
    expect(Math.max(...gaps), 'longest silence in ms').to.be.below(mostMs + stalledMs)
    const jumps = since.slice(1).map(({ frame }, index) => frame - (since[index]?.frame ?? 0))
    expect(Math.min(...jumps), 'nothing is heard twice').to.be.above(0)
    // Limited like the silence: the last position from a thread that died is up to a second old.
    expect(Math.max(...jumps), 'frames left out').to.be.below(100 + stalledMs / 20)
    expect(concert.told()).to.deep.equal(['trackStarted'])
    // The position is measured each second, and extrapolated by up to 1.5 s.
    await until('the position is that of the sound', async () => {
      const { positionMs } = await concert.info()
      return Math.abs(positionMs - (after.at(-1)?.frame ?? 0) * 20) < 1000
    })
  }

  it('is heard by a member, encrypted end to end, frame by frame', async () => {
    const { member, heard } = await concert.listen()
    expect(await concert.play()).to.deep.include({ position: 0 })
    await hear(heard, 100)
    const first = heard[0]?.frame ?? 0
    expect(first).to.be.below(25)
    expect(heard.slice(0, 100).map(({ frame }) => frame - first)).to.deep.equal([...Array(100).keys()])
    expect(member.report.daveVersion).to.equal(1)
    expect(member.report.privacyCode).to.match(/^\d{30}$/)
    const { positionMs, privacyCode } = await concert.info()
    expect(privacyCode).to.equal(member.report.privacyCode)
    expect(positionMs).to.be.within(1000, 6000)
  })

  it('pauses, continues, seeks and skips as it is told', async () => {
    const { heard } = await concert.listen()
    await concert.play('A B')
    // Fades are mixed, and no longer frames of the file.
    await concert.music.patch(concert.scope, concert.guild.id, { fadeMs: 0 })
    await hear(heard, 20)
    await concert.music.patch(concert.scope, concert.guild.id, { paused: true })
    let still = 0
    await until('nothing more is heard', async () => {
      still = heard.length
      await sleep(200)
      return heard.length === still
    })
    const pausedAt = heard.at(-1)?.frame ?? 0
    await concert.music.patch(concert.scope, concert.guild.id, { paused: false })
    await hear(heard, still + 10)
    expect(heard[still]?.frame).to.be.within(pausedAt + 1, pausedAt + 10)
    await concert.music.patch(concert.scope, concert.guild.id, { positionMs: 40_000 })
    await until('it plays from there', () => (heard.at(-1)?.frame ?? 0) >= 2000)
    expect((await concert.music.skip(concert.scope, concert.guild.id)).track?.title).to.equal('B')
    await until('the next track begins', () => (heard.at(-1)?.frame ?? 2000) < 50)
    expect(concert.told()).to.deep.equal(['trackStarted', 'trackEnded replaced', 'trackStarted'])
  })

  it('continues in the second channel when a member moves it there', async () => {
    const { heard: before } = await concert.listen(0)
    const { heard: after } = await concert.listen(1, concert.sandbox.demo.secondVoiceChannelId)
    const move = () =>
      moveInVoice(concert.sandbox.world, concert.guild, concert.botId, concert.sandbox.demo.secondVoiceChannelId)
    await survives(move, { listeners: { before, after } })
    expect((await concert.info()).channelId).to.equal(concert.sandbox.demo.secondVoiceChannelId)
  })

  for (const how of [4015, 4006, 'drop'] as const) {
    it(`continues when the voice socket ends: ${how}`, async () => {
      await survives(() => concert.sandbox.voice.closeSocket(concert.guild.id, concert.botId, how))
    })
  }

  it('continues through a gateway reconnect', async () => {
    await survives(async () => {
      concert.sandbox.gateway.askToReconnect(concert.botId)
      await until('the gateway is lost', () => !concert.test.bots.isConnected(concert.botId))
      await until('it is back', () => concert.test.bots.isConnected(concert.botId))
    })
  })

  it('says that Discord does not answer, and no more once it does: a gateway that hears nothing', async () => {
    const { bots } = concert.test
    concert.sandbox.gateway.spoilSockets(concert.botId, 'deaf')
    const refused: unknown = await concert.play().catch((error: unknown) => error)
    expect(refused).to.include({ code: 'service_unavailable', retryAfterMs: 5000 })
    expect((refused as Error).message).to.match(/^Discord didn't respond/)
    expect(bots.counts()).to.include({ connectedBots: 1, unansweredBots: 1, players: 0 })
    concert.sandbox.gateway.closeSockets(concert.botId, 'drop')
    await until('it is back', () => bots.isConnected(concert.botId) && bots.counts().unansweredBots === 0)
    await concert.play()
    expect(bots.counts()).to.include({ unansweredBots: 0, players: 1 })
  })

  it('comes back where it was when its session with Discord was void', async () => {
    const { heard } = await concert.listen()
    await concert.play()
    await hear(heard, 60)
    concert.sandbox.gateway.invalidate(concert.botId, false)
    await until('the gateway is lost', () => !concert.test.bots.isConnected(concert.botId))
    const { positionMs } = await concert.info()
    const before = heard.length
    await until('the music is back', () => heard.length > before + 50)
    expect((heard.at(-1)?.frame ?? 0) * 20 - positionMs).to.be.within(0, 3000)
    expect(concert.told()).to.deep.equal(['trackStarted'])
  })

  it('continues when the audio thread dies', async () => {
    await survives(
      async () => {
        await concert.threads.at(-1)?.terminate()
        await until('the thread is gone', () => !concert.node.isAlive)
        await until('it is back', () => concert.node.isAlive)
        // A thread that begins reads all its code, for which a busy machine takes its time.
      },
      { mostMs: 7000 },
    )
  })

  it('ends at once when a member throws it out', async () => {
    const { heard } = await concert.listen()
    await concert.play()
    await hear(heard, 20)
    removeFromVoice(concert.sandbox.world, concert.guild, concert.botId, 4014)
    await until('it has closed', () => concert.told().length === 3)
    expect(concert.told()).to.deep.equal(['trackStarted', 'trackEnded cleanup', 'playerClosed disconnected'])
  })

  it('ends when Discord wants it out for good, with few join attempts: 4014, 4017, 4021, 4022', async () => {
    const { world } = concert.sandbox
    const ends = [4014, 4017, 4021, 4022].map((code) => Object.assign(concert.addGuild(`Guild ${code}`), { code }))
    const joins: string[] = []
    const count = ({ event, guildId }: Happening): void => {
      if (event.t === GatewayDispatchEvents.VoiceServerUpdate) joins.push(guildId ?? '')
    }
    await until('the bot knows its guilds', async () => {
      const plays = await Promise.allSettled(
        ends.map(({ guildId, channelId }) => concert.play('A', guildId, channelId)),
      )
      return plays.every(({ status }) => status === 'fulfilled')
    })
    world.notices.on('happening', count)
    for (const { guildId, code } of ends) concert.sandbox.voice.closeSocket(guildId, concert.botId, code)
    await until('all have closed', () =>
      ends.every(({ guildId }) => concert.told(guildId).includes('playerClosed disconnected')),
    )
    world.notices.off('happening', count)
    for (const { guildId } of ends) {
      expect(concert.told(guildId).slice(-2)).to.deep.equal(['trackEnded cleanup', 'playerClosed disconnected'])
      expect(joins.filter((joined) => joined === guildId).length, 'join attempts').to.be.at.most(5)
      await until('Discord shows it nowhere', () => !world.guilds.get(guildId)?.voice.has(concert.botId))
    }
  })
})

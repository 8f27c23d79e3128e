import { expect } from 'chai'
import { MOVED } from '../../../bot/player/voice-lifecycle.ts'
import { Fault } from '../../../lib/errors.ts'
import { settle } from '../../support/manual-clock.ts'
import { faultOf } from '../../support/web.ts'
import { BOT, CHANNEL, createStage, GUILD, OTHER_CHANNEL, OTHER_GUILD, type Stage } from '../../support/stage.ts'

describe('a player that another service takes over', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const comeBack = (formerSilentAtMs: number | null = null) => {
    const guild = {
      id: GUILD,
      ownChannelId: null,
      isTakenOver: true,
      joinable: (channelId: string) => channelId,
      countListeners: () => 1,
      leave: () => undefined,
    }
    void stage.sessionRestore.comeBack({ id: BOT, projectId: 'project', formerSilentAtMs }, [guild])
  }

  /** @returns what ends the join that it waits in. */
  const returning = async (query: string, positionMs: number, formerSilentAtMs: number | null = null) => {
    await stage.play(query)
    await stage.clock.advance(positionMs)
    stage.node.tell({ botId: BOT, guildId: GUILD, type: 'position', playId: 1, positionMs })
    await stage.players.closeAll(BOT, MOVED)
    stage.node.calls.length = 0
    stage.told.length = 0
    const { promise, resolve } = Promise.withResolvers<void>()
    stage.node.gate = promise
    comeBack(formerSilentAtMs)
    await settle()
    return resolve
  }

  it('comes back while what is played in another guild is still being written', async () => {
    await stage.play('A')
    await stage.players.closeAll(BOT, MOVED)
    const { promise, resolve } = Promise.withResolvers<void>()
    stage.cannotSave = promise
    const playing = stage.music.play(stage.scope, OTHER_GUILD, { query: 'B', channelId: OTHER_CHANNEL })
    await settle()
    comeBack()
    await settle()
    expect(await stage.titles()).to.equal('A')
    resolve()
    await playing
  })

  it('opens its track while it joins, once, and goes on where it was', async () => {
    const join = await returning('A B', 12_000)
    expect(stage.node.calls).to.deep.equal([`join ${CHANNEL}`, 'play /A.ogg'])
    join()
    await settle()
    expect(stage.node.calls.filter((call) => call.startsWith('play'))).to.deep.equal(['play /A.ogg'])
    const { positionMs, current } = await stage.info()
    expect([current?.title, positionMs]).to.deep.equal(['A', 12_000])
    await stage.finish()
    expect(await stage.titles()).to.equal('B')
    expect(stage.told).to.deep.equal(['trackEnded finished', 'trackStarted B'])
  })

  it('opens its track only when it has joined where its service was lost', async () => {
    const join = await returning('A', 12_000, 0)
    expect(stage.node.calls).to.deep.equal([`join ${CHANNEL}`])
    join()
    await settle()
    expect(stage.node.calls).to.include('play /A.ogg')
  })

  it('opens a stream only when it has joined: it would be heard late', async () => {
    const join = await returning('radio', 1000)
    expect(stage.node.calls).to.deep.equal([`join ${CHANNEL}`])
    join()
    await settle()
    expect(stage.node.calls).to.include('play /radio.ogg')
  })

  it('opens its track again when it could not be opened while it joined', async () => {
    const play = stage.node.play.bind(stage.node)
    let tries = 0
    stage.node.play = async (options) => {
      tries += 1
      if (tries === 2) throw new Fault('service_unavailable', 'It is busy.')
      await play(options)
    }
    const join = await returning('A', 12_000)
    expect(tries).to.equal(2)
    join()
    await settle()
    expect(tries).to.equal(3)
    expect([await stage.titles(), (await stage.info()).positionMs]).to.deep.equal(['A', 12_000])
    expect(stage.told).to.deep.equal([])
  })

  it('leaves nothing behind when it is dismissed while it joins and opens', async () => {
    const join = await returning('A', 12_000)
    const closing = stage.music.close(stage.scope, GUILD).catch(() => undefined)
    await settle()
    join()
    await closing
    await settle()
    expect([stage.players.count, stage.node.voices.size, stage.told]).to.deep.equal([0, 0, []])
  })

  it('joins again when its audio node ended while it joined, and plays where it was', async () => {
    await stage.play('A B')
    await stage.music.patch(stage.scope, GUILD, { positionMs: 12_000 })
    await stage.players.closeAll(BOT, MOVED)
    const join = stage.node.join.bind(stage.node)
    let joins = 0
    stage.node.join = async (options) => {
      joins += 1
      if (joins <= 2) throw new Fault('service_unavailable', 'The audio node is not connected.')
      await join(options)
    }
    comeBack()
    await settle()
    expect([joins, stage.players.count]).to.deep.equal([1, 0])
    expect(await faultOf(stage.play('C'))).to.include({ code: 'service_unavailable' })
    for (const ms of [200, 1000]) {
      await stage.clock.advance(ms)
      await settle()
    }
    expect([joins, await stage.titles(), (await stage.info()).positionMs]).to.deep.equal([3, 'A B', 12_000])
  })
})

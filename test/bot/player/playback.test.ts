import { expect } from 'chai'
import { DISCONNECTED } from '../../../bot/player/voice-lifecycle.ts'
import { LONGEST_QUEUE } from '../../../bot/player/inputs.ts'
import { Fault } from '../../../lib/errors.ts'
import { settle } from '../../support/manual-clock.ts'
import { BOT, CHANNEL, createStage, faultOf, GUILD, type Stage } from '../../support/stage.ts'

const refuse = async () => {
  throw new Fault('service_unavailable', 'The audio node is busy.')
}

async function reasonOf(task: Promise<unknown>): Promise<unknown> {
  const error: unknown = await task.catch((it: unknown) => it)
  return error instanceof Fault ? error.reason : error
}

describe('playing', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const plays = () => stage.node.calls.filter((call) => call.startsWith('play'))
  const prepared = () => stage.node.calls.filter((call) => call.startsWith('prepare'))
  const skip = () => stage.music.skip(stage.scope, GUILD)
  const previous = () => stage.music.previous(stage.scope, GUILD)
  const seek = (positionMs: number) => stage.music.patch(stage.scope, GUILD, { positionMs })

  async function reach(positionMs: number): Promise<void> {
    const { playId = 0 } = stage.node.voices.get(GUILD)?.play ?? {}
    stage.node.tell({ type: 'position', botId: BOT, guildId: GUILD, playId, positionMs })
    await settle()
  }

  it('continues undisturbed when more tracks are added', async () => {
    await stage.play('A')
    await stage.play('B')
    expect([plays(), stage.told]).to.deep.equal([['play /A.ogg'], ['trackStarted A']])
    await reach(40_000)
    await stage.music.clear(stage.scope, GUILD)
    await stage.play('C')
    await settle()
    expect(prepared()).to.deep.equal(['prepare /B.ogg', 'prepare nothing', 'prepare /C.ogg'])
  })

  it('answers why a request is refused', async () => {
    await stage.play('radio')
    expect(await reasonOf(previous())).to.equal('nothing_before')
    expect(await reasonOf(seek(0))).to.equal('no_positions')
    expect((await stage.music.patch(stage.scope, GUILD, { volume: 30 })).volume).to.equal(30)
    expect((await stage.music.patch(stage.scope, GUILD, { paused: true })).volume).to.equal(30)
    await skip()
    expect(await reasonOf(skip())).to.equal('nothing_playing')
    await stage.play('A')
    expect(await reasonOf(seek(60_001))).to.equal('no_such_position')
    expect((await seek(60_000)).positionMs).to.equal(60_000)
    await stage.play('unmeasured')
    await skip()
    expect((await seek(90_000)).positionMs).to.equal(90_000)
    expect(await faultOf(stage.play('gone1'))).to.equal('no fault')
    await stage.music.clear(stage.scope, GUILD)
    await skip()
    expect(await faultOf(stage.play('gone1'))).to.equal('validation_error unplayable')
    expect(await faultOf(stage.play('broken1'))).to.equal('validation_error unplayable')
  })

  it('refuses tracks for which the queue has no room', async () => {
    await stage.play('A')
    await stage.play(Array.from({ length: LONGEST_QUEUE }, (_, index) => `${index}`).join(' '))
    expect(await reasonOf(stage.play('B'))).to.equal('queue_full')
    expect((await stage.info()).queue).to.have.length(LONGEST_QUEUE)
  })

  it('changes nothing while its audio node is away', async () => {
    await stage.play('A B C')
    await skip()
    stage.node.die()
    stage.node.calls.length = 0
    const tasks = [stage.play('D'), skip(), previous(), seek(5000)]
    expect(await Promise.all(tasks.map(faultOf))).to.deep.equal(tasks.map(() => 'service_unavailable'))
    expect(stage.node.calls).to.deep.equal([])
    expect(await stage.titles()).to.equal('B C')
  })

  it('stays with its track when the audio node does not stop it', async () => {
    await stage.play('A B C')
    await skip()
    Object.assign(stage.node, { stop: refuse })
    expect(await faultOf(skip())).to.equal('service_unavailable')
    expect(await faultOf(previous())).to.equal('service_unavailable')
    expect(await stage.titles()).to.equal('B C')
  })

  it('tells of no track that it is as far as the one before it was', async () => {
    await stage.play('A B C')
    const told: Promise<string>[] = []
    stage.onTold(({ event: { type } }) => {
      told.push(stage.info().then(({ current, positionMs }) => `${type} ${current?.title} ${positionMs}`))
    })
    await reach(30_000)
    await skip()
    await reach(20_000)
    await previous()
    await reach(10_000)
    await stage.music.patch(stage.scope, GUILD, { paused: true })
    await skip()
    const changes = (await Promise.all(told)).filter((line) => line.startsWith('track'))
    const each = ['B', 'A', 'B'].flatMap((title) => [`trackEnded ${title} 0`, `trackStarted ${title} 0`])
    expect(changes).to.deep.equal(each)
  })

  it('stops the old track before a slow one is opened', async () => {
    await stage.play('A B')
    await skip()
    stage.node.calls.length = 0
    await previous()
    expect(stage.node.calls.slice(0, 2)).to.deep.equal(['stop', 'play /A.ogg'])
  })

  it('goes back and forth by plan alone while its voice is away', async () => {
    await stage.play('A B')
    await skip()
    stage.isConnected = false
    stage.node.tell({ type: 'voiceLost', botId: BOT, guildId: GUILD, loss: { why: 'unreachable', closeCode: null } })
    stage.node.voices.clear()
    stage.node.calls.length = 0
    expect((await previous()).track?.title).to.equal('A')
    expect(stage.node.calls).to.deep.equal([])
  })

  it('answers the end of the queue when nothing that was before can be played', async () => {
    await stage.play('A')
    await skip()
    Object.assign(stage.node, { play: refuse })
    expect(await previous()).to.deep.equal({ track: null })
  })

  for (const [name, ask] of [
    ['skip', skip],
    ['previous', previous],
  ] as const) {
    it(`answers ${name} when the track plays, and what comes behind it waits`, async () => {
      await stage.play('A B C')
      await skip()
      const gate = Promise.withResolvers<void>()
      stage.node.gate = gate.promise
      let isAnswered = false
      const asked = ask().then(() => (isAnswered = true))
      await settle()
      expect(isAnswered).to.equal(false)
      gate.resolve()
      await asked
      expect(stage.told.at(-1)).to.equal(name === 'skip' ? 'trackStarted C' : 'trackStarted A')
    })
  }

  it('lets requests wait until the next track is opened at the end of the one before', async () => {
    await stage.play('A B')
    const gate = Promise.withResolvers<void>()
    stage.node.gate = gate.promise
    await stage.finish()
    let isAnswered = false
    const asked = stage.music.patch(stage.scope, GUILD, { volume: 30 }).then(() => (isAnswered = true))
    await settle()
    expect(isAnswered).to.equal(false)
    gate.resolve()
    await asked
    expect(stage.node.voices.get(GUILD)?.sound?.volume).to.equal(30)
  })

  it('does not tell that a track ended on its own when the player closes at that moment', async () => {
    await stage.play('A B')
    await stage.clock.advance(1000)
    stage.node.finish(GUILD)
    await stage.player().close(DISCONNECTED)
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded cleanup', 'playerClosed disconnected'])
  })

  it('takes a track that ends after 100 ms, or was resumed in its middle, for one that was heard', async () => {
    await stage.play('A')
    await stage.music.patch(stage.scope, GUILD, { loop: 'track' })
    await stage.clock.advance(100)
    stage.node.finish(GUILD)
    await settle()
    expect(await stage.titles()).to.equal('A')
    await reach(20_000)
    stage.node.die()
    stage.node.revive()
    await settle()
    stage.node.finish(GUILD)
    await settle()
    expect(await stage.titles()).to.equal('A')
  })

  it('takes a prepared track over, tells of it, and drops it when it holds nothing', async () => {
    await stage.play('A B C')
    await stage.music.patch(stage.scope, GUILD, { loop: 'queue' })
    await reach(40_000)
    await stage.finish()
    expect([plays(), stage.told.at(-1)]).to.deep.equal([['play /A.ogg'], 'trackStarted B'])
    expect(await stage.info()).to.include({ paused: false, positionMs: 0 })
    expect(stage.opened.map(({ outcome }) => outcome)).to.deep.equal(['playing', 'playing'])
    stage.node.finish(GUILD)
    await settle()
    expect(await stage.titles()).to.equal('C A')
  })

  it('tells how each opening went, and how long it took', async () => {
    const gate = Promise.withResolvers<void>()
    await stage.play('A')
    stage.node.gate = gate.promise
    await stage.play('broken1')
    const skipped = skip()
    await settle()
    await stage.clock.advance(250)
    gate.resolve()
    await skipped
    const track = { botId: BOT, guildId: GUILD, projectId: 'project', source: 'local' }
    expect(stage.opened).to.deep.equal([
      { ...track, outcome: 'playing', durationMs: 0 },
      { ...track, outcome: 'failed', durationMs: 250 },
    ])
  })

  it('plays in the channel that it is asked for', async () => {
    await stage.play('A')
    expect([...stage.node.voices.values()].map(({ channelId }) => channelId)).to.deep.equal([CHANNEL])
  })
})

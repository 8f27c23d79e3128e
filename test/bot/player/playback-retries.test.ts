import { expect } from 'chai'
import { Fault } from '../../../lib/errors.ts'
import { settle } from '../../support/manual-clock.ts'
import { BOT, createStage, faultOf, GUILD, tokenOf, type Stage } from '../../support/stage.ts'

/** The next call of that name finds that the track's address has expired. */
function expireOnce(stage: Stage, name: 'seek' | 'setSound' | 'play'): void {
  const { node } = stage
  const real = node[name].bind(node)
  const expired = async () => {
    Object.assign(node, { [name]: real })
    throw new Fault('not_found', 'The address has expired.')
  }
  Object.assign(node, { [name]: expired })
}

const refuse = async () => {
  throw new Fault('service_unavailable', 'The audio node is busy.')
}

describe('a track that is opened again', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const reach = async (positionMs: number) => {
    const { playId = 0 } = stage.node.voices.get(GUILD)?.play ?? {}
    stage.node.tell({ type: 'position', botId: BOT, guildId: GUILD, playId, positionMs })
    await settle()
  }
  const played = () => stage.node.voices.get(GUILD)?.play

  it('is sought by a new address, paused as it was, and no one hears of it', async () => {
    await stage.play('A B')
    await stage.music.patch(stage.scope, GUILD, { paused: true })
    expireOnce(stage, 'seek')
    expect((await stage.music.patch(stage.scope, GUILD, { positionMs: 9000 })).positionMs).to.equal(9000)
    expect(stage.asked).to.deep.equal(['A', 'A fresh'])
    expect(played()).to.include({ positionMs: 9000, paused: true })
    expect(stage.node.calls.at(-1)).to.equal('seek 9000')
    expect((await stage.info()).paused).to.equal(true)
    expect(stage.told).to.deep.equal(['trackStarted A'])
  })

  it('gets its new sound by a new address, at the same position', async () => {
    await stage.play('A B')
    await reach(9000)
    expireOnce(stage, 'setSound')
    expect((await stage.music.patch(stage.scope, GUILD, { volume: 30 })).volume).to.equal(30)
    expect(stage.asked).to.deep.equal(['A', 'A fresh'])
    expect(played()?.positionMs).to.equal(9000)
    expect(stage.node.voices.get(GUILD)?.sound?.volume).to.equal(30)
  })

  it('gives way to the next one when it is gone for good, which then plays as it is', async () => {
    await stage.play('A B')
    expireOnce(stage, 'seek')
    expireOnce(stage, 'play')
    await stage.music.patch(stage.scope, GUILD, { positionMs: 9000 })
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded loadFailed', 'trackStarted B'])
    expect(stage.node.calls.filter((call) => call.startsWith('seek'))).to.deep.equal([])
    expect(played()).to.deep.include({ positionMs: 0 })
  })

  it('keeps any other failure for the caller', async () => {
    await stage.play('A')
    Object.assign(stage.node, { seek: refuse })
    expect(await faultOf(stage.music.patch(stage.scope, GUILD, { positionMs: 9000 }))).to.equal('service_unavailable')
    expect(stage.asked).to.deep.equal(['A'])
  })

  it('keeps a failure for the caller that comes after its address was renewed', async () => {
    await stage.play('A')
    Object.assign(stage.node, { seek: refuse })
    expireOnce(stage, 'seek')
    expect(await faultOf(stage.music.patch(stage.scope, GUILD, { positionMs: 9000 }))).to.equal('service_unavailable')
    expect(stage.asked).to.deep.equal(['A', 'A fresh'])
  })

  it('continues where it broke off, paused as it was, by a new address', async () => {
    await stage.play('A B')
    await reach(5000)
    await stage.music.patch(stage.scope, GUILD, { paused: true })
    await stage.finish('loadFailed')
    expect(stage.asked).to.deep.equal(['A', 'A fresh'])
    expect(played()).to.include({ positionMs: 5000, paused: true })
    expect(await stage.info()).to.include({ paused: true, positionMs: 5000 })
    expect(stage.told).to.deep.equal(['trackStarted A'])
  })

  it('continues at the present when it is a radio', async () => {
    await stage.play('radio')
    await reach(5000)
    await stage.finish('loadFailed')
    expect(played()?.positionMs).to.equal(0)
    expect(stage.told).to.deep.equal(['trackStarted radio'])
  })

  it('is left where it would break off as it did, and the next one plays', async () => {
    await stage.play('radio B')
    await reach(5000)
    const exception = { message: 'It has ended.', severity: 'common', cause: 'unplayable: It has ended.' } as const
    const { playId = 0 } = played() ?? {}
    const end = { type: 'trackEnded', playId, reason: 'loadFailed', message: 'It has ended.', exception } as const
    stage.node.tell({ ...end, botId: BOT, guildId: GUILD })
    await settle()
    expect(stage.told).to.deep.equal(['trackStarted radio', 'trackEnded loadFailed', 'trackStarted B'])
  })

  it('is left at once when its new address leads nowhere', async () => {
    await stage.play('A B')
    await reach(5000)
    expireOnce(stage, 'play')
    await stage.finish('loadFailed')
    expect(stage.asked).to.deep.equal(['A', 'A fresh', 'B'])
    expect(stage.told).to.deep.equal(['trackStarted A', 'trackEnded loadFailed', 'trackStarted B'])
  })

  it('has its next one prepared again, and no layers, after its audio node was restarted', async () => {
    await stage.play('A B')
    await stage.music.addLayer(stage.scope, GUILD, { track: { encoded: tokenOf('J') }, volume: 1 })
    await reach(40_000)
    stage.node.die()
    stage.node.revive()
    await settle()
    expect(stage.node.calls.filter((call) => call.startsWith('prepare'))).to.deep.equal([
      'prepare /B.ogg',
      'prepare /B.ogg',
    ])
    expect(await stage.music.layers(stage.scope, GUILD)).to.deep.equal([])
  })
})

import { expect } from 'chai'
import { Fault } from '../../errors.ts'
import { createStage, faultOf, GUILD, type Stage } from '../support/stage.ts'

const refuse = async () => {
  throw new Fault('service_unavailable', 'The audio node is busy.')
}

describe('the sound of a player', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  it('is saved when a mute, its end, a volume or a loop is answered', async () => {
    const saved = () => [...stage.saved.values()][0]
    await stage.play('A')
    await stage.music.mute(stage.who, GUILD, true)
    expect(saved()).to.include({ volume: 100, muted: true, volumeBeforeMute: 100 })
    await stage.music.unmute(stage.who, GUILD)
    expect(saved()).to.include({ muted: false, volumeBeforeMute: null })
    await stage.music.patch(stage.who, GUILD, { volume: 40 })
    expect(saved()).to.include({ volume: 40 })
    await stage.music.patch(stage.who, GUILD, { loop: 'track' })
    expect(saved()).to.include({ loop: 'track' })
  })

  it('leaves volume, mute and pause as they are when the audio node refuses them', async () => {
    await stage.play('A')
    Object.assign(stage.node, { setSound: refuse })
    const wish = { volume: 40, paused: true, loop: 'track' } as const
    expect(await faultOf(stage.music.patch(stage.who, GUILD, wish))).to.equal('service_unavailable')
    expect(await faultOf(stage.music.mute(stage.who, GUILD, true))).to.equal('service_unavailable')
    const unchanged = { volume: 100, muted: false, paused: false, loop: 'off' }
    expect(await stage.info()).to.include(unchanged)
    expect([...stage.saved.values()][0]).to.include(unchanged)
  })
})

import { expect } from 'chai'
import { settle } from '../../../support/manual-clock.ts'
import { BOT, createStage, faultOf, GUILD, tokenOf, type Stage } from '../../../support/stage.ts'

describe('layers of the mix', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  const add = (name: string, volume = 0.8) =>
    stage.music.addLayer(stage.scope, GUILD, { track: { encoded: tokenOf(name) }, volume })
  const titles = async () => (await stage.music.layers(stage.scope, GUILD)).map(({ track }) => track.title).join(' ')

  it('come over the current track, tell where they are, change their volume and go', async () => {
    await stage.play('A')
    const { id, track, volume, positionMs } = await add('J')
    expect([track.title, track.encoded, volume, positionMs]).to.deep.equal(['J', tokenOf('J'), 0.8, 0])
    await add('K', 0.1)
    expect(stage.node.calls.slice(-2)).to.deep.equal(['layer /J.ogg 0.8', 'layer /K.ogg 0.1'])
    stage.node.voices.get(GUILD)!.layers.set(id, 700)
    expect((await stage.music.layers(stage.scope, GUILD))[0]).to.deep.include({ id, volume: 0.8, positionMs: 700 })
    const changed = await stage.music.changeLayer(stage.scope, GUILD, { id, volume: 0.3 })
    expect(changed).to.deep.include({ id, volume: 0.3, positionMs: 700 })
    expect(stage.node.calls.at(-1)).to.equal('layer volume 0.3')
    expect((await stage.music.removeLayer(stage.scope, GUILD, { id })).id).to.equal(id)
    expect(await titles()).to.equal('K')
    expect(await faultOf(stage.music.removeLayer(stage.scope, GUILD, { id }))).to.equal('not_found')
    expect(await faultOf(stage.music.changeLayer(stage.scope, GUILD, { id, volume: 1 }))).to.equal('not_found')
  })

  it('end on their own, and with their track', async () => {
    await stage.play('A B')
    const { id } = await add('J')
    await add('K')
    const { playId } = stage.node.voices.get(GUILD)!.play!
    stage.node.tell({ type: 'layerEnded', botId: BOT, guildId: GUILD, playId, layerId: id })
    expect(await titles()).to.equal('K')
    await stage.music.skip(stage.scope, GUILD)
    expect(await titles()).to.equal('')
  })

  it('are at most five, over something that plays; what cannot be decoded leaves none', async () => {
    expect(await faultOf(add('J'))).to.equal('not_found')
    await stage.play('A')
    expect(await faultOf(add('gone'))).to.contain('validation_error')
    for (const name of ['J', 'K', 'L', 'M', 'N']) await add(name)
    expect(await faultOf(add('O'))).to.equal('conflict')
    expect(await titles()).to.equal('J K L M N')
    await stage.clock.advance(1000)
    stage.node.finish(GUILD)
    await settle()
    expect(await titles()).to.equal('')
    expect(await faultOf(add('J'))).to.equal('conflict')
  })
})

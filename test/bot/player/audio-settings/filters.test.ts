import { expect } from 'chai'
import { SHUTDOWN } from '../../../../bot/player/voice-lifecycle.ts'
import type { Filters } from '../../../../bot/player/audio-settings/filters.ts'
import { settle } from '../../../support/manual-clock.ts'
import { BOT, CHANNEL, createStage, GUILD, type Stage } from '../../../support/stage.ts'

describe('a change of filters', () => {
  let stage: Stage
  beforeEach(() => {
    stage = createStage()
  })
  afterEach(() => stage.close())

  it('takes the place of all filters, spells presets out, and carries them to tracks that come later', async () => {
    const timescale = { speed: 1, pitch: 1, rate: 1.2 }
    const filter = async (filters: Filters) => (await stage.music.patch(stage.scope, GUILD, { filters })).filters
    await stage.play('A B')
    expect(await filter({ lowPass: { smoothing: 5 } })).to.deep.equal({ lowPass: { smoothing: 5 } })
    expect(await filter({ preset: 'nightcore', volume: 0.5 })).to.deep.equal({
      preset: 'nightcore',
      volume: 0.5,
      timescale,
    })
    const { volume } = await stage.music.patch(stage.scope, GUILD, { volume: 50 })
    await stage.music.skip(stage.scope, GUILD)
    expect(volume).to.equal(50)
    expect(stage.node.voices.get(GUILD)?.sound).to.deep.nested.include({ 'filters.timescale': timescale, volume: 50 })
    await stage.clock.advance(1000)
    expect((await stage.info()).positionMs, 'at the pace of the filter').to.equal(1200)
    expect(await filter({})).to.deep.equal({})
    expect(stage.node.voices.get(GUILD)?.sound?.filters).to.deep.equal({})
  })

  it('outlives a restart', async () => {
    await stage.play('A')
    const { filters } = await stage.music.patch(stage.scope, GUILD, { filters: { preset: 'soft' } })
    await stage.players.closeAll(BOT, SHUTDOWN)
    const guild = { id: GUILD, ownChannelId: null, joinable: () => CHANNEL, countListeners: () => 1, leave: () => {} }
    void stage.sessionRestore.comeBack({ id: BOT, projectId: 'project' }, [guild])
    await settle()
    expect((await stage.info()).filters).to.deep.equal(filters)
    expect(stage.node.voices.get(GUILD)?.play?.filters).to.deep.equal(filters)
  })
})

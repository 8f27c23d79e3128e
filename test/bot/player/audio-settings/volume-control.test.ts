import { expect } from 'chai'
import type { Silence } from '../../../../bot/player/player-parts.ts'
import { Fault } from '../../../../lib/errors.ts'
import { DISCONNECTED } from '../../../../bot/player/voice-lifecycle.ts'
import { settle } from '../../../support/manual-clock.ts'
import { BOT, CHANNEL, createStage, faultOf, GUILD, type Stage } from '../../../support/stage.ts'

const refuse = async () => {
  throw new Fault('service_unavailable', 'The audio node is busy.')
}

/** Discord shows the bot so. @returns what the audio node is asked for then. */
async function placeSilenced(stage: Stage, silenced: Silence | null): Promise<readonly string[]> {
  stage.node.calls.length = 0
  stage.player().placed({ channelId: CHANNEL, silenced })
  await settle()
  return stage.node.calls
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
    await stage.music.mute(stage.scope, GUILD, { muted: true })
    expect(saved()).to.include({ volume: 100, muted: true, volumeBeforeMute: 100 })
    await stage.music.unmute(stage.scope, GUILD)
    expect(saved()).to.include({ muted: false, volumeBeforeMute: null })
    await stage.music.patch(stage.scope, GUILD, { volume: 40 })
    expect(saved()).to.include({ volume: 40 })
    await stage.music.patch(stage.scope, GUILD, { loop: 'track' })
    expect(saved()).to.include({ loop: 'track' })
  })

  it('leaves volume, mute and pause as they are when the audio node refuses them', async () => {
    await stage.play('A')
    Object.assign(stage.node, { setSound: refuse })
    const wish = { volume: 40, paused: true, loop: 'track' } as const
    expect(await faultOf(stage.music.patch(stage.scope, GUILD, wish))).to.equal('service_unavailable')
    expect(await faultOf(stage.music.mute(stage.scope, GUILD, { muted: true }))).to.equal('service_unavailable')
    const unchanged = { volume: 100, muted: false, paused: false, loop: 'off' }
    expect(await stage.info()).to.include(unchanged)
    expect([...stage.saved.values()][0]).to.include(unchanged)
  })

  it('reaches the audio node whole, and only when it changes and something plays', async () => {
    await stage.play('A')
    await stage.music.patch(stage.scope, GUILD, { volume: 40 })
    const { filters } = await stage.info()
    const sound = { volume: 40, muted: false, paused: false, filters, isLevelled: true, fadeMs: 150 }
    expect(stage.node.voices.get(GUILD)?.sound).to.deep.equal(sound)
    stage.node.calls.length = 0
    await stage.music.patch(stage.scope, GUILD, { volume: 40, paused: false })
    await stage.finish()
    await stage.music.patch(stage.scope, GUILD, { volume: 50 })
    expect(stage.node.calls).to.deep.equal([])
  })

  it('answers that the audio node is being restarted, without a call to it', async () => {
    await stage.play('A')
    stage.node.die()
    stage.node.calls.length = 0
    const error = await stage.music.patch(stage.scope, GUILD, { volume: 40 }).catch((it: unknown) => it)
    expect(error).to.be.instanceOf(Fault).with.property('message').that.includes('audio-1 restarts')
    expect(stage.node.calls).to.deep.equal([])
  })

  it('answers 404 for every request that waits while the player closes', async () => {
    await stage.play('A')
    const player = stage.player()
    const closing = player.close(DISCONNECTED)
    const requests = [
      player.perform('mute', { muted: true }),
      player.perform('unmute', {}),
      player.perform('skip', {}),
      player.perform('previous', {}),
      player.perform('patch', { volume: 1 }),
      player.perform('clear', {}),
      player.perform('clearNextTrack', {}),
    ]
    expect(await Promise.all(requests.map(faultOf))).to.deep.equal(requests.map(() => 'not_found'))
    await closing
  })

  describe('while Discord lets no one hear the bot', () => {
    it('waits where it is, shows why, and continues from there', async () => {
      await stage.play('A')
      await stage.clock.advance(500)
      expect(await placeSilenced(stage, 'serverMute')).to.deep.equal(['sound 100 paused'])
      expect(await placeSilenced(stage, 'serverMute')).to.deep.equal([])
      expect(await stage.info()).to.include({ silenced: 'serverMute', paused: false, positionMs: 500 })
      await stage.clock.advance(5000)
      expect(await stage.info()).to.include({ positionMs: 500 })
      expect(await placeSilenced(stage, null)).to.deep.equal(['sound 100'])
      await stage.clock.advance(200)
      expect(await stage.info()).to.include({ silenced: null, positionMs: 700 })
    })

    it('leaves an audio node alone that plays nothing, is dead, or has no voice for it', async () => {
      await stage.play('A')
      await stage.finish()
      expect(await placeSilenced(stage, 'suppressed')).to.deep.equal([])
      await stage.play('B')
      stage.node.die()
      expect(await placeSilenced(stage, null)).to.deep.equal([])
      stage.node.revive()
      await settle()
      stage.isConnected = false
      stage.node.tell({ botId: BOT, guildId: GUILD, type: 'voiceLost', loss: { why: 'unreachable', closeCode: null } })
      expect(await placeSilenced(stage, 'serverMute')).to.deep.equal([])
    })

    it('asks nothing of the audio node when the player closes', async () => {
      await stage.play('A')
      stage.node.calls.length = 0
      stage.player().placed({ channelId: CHANNEL, silenced: 'serverMute' })
      await stage.player().close(DISCONNECTED)
      expect(stage.node.calls).to.deep.equal(['leave'])
    })

    it('outlives an audio node that refuses to wait', async () => {
      await stage.play('A')
      Object.assign(stage.node, { setSound: refuse })
      await placeSilenced(stage, 'serverMute')
      expect(await stage.info()).to.include({ silenced: 'serverMute' })
    })
  })
})

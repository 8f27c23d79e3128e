import { expect } from 'chai'
import { createMemberStage, type MemberStage } from '../../support/members.ts'

describe('commands that members know from other bots', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  const type = async (command: string, options: Record<string, unknown> = {}, by = 1) =>
    stage.type(command, options, { by })
  const said = async (...call: Parameters<typeof type>) => (await type(...call)).text
  const info = () => stage.music.info(stage.scope, stage.guild.id)

  it('/join brings the bot into the channel, where it stays after a song that cannot be found', async () => {
    const channel = `<#${stage.sandbox.demo.voiceChannelId}>`
    expect(await said('join')).to.equal(`I’m in ${channel}. Play something with /play.`)
    expect(stage.node.calls).to.include(`join ${stage.sandbox.demo.voiceChannelId}`)
    expect(await said('play', { query: 'nothing' })).to.match(/^No results/)
    expect(await info()).to.include({ channelId: stage.sandbox.demo.voiceChannelId, current: null })
    expect(await said('join')).to.contain(channel)
    expect(await said('play', { query: 'A' })).to.match(/Now playing/)
  })

  it('/join wants a member in a voice channel, and tells those elsewhere where the music is', async () => {
    expect(await said('join', {}, 2)).to.equal('Join a voice channel, then try again.')
    await type('join')
    await stage.sit(2, stage.sandbox.demo.secondVoiceChannelId)
    const refused = await type('join', {}, 2)
    expect(refused.text).to.contain(`<#${stage.sandbox.demo.voiceChannelId}>`)
    expect(refused.isPrivate).to.equal(true)
  })

  it('/leave ends the music as /stop does, with the same permission', async () => {
    await type('play', { query: 'A' })
    await stage.sit(2)
    await stage.sit(3)
    expect(await said('leave', {}, 2)).to.contain('**1 of 2** votes')
    expect(await said('stop', {}, 3)).to.equal('Stopped. See you next time!')
    expect(await said('leave')).to.equal('Nothing is playing. Start something with /play.')
  })

  it('/forward and /rewind jump from where the track is, ten seconds by default, and never out of it', async () => {
    await type('play', { query: 'A' })
    await type('pause')
    await type('seek', { time: '0:20' })
    expect(await said('forward')).to.equal('Jumped to 0:30.')
    expect(await said('rewind', { seconds: 15 })).to.equal('Jumped to 0:15.')
    expect(await said('rewind', { seconds: 3600 })).to.equal('Jumped to 0:00.')
    await type('seek', { time: '0:40' })
    expect(await said('replay')).to.equal('Playing **A** from the start.')
    expect((await info()).positionMs).to.equal(0)
    expect(await said('forward', { seconds: 3600 })).to.equal('Jumped to 1:00.')
  })

  it('/forward is put to the vote like /seek, and all voices count for the same step', async () => {
    await type('play', { query: 'A' })
    for (const member of [2, 3, 4]) await stage.sit(member)
    expect(await said('forward', {}, 2)).to.contain('**1 of 2** votes')
    expect(await said('forward', {}, 3)).to.match(/^Jumped to 0:1\d\.$/)
    expect(await said('replay', {}, 2)).to.contain('**1 of 2** votes')
  })

  it('/volume and /loop without a value show what is set, and how to change it', async () => {
    await type('play', { query: 'A' })
    await type('volume', { percent: 40 })
    const volume = await type('volume')
    expect([volume.isPrivate, volume.text]).to.deep.equal([
      true,
      'Volume: 40%. Change it with /volume and a number from 0 to 200.',
    ])
    expect(await said('loop')).to.equal('Loop: off\nChange it with /loop and a mode.')
    expect(await said('loop', { mode: 'track' })).to.equal('Loop: this track')
    expect(await said('loop')).to.contain('Loop: this track\n')
    await stage.sit(2)
    await stage.sit(3)
    expect(await said('volume', {}, 2)).to.contain('40%')
  })

  it('/autoplay without a value is a switch', async () => {
    await type('play', { query: 'A' })
    expect(await said('autoplay')).to.match(/^Autoplay is on: .* Use \/autoplay again to turn it off\.$/)
    expect((await info()).autoplay).to.equal(true)
    expect(await said('autoplay')).to.equal('Autoplay is off. Use /autoplay again to turn it on.')
    expect(await said('autoplay', { on: false })).to.contain('is off')
  })
})

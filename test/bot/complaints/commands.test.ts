import { expect } from 'chai'
import { until } from '../../support/bots.ts'
import { createMemberStage, textOf, type MemberStage } from '../../support/members.ts'

const CONNECT = String(1 << 20)

/** User complaints about other bots' controls, each as a guarantee, driven by members of the stand-in Discord. */
describe('complaints about controls', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
    await stage.sit(1)
  })
  afterEach(() => stage.close())

  const play = (query: string, by = 1) => stage.type('play', { query }, { by })
  const info = () => stage.music.info(stage.scope, stage.guild.id)

  it('“no slash commands, years later”: everything that the API does with a player is one, in six languages', () => {
    const commands = [...(stage.sandbox.world.applications.get(stage.scope.botId)?.commands.values() ?? [])]
    const wanted =
      'play radio skip previous pause resume stop queue nowplaying lyrics volume loop filter mute unmute seek '
    const more = 'shuffle remove move clear favourites playlist settings'
    expect(commands.map(({ name }) => name)).to.include.members(`${wanted}${more}`.split(' '))
    for (const { name, name_localizations: names } of commands) {
      expect(Object.keys(names ?? {}), name).to.include.members(['de', 'fr', 'es-ES', 'pt-BR', 'ja'])
    }
  })

  it('“buttons like the paid bots have”: one message controls the music, and a form asks for more', async () => {
    await play('A B')
    await until('the card is there', () => stage.cards().length === 1)
    const { id } = stage.cards()[0]
    await stage.press(id, 'card:pause', { by: 1 })
    expect((await info()).paused).to.equal(true)
    await stage.press(id, 'card:skip', { by: 1 })
    expect((await info()).current?.title).to.equal('B')
    const queue = await stage.press(id, 'card:queue', { by: 1 })
    const form = await stage.press(queue.messageId, 'add', { by: 1 })
    expect(form.answer).to.equal('modal')
    await stage.send(form.whole.interactionId, { query: 'C' })
    expect((await info()).queue.map(({ title }) => title)).to.deep.equal(['C'])
  })

  it('“does nothing and says nothing”: a channel that is closed or full is named as the reason', async () => {
    const { voiceChannelId: channelId } = stage.sandbox.demo
    const change = (facts: object) => stage.control('PATCH', `/guilds/${stage.guild.id}/channels/${channelId}`, facts)
    await change({ deny: [{ userId: stage.scope.botId, permissions: CONNECT }] })
    const closed = await play('A')
    expect([closed.isPrivate, closed.text]).to.deep.equal([
      true,
      'I can’t join that channel. I need View Channel, Connect and Speak, and a free place.',
    ])
    await change({ deny: [] })
    expect((await play('A')).text).to.contain('Now playing')
  })

  it('“anyone can stop the music”: who does not listen cannot, and with others listening one alone cannot either', async () => {
    await play('A')
    await stage.sit(2, stage.sandbox.demo.secondVoiceChannelId)
    expect((await stage.type('stop', {}, { by: 2 })).text).to.contain('Join that channel')
    await stage.sit(2)
    expect((await stage.type('stop', {}, { by: 2 })).text).to.contain('Stop the music and leave the channel?')
    const roleId = await stage.giveRole(3)
    await stage.type('settings dj', { role: roleId })
    await stage.type('settings permissions', { action: 'stop', who: 'dj' })
    await stage.sit(3)
    expect((await stage.type('stop', {}, { by: 1 })).text).to.contain(roleId)
    expect((await stage.type('stop', {}, { by: 3 })).text).to.contain('Stopped')
  })

  it('“one member fills the queue”: members take turns, and each has as many tracks as the server allows', async () => {
    await stage.type('settings fair', { on: true })
    await stage.type('settings limit', { tracks: 2 })
    await stage.sit(2)
    await play('A B C')
    await play('X', 2)
    expect((await play('D')).text).to.contain('limit for queued tracks')
    expect((await info()).queue.map(({ title }) => title)).to.deep.equal(['X', 'B', 'C'])
  })

  it('“is rate limited by its own messages”: however much happens, its edits stay within Discord’s limits', async () => {
    stage.sandbox.world.rules.rateLimits = true
    const statuses: number[] = []
    let edits = 0
    stage.sandbox.rest.onExchange(({ method, path, status }) => {
      statuses.push(status)
      if (method === 'PATCH' && path.includes('/messages/')) edits += 1
    })
    await play('A B C D')
    await until('the card is there', () => stage.cards().length === 1)
    for (let volume = 10; volume < 40; volume += 1) await stage.music.patch(stage.scope, stage.guild.id, { volume })
    const { id } = stage.cards()[0]
    const panel = await stage.press(id, 'card:more', { by: 1 })
    for (let press = 0; press < 10; press += 1) await stage.press(panel.messageId, 'more:louder', { by: 1 })
    await until('it shows the last of it', () => textOf(stage.cards()[0]).includes('139%'))
    expect(edits).to.be.below(5)
    expect(statuses).to.not.include(429)
  })
})

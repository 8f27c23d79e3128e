import { expect } from 'chai'
import { until } from '../../support/bots.ts'
import { createMemberStage, customIdsOf, textOf, type MemberStage } from '../../support/members.ts'

describe('the now-playing card', () => {
  let stage: MemberStage
  beforeEach(async () => {
    stage = await createMemberStage()
    for (const member of [1, 2]) await stage.sit(member)
  })
  afterEach(() => stage.close())

  const shown = () => stage.cards().map(textOf).join('\n---\n')
  const status = () => stage.guild.statuses.get(stage.sandbox.demo.voiceChannelId) ?? null
  const play = async (query: string) => {
    await stage.type('play', { query }, { by: 1 })
    await until('the card is there', () => stage.cards().length === 1)
    return stage.cards()[0]
  }
  const info = () => stage.music.info(stage.scope, stage.guild.id)

  it('shows what plays, for whom, how far it is, how it sounds and what is next', async () => {
    const card = await play('A B C')
    const text = textOf(card)
    expect(text).to.contain('Now playing').and.to.contain('**A**').and.to.contain('somebody')
    expect(text).to.match(/🔘▬+ `0:0\d \/ 1:00`/u)
    expect(text).to.contain('🔊 100 % · ➡️')
    expect(text).to.contain(`Requested by <@${stage.ids[1]}>`)
    expect(text).to.contain('Up next · 2 waiting').and.to.contain('**B**')
    expect(customIdsOf(card.components)).to.deep.equal([
      'card:previous',
      'card:pause',
      'card:skip',
      'card:loop',
      'card:shuffle',
      'card:quieter',
      'card:louder',
      'card:mute',
      'card:queue',
      'card:lyrics',
    ])
  })

  it('is one message that follows the music, and so does the line under the voice channel', async () => {
    const { id } = await play('A B')
    expect(status()).to.equal('🎵 A · somebody')
    stage.node.finish(stage.guild.id)
    await until('it shows the next track', () => shown().includes('**B**'))
    await until('the status does, too', () => status() === '🎵 B · somebody')
    await stage.music.patch(stage.scope, stage.guild.id, { paused: true })
    await stage.type('volume', { percent: 30 }, { by: 1 })
    await until('it shows the change', () => shown().includes('30 %') && shown().includes('Paused'))
    expect(stage.cards().map((card) => card.id)).to.deep.equal([id])
  })

  it('is gone at the end of the queue and when the player closes, with the status line', async () => {
    await play('A')
    await stage.type('skip', {}, { by: 1 })
    await until('it is gone', () => stage.cards().length === 0 && status() === null)
    await play('B')
    await until('the status is there', () => status() !== null)
    await stage.type('stop', {}, { by: 1 })
    await until('it is gone again', () => stage.cards().length === 0 && status() === null)
  })

  it('has buttons that do what their commands do, by the same rules', async () => {
    const { id } = await play('A B C D')
    const press = (action: string, by = 1) => stage.press(id, `card:${action}`, { by, locale: 'de' })
    expect((await press('pause')).answer).to.equal('deferred update')
    expect((await info()).paused).to.equal(true)
    await press('pause')
    await press('loop')
    await press('quieter')
    await press('mute')
    expect(await info()).to.include({ paused: false, loop: 'track', volume: 90, muted: true })
    await press('mute')
    await press('louder')
    await press('shuffle')
    expect(await info()).to.include({ volume: 100, muted: false })
    const voted = await press('skip', 2)
    expect(voted.answer).to.equal('deferred update')
    await press('previous')
    expect((await info()).current?.title).to.equal('A')
    const queue = await press('queue')
    expect([queue.answer, queue.isPrivate]).to.deep.equal(['message', true])
    expect(queue.text).to.contain('Warteschlange')
    const elsewhere = await press('skip', 3)
    expect([elsewhere.isPrivate, elsewhere.text.includes('Komm in diesen Kanal')]).to.deep.equal([true, true])
  })

  it('counts votes where more have to agree', async () => {
    await stage.sit(3)
    await stage.sit(4)
    const { id } = await play('A B')
    const voted = await stage.press(id, 'card:skip', { by: 2 })
    expect(voted.text).to.equal('Your vote counts: 1 of 2 needed to skip.')
    await stage.press(id, 'card:skip', { by: 3 })
    expect((await info()).current?.title).to.equal('B')
  })

  it('says that a button of an earlier time is too old', async () => {
    const { id } = await play('A')
    const message = stage.sandbox.world.messages.get(stage.sandbox.demo.textChannelId)?.get(id) as any
    message.components[0].components[0].custom_id = 'card:dance'
    message.components[0].components[1].custom_id = 'unheard:of'
    for (const customId of ['card:dance', 'unheard:of']) {
      const refused = await stage.press(id, customId, { by: 1 })
      expect([refused.isPrivate, refused.text]).to.deep.equal([true, 'This button is too old. Use the command again.'])
    }
  })

  it('shows the code of an encrypted call', async () => {
    const { botId } = stage.scope
    await stage.type('play', { query: 'A' }, { by: 1 })
    const code = '123456789012345678901234567890'
    stage.node.tell({ type: 'privacyCode', botId, guildId: stage.guild.id, code })
    await stage.type('volume', { percent: 90 }, { by: 1 })
    await until('it shows the code', () => shown().includes('`12345 67890 12345 67890 12345 67890`'))
  })

  it('says at once when nobody can hear the bot, in the language of the guild', async () => {
    await stage.type('settings language', { language: 'de' })
    await play('A')
    const { guild, sandbox, scope } = stage
    await stage.control('POST', `/guilds/${guild.id}/members/${scope.botId}/server-mute`, { muted: true })
    await until('it says so', () => shown().includes('serverweit stummgeschaltet'))
    await stage.control('POST', `/guilds/${guild.id}/members/${scope.botId}/server-mute`, { muted: false })
    await until('it says so no more', () => !shown().includes('stummgeschaltet'))
    const [voice] = [guild.voice.get(scope.botId)]
    expect(voice?.channelId).to.equal(sandbox.demo.voiceChannelId)
    await stage.control('POST', `/guilds/${guild.id}/members/${scope.botId}/suppress`, { suppressed: true })
    await until('it says what is missing', () => shown().includes('darf hier noch nicht sprechen'))
  })

  it('moves to where it is asked for, and goes where the guild wants it', async () => {
    const { id } = await play('A B')
    await stage.type('nowplaying', {}, { by: 1 })
    await until('it is a new message', () => stage.cards().length === 1 && stage.cards()[0].id !== id)
    const news = await stage.control('POST', `/guilds/${stage.guild.id}/channels`, { name: 'news', type: 'text' })
    await stage.type('settings announce', { channel: news.body.id })
    await stage.type('nowplaying', {}, { by: 1 })
    await until('it is in the other channel', () => {
      const there = [...(stage.sandbox.world.messages.get(news.body.id)?.values() ?? [])]
      return there.length === 1 && stage.cards().length === 0
    })
  })

  it('stays away when somebody deletes it, until the next track', async () => {
    const { id } = await play('A B')
    stage.sandbox.world.messages.get(stage.sandbox.demo.textChannelId)?.delete(id)
    await stage.type('volume', { percent: 20 }, { by: 1 })
    await new Promise((resolve) => setTimeout(resolve, 1700))
    expect(stage.cards()).to.deep.equal([])
    await stage.type('skip', {}, { by: 1 })
    await until('it is back', () => shown().includes('**B**'))
  })

  it('speaks the language of the guild', async () => {
    await stage.type('settings language', { language: 'ja' })
    await play('A B')
    expect(shown()).to.contain('再生中').and.to.contain('次の曲')
  })

  it('is taken down at a shutdown, and is back after it', async () => {
    await play('A')
    await stage.test.bots.close()
    expect([stage.cards().length, status()]).to.deep.equal([0, null])
    stage.test.restart()
    await until('it is back', () => shown().includes('**A**'))
    expect(stage.cards()).to.have.length(1)
  })

  it('does not mind a channel in which it may not write: the music plays', async () => {
    const { textChannelId, applicationId } = stage.sandbox.demo
    await stage.control('PATCH', `/guilds/${stage.guild.id}/channels/${textChannelId}`, {
      deny: [{ userId: applicationId, permissions: String(1 << 11) }],
    })
    expect((await stage.type('play', { query: 'A' }, { by: 1 })).text).to.contain('Now playing')
    await until('the status is set all the same', () => status() !== null)
    expect(stage.cards()).to.deep.equal([])
  })
})

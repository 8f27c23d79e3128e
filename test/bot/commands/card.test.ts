import { expect } from 'chai'
import { postMessage } from 'bandstand-sandbox/world'
import { until } from '../../support/bots.ts'
import { createMemberStage, customIdsOf, textOf, type MemberStage } from '../../support/members.ts'
import { testSources, tokenOf, trackNamed } from '../../support/stage.ts'

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
    expect(text).to.contain(`<#${stage.sandbox.demo.voiceChannelId}> · 🔊 100%\n`)
    expect(text).to.contain(`Requested by <@${stage.ids[1]}> · Library`)
    expect(text).to.contain('Up next · 2 in the queue').and.to.contain('**B** `1:00`')
    expect(customIdsOf(card.components)).to.deep.equal([
      'card:previous',
      'card:pause',
      'card:skip',
      'add',
      'card:queue',
      'card:lyrics',
      'card:stop',
      'card:more',
    ])
  })

  it('stays where another service tells of the end of a player in the guild, which ran there before', async () => {
    const { id } = await play('A')
    const { projectId, botId } = stage.scope
    const event = { type: 'playerClosed', botId, guildId: stage.guild.id, reason: 'disconnected' } as const
    stage.test.bus.emit({ projectId, event, isFromPeer: true })
    await stage.type('volume', { percent: 30 }, { by: 1 })
    await until('the card shows the volume', () => shown().includes('🔊 30%'))
    expect(stage.cards().map((card) => card.id)).to.deep.equal([id])
  })

  it('says what comes next, no matter what was set: a track put ahead, a repetition, the queue going round', async () => {
    await play('A')
    const change = (loop: 'off' | 'track' | 'queue') => stage.music.patch(stage.scope, stage.guild.id, { loop })
    await change('track')
    await stage.type('volume', { percent: 30 }, { by: 1 })
    await until('the track repeats', () => shown().includes('Up next\n**A**'))
    await change('off')
    await stage.music.setNextTrack(stage.scope, stage.guild.id, { track: { encoded: tokenOf('X') } })
    await stage.type('volume', { percent: 40 }, { by: 1 })
    await until('the track ahead of the queue is next', () => shown().includes('Up next · 1 in the queue\n**X**'))
  })

  it('names the service or the host that a track is from, and shows its cover', async () => {
    const tracks = {
      song: { sourceName: 'soundcloud', uri: 'https://soundcloud.com/a/b' },
      file: { sourceName: 'http', uri: 'https://music.example.org/a.mp3', artworkUrl: 'https://example.org/cover.png' },
    }
    await stage.close()
    stage = await createMemberStage({
      sources: {
        ...testSources,
        find: async (query) => ({
          tracks: [{ ...trackNamed(query), ...tracks[query as keyof typeof tracks] }],
          playlist: null,
        }),
      },
    })
    await stage.sit(1)
    const card = await play('song')
    expect(textOf(card)).to.contain('SoundCloud')
    await stage.type('play', { query: 'file' }, { by: 1 })
    await stage.type('skip', {}, { by: 1 })
    await until('it shows the next one', () => shown().includes('music.example.org'))
    expect(stage.cards()[0].embeds[0].thumbnail.url).to.equal('https://example.org/cover.png')
  })

  it('is the answer to what began the music or brought it here: one message for one action', async () => {
    const played = await stage.type('play', { query: 'A B' }, { by: 1 })
    expect([played.isPrivate, played.text.includes('Now playing')]).to.deep.equal([false, true])
    expect(stage.messages().map(({ id }) => id)).to.deep.equal([played.messageId])
    await stage.type('volume', { percent: 30 }, { by: 1 })
    await until('the answer follows the music', () => shown().includes('30%'))
    const before = stage.messages().length
    const brought = await stage.type('nowplaying', {}, { by: 1 })
    await until('the former one is gone', () => stage.cards().length === 1)
    expect(stage.cards()[0].id).to.equal(brought.messageId)
    expect(stage.messages()).to.have.length(before)
    const copy = await stage.type('nowplaying', {}, { by: 3 })
    expect([copy.isPrivate, copy.customIds]).to.deep.equal([true, []])
  })

  it('is one message that follows the music, and so does the line under the voice channel', async () => {
    const { id } = await play('A B')
    expect(status()).to.equal('🎵 A · somebody')
    stage.node.finish(stage.guild.id)
    await until('it shows the next track', () => shown().includes('**B**'))
    await until('the status does, too', () => status() === '🎵 B · somebody')
    await stage.music.patch(stage.scope, stage.guild.id, { paused: true })
    await stage.type('volume', { percent: 30 }, { by: 1 })
    await until('it shows the change', () => shown().includes('30%') && shown().includes('Paused'))
    expect(stage.cards().map((card) => card.id)).to.deep.equal([id])
  })

  it('says at the end of the queue and of the player that the music is over, and plays it again on a press', async () => {
    const ended = (title: string) => stage.messages().filter((message) => textOf(message).includes(title))
    const { id } = await play('A B')
    for (const _ of [1, 2]) await stage.type('skip', {}, { by: 1 })
    await until('it says so', () => ended('Queue finished').length === 1 && status() === null)
    expect(ended('Queue finished').map((message) => [message.id, customIdsOf(message.components)])).to.deep.equal([
      [id, ['again', 'add']],
    ])
    const again = await stage.press(id, 'again', { by: 2 })
    expect(again.text).to.contain('Now playing').and.to.contain('**A**').and.to.contain('**B**')
    await until('it is the one card', () => stage.cards().length === 1 && ended('Queue finished').length === 0)
    expect(stage.cards()[0].id).to.equal(again.messageId)
    await until('the status is there', () => status() !== null)
    await stage.type('stop', {}, { by: 2 })
    await until('it says so, too', () => ended('Music stopped').length === 1 && status() === null)
    const stopped = await stage.press(again.messageId, 'again', { by: 3 })
    expect([stopped.isPrivate, stopped.text]).to.deep.equal([true, 'Join a voice channel, then try again.'])
    await play('C')
    await until('it gave way', () => ended('Music stopped').length === 0)
  })

  it('counts votes where more have to agree', async () => {
    await stage.sit(3)
    await stage.sit(4)
    const { id } = await play('A B')
    const voted = await stage.press(id, 'card:skip', { by: 2 })
    expect([voted.isPrivate, voted.text.includes('**1 of 2** votes')]).to.deep.equal([false, true])
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
      expect([refused.isPrivate, refused.text]).to.deep.equal([true, 'This button has expired. Use the command again.'])
    }
  })

  it('says at once when no one can hear the bot, in the language of the guild', async () => {
    await stage.type('settings language', { language: 'de' })
    await play('A')
    const { guild, sandbox, scope } = stage
    await stage.control('POST', `/guilds/${guild.id}/members/${scope.botId}/server-mute`, { muted: true })
    await until('it says so', () => shown().includes('Ein Moderator hat mich stummgeschaltet'))
    await stage.control('POST', `/guilds/${guild.id}/members/${scope.botId}/server-mute`, { muted: false })
    await until('it says so no more', () => !shown().includes('stummgeschaltet'))
    const [voice] = [guild.voice.get(scope.botId)]
    expect(voice?.channelId).to.equal(sandbox.demo.voiceChannelId)
    await stage.control('POST', `/guilds/${guild.id}/members/${scope.botId}/suppress`, { suppressed: true })
    await until('it says what is missing', () => shown().includes('fehlt in diesem Kanal das Recht „Sprechen“'))
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

  it('stays away when someone deletes it, until the next track', async () => {
    const { id } = await play('A B')
    stage.sandbox.world.messages.get(stage.sandbox.demo.textChannelId)?.delete(id)
    await stage.type('volume', { percent: 20 }, { by: 1 })
    await new Promise((resolve) => setTimeout(resolve, 1700))
    expect(stage.cards()).to.deep.equal([])
    await stage.type('skip', {}, { by: 1 })
    await until('it is back', () => shown().includes('**B**'))
  })

  it('leaves no second card behind: one that a crash forgot goes when its button is pressed', async () => {
    const card = await play('A B')
    const place = { guild: stage.guild, channelId: stage.sandbox.demo.textChannelId }
    const { author, components, embeds } = card
    const lost = postMessage(stage.sandbox.world, place, { author, draft: { components, embeds } })
    await stage.press(lost.id, 'card:pause', { by: 1 })
    expect((await info()).paused).to.equal(true)
    await until('it is gone', () => stage.cards().length === 1)
    expect(stage.cards()[0].id).to.equal(card.id)
  })

  it('is taken down later where it could not be seen at the end, and is not sent in vain until then', async () => {
    await play('A')
    const { textChannelId, applicationId } = stage.sandbox.demo
    const path = `/guilds/${stage.guild.id}/channels/${textChannelId}`
    await stage.control('PATCH', path, { deny: [{ userId: applicationId, permissions: String(1 << 10) }] })
    const refused: number[] = []
    stage.sandbox.rest.onExchange(({ path: asked, status }) => {
      if (asked.includes('/messages') && status === 403) refused.push(status)
    })
    await stage.type('volume', { percent: 30 }, { by: 1 })
    await stage.type('stop', {}, { by: 1 })
    await until('the player is over', () => stage.test.events.some(({ type }) => type === 'playerClosed'))
    expect(stage.cards()).to.have.length(1)
    await stage.control('PATCH', path, { deny: [] })
    await play('B')
    await until('one card is there', () => stage.cards().length === 1 && shown().includes('**B**'))
    expect(refused.length).to.be.at.most(1)
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

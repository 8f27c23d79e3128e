import { expect } from 'chai'
import { createLocalDirectory } from '../../../bot/discord/shards/local-directory.ts'
import { until } from '../../support/bots.ts'
import { enterVoice } from 'bandstand-sandbox/world'
import { createMemberStage, textOf, type MemberStage, type Seen } from '../../support/members.ts'

/** Channel and tracks of a player. */
interface Playing {
  readonly channelId: string
  readonly titles: string
}

/** Beginning of an answer when a bot other than the requested one acts. */
const playsIn = (bot: string, channel: string) => `<@${bot}> is playing in <#${channel}>.`

describe('several bots of a project in one guild', () => {
  let stage: MemberStage
  let first: string
  let second: string
  let pier: string
  let lighthouse: string
  /** Bots whose shard of the guild another service runs. */
  let elsewhere: string[]
  beforeEach(async () => {
    elsewhere = []
    const owner = { serviceId: 'other', url: 'http://other.test' }
    const whoRuns = (botId: string) => (elsewhere.includes(botId) ? owner : null)
    stage = await createMemberStage({ nodes: 3, directory: { ...createLocalDirectory(), whoRuns } })
    first = stage.scope.botId
    second = await stage.addBot('Second')
    pier = stage.sandbox.demo.voiceChannelId
    lighthouse = stage.sandbox.demo.secondVoiceChannelId
  })
  afterEach(() => stage.close())

  const scopeOf = (botId: string) => ({ ...stage.scope, botId })
  async function playing(botId: string): Promise<Playing | null> {
    const player = await stage.music.info(scopeOf(botId), stage.guild.id).catch(() => null)
    if (!player) return null
    const titles = [player.current?.title ?? '-', ...player.queue.map(({ title }) => title)].join(' ')
    return { channelId: player.channelId, titles }
  }
  async function play(by: number, channelId: string, query: string, bot = first): Promise<Seen> {
    await stage.sit(by, channelId)
    return stage.type('play', { query }, { by, bot })
  }

  it('share the commands: that of one starts another where the first is busy, and says so', async () => {
    expect((await play(1, pier, 'A B')).text).to.match(/^🎵 Now playing\n\*\*A\*\*/u)
    const seen = await play(2, lighthouse, 'C')
    expect(seen.text).to.equal(`${playsIn(second, lighthouse)}\nNow playing **C**`)
    expect(seen.isPrivate).to.equal(false)
    expect(await playing(first)).to.deep.equal({ channelId: pier, titles: 'A B' })
    expect(await playing(second)).to.deep.equal({ channelId: lighthouse, titles: 'C' })
    // Asked of the second, it reaches the first, which sits there.
    expect((await play(3, pier, 'D', second)).text).to.contain(playsIn(first, pier))
    expect(await playing(first)).to.deep.equal({ channelId: pier, titles: 'A B D' })
  })

  it('obey by every control the members of their own channel', async () => {
    await play(1, pier, 'A B C')
    await play(2, lighthouse, 'D E F')
    // Commands of the first, by one who listens to the second.
    expect((await stage.type('volume', { percent: 40 }, { by: 2 })).text).to.equal(
      `${playsIn(second, lighthouse)}\nVolume: 40%`,
    )
    expect((await stage.music.info(scopeOf(first), stage.guild.id)).volume).to.equal(100)
    expect((await stage.music.info(scopeOf(second), stage.guild.id)).volume).to.equal(40)
    // The queue that the first bot shows, and its buttons.
    const queue = await stage.type('queue', {}, { by: 2 })
    expect(queue.text).to.contain('E').and.not.contain('B')
    const form = await stage.press(queue.messageId, 'add', { by: 2 })
    expect((await stage.send(form.whole.interactionId, { query: 'G' })).text).to.contain(playsIn(second, lighthouse))
    expect((await playing(second))?.titles).to.equal('D E F G')
    // A menu of the first: favourites are kept for all bots of the project.
    expect((await stage.type('favourites add', {}, { by: 2 })).text).to.contain('**D**')
    const list = await stage.type('favourites list', {}, { by: 2 })
    const menu = list.whole.message.components[0].components[0]
    const chosen = await stage.choose(list.messageId, menu.custom_id, [menu.options[0].value], { by: 2 })
    expect(chosen.text).to.contain(playsIn(second, lighthouse))
    expect((await playing(second))?.titles).to.equal('D E F G D')
    expect((await playing(first))?.titles).to.equal('A B C')
  })

  it('hear a button of any card from the channel of who presses it, and leave the card as it is', async () => {
    await play(1, pier, 'A B')
    await play(2, lighthouse, 'C D')
    await until('both cards are there', () => stage.cards().length === 2)
    const card = stage.cards().find((message) => textOf(message).includes('A')) as { id: string }
    const pressed = await stage.press(card.id, 'card:skip', { by: 2 })
    expect(pressed.text).to.equal(playsIn(second, lighthouse))
    expect(pressed.isPrivate).to.equal(true)
    expect((await playing(second))?.titles).to.equal('D')
    expect((await playing(first))?.titles).to.equal('A B')
    expect(stage.cards().some(({ id }) => id === card.id)).to.equal(true)
  })

  it('gives two who ask at the same moment two bots, and two of one channel the same', async () => {
    const third = await stage.addBot('Third')
    const stageChannel = stage.sandbox.demo.stageChannelId
    const asked = [play(1, pier, 'A'), play(2, lighthouse, 'B'), play(3, stageChannel, 'C'), play(4, stageChannel, 'D')]
    await Promise.all(asked)
    const all = await Promise.all([first, second, third].map(playing))
    const byChannel = new Map(all.map((one) => [one?.channelId, one?.titles.split(' ').toSorted().join('')]))
    expect(Object.fromEntries(byChannel)).to.deep.equal({ [pier]: 'A', [lighthouse]: 'B', [stageChannel]: 'CD' })
  })

  it('passes over a bot that is not in the guild, is away, or may not join the channel', async () => {
    await play(1, pier, 'A')
    await stage.control('PATCH', `/guilds/${stage.guild.id}/channels/${lighthouse}`, {
      deny: [{ userId: second, permissions: '1048576' }],
    })
    expect((await play(2, lighthouse, 'B')).text).to.contain('I can’t join that channel')
    const third = await stage.addBot('Third')
    expect((await play(2, lighthouse, 'B')).text).to.contain(playsIn(third, lighthouse))
    await stage.type('stop', {}, { by: 2 })
    await stage.control('DELETE', `/guilds/${stage.guild.id}/members/${third}`)
    await stage.test.records.setStopped(stage.test.projectId, second, true)
    stage.test.changed()
    await until('it is away', () => !stage.test.bots.isConnected(second))
    const seen = await play(2, lighthouse, 'B')
    expect(seen.text).to.contain(`<#${pier}>`)
    expect(await playing(first)).to.deep.equal({ channelId: pier, titles: 'A' })
  })

  it('leave a channel to the bot of another service that sits there, and say whose commands reach it', async () => {
    const other = await stage.addBot('Other')
    const { body: foreign } = await stage.control('POST', '/applications', {
      name: 'Foreign',
      guildIds: [stage.guild.id],
    })
    elsewhere = [other, foreign.id]
    for (const [userId, channelId] of [
      [other, pier],
      [foreign.id, lighthouse],
    ]) {
      enterVoice(stage.sandbox.world, stage.guild, { userId, channelId, sessionId: `session of ${userId}` })
    }
    const reached = `<@${other}> is playing in your channel. Use the commands of that bot.`
    expect((await play(1, pier, 'A')).text).to.equal(reached)
    expect((await stage.type('skip', {}, { by: 1 })).text).to.equal(reached)
    // The bot of another project in the channel is no concern of this one.
    expect((await play(2, lighthouse, 'B')).text).to.contain('Now playing')
    expect(await playing(first)).to.deep.equal({ channelId: lighthouse, titles: 'B' })
  })

  it('share what members set for the guild', async () => {
    const role = await stage.giveRole(1)
    await stage.type('settings dj', { role }, { by: 0 })
    await stage.type('settings votes', { percent: 100 }, { by: 0, bot: second })
    for (const bot of [first, second]) {
      expect(await stage.test.settings.get(bot, stage.guild.id)).to.include({ djRoleId: role, voteRatio: 1 })
    }
    const third = await stage.addBot('Third')
    expect(await stage.test.settings.get(third, stage.guild.id)).to.include({ djRoleId: role, voteRatio: 1 })
    await stage.type('settings reset', {}, { by: 0, bot: third })
    expect((await stage.test.settings.get(first, stage.guild.id)).djRoleId).to.equal(null)
  })

  it('serve eight members in three channels who play, skip and vote at once, each by the bot of their channel', async () => {
    const third = await stage.addBot('Third')
    for (const name of ['Five', 'Six', 'Seven']) await stage.addMember(name)
    const channels = [pier, lighthouse, stage.sandbox.demo.stageChannelId]
    const bots = [first, second, third]
    const members = stage.ids.map((_, by) => ({
      by,
      channelId: channels[by % 3] as string,
      bot: bots[(by + 1) % 3] as string,
    }))
    expect(members).to.have.length(8)
    for (const { by, channelId } of members) await stage.sit(by, channelId)
    // All at once, each by the command of another bot than the one that will play there.
    await Promise.all(members.map(({ by, channelId, bot }) => play(by, channelId, `${by}a ${by}b ${by}c`, bot)))
    const before = (await Promise.all(bots.map(playing))) as Playing[]
    expect(before.map(({ channelId }) => channelId).toSorted()).to.deep.equal(channels.toSorted())
    for (const { channelId, titles } of before) {
      const own = members
        .filter((one) => one.channelId === channelId)
        .flatMap(({ by }) => [`${by}a`, `${by}b`, `${by}c`])
      expect(titles.split(' ').toSorted()).to.deep.equal(own.toSorted())
    }
    // One of each channel pauses, the others vote: half of those present are enough for a skip.
    const answers = await Promise.all(members.map(({ by, bot }) => stage.type('skip', {}, { by, bot })))
    expect(answers.map(({ text }) => text).join('\n')).not.to.contain('Nothing is playing')
    const after = (await Promise.all(bots.map(playing))) as Playing[]
    for (const [i, { channelId, titles }] of after.entries()) {
      expect(channelId).to.equal(before[i]?.channelId)
      const now = titles.split(' ')
      expect(before[i]?.titles.split(' ').slice(-now.length)).to.deep.equal(now)
      expect(now.length).to.be.lessThan(before[i]?.titles.split(' ').length ?? 0)
    }
  })

  it('says where all are when none is free, and starts the one that becomes free', async () => {
    await play(1, pier, 'A')
    await play(2, lighthouse, 'B')
    const stageChannel = stage.sandbox.demo.stageChannelId
    const refused = await play(3, stageChannel, 'C')
    expect(refused.text).to.equal(
      `All bots are busy: <@${first}> (<#${pier}>), <@${second}> (<#${lighthouse}>). ` +
        'Join one of these channels, or wait until a bot is free.',
    )
    expect(refused.isPrivate).to.equal(true)
    await stage.type('stop', {}, { by: 2 })
    expect((await stage.type('play', { query: 'C' }, { by: 3 })).text).to.contain(playsIn(second, stageChannel))
    expect(await playing(second)).to.deep.equal({ channelId: stageChannel, titles: 'C' })
  })
})

import { expect } from 'chai'
import type { TextChannel } from 'discord.js'
import { MESSAGE_ROUTES } from '../../rest/messages/messages.ts'
import { PIN_ROUTES } from '../../rest/messages/pins.ts'
import { REACTION_ROUTES } from '../../rest/messages/reactions.ts'
import { react } from '../../world/message/reactions.ts'
import { describeWalk, PNG } from './walk.ts'

// Publishing has its walk with the channels, since it needs one of announcements.
const MINE = MESSAGE_ROUTES.filter(({ path }) => !path.endsWith('crosspost'))

describeWalk('messages and reactions of the stand-in', [...MINE, ...PIN_ROUTES, ...REACTION_ROUTES], ({ walk }) => {
  const textChannel = () => walk().guild.channels.cache.get(walk().sandbox.demo.textChannelId) as TextChannel

  it('are paged before, after and around one, and deleted together unless they are two weeks old', async () => {
    const { advance, rest, event, weak } = walk()
    const channel = textChannel()
    const sent = []
    for (const content of ['one', 'two', 'three', 'four', 'five']) sent.push(await channel.send(content))
    const [one, two, three, four, five] = sent
    const texts = async (options: object) =>
      [...(await channel.messages.fetch(options)).values()].map(({ content }) => content)
    expect(await texts({ limit: 2, before: four!.id })).to.deep.equal(['three', 'two'])
    expect(await texts({ limit: 2, after: one!.id })).to.deep.equal(['three', 'two'])
    expect(await texts({ limit: 3, around: three!.id })).to.deep.equal(['four', 'three', 'two'])
    await one!.edit('first')
    expect((await rest('PATCH', `/channels/${channel.id}/messages/${two!.id}`, { content: '' })).body.code).to.equal(
      50_006,
    )
    expect((await weak('PATCH', `/channels/${channel.id}/messages/${two!.id}`, { content: 'x' })).body.code).to.equal(
      50_005,
    )
    expect((await weak('DELETE', `/channels/${channel.id}/messages/${two!.id}`)).body.code).to.equal(50_013)
    const told = event('messageDeleteBulk')
    expect((await channel.bulkDelete([one!, two!])).size).to.equal(2)
    expect((await told)[0].size).to.equal(2)
    await three!.pin()
    await three!.unpin()
    await rest('PUT', `/channels/${channel.id}/pins/${four!.id}`)
    expect((await rest('GET', `/channels/${channel.id}/pins`)).body).to.have.length(1)
    expect((await channel.messages.fetchPins()).items).to.have.length(1)
    await rest('DELETE', `/channels/${channel.id}/pins/${four!.id}`)
    advance(15 * 86_400_000)
    const late = await channel.send('late')
    const path = `/channels/${channel.id}/messages/bulk-delete`
    expect((await rest('POST', path, { messages: [late.id, four!.id] })).body.code).to.equal(50_034)
    expect((await channel.messages.fetch(five!.id)).content).to.equal('five')
    await five!.delete()
  })

  it('have reactions of many, with emojis of the guild, that those who moderate clear', async () => {
    const { guild, sandbox, inside, memberIds, event, weak, rest, client } = walk()
    const message = await textChannel().send('React.')
    const emoji = await guild.emojis.create({ attachment: PNG, name: 'wave' })
    const told = event('messageReactionAdd')
    await message.react('👍')
    expect((await told)[0].emoji.name).to.equal('👍')
    await message.react(emoji)
    const raw = sandbox.world.messages.get(message.channelId)!.get(message.id)!
    const place = { guild: inside, channelId: message.channelId }
    for (const userId of memberIds.slice(0, 3)) {
      react(sandbox.world, place, raw, { userId, emoji: { id: null, name: '👍' }, on: true })
    }
    const path = `/channels/${message.channelId}/messages/${message.id}`
    const thumbs = (await rest('GET', path)).body.reactions[0]
    expect([thumbs.count, thumbs.me]).to.deep.equal([4, true])
    expect((await weak('GET', path)).body.reactions[0].me).to.equal(false)
    const users = await message.reactions.cache.get('👍')!.users.fetch({ limit: 2, after: memberIds[0]! })
    expect([...users.keys()]).to.deep.equal([memberIds[1], memberIds[2]])
    expect((await weak('PUT', `${path}/reactions/${encodeURIComponent('👎')}/@me`)).status).to.equal(204)
    expect((await weak('DELETE', `${path}/reactions`)).body.code).to.equal(50_013)
    expect((await rest('PUT', `${path}/reactions/nothing:123/@me`)).body.code).to.equal(10_014)
    await message.reactions.cache.get('👍')!.users.remove(memberIds[0])
    await message.reactions.cache.get('👍')!.users.remove(client.user)
    expect((await rest('GET', path)).body.reactions[0].count).to.equal(2)
    const gone = event('messageReactionRemoveEmoji')
    await message.reactions.cache.get('👍')!.remove()
    expect((await gone)[0].emoji.name).to.equal('👍')
    const cleared = event('messageReactionRemoveAll')
    await message.reactions.removeAll()
    await cleared
    expect((await rest('GET', path)).body.reactions).to.deep.equal([])
  })
})

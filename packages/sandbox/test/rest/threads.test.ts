import { expect } from 'chai'
import { ChannelFlags, ChannelType, ThreadAutoArchiveDuration, type TextChannel } from 'discord.js'
import { THREAD_MEMBER_ROUTES } from '../../rest/channel/thread-members.ts'
import { THREAD_ROUTES } from '../../rest/channel/threads.ts'
import { codeOf, describeWalk } from './walk.ts'

describeWalk('threads of the stand-in', [...THREAD_ROUTES, ...THREAD_MEMBER_ROUTES], ({ walk }) => {
  const textChannel = () => walk().guild.channels.cache.get(walk().sandbox.demo.textChannelId) as TextChannel

  it('begin with a message or without, with their events, and count what is said in them', async () => {
    const { event, logged, rest } = walk()
    logged()
    const starter = await textChannel().send('Which song next?')
    const told = event('threadCreate')
    const thread = await starter.startThread({ name: 'Songs', autoArchiveDuration: ThreadAutoArchiveDuration.OneHour })
    const [made, isNew] = await told
    expect([made.id, isNew, thread.id]).to.deep.equal([starter.id, true, starter.id])
    expect((await starter.fetch()).hasThread).to.equal(true)
    const again = `/channels/${starter.channelId}/messages/${starter.id}/threads`
    expect((await rest('POST', again, { name: 'Again' })).body.code).to.equal(160_004)
    await thread.send('Low Tide')
    const last = await thread.send('Night Ferry')
    await last.delete()
    const { body } = await rest('GET', `/channels/${thread.id}`)
    expect([body.message_count, body.total_message_sent]).to.deep.equal([1, 2])
    const alone = await textChannel().threads.create({ name: 'Alone', type: ChannelType.PublicThread })
    const changed = event('threadUpdate')
    await alone.edit({ name: 'Together', rateLimitPerUser: 10 })
    expect((await changed)[1].name).to.equal('Together')
    const deleted = event('threadDelete')
    await alone.delete()
    expect((await deleted)[0].id).to.equal(alone.id)
    expect(logged()).to.deep.equal([110, 110, 111, 112])
  })

  it('take members in and let them go', async () => {
    const { memberIds, event, client, rest, weak } = walk()
    const [, one, two] = memberIds
    const thread = await textChannel().threads.create({
      name: 'Private',
      type: ChannelType.PrivateThread,
      invitable: false,
    })
    expect((await weak('GET', `/channels/${thread.id}`)).body.code).to.equal(50_001)
    const told = event('threadMembersUpdate')
    await thread.members.add(one!)
    expect((await told)[0].has(one)).to.equal(true)
    await thread.members.add(two!)
    await thread.members.remove(two!)
    const members = await thread.members.fetch({ withMember: true })
    expect([...members.keys()]).to.have.members([client.user.id, one])
    expect((await thread.members.fetch({ member: one!, force: true })).user!.id).to.equal(one)
    await thread.leave()
    await thread.join()
    expect((await rest('GET', `/channels/${thread.id}/thread-members/${two}`)).body.code).to.equal(10_007)
    await thread.delete()
  })

  it('are archived by hand or when no one speaks, listed by age, and opened by a message unless they are locked', async () => {
    const { guild, advance, rest, inside, weak } = walk()
    const channel = textChannel()
    const first = await channel.threads.create({
      name: 'First',
      type: ChannelType.PublicThread,
      autoArchiveDuration: 60,
    })
    const second = await channel.threads.create({ name: 'Second', type: ChannelType.PublicThread })
    expect((await guild.channels.fetchActiveThreads()).threads.has(first.id)).to.equal(true)
    advance(61 * 60_000)
    expect((await guild.channels.fetchActiveThreads()).threads.has(first.id)).to.equal(false)
    advance(1000)
    await second.setArchived(true)
    const archived = await channel.threads.fetchArchived({ type: 'public', fetchAll: true })
    expect([...archived.threads.keys()].slice(0, 2)).to.deep.equal([second.id, first.id])
    const page = await rest('GET', `/channels/${channel.id}/threads/archived/public?limit=2`)
    expect(page.body.has_more).to.equal(archived.threads.size > 2)
    const secret = await channel.threads.create({ name: 'Secret', type: ChannelType.PrivateThread })
    await secret.setArchived(true)
    expect((await channel.threads.fetchArchived({ type: 'private' })).threads.size).to.equal(1)
    expect((await channel.threads.fetchArchived({ type: 'private', fetchAll: true })).threads.size).to.equal(1)
    expect((await rest('PUT', `/channels/${first.id}/thread-members/@me`)).body.code).to.equal(50_083)
    expect((await weak('POST', `/channels/${first.id}/messages`, { content: 'awake' })).status).to.equal(200)
    expect(inside.threads.get(first.id)!.thread_metadata!.archived).to.equal(false)
    await first.setLocked(true)
    expect((await weak('POST', `/channels/${first.id}/messages`, { content: 'locked' })).body.code).to.equal(160_005)
    expect((await weak('PATCH', `/channels/${first.id}`, { name: 'mine' })).body.code).to.equal(50_013)
  })

  it('are the posts of a forum, with tags that it may demand', async () => {
    const { guild, rest, weak, event } = walk()
    const forum = await guild.channels.create({
      name: 'requests',
      type: ChannelType.GuildForum,
      availableTags: [{ name: 'Rock' }, { name: 'Done', moderated: true }],
      defaultAutoArchiveDuration: ThreadAutoArchiveDuration.OneDay,
    })
    const [rock, done] = forum.availableTags.map(({ id }) => id)
    const told = event('threadCreate')
    const post = await forum.threads.create({ name: 'Please', message: { content: 'Low Tide' }, appliedTags: [rock!] })
    expect((await told)[0].id).to.equal(post.id)
    expect([post.appliedTags, post.autoArchiveDuration]).to.deep.equal([[rock], 1440])
    expect((await post.fetchStarterMessage())!.content).to.equal('Low Tide')
    const again = await forum.threads.create({
      name: 'File',
      message: { files: [{ attachment: Buffer.from('x'), name: 'a.txt' }] },
    })
    expect((await again.fetchStarterMessage())!.attachments.size).to.equal(1)
    await forum.edit({ flags: ChannelFlags.RequireTag })
    const path = `/channels/${forum.id}/threads`
    const message = { content: 'x' }
    expect((await weak('POST', path, { name: 'x', message })).body.code).to.equal(40_067)
    expect((await weak('POST', path, { name: 'x', message, applied_tags: [done] })).body.code).to.equal(50_013)
    expect((await rest('POST', path, { name: 'x', message, applied_tags: ['1'] })).body.code).to.equal(10_087)
    expect((await rest('POST', `/channels/${forum.id}/messages`, message)).body.code).to.equal(50_008)
    const webhook = await forum.createWebhook({ name: 'Poster' })
    const posted = await webhook.send({ content: 'by a webhook', threadName: 'Hooked' })
    expect((await webhook.send({ content: 'more', threadId: posted.channelId })).channelId).to.equal(posted.channelId)
    expect(await codeOf(webhook.send({ content: 'nowhere' }))).to.equal(220_001)
  })
})

import { expect } from 'chai'
import { ChannelType, OverwriteType, PermissionFlagsBits, type TextChannel } from 'discord.js'
import { CHANNEL_ROUTES } from '../../rest/channel/channels.ts'
import { INVITE_ROUTES } from '../../rest/channel/invites.ts'
import { WEBHOOK_MESSAGE_ROUTES } from '../../rest/channel/webhook-messages.ts'
import { WEBHOOK_ROUTES } from '../../rest/channel/webhooks.ts'
import { GUILD_CHANNEL_ROUTES } from '../../rest/guild/channels.ts'
import { codeOf, describeWalk, PNG } from './walk.ts'

const ROUTES = [
  ...CHANNEL_ROUTES,
  ...GUILD_CHANNEL_ROUTES,
  ...INVITE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...WEBHOOK_MESSAGE_ROUTES,
]

describeWalk('channels of the stand-in', ROUTES, ({ walk }) => {
  it('are made in every type, changed, moved into categories and deleted, each with its event and entry', async () => {
    const { guild, event, logged, inside } = walk()
    logged()
    const told = event('channelCreate')
    const category = await guild.channels.create({ name: 'Stalls', type: ChannelType.GuildCategory })
    expect((await told)[0].id).to.equal(category.id)
    const text = await guild.channels.create({ name: 'Front Row', parent: category, topic: 'seats', reason: 'opening' })
    expect([text.name, text.parentId, text.topic]).to.deep.equal(['front-row', category.id, 'seats'])
    const forum = await guild.channels.create({
      name: 'requests',
      type: ChannelType.GuildForum,
      availableTags: [
        { name: 'Rock', emoji: { id: null, name: '🎸' } },
        { name: 'Done', moderated: true },
      ],
    })
    expect(forum.availableTags.map(({ name, moderated }) => [name, moderated])).to.deep.equal([
      ['Rock', false],
      ['Done', true],
    ])
    const kept = await forum.setAvailableTags([forum.availableTags[0]!, { name: 'Later' }])
    expect(kept.availableTags[0]!.id).to.equal(forum.availableTags[0]!.id)
    for (const type of [ChannelType.GuildAnnouncement, ChannelType.GuildStageVoice, ChannelType.GuildVoice] as const) {
      const made = await guild.channels.create({ name: 'Next', type })
      expect(made.type).to.equal(type)
      await made.delete()
    }
    const renamed = event('channelUpdate')
    await text.edit({ name: 'second-row', rateLimitPerUser: 5, nsfw: true })
    const [before, after] = await renamed
    expect([before.name, after.name, after.rateLimitPerUser]).to.deep.equal(['front-row', 'second-row', 5])
    await text.setType(ChannelType.GuildAnnouncement)
    await guild.channels.setPositions([{ channel: text.id, position: 7 }])
    expect(inside.channels.get(text.id)!.position).to.equal(7)
    await category.delete()
    expect(inside.channels.get(text.id)!.parent_id).to.equal(null)
    expect(inside.auditLog.find(({ reason }) => reason === 'opening')?.target_id).to.equal(text.id)
    expect(logged()).to.include.members([10, 11, 12])
  })

  it('keep overwrites of roles and members, and give a child those of its category', async () => {
    const { guild, memberIds, inside, rest } = walk()
    const [, one] = memberIds
    const category = await guild.channels.create({
      name: 'Backstage',
      type: ChannelType.GuildCategory,
      permissionOverwrites: [{ id: guild.id, deny: PermissionFlagsBits.ViewChannel }],
    })
    const child = await guild.channels.create({ name: 'crew', parent: category })
    expect(child.permissionsLocked).to.equal(true)
    await child.permissionOverwrites.create(
      one!,
      { ViewChannel: true, SendMessages: false },
      { type: OverwriteType.Member },
    )
    expect(inside.channels.get(child.id)!.permission_overwrites).to.have.length(2)
    await child.permissionOverwrites.edit(one!, { SendMessages: true }, { type: OverwriteType.Member })
    await child.permissionOverwrites.delete(one!)
    await child.lockPermissions()
    const path = `/channels/${child.id}/permissions`
    expect((await rest('PUT', `${path}/1`, { type: 0, allow: '0' })).body.code).to.equal(10_011)
    expect((await rest('DELETE', `${path}/1`)).body.code).to.equal(10_009)
    expect((await rest('GET', `/guilds/${guild.id}/channels`)).body.map(({ id }: { id: string }) => id)).to.include(
      child.id,
    )
    expect((await rest('GET', `/channels/${child.id}`)).body.parent_id).to.equal(category.id)
  })

  it('refuse a bot without the permission with 50013, one that does not see them with 50001, and wrong bodies with 50035', async () => {
    const { guild, weak, rest, sandbox } = walk()
    const text = sandbox.demo.textChannelId
    const codes = [
      await weak('POST', `/guilds/${guild.id}/channels`, { name: 'mine' }),
      await weak('PATCH', `/channels/${text}`, { name: 'mine' }),
      await weak('DELETE', `/channels/${text}`),
      await weak('POST', `/channels/${text}/webhooks`, { name: 'mine' }),
      await weak('GET', `/guilds/${guild.id}/invites`),
    ].map(({ body }) => body.code)
    expect(codes).to.deep.equal([50_013, 50_013, 50_013, 50_013, 50_013])
    const hidden = await guild.channels.create({
      name: 'hidden',
      permissionOverwrites: [{ id: guild.id, deny: PermissionFlagsBits.ViewChannel }],
    })
    expect((await weak('GET', `/channels/${hidden.id}`)).body.code).to.equal(50_001)
    const { body } = await rest('POST', `/guilds/${guild.id}/channels`, { name: 'x'.repeat(101), bitrate: 1, type: 99 })
    expect(Object.keys(body.errors).toSorted()).to.deep.equal(['bitrate', 'name', 'type'])
    expect(body.errors.name._errors[0]).to.deep.equal({
      code: 'BASE_TYPE_MAX_LENGTH',
      message: 'Must be 100 or fewer in length.',
    })
    expect((await rest('PATCH', `/channels/${text}`, { parent_id: text })).body.errors).to.have.key('parent_id')
  })

  it('show that a bot types, and what a voice channel plays', async () => {
    const { guild, event, rest, sandbox, client } = walk()
    const channel = guild.channels.cache.get(sandbox.demo.textChannelId) as TextChannel
    const told = event('typingStart')
    await channel.sendTyping()
    expect((await told)[0].user.id).to.equal(client.user.id)
    expect(
      (await rest('PUT', `/channels/${sandbox.demo.voiceChannelId}/voice-status`, { status: 'Low Tide' })).status,
    ).to.equal(204)
  })

  it('have invites with counts, that expire and that their makers delete', async () => {
    const { guild, client, event, sandbox, rest, advance } = walk()
    const channel = guild.channels.cache.get(sandbox.demo.textChannelId) as TextChannel
    const told = event('inviteCreate')
    const invite = await channel.createInvite({ maxAge: 60, maxUses: 3, unique: true })
    expect((await told)[0].code).to.equal(invite.code)
    expect((await client.fetchInvite(invite.code)).memberCount).to.equal(guild.memberCount)
    expect((await guild.invites.fetch()).size).to.equal(1)
    expect((await channel.fetchInvites()).first()!.maxUses).to.equal(3)
    expect((await rest('POST', `/channels/${channel.id}/invites`, { max_age: 60, max_uses: 3 })).body.code).to.equal(
      invite.code,
    )
    advance(61_000)
    expect((await rest('GET', `/invites/${invite.code}`)).body.code).to.equal(10_006)
    const gone = event('inviteDelete')
    const second = await channel.createInvite()
    await second.delete()
    expect((await gone)[0].code).to.equal(second.code)
  })

  it('have webhooks that speak with a name of their own, wait, edit and delete, with or without a token of a bot', async () => {
    const { guild, event, sandbox, rest, client, logged } = walk()
    logged()
    const channel = guild.channels.cache.get(sandbox.demo.textChannelId) as TextChannel
    const told = event('webhooksUpdate')
    const webhook = await channel.createWebhook({ name: 'Ushers', avatar: PNG })
    await told
    expect(webhook.url).to.contain(webhook.token)
    const sent = await webhook.send({ content: 'To your seats.', username: 'Doorman' })
    expect([sent.author.username, sent.webhookId, sent.author.bot]).to.deep.equal(['Doorman', webhook.id, true])
    const edited = await webhook.editMessage(sent.id, 'Please be seated.')
    expect(edited.content).to.equal('Please be seated.')
    expect((await webhook.fetchMessage(sent.id)).id).to.equal(sent.id)
    await webhook.deleteMessage(sent.id)
    const bare = `/webhooks/${webhook.id}/${webhook.token}`
    expect((await rest('POST', bare, { content: 'without waiting' })).status).to.equal(204)
    expect((await rest('GET', bare)).body).not.to.have.property('user')
    expect((await rest('PATCH', bare, { name: 'Doormen' })).body.name).to.equal('Doormen')
    expect((await rest('POST', `/webhooks/${webhook.id}/wrong`, { content: 'x' })).body.code).to.equal(50_027)
    expect((await rest('POST', '/webhooks/1/wrong', { content: 'x' })).body.code).to.equal(10_015)
    await webhook.edit({ name: 'Stewards', channel: sandbox.demo.voiceChannelId })
    expect((await guild.fetchWebhooks()).first()!.name).to.equal('Stewards')
    expect((await client.fetchWebhook(webhook.id)).channelId).to.equal(sandbox.demo.voiceChannelId)
    await client.deleteWebhook(webhook.id)
    const other = await channel.createWebhook({ name: 'Second' })
    expect((await channel.fetchWebhooks()).size).to.equal(1)
    expect((await rest('DELETE', `/webhooks/${other.id}/${other.token}`)).status).to.equal(204)
    expect(logged()).to.deep.equal([50, 51, 51, 52, 50, 52])
    expect(await codeOf(channel.createWebhook({ name: 'Discord' }))).to.equal(50_035)
  })

  it('pass announcements on to the channels that follow them', async () => {
    const { guild, sandbox, event } = walk()
    const news = await guild.channels.create({ name: 'news', type: ChannelType.GuildAnnouncement })
    const { textChannelId } = sandbox.demo
    await news.addFollower(textChannelId)
    const message = await news.send('Doors at eight.')
    const told = event('messageCreate')
    await message.crosspost()
    const [copy] = await told
    expect([copy.channelId, copy.content]).to.deep.equal([textChannelId, 'Doors at eight.'])
    expect(await codeOf(message.crosspost())).to.equal(40_033)
  })
})

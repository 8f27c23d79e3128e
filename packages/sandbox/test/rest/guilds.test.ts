import { expect } from 'chai'
import {
  AutoModerationActionType,
  AutoModerationRuleEventType,
  AutoModerationRuleTriggerType,
  ChannelType,
  GuildFeature,
  GuildScheduledEventEntityType,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventStatus,
  type StageChannel,
} from 'discord.js'
import { AUTOMOD_ROUTES } from '../../rest/guild/automod.ts'
import { COMMUNITY_ROUTES } from '../../rest/guild/community.ts'
import { EXPRESSION_ROUTES } from '../../rest/guild/expressions.ts'
import { GUILD_ROUTES } from '../../rest/guild/guilds.ts'
import { SCHEDULED_EVENT_ROUTES } from '../../rest/guild/scheduled-events.ts'
import { STAGE_ROUTES } from '../../rest/guild/stage-instances.ts'
import { setInterest } from '../../world/guild/scheduled-events.ts'
import { codeOf, describeWalk, PNG } from './walk.ts'

const ROUTES = [
  ...EXPRESSION_ROUTES,
  ...SCHEDULED_EVENT_ROUTES,
  ...STAGE_ROUTES,
  ...AUTOMOD_ROUTES,
  ...COMMUNITY_ROUTES,
  // Leaving has its own test, of a bot that may go.
  ...GUILD_ROUTES.filter(({ method }) => method !== 'DELETE'),
]
const DAY_MS = 86_400_000

describeWalk('guilds of the stand-in', ROUTES, ({ walk }) => {
  it('have emojis and stickers with their pictures', async () => {
    const { guild, client, event, sandbox, rest, weak, logged } = walk()
    logged()
    const told = event('emojiCreate')
    const emoji = await guild.emojis.create({ attachment: PNG, name: 'drum' })
    expect((await told)[0].id).to.equal(emoji.id)
    const picture = await fetch(`${sandbox.url}/cdn/emojis/${emoji.id}.png`)
    expect([picture.status, picture.headers.get('content-type')]).to.deep.equal([200, 'image/png'])
    await emoji.edit({ name: 'drums' })
    expect((await guild.emojis.fetch(emoji.id, { force: true })).name).to.equal('drums')
    expect((await guild.emojis.fetch()).size).to.equal(1)
    const path = `/guilds/${guild.id}/emojis`
    expect((await weak('POST', path, { name: 'mine', image: 'data:image/png;base64,AA==' })).body.code).to.equal(50_013)
    expect((await rest('POST', path, { name: 'mine', image: 'data:image/png;base64,AA==' })).body.errors).to.have.key(
      'image',
    )
    await emoji.delete()
    const sticker = await guild.stickers.create({
      file: { attachment: PNG, name: 'wave.png' },
      name: 'Wave',
      tags: '👋',
    })
    await sticker.edit({ description: 'hello' })
    expect((await guild.stickers.fetch(sticker.id, { force: true })).description).to.equal('hello')
    expect((await guild.stickers.fetch()).size).to.equal(1)
    expect((await client.fetchSticker(sticker.id)).name).to.equal('Wave')
    const channel = guild.channels.cache.get(sandbox.demo.textChannelId)!
    expect(
      (await rest('POST', `/channels/${channel.id}/messages`, { sticker_ids: [sticker.id] })).body.sticker_items,
    ).to.have.length(1)
    await sticker.delete()
    expect(logged()).to.deep.equal([60, 61, 62, 90, 91, 92])
  })

  it('have scheduled events that begin and end, with those who are interested', async () => {
    const { guild, event, sandbox, inside, memberIds, rest, weak, logged } = walk()
    logged()
    const at = (days: number) => new Date(sandbox.world.now() + days * DAY_MS)
    const facts = {
      name: 'Harbour concert',
      privacyLevel: GuildScheduledEventPrivacyLevel.GuildOnly,
      entityType: GuildScheduledEventEntityType.Voice,
      channel: sandbox.demo.voiceChannelId,
      scheduledStartTime: at(1),
    }
    const told = event('guildScheduledEventCreate')
    const concert = await guild.scheduledEvents.create({ ...facts, description: 'All welcome', image: PNG })
    expect((await told)[0].id).to.equal(concert.id)
    for (const userId of memberIds.slice(0, 3)) {
      setInterest(sandbox.world, inside, { eventId: concert.id, userId, isInterested: true })
    }
    const users = await concert.fetchSubscribers({ withMember: true, limit: 2, after: memberIds[0]! })
    expect([...users.keys()]).to.deep.equal([memberIds[1], memberIds[2]])
    expect((await guild.scheduledEvents.fetch({ guildScheduledEvent: concert.id, force: true })).userCount).to.equal(3)
    expect((await guild.scheduledEvents.fetch()).size).to.equal(1)
    const path = `/guilds/${guild.id}/scheduled-events`
    expect((await rest('GET', `${path}/${concert.id}/users/counts`)).body.guild_scheduled_event_count).to.equal(3)
    const changed = event('guildScheduledEventUpdate')
    await concert.setStatus(GuildScheduledEventStatus.Active)
    expect((await changed)[1].status).to.equal(GuildScheduledEventStatus.Active)
    expect(await codeOf(concert.setStatus(GuildScheduledEventStatus.Canceled))).to.equal(50_035)
    await concert.setStatus(GuildScheduledEventStatus.Completed)
    expect((await rest('GET', `${path}/${concert.id}`)).body.code).to.equal(10_070)
    const outside = { name: 'Picnic', privacy_level: 2, entity_type: 3, scheduled_start_time: at(2).toISOString() }
    const missing = await rest('POST', path, outside)
    expect(missing.body.errors).to.deep.equal({
      entity_metadata: { location: { _errors: [{ code: 'BASE_TYPE_REQUIRED', message: 'This field is required' }] } },
    })
    const whole = { ...outside, entity_metadata: { location: 'The pier' }, scheduled_end_time: at(3).toISOString() }
    expect((await weak('POST', path, whole)).body.code).to.equal(50_013)
    const picnic = await rest('POST', path, whole)
    expect((await rest('DELETE', `${path}/${picnic.body.id}`)).status).to.equal(204)
    expect(logged()).to.deep.equal([100, 101, 101, 100, 102])
  })

  it('have stages with a topic', async () => {
    const { guild, sandbox, event, rest, weak } = walk()
    const channel = (await guild.channels.fetch(sandbox.demo.stageChannelId)) as StageChannel
    const told = event('stageInstanceCreate')
    const stage = await channel.createStageInstance({ topic: 'Open mike' })
    expect((await told)[0].topic).to.equal('Open mike')
    expect(await codeOf(channel.createStageInstance({ topic: 'Twice' }))).to.equal(150_006)
    await stage.setTopic('Closing')
    expect((await guild.stageInstances.fetch(channel.id, { force: true })).topic).to.equal('Closing')
    expect((await weak('DELETE', `/stage-instances/${channel.id}`)).body.code).to.equal(50_013)
    await stage.delete()
    expect((await rest('GET', `/stage-instances/${channel.id}`)).body.code).to.equal(10_067)
    const path = { channel_id: sandbox.demo.textChannelId, topic: 'x' }
    expect((await rest('POST', '/stage-instances', path)).body.code).to.equal(50_024)
  })

  it('moderate what members write by rules that bots keep', async () => {
    const { guild, sandbox, event, memberIds, inside, weak, rest, logged } = walk()
    const alerts = await guild.channels.create({ name: 'alerts' })
    logged()
    const told = event('autoModerationRuleCreate')
    const rule = await guild.autoModerationRules.create({
      name: 'No tar',
      enabled: true,
      eventType: AutoModerationRuleEventType.MessageSend,
      triggerType: AutoModerationRuleTriggerType.Keyword,
      triggerMetadata: { keywordFilter: ['tar', 'pit*'], regexPatterns: ['f[e3]athers?'], allowList: ['pith'] },
      actions: [
        { type: AutoModerationActionType.BlockMessage, metadata: { customMessage: 'No.' } },
        { type: AutoModerationActionType.SendAlertMessage, metadata: { channel: alerts.id } },
        { type: AutoModerationActionType.Timeout, metadata: { durationSeconds: 60 } },
      ],
    })
    expect((await told)[0].id).to.equal(rule.id)
    const write = async (content: string, userId = memberIds[3]!) => {
      const { guildId, textChannelId } = sandbox.demo
      const path = `${sandbox.url}/sandbox/guilds/${guildId}/channels/${textChannelId}/messages`
      const body = JSON.stringify({ userId, content })
      return (await fetch(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status
    }
    expect(await write('I love guitars and pith.')).to.equal(200)
    const executed = event('autoModerationActionExecution')
    expect(await write('hot TAR!')).to.equal(400)
    const [execution] = await executed
    expect([execution.matchedKeyword, execution.matchedContent, execution.userId]).to.deep.equal([
      'tar',
      'tar',
      memberIds[3],
    ])
    expect(inside.members.get(memberIds[3]!)!.communication_disabled_until).to.be.a('string')
    const [alert] = [...sandbox.world.messages.get(alerts.id)!.values()]
    expect([alert!.type, alert!.embeds[0]!.description]).to.deep.equal([24, 'hot TAR!'])
    expect(await write('feathers', memberIds[4])).to.equal(400)
    await rule.edit({ name: 'Tar', enabled: false })
    expect(await write('tar', memberIds[2])).to.equal(200)
    expect((await guild.autoModerationRules.fetch({ autoModerationRule: rule.id, force: true })).name).to.equal('Tar')
    expect((await guild.autoModerationRules.fetch()).size).to.equal(1)
    const path = `/guilds/${guild.id}/auto-moderation/rules`
    expect((await weak('GET', path)).body.code).to.equal(50_013)
    const noChannel = {
      name: 'x',
      event_type: 1,
      trigger_type: 5,
      actions: [{ type: 2, metadata: { channel_id: '1' } }],
    }
    expect((await rest('POST', path, noChannel)).body.errors.actions[0].metadata).to.have.key('channel_id')
    await rule.delete()
    expect(logged()).to.deep.equal([140, 143, 144, 145, 143, 144, 145, 141, 142])
  })

  it('change their settings, and show what members see at the door', async () => {
    const { guild, event, sandbox, rest, weak, client, inside } = walk()
    const told = event('guildUpdate')
    await guild.edit({ name: 'Seaside', description: 'By the sea', icon: PNG, afkChannel: sandbox.demo.voiceChannelId })
    expect((await told)[1].name).to.equal('Seaside')
    expect((await fetch(`${sandbox.url}/cdn/icons/${guild.id}/${inside.settings.icon}.png`)).status).to.equal(200)
    expect((await rest('PATCH', `/guilds/${guild.id}`, { afk_channel_id: '1' })).body.errors).to.have.key(
      'afk_channel_id',
    )
    expect((await weak('PATCH', `/guilds/${guild.id}`, { name: 'Mine' })).body.code).to.equal(50_013)
    expect(
      (await client.guilds.fetch({ guild: guild.id, force: true, withCounts: true })).approximateMemberCount,
    ).to.equal(guild.memberCount)
    expect((await guild.fetchPreview()).name).to.equal('Seaside')
    expect((await client.guilds.fetch()).size).to.equal(1)
    expect((await rest('GET', `/guilds/${guild.id}/widget.json`)).body.code).to.equal(50_004)
    await guild.setWidgetSettings({ enabled: true, channel: sandbox.demo.textChannelId })
    expect((await guild.fetchWidgetSettings()).enabled).to.equal(true)
    expect((await guild.fetchWidget()).name).to.equal('Seaside')
    expect((await rest('GET', `/guilds/${guild.id}/vanity-url`)).body.code).to.equal(50_001)
    // No bot can give a guild this.
    const { settings } = sandbox.world.guilds.get(guild.id)!
    settings.features = [...settings.features, GuildFeature.VanityURL]
    expect((await rest('GET', `/guilds/${guild.id}/vanity-url`)).body).to.deep.equal({ code: null, uses: 0 })
    const { textChannelId: channel } = sandbox.demo
    await guild.editWelcomeScreen({
      enabled: true,
      description: 'Hello',
      welcomeChannels: [{ channel, description: 'music' }],
    })
    expect((await guild.fetchWelcomeScreen()).description).to.equal('Hello')
    const prompts = [{ title: 'Which?', options: [{ title: 'Jazz', channels: [channel] }] }]
    expect((await guild.editOnboarding({ enabled: true, prompts })).prompts.first()!.title).to.equal('Which?')
    expect((await guild.fetchOnboarding()).enabled).to.equal(true)
    expect(guild.channels.cache.filter(({ type }) => type === ChannelType.GuildText).size).to.be.greaterThan(0)
  })
})

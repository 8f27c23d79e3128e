import { ChannelType, type APIWebhook } from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import { createWebhook, deleteWebhook, editWebhook, getWebhook, webhooksOf } from '../../world/guild/webhooks.ts'
import { keepImage } from '../../world/images.ts'
import { Permission } from '../../world/permissions.ts'
import type { Channel, Guild } from '../../world/world.ts'
import { Id, parseBody } from '../form.ts'
import {
  actorOf,
  channelOf,
  demand,
  guildOf,
  noContent,
  ok,
  param,
  type Call,
  type OpenCall,
  type Route,
} from '../route.ts'

const CHANNEL = '/channels/{channelId}'
const WEBHOOK = '/webhooks/{webhookId}'
const BY_TOKEN = '/webhooks/{webhookId}/{webhookToken}'

/** Discord keeps its own names to itself. */
const name = z
  .string()
  .trim()
  .min(1)
  .max(80)
  .refine((text) => !/clyde|discord/i.test(text), 'Username cannot contain "clyde" or "discord"')
const NewWebhook = z.object({ name, avatar: z.string().nullish() })
const WebhookChange = z.object({ name: name.optional(), avatar: z.string().nullish(), channel_id: Id.nullish() })
const Follow = z.object({ webhook_channel_id: Id })

const TAKES_WEBHOOKS: ReadonlySet<ChannelType> = new Set([
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildStageVoice,
  ChannelType.GuildForum,
  ChannelType.GuildMedia,
])

/** The secret only for those who made it, or the application whose it is; the address with it. */
function describe(call: OpenCall, { token, ...webhook }: APIWebhook, isShown: boolean): APIWebhook {
  if (!isShown || token === undefined) return webhook
  return { ...webhook, token, url: `${call.world.url}/api/webhooks/${webhook.id}/${token}` }
}

/** Incoming webhooks show their secret to the bots that may manage them, except for those of other applications. */
const isOurs = (call: Call, { application_id: owner }: APIWebhook) => owner === null || owner === call.me.id

function takes(channel: Channel): void {
  if (!TAKES_WEBHOOKS.has(channel.type)) throw new DiscordError('wrongChannelType')
}

function create(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ManageWebhooks)
  takes(channel)
  const { name: called, avatar } = parseBody(NewWebhook, call.body)
  const { world, me } = call
  const id = world.nextId()
  const facts = {
    id,
    channelId: channel.id,
    name: called,
    avatar: keepImage(world, { folder: `avatars/${id}`, path: 'avatar' }, avatar ?? null),
    user: me.user,
    applicationId: me.id,
  }
  return ok(describe(call, createWebhook(world, guild, facts, actorOf(call)), true))
}

function listOfChannel(call: Call) {
  const { guild, channel } = channelOf(call, Permission.ManageWebhooks)
  return ok(webhooksOf(guild, channel.id).map((one) => describe(call, one, isOurs(call, one))))
}

function listOfGuild(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageWebhooks)
  return ok([...guild.webhooks.values()].map((one) => describe(call, one, isOurs(call, one))))
}

/** A webhook of a guild where the bot may manage webhooks. */
function managed(call: Call): { guild: Guild; webhook: APIWebhook } {
  const { guild, webhook } = getWebhook(call.world, param(call, 'webhookId'))
  if (!guild.members.has(call.me.id)) throw new DiscordError('missingAccess')
  const channel = guild.channels.get(webhook.channel_id ?? '')
  if (webhook.application_id !== call.me.id) demand(call, guild, Permission.ManageWebhooks, channel)
  return { guild, webhook }
}

function show(call: Call) {
  const { webhook } = managed(call)
  return ok(describe(call, webhook, isOurs(call, webhook)))
}

function change(call: OpenCall, guild: Guild, webhook: APIWebhook) {
  const { name: called, avatar, channel_id } = parseBody(WebhookChange, call.body)
  if (channel_id) {
    const target = guild.channels.get(channel_id)
    if (!target) throw invalidForm('channel_id', 'INVALID_CHANNEL', 'The channel does not exist in this guild.')
    takes(target)
  }
  const hash =
    avatar === undefined
      ? undefined
      : keepImage(call.world, { folder: `avatars/${webhook.id}`, path: 'avatar' }, avatar)
  return { name: called, avatar: hash, channel_id: channel_id ?? undefined }
}

function edit(call: Call) {
  const { guild, webhook } = managed(call)
  editWebhook(call.world, guild, webhook, { change: change(call, guild, webhook), by: actorOf(call) })
  return ok(describe(call, webhook, isOurs(call, webhook)))
}

function remove(call: Call) {
  const { guild, webhook } = managed(call)
  deleteWebhook(call.world, guild, webhook, actorOf(call))
  return noContent
}

/** Finds a webhook by its ID and secret token, the only authentication needed. */
export function byToken(call: OpenCall): { guild: Guild; webhook: APIWebhook } {
  const found = getWebhook(call.world, param(call, 'webhookId'))
  if (found.webhook.token !== param(call, 'webhookToken')) throw new DiscordError('invalidWebhookToken')
  return found
}

/** Without its user, whom those who only have the secret need not know. */
function describeByToken(call: OpenCall, { user: _user, ...webhook }: APIWebhook) {
  return ok(describe(call, webhook, true))
}

function showByToken(call: OpenCall) {
  return describeByToken(call, byToken(call).webhook)
}

function editByToken(call: OpenCall) {
  const { guild, webhook } = byToken(call)
  const { channel_id: _fixed, ...rest } = change(call, guild, webhook)
  editWebhook(call.world, guild, webhook, { change: rest, by: { id: webhook.id, reason: call.reason } })
  return describeByToken(call, webhook)
}

function removeByToken(call: OpenCall) {
  const { guild, webhook } = byToken(call)
  deleteWebhook(call.world, guild, webhook, { id: webhook.id, reason: call.reason })
  return noContent
}

/** An announcement channel's messages are to come into another channel, by a webhook there. */
function follow(call: Call) {
  const { guild, channel } = channelOf(call)
  if (channel.type !== ChannelType.GuildAnnouncement) throw new DiscordError('wrongChannelType')
  const { webhook_channel_id: targetId } = parseBody(Follow, call.body)
  const target = mustFind(guild.channels.get(targetId), 'unknownChannel')
  takes(target)
  demand(call, guild, Permission.ManageWebhooks, target)
  const facts = {
    channelId: targetId,
    name: `${guild.name} #${channel.name}`,
    avatar: null,
    user: call.me.user,
    applicationId: null,
    source: {
      source_guild: { id: guild.id, name: guild.name, icon: guild.settings.icon },
      source_channel: { id: channel.id, name: channel.name },
    },
  }
  const webhook = createWebhook(call.world, guild, facts, actorOf(call))
  return ok({ channel_id: channel.id, webhook_id: webhook.id })
}

export const WEBHOOK_ROUTES: readonly Route[] = [
  { method: 'POST', path: `${CHANNEL}/webhooks`, handle: create },
  { method: 'GET', path: `${CHANNEL}/webhooks`, handle: listOfChannel },
  { method: 'GET', path: '/guilds/{guildId}/webhooks', handle: listOfGuild },
  { method: 'POST', path: `${CHANNEL}/followers`, handle: follow },
  { method: 'GET', path: WEBHOOK, handle: show },
  { method: 'PATCH', path: WEBHOOK, handle: edit },
  { method: 'DELETE', path: WEBHOOK, handle: remove },
  { method: 'GET', path: BY_TOKEN, open: showByToken },
  { method: 'PATCH', path: BY_TOKEN, open: editByToken },
  { method: 'DELETE', path: BY_TOKEN, open: removeByToken },
]

import { randomBytes } from 'node:crypto'
import { AuditLogEvent, GatewayDispatchEvents, WebhookType, type APIUser, type APIWebhook } from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { tell, type Actor, type Guild, type World } from '../world.ts'
import { changesBetween, recordAudit, type Edit } from './audit-log.ts'

const MAX_PER_CHANNEL = 15

export interface WebhookFacts {
  /** Defaults to the next. */
  readonly id?: string
  readonly channelId: string
  readonly name: string
  readonly avatar: string | null
  readonly user: APIUser
  /** The application that made it, which may then send components by it. */
  readonly applicationId: string | null
  /** The announcement channel that it follows. */
  readonly source?: Pick<APIWebhook, 'source_guild' | 'source_channel'>
}

export function createWebhook(world: World, guild: Guild, facts: WebhookFacts, by: Actor): APIWebhook {
  if (webhooksOf(guild, facts.channelId).length >= MAX_PER_CHANNEL) throw new DiscordError('tooManyWebhooks')
  const webhook: APIWebhook = {
    id: facts.id ?? world.nextId(),
    type: facts.source ? WebhookType.ChannelFollower : WebhookType.Incoming,
    guild_id: guild.id,
    channel_id: facts.channelId,
    name: facts.name,
    avatar: facts.avatar,
    application_id: facts.applicationId,
    user: facts.user,
    ...(facts.source ?? { token: randomBytes(51).toString('base64url') }),
  }
  guild.webhooks.set(webhook.id, webhook)
  tellUpdate(world, guild, facts.channelId)
  audit(world, guild, by, { type: AuditLogEvent.WebhookCreate, before: null, after: webhook })
  return webhook
}

export interface WebhookChange {
  readonly name?: string | undefined
  readonly avatar?: string | null | undefined
  readonly channel_id?: string | undefined
}

export function editWebhook(
  world: World,
  guild: Guild,
  webhook: APIWebhook,
  { change, by }: Edit<WebhookChange>,
): void {
  const before = { ...webhook }
  Object.assign(webhook, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)))
  for (const id of new Set([before.channel_id, webhook.channel_id])) tellUpdate(world, guild, id)
  if (by) audit(world, guild, by, { type: AuditLogEvent.WebhookUpdate, before, after: webhook })
}

export function deleteWebhook(world: World, guild: Guild, webhook: APIWebhook, by: Actor): void {
  guild.webhooks.delete(webhook.id)
  tellUpdate(world, guild, webhook.channel_id)
  audit(world, guild, by, { type: AuditLogEvent.WebhookDelete, before: webhook, after: null })
}

export function webhooksOf(guild: Guild, channelId: string): APIWebhook[] {
  return [...guild.webhooks.values()].filter((one) => one.channel_id === channelId)
}

/** Deletes the webhooks of a deleted channel. */
export function deleteWebhooksOf(guild: Guild, channelId: string): void {
  for (const { id } of webhooksOf(guild, channelId)) guild.webhooks.delete(id)
}

/** A webhook of any guild, with that guild. */
export function getWebhook(world: World, id: string): { guild: Guild; webhook: APIWebhook } {
  for (const guild of world.guilds.values()) {
    const webhook = guild.webhooks.get(id)
    if (webhook) return { guild, webhook }
  }
  throw new DiscordError('unknownWebhook')
}

function tellUpdate(world: World, guild: Guild, channelId: string | null): void {
  if (channelId === null) return
  const d = { guild_id: guild.id, channel_id: channelId }
  tell(world, guild.id, { t: GatewayDispatchEvents.WebhooksUpdate, d })
}

type Change = { type: AuditLogEvent; before: APIWebhook | null; after: APIWebhook | null }

function audit(world: World, guild: Guild, by: Actor, { type, before, after }: Change): void {
  const changes = changesBetween(before, after)
  recordAudit(world, guild, by, { type, targetId: (after ?? before)?.id ?? null, changes })
}

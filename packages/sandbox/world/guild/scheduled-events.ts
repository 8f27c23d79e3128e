import {
  AuditLogEvent,
  GatewayDispatchEvents,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventStatus as Status,
  type APIGuildScheduledEvent,
  type APIGuildScheduledEventRecurrenceRule,
  type GuildScheduledEventEntityType as Kind,
} from 'discord-api-types/v10'
import { DiscordError, invalidForm, mustFind } from '../errors.ts'
import { tell, type Actor, type Guild, type World } from '../world.ts'
import { changesBetween, recordAudit, type Edit } from './audit-log.ts'

const MAX_OPEN = 100

/** Fields of an event under Discord's names. */
export interface EventFacts {
  readonly name: string
  readonly description: string | null
  readonly image: string | null
  readonly channel_id: string | null
  readonly scheduled_start_time: string
  readonly scheduled_end_time: string | null
  readonly entity_type: Kind
  readonly entity_metadata: { readonly location: string } | null
  readonly recurrence_rule: APIGuildScheduledEventRecurrenceRule | null
}

export function createEvent(world: World, guild: Guild, facts: EventFacts, by: Actor): APIGuildScheduledEvent {
  if (guild.scheduledEvents.size >= MAX_OPEN) throw new DiscordError('tooManyScheduledEvents')
  const event = {
    id: world.nextId(),
    guild_id: guild.id,
    creator_id: by.id,
    creator: world.users.get(by.id),
    ...facts,
    status: Status.Scheduled,
    entity_id: null,
    privacy_level: GuildScheduledEventPrivacyLevel.GuildOnly,
    guild_scheduled_event_exceptions: [],
    // The fields of each kind were checked when the facts were read.
  } as unknown as APIGuildScheduledEvent
  guild.scheduledEvents.set(event.id, event)
  guild.eventUsers.set(event.id, new Set())
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildScheduledEventCreate, d: event })
  audit(world, guild, by, { type: AuditLogEvent.GuildScheduledEventCreate, before: null, after: event })
  return event
}

/** Allowed status changes of an event. */
const STEPS: Readonly<Record<Status, readonly Status[]>> = {
  [Status.Scheduled]: [Status.Active, Status.Canceled],
  [Status.Active]: [Status.Completed],
  [Status.Completed]: [],
  [Status.Canceled]: [],
}

export type EventChange = { readonly [K in keyof EventFacts]?: EventFacts[K] | undefined } & {
  readonly status?: Status | undefined
}

/** Edits an event, and removes one that is over after its last update. */
export function editEvent(
  world: World,
  guild: Guild,
  event: APIGuildScheduledEvent,
  { change, by }: Edit<EventChange>,
): void {
  const before = structuredClone(event)
  const { status } = change
  if (status !== undefined && status !== event.status && !STEPS[event.status].includes(status)) {
    throw invalidForm('status', 'GUILD_SCHEDULED_EVENT_INVALID_STATUS', 'Invalid Guild Scheduled Event status')
  }
  Object.assign(event, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)))
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildScheduledEventUpdate, d: event })
  if (by) audit(world, guild, by, { type: AuditLogEvent.GuildScheduledEventUpdate, before, after: event })
  if (STEPS[event.status].length === 0) forget(guild, event.id)
}

export function deleteEvent(world: World, guild: Guild, event: APIGuildScheduledEvent, by: Actor): void {
  forget(guild, event.id)
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildScheduledEventDelete, d: event })
  audit(world, guild, by, { type: AuditLogEvent.GuildScheduledEventDelete, before: event, after: null })
}

function forget(guild: Guild, eventId: string): void {
  guild.scheduledEvents.delete(eventId)
  guild.eventUsers.delete(eventId)
}

/** Someone is interested, or no longer is. No-op where nothing changes. */
export function setInterest(
  world: World,
  guild: Guild,
  {
    eventId,
    userId,
    isInterested,
  }: { readonly eventId: string; readonly userId: string; readonly isInterested: boolean },
): void {
  const users = mustFind(guild.eventUsers.get(eventId), 'unknownScheduledEvent')
  if (users.has(userId) === isInterested) return
  if (isInterested) users.add(userId)
  else users.delete(userId)
  const { GuildScheduledEventUserAdd, GuildScheduledEventUserRemove } = GatewayDispatchEvents
  const d = { guild_scheduled_event_id: eventId, user_id: userId, guild_id: guild.id }
  tell(world, guild.id, { t: isInterested ? GuildScheduledEventUserAdd : GuildScheduledEventUserRemove, d })
}

/** Fields of an event in the audit log. */
function auditView(one: APIGuildScheduledEvent | null) {
  if (!one) return null
  const { name, description, channel_id, status, entity_type, privacy_level, entity_metadata } = one
  return { name, description, channel_id, status, entity_type, privacy_level, location: entity_metadata?.location }
}

type Change = { type: AuditLogEvent; before: APIGuildScheduledEvent | null; after: APIGuildScheduledEvent | null }

function audit(world: World, guild: Guild, by: Actor, { type, before, after }: Change): void {
  const changes = changesBetween(auditView(before), auditView(after))
  recordAudit(world, guild, by, { type, targetId: (after ?? before)?.id ?? null, changes })
}

import {
  ChannelType,
  GuildScheduledEventEntityType as Kind,
  GuildScheduledEventPrivacyLevel,
  GuildScheduledEventStatus as Status,
  type APIGuildScheduledEvent,
  type APIGuildScheduledEventRecurrenceRule,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm, mustFind } from '../../world/errors.ts'
import { createEvent, deleteEvent, editEvent, type EventFacts } from '../../world/guild/scheduled-events.ts'
import { keepImage } from '../../world/images.ts'
import { may, Permission } from '../../world/permissions.ts'
import type { Guild } from '../../world/world.ts'
import { Id, pageById, parseBody, readFlag, readLimit } from '../form.ts'
import { actorOf, demand, guildOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const EVENTS = '/guilds/{guildId}/scheduled-events'
const EVENT = `${EVENTS}/{eventId}`

const moment = z.iso.datetime({ offset: true })
const orNull = <T>(schema: z.ZodType<T>) => schema.nullish().transform((value) => value ?? null)
const Recurrence = z.object({
  start: moment,
  end: orNull(moment),
  frequency: z.int().min(0).max(3),
  interval: z.int().min(1).default(1),
  by_weekday: orNull(z.array(z.int().min(0).max(6)).max(7)),
  by_n_weekday: orNull(z.array(z.object({ n: z.int().min(1).max(5), day: z.int().min(0).max(6) })).max(7)),
  by_month: orNull(z.array(z.int().min(1).max(12)).max(12)),
  by_month_day: orNull(z.array(z.int().min(1).max(31)).max(31)),
  by_year_day: orNull(z.array(z.int().min(1).max(365)).max(365)),
  count: orNull(z.int().min(1)),
})

const FIELDS = {
  description: z.string().max(1000).nullish(),
  image: z.string().nullish(),
  channel_id: Id.nullish(),
  scheduled_end_time: moment.nullish(),
  entity_metadata: z.object({ location: z.string().min(1).max(100).optional() }).nullish(),
  recurrence_rule: Recurrence.nullish(),
}
const NewEvent = z.object({
  ...FIELDS,
  name: z.string().min(1).max(100),
  scheduled_start_time: moment,
  entity_type: z.enum(Kind),
  privacy_level: z.enum(GuildScheduledEventPrivacyLevel),
})
const EventChange = z.object({
  ...FIELDS,
  name: z.string().min(1).max(100).optional(),
  scheduled_start_time: moment.optional(),
  entity_type: z.enum(Kind).nullish(),
  privacy_level: z.enum(GuildScheduledEventPrivacyLevel).optional(),
  status: z.enum(Status).nullish(),
})

type Draft = z.infer<typeof EventChange>

const required = (field: string) => invalidForm(field, 'BASE_TYPE_REQUIRED', 'This field is required')

/** Reads a draft over what an event has already, and refuses what its kind must have or cannot have. */
function factsOf(call: Call, guild: Guild, draft: Draft, before: Partial<EventFacts>): EventFacts {
  const kind = draft.entity_type ?? before.entity_type ?? Kind.External
  const channelId = draft.channel_id === undefined ? (before.channel_id ?? null) : draft.channel_id
  const given = draft.entity_metadata === undefined ? before.entity_metadata : draft.entity_metadata
  const location = given?.location
  const end = draft.scheduled_end_time === undefined ? (before.scheduled_end_time ?? null) : draft.scheduled_end_time
  const start = draft.scheduled_start_time ?? before.scheduled_start_time ?? ''
  const isExternal = kind === Kind.External
  if (isExternal && location === undefined) throw required('entity_metadata.location')
  if (isExternal && end === null) throw required('scheduled_end_time')
  if (!isExternal) checkChannel(guild, kind, channelId)
  if (draft.scheduled_start_time !== undefined && Date.parse(start) <= call.world.now()) {
    const say = 'Cannot schedule event in the past.'
    throw invalidForm('scheduled_start_time', 'GUILD_SCHEDULED_EVENT_SCHEDULE_PAST', say)
  }
  if (end !== null && Date.parse(end) <= Date.parse(start)) {
    const say = 'Cannot schedule event end before its start.'
    throw invalidForm('scheduled_end_time', 'GUILD_SCHEDULED_EVENT_END_BEFORE_START', say)
  }
  const rule = draft.recurrence_rule === undefined ? (before.recurrence_rule ?? null) : draft.recurrence_rule
  return {
    name: draft.name ?? before.name ?? '',
    description: draft.description === undefined ? (before.description ?? null) : draft.description,
    image: draft.image === undefined ? (before.image ?? null) : keepCover(call, guild, draft.image),
    channel_id: isExternal ? null : channelId,
    scheduled_start_time: start,
    scheduled_end_time: end,
    entity_type: kind,
    entity_metadata: isExternal && location !== undefined ? { location } : null,
    // The schema above has the fields of a rule, whose numbers the library's types name.
    recurrence_rule: rule as APIGuildScheduledEventRecurrenceRule | null,
  }
}

const keepCover = (call: Call, guild: Guild, image: string | null) =>
  keepImage(call.world, { folder: `guild-events/${guild.id}`, path: 'image' }, image)

function checkChannel(guild: Guild, kind: Kind, channelId: string | null): void {
  if (channelId === null) throw invalidForm('channel_id', 'BASE_TYPE_REQUIRED', 'This field is required')
  const type = kind === Kind.StageInstance ? ChannelType.GuildStageVoice : ChannelType.GuildVoice
  const channel = mustFind(guild.channels.get(channelId), 'unknownChannel')
  if (channel.type !== type) throw new DiscordError('wrongChannelType')
}

/** Checks the permissions in the event's channel, or in the guild for an external event. */
function demandAt(call: Call, guild: Guild, channelId: string | null, isOwn: boolean): void {
  const channel = guild.channels.get(channelId ?? '')
  const manages = may(guild, call.me.id, Permission.ManageEvents, channel)
  const creates = isOwn && may(guild, call.me.id, Permission.CreateEvents, channel)
  if (!manages && !creates) throw new DiscordError('missingPermissions')
  if (channel) demand(call, guild, Permission.ViewChannel | Permission.Connect, channel)
}

function create(call: Call) {
  const guild = guildOf(call)
  const facts = factsOf(call, guild, parseBody(NewEvent, call.body), {})
  demandAt(call, guild, facts.channel_id, true)
  return ok(createEvent(call.world, guild, facts, actorOf(call)))
}

function eventOf(call: Call): { guild: Guild; event: APIGuildScheduledEvent } {
  const guild = guildOf(call)
  const event = mustFind(guild.scheduledEvents.get(param(call, 'eventId')), 'unknownScheduledEvent')
  return { guild, event }
}

function edit(call: Call) {
  const { guild, event } = eventOf(call)
  demandAt(call, guild, event.channel_id, event.creator_id === call.me.id)
  const { status, ...draft } = parseBody(EventChange, call.body)
  const before = event as unknown as EventFacts
  const facts = factsOf(call, guild, draft, before)
  editEvent(call.world, guild, event, { change: { ...facts, status: status ?? undefined }, by: actorOf(call) })
  return ok(event)
}

function remove(call: Call) {
  const { guild, event } = eventOf(call)
  demandAt(call, guild, event.channel_id, event.creator_id === call.me.id)
  deleteEvent(call.world, guild, event, actorOf(call))
  return noContent
}

function describe(call: Call, guild: Guild, event: APIGuildScheduledEvent) {
  if (!readFlag(call.query, 'with_user_count')) return event
  return { ...event, user_count: guild.eventUsers.get(event.id)?.size ?? 0 }
}

function list(call: Call) {
  const guild = guildOf(call)
  return ok([...guild.scheduledEvents.values()].map((event) => describe(call, guild, event)))
}

function show(call: Call) {
  const { guild, event } = eventOf(call)
  return ok(describe(call, guild, event))
}

function listUsers(call: Call) {
  const { guild, event } = eventOf(call)
  const limit = readLimit(call.query, { most: 100, usual: 100 })
  const ids = guild.eventUsers.get(event.id) ?? []
  const isWhole = readFlag(call.query, 'with_member')
  const page = pageById(ids, { query: call.query, limit, idOf: (id) => id })
  return ok(
    page.flatMap((id) => {
      const user = call.world.users.get(id)
      const member = isWhole ? guild.members.get(id) : undefined
      if (!user) return []
      const base = { guild_scheduled_event_id: event.id, user_id: id, response: 1, user }
      return [{ ...base, ...(member ? { member } : {}) }]
    }),
  )
}

function countUsers(call: Call) {
  const { guild, event } = eventOf(call)
  const count = guild.eventUsers.get(event.id)?.size ?? 0
  return ok({ guild_scheduled_event_count: count, guild_scheduled_event_exception_counts: {} })
}

export const SCHEDULED_EVENT_ROUTES: readonly Route[] = [
  { method: 'GET', path: EVENTS, handle: list },
  { method: 'POST', path: EVENTS, handle: create },
  { method: 'GET', path: EVENT, handle: show },
  { method: 'PATCH', path: EVENT, handle: edit },
  { method: 'DELETE', path: EVENT, handle: remove },
  { method: 'GET', path: `${EVENT}/users`, handle: listUsers },
  { method: 'GET', path: `${EVENT}/users/counts`, handle: countUsers },
]

import {
  AuditLogEvent,
  GatewayDispatchEvents,
  StageInstancePrivacyLevel,
  type APIStageInstance,
} from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { tell, type Actor, type Guild, type World } from '../world.ts'
import { changesBetween, recordAudit } from './audit-log.ts'

export interface StageFacts {
  readonly channelId: string
  readonly topic: string
  readonly eventId?: string | null
}

export function openStage(
  world: World,
  guild: Guild,
  { channelId, topic, eventId = null }: StageFacts,
  by: Actor,
): APIStageInstance {
  if (guild.stages.has(channelId)) throw new DiscordError('stageAlreadyOpen')
  const stage = {
    id: world.nextId(),
    guild_id: guild.id,
    channel_id: channelId,
    topic,
    privacy_level: StageInstancePrivacyLevel.GuildOnly,
    discoverable_disabled: true,
    guild_scheduled_event_id: eventId,
    // Discord sends null where its library's type has nothing.
  } as APIStageInstance
  guild.stages.set(channelId, stage)
  tell(world, guild.id, { t: GatewayDispatchEvents.StageInstanceCreate, d: stage })
  audit(world, guild, by, { type: AuditLogEvent.StageInstanceCreate, before: null, after: stage })
  return stage
}

export function editStage(
  world: World,
  guild: Guild,
  stage: APIStageInstance,
  { topic, by }: { readonly topic: string; readonly by: Actor },
): void {
  const before = { ...stage }
  stage.topic = topic
  tell(world, guild.id, { t: GatewayDispatchEvents.StageInstanceUpdate, d: stage })
  audit(world, guild, by, { type: AuditLogEvent.StageInstanceUpdate, before, after: stage })
}

/** No-op where none is open. */
export function closeStage(world: World, guild: Guild, channelId: string, by?: Actor): void {
  const stage = guild.stages.get(channelId)
  if (!stage) return
  guild.stages.delete(channelId)
  tell(world, guild.id, { t: GatewayDispatchEvents.StageInstanceDelete, d: stage })
  if (by) audit(world, guild, by, { type: AuditLogEvent.StageInstanceDelete, before: stage, after: null })
}

type Change = { type: AuditLogEvent; before: APIStageInstance | null; after: APIStageInstance | null }

function audit(world: World, guild: Guild, by: Actor, { type, before, after }: Change): void {
  const stage = after ?? before
  const options = { channel_id: stage?.channel_id ?? '' }
  recordAudit(world, guild, by, { type, targetId: stage?.id ?? null, changes: changesBetween(before, after), options })
}

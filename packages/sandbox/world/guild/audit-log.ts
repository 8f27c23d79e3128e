import {
  GatewayDispatchEvents,
  type APIAuditLogChange,
  type APIAuditLogEntry,
  type APIAuditLogOptions,
  type AuditLogEvent,
} from 'discord-api-types/v10'
import { tell, type Actor, type Guild, type World } from '../world.ts'

/** Discord keeps entries for 45 days; here the oldest go when there are more. */
const KEPT = 1000

export interface AuditFacts {
  readonly type: AuditLogEvent
  readonly targetId: string | null
  readonly changes?: readonly APIAuditLogChange[]
  readonly options?: APIAuditLogOptions
}

/** Notes who did what. Those who may see the log are told. */
export function recordAudit(world: World, guild: Guild, by: Actor, facts: AuditFacts): void {
  const { type, targetId, changes = [], options } = facts
  const entry: APIAuditLogEntry = {
    id: world.nextId(),
    user_id: by.id,
    target_id: targetId,
    action_type: type,
    ...(changes.length > 0 ? { changes: [...changes] } : {}),
    ...(options ? { options } : {}),
    ...(by.reason === null ? {} : { reason: by.reason }),
  }
  guild.auditLog.push(entry)
  if (guild.auditLog.length > KEPT) guild.auditLog.shift()
  tell(world, guild.id, { t: GatewayDispatchEvents.GuildAuditLogEntryCreate, d: { ...entry, guild_id: guild.id } })
}

/** A change of something, and who makes it; without a name for those who act on the sandbox itself. */
export interface Edit<C> {
  readonly change: C
  readonly by?: Actor
}

/** Keys whose values the log does not show, or shows under another name. */
const HIDDEN = new Set([
  'id',
  'guild_id',
  'user',
  'creator',
  'position',
  'last_message_id',
  'version',
  'token',
  'roles',
])
const RENAMED: Readonly<Record<string, string>> = {
  icon: 'icon_hash',
  avatar: 'avatar_hash',
  banner: 'banner_hash',
  splash: 'splash_hash',
  image: 'image_hash',
}

/** Differences between two states of an object, or all of its fields where one state is missing. */
export function changesBetween(before: object | null, after: object | null): APIAuditLogChange[] {
  const old = new Map(Object.entries(before ?? {}))
  const fresh = new Map(Object.entries(after ?? {}))
  return [...new Set([...old.keys(), ...fresh.keys()])]
    .filter((key) => !HIDDEN.has(key) && JSON.stringify(old.get(key)) !== JSON.stringify(fresh.get(key)))
    .map((key) => describeChange(RENAMED[key] ?? key, old.get(key), fresh.get(key)))
    .filter((change) => 'old_value' in change || 'new_value' in change)
}

/** Describes a change, without an old or new value that is missing or null. */
function describeChange(key: string, oldValue: unknown, newValue: unknown): APIAuditLogChange {
  const hadNone = oldValue === undefined || oldValue === null
  const hasNone = newValue === undefined || newValue === null
  const change = { key, ...(hadNone ? {} : { old_value: oldValue }), ...(hasNone ? {} : { new_value: newValue }) }
  // The library's type has one form for each key.
  return change as unknown as APIAuditLogChange
}

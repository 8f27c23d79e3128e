import type { APIAuditLogEntry } from 'discord-api-types/v10'
import { Permission } from '../../world/permissions.ts'
import { compareIds, readId, readLimit } from '../form.ts'
import { demand, guildOf, ok, type Call, type Route } from '../route.ts'

/** The newest entries first, with the users, webhooks, threads and the like that they name. */
function show(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ViewAuditLog)
  const { query, world } = call
  const limit = readLimit(query, { most: 100, usual: 50 })
  const [userId, targetId, before, after] = ['user_id', 'target_id', 'before', 'after'].map((name) =>
    readId(query, name),
  )
  const type = query.get('action_type')
  const found = guild.auditLog.filter(
    (entry) =>
      (userId === null || entry.user_id === userId) &&
      (targetId === null || entry.target_id === targetId) &&
      (type === null || String(entry.action_type) === type) &&
      (!before || compareIds(entry.id, before) < 0) &&
      (!after || compareIds(entry.id, after) > 0),
  )
  // After an entry, the oldest come first; else the newest.
  const entries = after ? found.slice(0, limit) : found.slice(-limit).toReversed()
  const named = namedBy(entries)
  const pick = <T>(items: ReadonlyMap<string, T>): T[] => [...named].flatMap((id) => items.get(id) ?? [])
  return ok({
    audit_log_entries: entries,
    users: pick(world.users),
    webhooks: pick(guild.webhooks).map(({ token: _secret, url: _url, ...webhook }) => webhook),
    threads: pick(guild.threads),
    guild_scheduled_events: pick(guild.scheduledEvents),
    auto_moderation_rules: pick(guild.automodRules),
    integrations: [],
    application_commands: [],
  })
}

function namedBy(entries: readonly APIAuditLogEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap(({ user_id, target_id }) => [user_id, target_id].filter((id) => id !== null)))
}

export const AUDIT_LOG_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/guilds/{guildId}/audit-logs', handle: show },
]

import {
  AuditLogEvent,
  AutoModerationActionType as Action,
  AutoModerationRuleEventType as EventType,
  AutoModerationRuleKeywordPresetType,
  AutoModerationRuleTriggerType as Trigger,
  GatewayDispatchEvents,
  type APIAutoModerationRule,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { invalidForm, mustFind } from '../../world/errors.ts'
import { changesBetween, recordAudit } from '../../world/guild/audit-log.ts'
import { Permission } from '../../world/permissions.ts'
import { tell, type Guild } from '../../world/world.ts'
import { Id, parseBody } from '../form.ts'
import { actorOf, demand, guildOf, noContent, ok, param, type Call, type Route } from '../route.ts'

const RULES = '/guilds/{guildId}/auto-moderation/rules'
const RULE = `${RULES}/{ruleId}`

const words = (most: number) => z.array(z.string().min(1).max(60)).max(most)
const Metadata = z.object({
  keyword_filter: words(1000).nullish(),
  regex_patterns: z.array(z.string().min(1).max(260)).max(10).nullish(),
  allow_list: words(1000).nullish(),
  presets: z.array(z.enum(AutoModerationRuleKeywordPresetType)).nullish(),
  mention_total_limit: z.int().min(0).max(50).nullish(),
  mention_raid_protection_enabled: z.boolean().nullish(),
})
type Metadata = z.infer<typeof Metadata>

const RuleAction = z.object({
  type: z.enum(Action),
  metadata: z
    .object({
      channel_id: Id.optional(),
      duration_seconds: z.int().min(0).max(2_419_200).optional(),
      custom_message: z.string().max(150).nullish(),
    })
    .nullish(),
})
type RuleAction = z.infer<typeof RuleAction>

const FIELDS = {
  trigger_metadata: Metadata.nullish(),
  actions: z.array(RuleAction).min(1).max(5),
  enabled: z.boolean().nullish(),
  exempt_roles: z.array(Id).max(20).nullish(),
  exempt_channels: z.array(Id).max(50).nullish(),
}
const NewRule = z.object({
  ...FIELDS,
  name: z.string().min(1).max(100),
  event_type: z.enum(EventType),
  trigger_type: z.enum(Trigger),
})
const RuleChange = z.object({
  ...FIELDS,
  name: z.string().min(1).max(100).optional(),
  event_type: z.enum(EventType).optional(),
  actions: FIELDS.actions.optional(),
})

/** Maximum number of rules of each kind in a guild. */
const MOST: Readonly<Record<Trigger, number>> = {
  [Trigger.Keyword]: 6,
  [Trigger.Spam]: 1,
  [Trigger.KeywordPreset]: 1,
  [Trigger.MentionSpam]: 1,
  [Trigger.MemberProfile]: 1,
}

/** Metadata of a rule of each kind, with defaults for missing fields. */
function describeMetadata(trigger: Trigger, given: Metadata): APIAutoModerationRule['trigger_metadata'] {
  const { keyword_filter, regex_patterns, allow_list, presets, mention_total_limit: mentions } = given
  const texts = {
    keyword_filter: keyword_filter ?? [],
    regex_patterns: regex_patterns ?? [],
    allow_list: allow_list ?? [],
  }
  if (trigger === Trigger.Keyword || trigger === Trigger.MemberProfile) return texts
  if (trigger === Trigger.KeywordPreset) return { presets: presets ?? [], allow_list: texts.allow_list }
  if (trigger === Trigger.Spam) return {}
  const mention_raid_protection_enabled = given.mention_raid_protection_enabled ?? false
  return { mention_total_limit: mentions ?? 0, mention_raid_protection_enabled }
}

function describeAction(
  guild: Guild,
  { type, metadata }: RuleAction,
  at: number,
): APIAutoModerationRule['actions'][number] {
  const path = `actions.${at}.metadata`
  if (type === Action.SendAlertMessage) {
    const channelId = metadata?.channel_id
    if (channelId === undefined || !guild.channels.has(channelId)) {
      throw invalidForm(`${path}.channel_id`, 'AUTO_MODERATION_INVALID_CHANNEL', 'The channel does not exist.')
    }
    return { type, metadata: { channel_id: channelId } }
  }
  if (type === Action.Timeout) {
    const seconds = metadata?.duration_seconds
    if (seconds === undefined)
      throw invalidForm(`${path}.duration_seconds`, 'BASE_TYPE_REQUIRED', 'This field is required')
    return { type, metadata: { duration_seconds: seconds } }
  }
  const custom = type === Action.BlockMessage ? metadata?.custom_message : undefined
  return { type, metadata: custom ? { custom_message: custom } : {} }
}

function describeActions(guild: Guild, trigger: Trigger, actions: readonly RuleAction[]) {
  const timeoutAt = actions.findIndex(({ type }) => type === Action.Timeout)
  if (timeoutAt >= 0 && trigger !== Trigger.Keyword && trigger !== Trigger.MentionSpam) {
    const say = 'Rules of this kind cannot time members out.'
    throw invalidForm(`actions.${timeoutAt}.type`, 'AUTO_MODERATION_INVALID_ACTION_TYPE', say)
  }
  return actions.map((action, at) => describeAction(guild, action, at))
}

function create(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  const draft = parseBody(NewRule, call.body)
  const alike = [...guild.automodRules.values()].filter((one) => one.trigger_type === draft.trigger_type)
  if (alike.length >= MOST[draft.trigger_type]) {
    const say = `Maximum number of rules of this kind reached (${MOST[draft.trigger_type]})`
    throw invalidForm('trigger_type', 'AUTO_MODERATION_MAX_RULES_OF_TYPE_EXCEEDED', say)
  }
  if (draft.actions.some(({ type }) => type === Action.Timeout)) demand(call, guild, Permission.ModerateMembers)
  const rule: APIAutoModerationRule = {
    id: call.world.nextId(),
    guild_id: guild.id,
    creator_id: call.me.id,
    name: draft.name,
    event_type: draft.event_type,
    trigger_type: draft.trigger_type,
    trigger_metadata: describeMetadata(draft.trigger_type, draft.trigger_metadata ?? {}),
    actions: describeActions(guild, draft.trigger_type, draft.actions),
    // Rules are disabled by default, as in Discord.
    enabled: draft.enabled ?? false,
    exempt_roles: draft.exempt_roles ?? [],
    exempt_channels: draft.exempt_channels ?? [],
  }
  guild.automodRules.set(rule.id, rule)
  tell(call.world, guild.id, { t: GatewayDispatchEvents.AutoModerationRuleCreate, d: rule })
  audit(call, guild, { type: AuditLogEvent.AutoModerationRuleCreate, before: null, after: rule })
  return ok(rule)
}

type Change = { type: AuditLogEvent; before: APIAutoModerationRule | null; after: APIAutoModerationRule | null }

function audit(call: Call, guild: Guild, { type, before, after }: Change): void {
  const targetId = (after ?? before)?.id ?? null
  recordAudit(call.world, guild, actorOf(call), { type, targetId, changes: changesBetween(before, after) })
}

function ruleOf(call: Call): { guild: Guild; rule: APIAutoModerationRule } {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  const rule = mustFind(guild.automodRules.get(param(call, 'ruleId')), 'general')
  return { guild, rule }
}

function edit(call: Call) {
  const { guild, rule } = ruleOf(call)
  const before = structuredClone(rule)
  const { trigger_metadata: metadata, actions, ...rest } = parseBody(RuleChange, call.body)
  const plain = Object.entries(rest).filter(([, value]) => value !== undefined && value !== null)
  Object.assign(rule, Object.fromEntries(plain))
  if (metadata) rule.trigger_metadata = describeMetadata(rule.trigger_type, { ...rule.trigger_metadata, ...metadata })
  if (actions) rule.actions = describeActions(guild, rule.trigger_type, actions)
  tell(call.world, guild.id, { t: GatewayDispatchEvents.AutoModerationRuleUpdate, d: rule })
  audit(call, guild, { type: AuditLogEvent.AutoModerationRuleUpdate, before, after: rule })
  return ok(rule)
}

function remove(call: Call) {
  const { guild, rule } = ruleOf(call)
  guild.automodRules.delete(rule.id)
  tell(call.world, guild.id, { t: GatewayDispatchEvents.AutoModerationRuleDelete, d: rule })
  audit(call, guild, { type: AuditLogEvent.AutoModerationRuleDelete, before: rule, after: null })
  return noContent
}

function list(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  return ok([...guild.automodRules.values()])
}

export const AUTOMOD_ROUTES: readonly Route[] = [
  { method: 'GET', path: RULES, handle: list },
  { method: 'POST', path: RULES, handle: create },
  { method: 'GET', path: RULE, handle: (call) => ok(ruleOf(call).rule) },
  { method: 'PATCH', path: RULE, handle: edit },
  { method: 'DELETE', path: RULE, handle: remove },
]

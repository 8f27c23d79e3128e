import { runInNewContext } from 'node:vm'
import {
  AuditLogEvent,
  AutoModerationActionType as Action,
  AutoModerationRuleTriggerType as Trigger,
  GatewayDispatchEvents,
  MessageType,
  EmbedType,
  type APIAutoModerationAction,
  type APIAutoModerationRule,
} from 'discord-api-types/v10'
import { DiscordError } from '../errors.ts'
import { tellMemberUpdate } from '../guilds.ts'
import { postMessage } from '../messages.ts'
import { may, Permission } from '../permissions.ts'
import { tell, type Guild, type Member, type World } from '../world.ts'
import { recordAudit } from './audit-log.ts'

/** Patterns come from bots; one that takes longer does not match. */
const PATTERN_MS = 50

export interface Said {
  readonly member: Member
  readonly channelId: string
  readonly content: string
}

interface Match {
  readonly keyword: string | null
  readonly content: string | null
}

/**
 * Does what the guild's rules say about a message that a member is about to send. Those who manage the guild and bots
 * are exempt, as in Discord.
 * @throws {DiscordError} when a rule blocks it.
 */
export function moderate(world: World, guild: Guild, said: Said): void {
  const { member, channelId, content } = said
  const { id: userId } = member.user
  const isExempt = may(guild, userId, Permission.ManageGuild) || world.applications.has(userId)
  if (isExempt) return
  let isBlocked = false
  for (const rule of guild.automodRules.values()) {
    const isFree = rule.exempt_channels.includes(channelId) || rule.exempt_roles.some((id) => member.roles.includes(id))
    const match = rule.enabled && !isFree ? find(rule, content) : null
    if (!match) continue
    for (const action of rule.actions) execute(world, guild, { rule, action, match, said })
    isBlocked ||= rule.actions.some(({ type }) => type === Action.BlockMessage)
  }
  if (isBlocked) throw new DiscordError('blockedByAutomod')
}

function find(rule: APIAutoModerationRule, content: string): Match | null {
  const { keyword_filter = [], regex_patterns = [], allow_list = [], mention_total_limit } = rule.trigger_metadata
  if (rule.trigger_type === Trigger.MentionSpam) {
    const mentions = new Set([...content.matchAll(/<@[!&]?(\d+)>/g)].map(([, id]) => id)).size
    return mentions > (mention_total_limit ?? 0) ? { keyword: null, content: null } : null
  }
  // Discord does not publish its own word lists, nor its criteria for spam.
  if (rule.trigger_type !== Trigger.Keyword) return null
  const text = content.toLowerCase()
  const isAllowed = (word: string) => allow_list.some((one) => wordsIn(one.toLowerCase(), word).length > 0)
  for (const keyword of keyword_filter) {
    const found = wordsIn(keyword.toLowerCase(), text).find(({ word }) => !isAllowed(word))
    if (found) return { keyword, content: found.core }
  }
  for (const pattern of regex_patterns) {
    const found = patternIn(pattern, content)
    if (found !== null && !isAllowed(found.toLowerCase())) return { keyword: pattern, content: found }
  }
  return null
}

const isEdge = (char: string | undefined) => char === undefined || !/[\p{L}\p{N}_]/u.test(char)

/** `word` alone, `wor*` its beginning, `*ord` its end, `*or*` anywhere: what matched, and the whole words around it. */
function wordsIn(keyword: string, text: string): { readonly core: string; readonly word: string }[] {
  const isOpen = { start: keyword.startsWith('*'), end: keyword.endsWith('*') }
  const core = keyword.replace(/^\*/, '').replace(/\*$/, '')
  if (core === '') return []
  const found = []
  for (let at = text.indexOf(core); at >= 0; at = text.indexOf(core, at + 1)) {
    const fitsStart = isOpen.start || isEdge(text[at - 1])
    if (!fitsStart || !(isOpen.end || isEdge(text[at + core.length]))) continue
    let [start, end] = [at, at + core.length]
    while (!isEdge(text[start - 1])) start -= 1
    while (!isEdge(text[end])) end += 1
    found.push({ core, word: text.slice(start, end) })
  }
  return found
}

function patternIn(pattern: string, content: string): string | null {
  try {
    const code = 'new RegExp(pattern, "iu").exec(content)?.[0] ?? null'
    return runInNewContext(code, { pattern, content }, { timeout: PATTERN_MS }) as string | null
  } catch {
    return null
  }
}

interface Execution {
  readonly rule: APIAutoModerationRule
  readonly action: APIAutoModerationAction
  readonly match: Match
  readonly said: Said
}

function execute(world: World, guild: Guild, execution: Execution): void {
  const { rule, action, match, said } = execution
  const { member, channelId, content } = said
  const userId = member.user.id
  const alertId = action.type === Action.SendAlertMessage ? alert(world, guild, execution) : undefined
  const seconds = action.metadata?.duration_seconds ?? 0
  if (action.type === Action.Timeout && seconds > 0) {
    member.communication_disabled_until = new Date(world.now() + seconds * 1000).toISOString()
    tellMemberUpdate(world, guild, member)
  }
  const d = {
    guild_id: guild.id,
    action,
    rule_id: rule.id,
    rule_trigger_type: rule.trigger_type,
    user_id: userId,
    channel_id: channelId,
    ...(alertId === undefined ? {} : { alert_system_message_id: alertId }),
    content,
    matched_keyword: match.keyword,
    matched_content: match.content,
  }
  tell(world, guild.id, { t: GatewayDispatchEvents.AutoModerationActionExecution, d })
  const type = LOGGED[action.type]
  if (type === undefined) return
  const options = {
    auto_moderation_rule_name: rule.name,
    auto_moderation_rule_trigger_type: String(rule.trigger_type) as '1',
    channel_id: channelId,
  }
  recordAudit(world, guild, { id: rule.creator_id, reason: null }, { type, targetId: userId, options })
}

const LOGGED: Partial<Record<Action, AuditLogEvent>> = {
  [Action.BlockMessage]: AuditLogEvent.AutoModerationBlockMessage,
  [Action.SendAlertMessage]: AuditLogEvent.AutoModerationFlagToChannel,
  [Action.Timeout]: AuditLogEvent.AutoModerationUserCommunicationDisabled,
}

/** Tells the channel of the rule's alerts, as a message of the member's. */
function alert(world: World, guild: Guild, { rule, action, match, said }: Execution): string | undefined {
  const channelId = action.metadata?.channel_id ?? ''
  if (!guild.channels.has(channelId)) return undefined
  const message = postMessage(
    world,
    { guild, channelId },
    { author: said.member.user, draft: {}, type: MessageType.AutoModerationAction },
  )
  const facts = [
    ['rule_name', rule.name],
    ['channel_id', said.channelId],
    ['keyword', match.keyword ?? ''],
    ['keyword_matched_content', match.content ?? ''],
  ] as const
  message.embeds = [
    {
      type: EmbedType.AutoModerationMessage,
      description: said.content,
      fields: facts.map(([name, value]) => ({ name, value, inline: false })),
    },
  ]
  return message.id
}

import { GatewayDispatchEvents as E, GatewayIntentBits as I } from 'discord-api-types/v10'
import type { Dispatch } from '../world/world.ts'

/** Intents that an event needs: in guilds, and in direct messages where it happens there too. Any bit is enough. */
interface Needed {
  readonly guild: number
  readonly direct?: number
}

/** Events that are not here reach everyone they concern. */
const NEEDED: Partial<Record<E, Needed>> = {
  ...forAll(I.Guilds, [
    E.GuildCreate,
    E.GuildUpdate,
    E.GuildDelete,
    E.GuildRoleCreate,
    E.GuildRoleUpdate,
    E.GuildRoleDelete,
    E.ChannelCreate,
    E.ChannelUpdate,
    E.ChannelDelete,
    E.ChannelPinsUpdate,
    E.ThreadCreate,
    E.ThreadUpdate,
    E.ThreadDelete,
    E.ThreadListSync,
    E.ThreadMemberUpdate,
    E.ThreadMembersUpdate,
    E.StageInstanceCreate,
    E.StageInstanceUpdate,
    E.StageInstanceDelete,
    E.VoiceChannelStatusUpdate,
  ]),
  ...forAll(I.GuildMembers, [E.GuildMemberAdd, E.GuildMemberUpdate, E.GuildMemberRemove]),
  ...forAll(I.GuildModeration, [E.GuildAuditLogEntryCreate, E.GuildBanAdd, E.GuildBanRemove]),
  ...forAll(I.GuildExpressions, [E.GuildEmojisUpdate, E.GuildStickersUpdate]),
  ...forAll(I.GuildWebhooks, [E.WebhooksUpdate]),
  ...forAll(I.GuildInvites, [E.InviteCreate, E.InviteDelete]),
  ...forAll(I.GuildVoiceStates, [E.VoiceStateUpdate]),
  ...forAll(I.GuildPresences, [E.PresenceUpdate]),
  ...forAll(I.GuildMessages, [E.MessageCreate, E.MessageUpdate, E.MessageDelete], I.DirectMessages),
  ...forAll(I.GuildMessages, [E.MessageDeleteBulk]),
  ...forAll(
    I.GuildMessageReactions,
    [E.MessageReactionAdd, E.MessageReactionRemove, E.MessageReactionRemoveAll, E.MessageReactionRemoveEmoji],
    I.DirectMessageReactions,
  ),
  ...forAll(I.GuildMessagePolls, [E.MessagePollVoteAdd, E.MessagePollVoteRemove], I.DirectMessagePolls),
  ...forAll(I.GuildMessageTyping, [E.TypingStart], I.DirectMessageTyping),
  ...forAll(I.GuildScheduledEvents, [
    E.GuildScheduledEventCreate,
    E.GuildScheduledEventUpdate,
    E.GuildScheduledEventDelete,
    E.GuildScheduledEventUserAdd,
    E.GuildScheduledEventUserRemove,
  ]),
  ...forAll(I.AutoModerationConfiguration, [
    E.AutoModerationRuleCreate,
    E.AutoModerationRuleUpdate,
    E.AutoModerationRuleDelete,
  ]),
  ...forAll(I.AutoModerationExecution, [E.AutoModerationActionExecution]),
}

function forAll(guild: number, events: readonly E[], direct?: number): Partial<Record<E, Needed>> {
  const needed = direct === undefined ? { guild } : { guild, direct }
  return Object.fromEntries(events.map((event) => [event, needed]))
}

export const ALL_INTENTS = Object.values(I)
  .filter((bit) => typeof bit === 'number')
  .reduce((all, bit) => all | bit, 0)

export interface Audience {
  readonly applicationId: string
  readonly intents: number
  /** The event is one of direct messages. */
  readonly isDirect: boolean
}

/** The event as this bot gets it with its intents; null when it does not get it at all. */
export function forAudience(event: Dispatch, { applicationId, intents, isDirect }: Audience): Dispatch | null {
  const needed = NEEDED[event.t]
  const bits = isDirect ? (needed?.direct ?? needed?.guild) : needed?.guild
  if (bits !== undefined && !(intents & bits) && !isAboutItself(event, { applicationId, intents })) return null
  if (event.t === E.GuildCreate) {
    if (intents & I.GuildPresences) return event
    // Without presences a bot is told of itself and of those in voice, and asks for the rest.
    const heard = new Set([applicationId, ...event.d.voice_states.map((state) => state.user_id)])
    const members = event.d.members.filter(({ user }) => heard.has(user.id))
    const voice_states = intents & I.GuildVoiceStates ? event.d.voice_states : []
    return { ...event, d: { ...event.d, members, voice_states } }
  }
  if (event.t === E.MessageCreate || event.t === E.MessageUpdate) {
    const isMentioned = event.d.mentions.some(({ id }) => id === applicationId)
    const isOpen = isDirect || isMentioned || event.d.author.id === applicationId
    if (intents & I.MessageContent || isOpen) return event
    const { poll: _poll, ...rest } = event.d
    return { ...event, d: { ...rest, content: '', embeds: [], attachments: [], components: [] } }
  }
  if (event.t === E.AutoModerationActionExecution && !(intents & I.MessageContent)) {
    return { ...event, d: { ...event.d, content: '', matched_content: '' } }
  }
  return event
}

/** A bot always hears of its own membership, and of the threads that it is put into. */
function isAboutItself(event: Dispatch, { applicationId, intents }: Omit<Audience, 'isDirect'>): boolean {
  if (event.t === E.GuildMemberUpdate) return event.d.user.id === applicationId
  if (event.t !== E.ThreadMembersUpdate || !(intents & I.Guilds)) return false
  return [...(event.d.added_members ?? [])].some((member) => member.user_id === applicationId)
}

import { GatewayDispatchEvents as E, GatewayIntentBits as I } from 'discord-api-types/v10'
import type { Dispatch } from '../world/world.ts'

/** Which intents an event needs, any of them; events that are not here reach everyone they concern. */
const NEEDED: Partial<Record<E, number>> = {
  [E.GuildCreate]: I.Guilds,
  [E.GuildUpdate]: I.Guilds,
  [E.GuildDelete]: I.Guilds,
  [E.GuildRoleCreate]: I.Guilds,
  [E.GuildRoleUpdate]: I.Guilds,
  [E.GuildRoleDelete]: I.Guilds,
  [E.ChannelCreate]: I.Guilds,
  [E.ChannelUpdate]: I.Guilds,
  [E.ChannelDelete]: I.Guilds,
  [E.VoiceChannelStatusUpdate]: I.Guilds,
  [E.GuildMemberAdd]: I.GuildMembers,
  [E.GuildMemberUpdate]: I.GuildMembers,
  [E.GuildMemberRemove]: I.GuildMembers,
  [E.VoiceStateUpdate]: I.GuildVoiceStates,
  [E.PresenceUpdate]: I.GuildPresences,
  [E.MessageCreate]: I.GuildMessages,
  [E.MessageUpdate]: I.GuildMessages,
  [E.MessageDelete]: I.GuildMessages,
  [E.MessageDeleteBulk]: I.GuildMessages,
  [E.MessageReactionAdd]: I.GuildMessageReactions,
  [E.MessageReactionRemove]: I.GuildMessageReactions,
  [E.MessageReactionRemoveAll]: I.GuildMessageReactions,
  [E.ChannelPinsUpdate]: I.Guilds,
  [E.MessagePollVoteAdd]: I.GuildMessagePolls,
  [E.MessagePollVoteRemove]: I.GuildMessagePolls,
  [E.TypingStart]: I.GuildMessageTyping,
}

export const ALL_INTENTS = Object.values(I)
  .filter((bit) => typeof bit === 'number')
  .reduce((all, bit) => all | bit, 0)

export interface Audience {
  readonly applicationId: string
  readonly intents: number
}

/** The event as this bot gets it with its intents; null when it does not get it at all. */
export function forAudience(event: Dispatch, { applicationId, intents }: Audience): Dispatch | null {
  const needed = NEEDED[event.t]
  if (needed !== undefined && !(intents & needed) && !aboutItself(event, applicationId)) return null
  if (event.t === E.GuildCreate) {
    if (intents & I.GuildPresences) return event
    // Without presences a bot is told of itself and of those in voice, and asks for the rest.
    const heard = new Set([applicationId, ...event.d.voice_states.map((state) => state.user_id)])
    const members = event.d.members.filter(({ user }) => heard.has(user.id))
    const voice_states = intents & I.GuildVoiceStates ? event.d.voice_states : []
    return { ...event, d: { ...event.d, members, voice_states } }
  }
  if (event.t === E.MessageCreate || event.t === E.MessageUpdate) {
    const mentioned = event.d.mentions.some(({ id }) => id === applicationId)
    if (intents & I.MessageContent || event.d.author.id === applicationId || mentioned) return event
    return { ...event, d: { ...event.d, content: '', embeds: [], attachments: [], components: [] } }
  }
  return event
}

/** A bot always hears of its own membership. */
function aboutItself(event: Dispatch, applicationId: string): boolean {
  return event.t === E.GuildMemberUpdate && event.d.user.id === applicationId
}

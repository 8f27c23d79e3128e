import { Events, type Client, type Guild, type VoiceState } from 'discord.js'
import { runForProject, runInContext } from '../../../lib/request-context.ts'
import type { WebPlayerVisitor } from '../../../db/people/web-player-access.ts'
import type { PlayerScope } from '../../player-service.ts'
import type { Command } from '../core/command.ts'
import type { CommandContext, Invocation } from '../core/invocation.ts'
import type { ChannelMessages } from '../card/channel-messages.ts'
import { toMessage, type Content, type OnSent } from '../core/reply.ts'
import { languageOf } from '../../../lib/texts/languages.ts'
import { WORDS } from '../common-text.ts'
import type { BotRouting } from '../interactions/bot-routing.ts'
import { toMember, toPlace } from '../core/guild-view.ts'
import { createGuildMembers, type GuildMembers } from './guild-members.ts'
import { openWebMember, type WebMember } from './web-member.ts'

export interface WebBot {
  readonly botId: string
  readonly projectId: string
  readonly isPlaying: boolean
}

export interface WebMembership {
  readonly projectId: string
  readonly guildName: string
  /** Whether the bot is in the channel of the member. */
  readonly isHeard: boolean
}

/** The guilds and members of the bots that run, for pages of members outside of Discord. */
export type WebPlayers = Omit<WebPlayersRegistry, 'add' | 'changed'>

interface BotSession {
  readonly id: string
  readonly projectId: string
  readonly client: Client
  readonly context: CommandContext
  readonly scope: () => PlayerScope
  readonly channelMessages: ChannelMessages
}

export type WebPlayersRegistry = ReturnType<typeof createWebPlayers>

interface Parts {
  readonly sessions: Set<BotSession>
  readonly members: GuildMembers
  readonly commands: ReadonlyMap<string, Command>
  readonly routing: BotRouting
}

export function createWebPlayers(commands: readonly Command[], routing: BotRouting) {
  const sessions = new Set<BotSession>()
  const members = createGuildMembers()
  const parts: Parts = { sessions, members, routing, commands: new Map(commands.map((it) => [it.name, it])) }
  const listeners = new Set<(guildId: string) => void>()
  const changed = (guildId: string) => listeners.forEach((listener) => listener(guildId))

  function onVoice(before: VoiceState, after: VoiceState): void {
    if (before.channelId === after.channelId) return
    // Who is put out of a guild is put out of its voice channels.
    if (after.channelId === null) members.forget(after.guild.id, after.id)
    changed(after.guild.id)
  }

  return {
    /** Something that members see has changed. */
    changed,
    /** @returns a function that removes the session. */
    add(session: BotSession): () => void {
      sessions.add(session)
      session.client.on(Events.VoiceStateUpdate, onVoice)
      return () => {
        sessions.delete(session)
        session.client.off(Events.VoiceStateUpdate, onVoice)
      }
    },
    /** A guild that a running bot of the project is in. */
    findGuild(projectId: string, guildId: string): { readonly name: string } | null {
      const found = placesIn(parts, guildId).find(({ session }) => session.projectId === projectId)
      return found ? { name: found.guild.name } : null
    },
    /** The bots of this service that are in the guild, by their ids. */
    botsIn: (guildId: string): readonly WebBot[] =>
      placesIn(parts, guildId).map(({ session: { id, projectId, context } }) => {
        const isPlaying = context.music.bots.occupied({ projectId, botIds: [id] }, guildId).length > 0
        return { botId: id, projectId, isPlaying }
      }),
    /** The projects in which the user is a member of the guild, with that of the bot in their channel first. */
    membershipsOf: (guildId: string, userId: string) => findMemberships(parts, guildId, userId),
    /**
     * A member with the bot that they hear, at this moment; null for who is no member, or where no bot runs.
     * @param maxAgeMs how old the answer may be of whether they are a member. Defaults to seconds.
     * @throws {Fault} `service_unavailable` if Discord does not say.
     */
    findMember: (visitor: WebPlayerVisitor, maxAgeMs?: number) => findMember(parts, visitor, maxAgeMs),
    /**
     * Calls when members came into voice channels or left them, or voted. @returns a function that ends the
     * subscription.
     */
    onChange(listener: (guildId: string) => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** A guild as one bot sees it. */
interface Place {
  readonly session: BotSession
  readonly guild: Guild
}

function placesIn({ sessions }: Parts, guildId: string): readonly Place[] {
  const places = [...sessions].flatMap((session) => {
    const guild = session.client.guilds.cache.get(guildId)
    return guild?.available ? [{ session, guild }] : []
  })
  return places.toSorted((a, b) => (a.session.id < b.session.id ? -1 : 1))
}

function channelOf(guild: Guild, userId: string): string | null {
  return guild.voiceStates.cache.get(userId)?.channelId ?? null
}

async function findMemberships(parts: Parts, guildId: string, userId: string): Promise<readonly WebMembership[]> {
  const found = new Map<string, WebMembership>()
  for (const { guild, session } of placesIn(parts, guildId)) {
    const { projectId } = session
    const isHeard = guild.members.me?.voice.channelId === channelOf(guild, userId)
    if (found.has(projectId) && !isHeard) continue
    if (await parts.members.find(guild, userId)) found.set(projectId, { projectId, guildName: guild.name, isHeard })
  }
  return [...found.values()].toSorted((a, b) => Number(b.isHeard) - Number(a.isHeard))
}

async function findMember(parts: Parts, visitor: WebPlayerVisitor, maxAgeMs?: number): Promise<WebMember | null> {
  const places = placesIn(parts, visitor.guildId).filter(({ session }) => session.projectId === visitor.projectId)
  const place = choosePlace(places, visitor.guildId)
  const member = place && (await parts.members.find(place.guild, visitor.userId, maxAgeMs))
  if (!place || !member) return null
  const { guild, session } = place
  const language = languageOf(visitor.locale)
  const voiceChannelId = channelOf(guild, visitor.userId)
  const asked: Invocation = {
    scope: session.scope(),
    // The page answers: a card is posted beside it.
    answeringBotId: '',
    messageId: null,
    guildId: guild.id,
    // Voice channels have a chat of their own, for the card of music that is started from elsewhere.
    channelId: visitor.channelId ?? voiceChannelId ?? '',
    member: toMember(member),
    place: toPlace(guild),
    language,
    locale: visitor.locale,
    words: WORDS[language],
    options: undefined,
  }
  const { projectId } = visitor
  return openWebMember({
    asked,
    routing: parts.routing,
    guild,
    name: member.displayName,
    commands: parts.commands,
    post: (content, onSent) => post(session.channelMessages, asked.channelId, { content, onSent }),
    run: (work) => runInContext({ fields: {}, isOver: false }, () => runForProject(projectId, work)),
  })
}

/** A message that cannot be posted does not stop the action. */
async function post(
  channelMessages: ChannelMessages,
  channelId: string,
  { content, onSent }: { readonly content: Content; readonly onSent: OnSent },
): Promise<void> {
  try {
    const id = await channelMessages.post(channelId, toMessage(content))
    onSent(id, (now) => channelMessages.edit(channelId, id, toMessage(now)))
  } catch {
    onSent(null, () => Promise.resolve())
  }
}

/** One that plays in the guild, else the first: which one the member means is found from there. */
function choosePlace(places: readonly Place[], guildId: string): Place | null {
  const [first] = places
  if (!first) return null
  const { projectId, context } = first.session
  const botIds = places.map(({ session }) => session.id)
  const [playing] = context.music.bots.occupied({ projectId, botIds }, guildId)
  return places.find(({ session }) => session.id === playing?.botId) ?? first
}

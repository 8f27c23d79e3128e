import { Events, GatewayDispatchEvents, type Client } from 'discord.js'
import type { CardRecords } from '../../../db/music/cards.ts'
import type { Logger } from '../../../lib/log.ts'
import { waitAtMost, type Clock } from '../../player/timers.ts'
import type { Language } from '../../../lib/texts/languages.ts'
import type { BotEvent, EventBus, ProjectEvent } from '../../events.ts'
import { createCards, type Cards } from '../card/cards.ts'
import type { Command } from '../core/command.ts'
import type { Component } from '../core/component.ts'
import { createLiveLyrics, type LiveLyrics } from '../lyrics/live-lyrics.ts'
import { createBotRouting, type AttachedBot, type BotRouting, type BotRoutingOptions } from './bot-routing.ts'
import { createDispatcher } from './dispatcher.ts'
import type { MenuCommand } from '../core/menu-command.ts'
import type { Area } from '../help/areas.ts'
import { guildLanguage } from '../card/card-message.ts'
import { createWrittenRequests, type WrittenRequests } from '../requests/written-requests.ts'
import { createChannelMessages, type ChannelMessages } from '../card/channel-messages.ts'
import { putCommands } from './deploy-commands.ts'
import { createSuggestions } from '../core/autocomplete.ts'
import type { CommandContext } from '../core/invocation.ts'
import { createMemberControls } from '../../permissions/member-controls.ts'
import { createVotes, type Votes } from '../../permissions/votes.ts'
import { findPlace } from '../core/guild-view.ts'
import type { GuildRef } from '../../../db/music/play-history.ts'
import type { PlayerScope, PlayerService } from '../../player-service.ts'
import { createWebPlayers, type WebPlayers, type WebPlayersRegistry } from '../web/web-players.ts'

/** Members wait for a bot that has to leave. */
const FAREWELL_MS = 1000

interface InteractionsOptions extends Omit<
  CommandContext,
  'music' | 'controls' | 'cards' | 'channelMessages' | 'following' | 'suggestions' | 'settingsChanged'
> {
  readonly music: PlayerService
  readonly runsElsewhere: BotRoutingOptions['runsElsewhere']
  readonly commands: readonly Command[]
  readonly menuCommands: readonly MenuCommand[]
  readonly components: readonly Component[]
  readonly areaOf: (command: string) => Area | null
  readonly cardRecords: CardRecords
  readonly events: EventBus
  readonly clock: Clock
  readonly log: Logger
  /** How many players the project's plan allows now. */
  readonly playerCeilingOf: (projectId: string) => number
  readonly settingsChanged: (botId: string, guildId: string) => void
}

/** All that members see of the bots besides the sound: commands, cards, status lines. */
export interface Interactions {
  /** The same for members who use a page instead. */
  readonly webPlayers: WebPlayers
  /** Serves one bot's session with Discord. */
  attach(bot: { readonly id: string; readonly projectId: string }, client: Client): Attached
  /** Takes back what is only allowed in a channel where the bot is. Soon over, and never rejects. */
  beforeLeaving(botId: string, guildId: string): Promise<void>
  /** Posts in a guild that autoplay found no more tracks. */
  autoplayGaveUp(botId: string, guildId: string): void
  close(): void
}

export interface Attached {
  /** The bot is logged in and sees its guilds. */
  connected(): void
  /** A player looks different without an event about it. */
  playerChanged(guildId: string): void
  /** Another service runs the guild from now on. */
  guildMoved(guildId: string): void
  /** Players close from now on only to come back after a restart. */
  leaving(): void
  /** Before the session ends. */
  close(): Promise<void>
}

export function createInteractions(options: InteractionsOptions): Interactions {
  const suggestions = createSuggestions()
  const sessions = new Map<string, Session>()
  const votes = openVotes({ ...options, onVote: (guildId) => webPlayers.changed(guildId) }, sessions)
  const controls = createMemberControls({ ...options, votes })
  const routing = createBotRouting({ ...options, attached: (botId) => sessions.get(botId) })
  const webPlayers: WebPlayersRegistry = createWebPlayers(options.commands, routing)
  const unsubscribe = options.events.subscribe((event) => onEvent(event, { sessions, votes }))

  return {
    webPlayers,
    attach({ id, projectId }, client) {
      const scope = () => ({ projectId, botId: id, playerCeiling: options.playerCeilingOf(projectId) })
      const channelMessages = createChannelMessages(client, options.log)
      const cards = createCards({ ...options, records: options.cardRecords, scope, channelMessages })
      const following = createLiveLyrics({ ...options, scope, channelMessages })
      const parts = { cards, channelMessages, following, controls, suggestions }
      const context: CommandContext = {
        ...options,
        ...parts,
        settingsChanged: (guildId) => settingsChanged(options, { sessions, votes }, { projectId, guildId }),
      }
      const session: Session = { cards, following, client, context, isLeaving: false }
      const written = listen(client, { options, scope, routing, cards, channelMessages })
      sessions.set(id, session)
      const removeFromPages = webPlayers.add({ id, projectId, client, context, scope, channelMessages })
      client.on(Events.VoiceStateUpdate, ({ guild }) => votes.recount(id, guild.id))
      return {
        connected() {
          cards.adopt()
          void registerCommands(client, id, options)
        },
        playerChanged: (guildId) => cards.refresh(guildId),
        guildMoved: (guildId) => forgetGuild(session, votes, { botId: id, guildId }),
        leaving() {
          session.isLeaving = true
        },
        async close() {
          removeFromPages()
          if (sessions.get(id) === session) sessions.delete(id)
          // While their messages can still be changed.
          votes.endOfBot(id)
          await following.close()
          await written.close()
          await cards.close()
        },
      }
    },
    async beforeLeaving(botId, guildId) {
      await waitAtMost(options.clock, FAREWELL_MS, sessions.get(botId)?.cards.clearStatus(guildId))
    },
    autoplayGaveUp: (botId, guildId) =>
      sessions.get(botId)?.cards.announce(guildId, ({ card }) => card.autoplay.gaveUp),
    close() {
      unsubscribe()
      votes.close()
    },
  }
}

interface Attaching {
  readonly options: InteractionsOptions
  readonly scope: () => PlayerScope
  readonly routing: BotRouting
  readonly cards: Cards
  readonly channelMessages: ChannelMessages
}

/** Brings what members do and write to commands, and what becomes of channels to the cards. */
function listen(client: Client, { options, scope, routing, cards, channelMessages }: Attaching): WrittenRequests {
  const { cardRecords, settings } = options
  const isRequestChannel = async (channelId: string) =>
    (await cardRecords.findOwner(channelId).catch(() => null)) !== null
  const dispatch = createDispatcher({ ...options, routing, scope, isRequestChannel })
  const languageOf = (guildId: string): Promise<Language> =>
    guildLanguage({ settings, scope, channelMessages }, guildId)
  const written = createWrittenRequests({ ...options, scope, routing, cards, channelMessages, languageOf })
  client.on(Events.InteractionCreate, (interaction) => void dispatch(interaction))
  if (channelMessages.readsMessages) client.on(Events.MessageCreate, (message) => written.onMessage(message))
  watchChannels(client, cards)
  return written
}

/** Cards follow what becomes of their channels, and what the bot may do there. */
function watchChannels(client: Client, cards: Cards): void {
  interface Deleted {
    readonly guild_id?: string
    readonly channel_id: string
  }
  const deleted = ({ guild_id: guildId, channel_id: channelId }: Deleted, ids: readonly string[]): void => {
    if (guildId !== undefined) for (const messageId of ids) cards.messageDeleted(guildId, { channelId, messageId })
  }
  client.ws.on(GatewayDispatchEvents.MessageDelete, (data: Deleted & { readonly id: string }) =>
    deleted(data, [data.id]),
  )
  client.ws.on(GatewayDispatchEvents.MessageDeleteBulk, (data: Deleted & { readonly ids: readonly string[] }) =>
    deleted(data, data.ids),
  )
  client.on(Events.ChannelDelete, (channel) => {
    if (!channel.isDMBased()) cards.channelDeleted(channel.guildId, channel.id)
  })
  client.on(Events.ChannelUpdate, (_, channel) => {
    if (!channel.isDMBased()) cards.refresh(channel.guildId)
  })
  client.on(Events.GuildRoleUpdate, (_, { guild }) => cards.refresh(guild.id))
  client.on(Events.GuildMemberUpdate, (_, { id, guild }) => {
    if (id === client.user?.id) cards.refresh(guild.id)
  })
}

/** The bots of a project share the settings of a guild. */
function settingsChanged(
  { settingsChanged, music }: InteractionsOptions,
  { sessions, votes }: Listening,
  { projectId, guildId }: { readonly projectId: string; readonly guildId: string },
): void {
  for (const botId of music.bots.inGuild(projectId, guildId)) {
    settingsChanged(botId, guildId)
    votes.recount(botId, guildId)
    sessions.get(botId)?.cards.refresh(guildId)
  }
}

function openVotes(
  options: InteractionsOptions & { readonly onVote: (guildId: string) => void },
  sessions: ReadonlyMap<string, Session>,
): Votes {
  return createVotes({
    ...options,
    listeners({ botId, guildId, channelId }) {
      const client = sessions.get(botId)?.client
      return (client && findPlace(client, guildId)?.listeners(channelId)) ?? []
    },
    onChange: ({ guildId }) => options.onVote(guildId),
    onPassed: ({ botId, guildId }) => sessions.get(botId)?.cards.refresh(guildId),
  })
}

async function registerCommands(client: Client, botId: string, { commands, menuCommands, log }: InteractionsOptions) {
  const all = [...commands, ...menuCommands]
  try {
    if (await putCommands(client, botId, all)) log.info({ botId, commands: all.length }, 'commands registered')
  } catch (err) {
    log.error({ err, botId }, 'commands not registered')
  }
}

interface Session extends AttachedBot {
  readonly cards: Cards
  readonly following: LiveLyrics
  isLeaving: boolean
}

/** Another service runs it from now on. */
function forgetGuild({ following, cards }: Session, votes: Votes, { botId, guildId }: GuildRef): void {
  votes.endOfPlayer(botId, guildId)
  following.end(guildId)
  cards.forget(guildId)
}

interface Listening {
  readonly sessions: ReadonlyMap<string, Session>
  readonly votes: Votes
}

function onEvent({ event, isFromPeer }: ProjectEvent, { sessions, votes }: Listening): void {
  // The service that runs a player has its card and its votes.
  if (event.type === 'jobEnded' || isFromPeer) return
  endVotes(votes, event)
  const session = sessions.get(event.botId)
  if (session) onBotEvent(session, event)
}

/** What was to be voted on is gone with the track or with the player. */
function endVotes(votes: Votes, event: BotEvent): void {
  if (event.type === 'trackEnded') votes.endOfTrack(event.botId, event.guildId)
  if (event.type === 'playerClosed') votes.endOfPlayer(event.botId, event.guildId)
}

function onBotEvent({ cards, following, isLeaving }: Session, event: BotEvent): void {
  if (event.type === 'trackEnded' || event.type === 'playerClosed') following.end(event.guildId)
  switch (event.type) {
    case 'trackStarted':
      return cards.renew(event.guildId)
    case 'trackEnded':
    case 'chapterStarted':
    case 'segmentSkipped':
    case 'queueEmptied':
      // Of a bot that is leaving there is nothing to be read any more, and its players' ends follow.
      return isLeaving ? undefined : cards.refresh(event.guildId)
    case 'playerClosed':
      return cards.remove(event.guildId, isLeaving)
    case 'botStopped':
    case 'sourceChanged':
      return undefined
  }
}

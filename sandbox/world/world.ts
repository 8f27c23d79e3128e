import { EventEmitter } from 'node:events'
import type {
  APIApplicationCommand,
  APIGuildCategoryChannel,
  APIGuildMember,
  APIGuildStageVoiceChannel,
  APIGuildVoiceChannel,
  APIInteraction,
  InteractionResponseType,
  APIMessage,
  APIRole,
  APITextChannel,
  APIUser,
  GatewayDispatchPayload,
} from 'discord-api-types/v10'
import { createClock, type Clock } from '../clock/clock.ts'
import type { UploadedFile } from '../http/body.ts'
import { DiscordError } from './errors.ts'
import { createSnowflakes } from './snowflake.ts'

type EventOf<P> = P extends { t: infer T; d: infer D } ? { readonly t: T; readonly d: D } : never
/** An event as the gateway sends it, without the sequence number that each session counts for itself. */
export type Dispatch = EventOf<GatewayDispatchPayload>

/** An event and who may hear of it. */
export interface Happening {
  readonly event: Dispatch
  /** Only applications in this guild (and, if `to` is given, only that one). */
  readonly guildId: string
  /** The application that alone hears of it. */
  readonly to?: string
}

export type VoiceChannel = APIGuildVoiceChannel | APIGuildStageVoiceChannel
export type Channel = APITextChannel | APIGuildCategoryChannel | VoiceChannel
export type Member = APIGuildMember

/** A user's presence in a voice channel, and the secret with which their voice client may connect there. */
export interface Voice {
  readonly guildId: string
  readonly userId: string
  readonly channelId: string
  readonly sessionId: string
  /** Shown to the voice server; new with every join and move. */
  readonly token: string
  readonly selfMute: boolean
  readonly selfDeaf: boolean
  readonly suppress: boolean
  readonly requestedToSpeakAt: string | null
}

/** A change of where someone is, or of the secret they connect with. `null` is nowhere. */
export interface VoiceChange {
  readonly from: Voice | null
  readonly to: Voice | null
  /** With which code the voice server closes the connection that belonged to `from`; null: it says nothing. */
  readonly closeCode: number | null
}

export interface Guild {
  readonly id: string
  /** The clock of its world. */
  readonly now: () => number
  name: string
  ownerId: string
  /** An outage: applications are told the guild is gone and see nothing of it. */
  unavailable: boolean
  /** The voice server went away (VOICE_SERVER_UPDATE with a null endpoint) and has not come back. */
  voiceAway: boolean
  readonly channels: Map<string, Channel>
  readonly roles: Map<string, APIRole>
  readonly members: Map<string, Member>
  readonly voice: Map<string, Voice>
  /** Voice channel → its status line. */
  readonly statuses: Map<string, string>
}

/** What a bot answered at first. `data` is a message, the choices of an autocomplete or a form. */
export interface InteractionAnswer {
  readonly type: InteractionResponseType
  readonly data?: unknown
}

/** Something a person did with a bot, and what came of it. */
export interface Interaction {
  readonly id: string
  readonly token: string
  readonly application: Application
  readonly guild: Guild
  readonly userId: string
  readonly payload: APIInteraction
  readonly createdAtMs: number
  /** The bot's first answer. */
  answer: InteractionAnswer | null
  /** The message that `@original` means, once there is one. */
  originalId: string | null
  /** Every message that came of it, those only one person sees included. */
  readonly messages: Map<string, APIMessage>
  /** `answered`, and `changed` whenever a message of it was made, edited or deleted. */
  readonly notices: EventEmitter<{ answered: []; changed: [] }>
}

export interface Application {
  /** Also the id of its bot user. */
  readonly id: string
  name: string
  /** Discord resets it when a bot uses up its daily session starts. */
  token: string
  readonly user: APIUser
  description: string
  /** The privileged intents that its owner has switched on, as bits of the gateway. */
  privileged: number
  /** How many connections it must share its guilds between; Discord demands one for every 2,500 guilds. */
  readonly shards: number
  /** How many of its shards may identify within 5 s; Discord gives the largest bots more than one. */
  readonly maxConcurrency: number
  /** Identifies a day. */
  readonly sessionStarts: number
  /** By command id; those of one guild carry its `guild_id`. */
  readonly commands: Map<string, APIApplicationCommand>
}

/** Switches of how Discord behaves; all of them things it really does at times. */
export interface Rules {
  /** Which of the two voice events comes first after a join. */
  voiceOrder: 'state-first' | 'server-first' | 'random'
  /** With which code the voice server ends the old connection of a user who was moved; null: silently. */
  moveCloseCode: number | null
  /** How long an application has for its first answer to an interaction. */
  interactionMs: number
  /** Whether rate limits are enforced with 429, or only shown in headers. */
  rateLimits: boolean
  /** Whether `max_concurrency` and the daily session start limit are enforced, or only shown at `/gateway/bot`. */
  identifyLimits: boolean
  /** Share of REST requests that are refused with 429 and one second to wait, 0 to 100. */
  restLimitedPercent: number
  /** Share of REST requests that are answered with 503, 0 to 100. */
  restFailedPercent: number
  /** How long every REST answer is held back. */
  restDelayMs: number
}

/** Where a page of the bot's own is, for the sandbox's page to lead to. */
export interface Link {
  readonly name: string
  readonly url: string
}

/** A command to try, for those who see the page for the first time. */
export interface Suggestion {
  readonly command: string
  readonly options: Readonly<Record<string, string | number | boolean>>
}

export interface World {
  readonly clock: Clock
  /** The time of its clock. */
  readonly now: () => number
  readonly nextId: () => string
  readonly rules: Rules
  /** `http://127.0.0.1:PORT` of this stand-in; empty until it listens. */
  url: string
  /** `localhost:PORT` of the voice server; null until it listens. */
  voiceEndpoint: string | null
  /** Whether the voice server has a client of this user. */
  hasVoiceClient: (guildId: string, userId: string) => boolean
  readonly users: Map<string, APIUser>
  readonly guilds: Map<string, Guild>
  readonly applications: Map<string, Application>
  /** Direct message channels: id → the user at the other end and the application. */
  readonly dms: Map<string, { readonly userId: string; readonly applicationId: string }>
  /** By channel, oldest first. */
  readonly messages: Map<string, Map<string, APIMessage>>
  /** When messages were pinned, by channel and message, oldest first. */
  readonly pins: Map<string, Map<string, number>>
  /** Who voted for which answer of a poll, by message and answer. */
  readonly votes: Map<string, Map<number, Set<string>>>
  /** Uploaded files by attachment id, oldest first. */
  readonly files: Map<string, UploadedFile>
  /** By token. */
  readonly interactions: Map<string, Interaction>
  links: readonly Link[]
  suggestions: readonly Suggestion[]
  readonly notices: EventEmitter<{
    happening: [Happening]
    voice: [VoiceChange]
    /** An application, its name or its commands changed. */
    applications: []
    /** A bot's gateway connection came or went. */
    presence: []
    /** The rules, the faults of a network or the links changed. */
    rules: []
    /** A snapshot of it took its place. */
    restored: []
  }>
}

/** An empty world. Everything in it is made and changed by the functions beside this file. */
export function createWorld(clock: Clock = createClock()): World {
  const { now } = clock
  const notices: World['notices'] = new EventEmitter()
  // Each open page has listeners of its own.
  notices.setMaxListeners(0)
  return {
    clock,
    now,
    nextId: createSnowflakes(now),
    rules: {
      voiceOrder: 'state-first',
      moveCloseCode: 4014,
      interactionMs: 3000,
      rateLimits: false,
      identifyLimits: false,
      restLimitedPercent: 0,
      restFailedPercent: 0,
      restDelayMs: 0,
    },
    url: '',
    voiceEndpoint: null,
    hasVoiceClient: () => true,
    users: new Map(),
    guilds: new Map(),
    applications: new Map(),
    dms: new Map(),
    messages: new Map(),
    pins: new Map(),
    votes: new Map(),
    files: new Map(),
    interactions: new Map(),
    links: [],
    suggestions: [],
    notices,
  }
}

export function tell(world: World, guildId: string, event: Dispatch, to?: string): void {
  world.notices.emit('happening', to === undefined ? { event, guildId } : { event, guildId, to })
}

export function getGuild(world: World, guildId: string): Guild {
  const guild = world.guilds.get(guildId)
  if (!guild) throw new DiscordError('unknownGuild')
  return guild
}

export function getMember(guild: Guild, userId: string): Member {
  const member = guild.members.get(userId)
  if (!member) throw new DiscordError('unknownMember')
  return member
}

export function getApplication(world: World, id: string): Application {
  const application = world.applications.get(id)
  if (!application) throw new DiscordError('unknownApplication')
  return application
}

/** A channel of any guild, with that guild. */
export function getChannel(world: World, channelId: string): { guild: Guild; channel: Channel } {
  for (const guild of world.guilds.values()) {
    const channel = guild.channels.get(channelId)
    if (channel) return { guild, channel }
  }
  throw new DiscordError('unknownChannel')
}

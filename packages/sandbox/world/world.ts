import { EventEmitter } from 'node:events'
import type { APIMessage, APIUser, GatewayDispatchPayload } from 'discord-api-types/v10'
import { createClock, type Clock } from '../clock/clock.ts'
import type { UploadedFile } from '../http/body.ts'
import { DiscordError, mustFind } from './errors.ts'
import { GuildMap, type QuietGuilds } from './guild/guild-map.ts'
import type { Application, Channel, Guild, Interaction, Member, Thread, VoiceChange } from './model.ts'
import { createSnowflakes } from './snowflake.ts'

export type * from './model.ts'

type EventOf<P> = P extends { t: infer T; d: infer D } ? { readonly t: T; readonly d: D } : never
/** An event as the gateway sends it, without the sequence number that each session counts for itself. */
export type Dispatch = EventOf<GatewayDispatchPayload>

/** An event and who may hear of it. */
export interface Happening {
  readonly event: Dispatch
  /** Only applications in this guild (and, if `to` is given, only that one). Null: direct messages of that one. */
  readonly guildId: string | null
  /** The application that alone hears of it. */
  readonly to?: string
}

/** Switches of how Discord behaves; all of them things it really does at times. */
export interface Rules {
  /** The voice event that comes first after a join. */
  voiceOrder: 'state-first' | 'server-first' | 'random'
  /** Close code of the old voice connection of a user who was moved; null for none. */
  moveCloseCode: number | null
  /** Time that an application has for its first answer to an interaction. */
  interactionMs: number
  /** Whether rate limits are enforced with 429, or only shown in headers. */
  rateLimits: boolean
  /** Whether `max_concurrency` and the daily session start limit are enforced, or only shown at `/gateway/bot`. */
  identifyLimits: boolean
  /** Share of REST requests that are refused with 429 and one second to wait, 0 to 100. */
  restLimitedPercent: number
  /** Share of REST requests that are answered with 503, 0 to 100. */
  restFailedPercent: number
  /** Delay of every REST answer. */
  restDelayMs: number
}

/** A page of the bot's own that the sandbox's page links to. */
export interface Link {
  readonly name: string
  readonly url: string
}

/** A command to try, for those who see the page for the first time. */
export interface Suggestion {
  readonly command: string
  readonly options: Readonly<Record<string, string | number | boolean>>
  /** Commands that follow it without a word. */
  readonly followedBy?: readonly Pick<Suggestion, 'command' | 'options'>[]
  /** It works only while a bot plays in the member's channel. */
  readonly needsSound?: boolean
  /** Members who take part: the first one uses the command, and all of them join the channel for it. */
  readonly members?: readonly string[]
}

export interface Image {
  /** `image/png` */
  readonly type: string
  readonly bytes: Buffer
  /** Address of a picture that has no bytes here. */
  readonly location?: string
}

export interface LimitWindow {
  used: number
  readonly endsAtMs: number
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
  readonly guilds: GuildMap
  /** Guilds besides the others that are created on first access. */
  readonly quiet: QuietGuilds[]
  readonly applications: Map<string, Application>
  /** Direct message channels: id → the user at the other end and the application. */
  readonly dms: Map<string, { readonly userId: string; readonly applicationId: string }>
  /** Messages by channel, oldest first. */
  readonly messages: Map<string, Map<string, APIMessage>>
  /** When messages were pinned, by channel and message, oldest first. */
  readonly pins: Map<string, Map<string, number>>
  /** Voters by message and answer of its poll. */
  readonly votes: Map<string, Map<number, Set<string>>>
  /** Users who reacted, by message and emoji (its ID, or the emoji itself). */
  readonly reactions: Map<string, Map<string, Set<string>>>
  /** Uploaded files by attachment id, oldest first. */
  readonly files: Map<string, UploadedFile>
  /** Emojis, icons and other pictures by their path on the CDN without its ending. */
  readonly images: Map<string, Image>
  /** Used share of the REST limits, by caller and bucket. */
  readonly limitWindows: Map<string, LimitWindow>
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
  const quiet: QuietGuilds[] = []
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
      rateLimits: true,
      identifyLimits: true,
      restLimitedPercent: 0,
      restFailedPercent: 0,
      restDelayMs: 0,
    },
    url: '',
    voiceEndpoint: null,
    hasVoiceClient: () => true,
    users: new Map(),
    guilds: new GuildMap(quiet),
    quiet,
    applications: new Map(),
    dms: new Map(),
    messages: new Map(),
    pins: new Map(),
    votes: new Map(),
    reactions: new Map(),
    files: new Map(),
    images: new Map(),
    limitWindows: new Map(),
    interactions: new Map(),
    links: [],
    suggestions: [],
    notices,
  }
}

/** `guildId` null: an event of direct messages, for `to` alone. */
export function tell(world: World, guildId: string | null, event: Dispatch, to?: string): void {
  world.notices.emit('happening', to === undefined ? { event, guildId } : { event, guildId, to })
}

export function getGuild(world: World, guildId: string): Guild {
  return mustFind(world.guilds.get(guildId), 'unknownGuild')
}

export function getMember(guild: Guild, userId: string): Member {
  return mustFind(guild.members.get(userId), 'unknownMember')
}

export function getApplication(world: World, id: string): Application {
  return mustFind(world.applications.get(id), 'unknownApplication')
}

/** A channel or thread of any guild, with that guild. */
export function getChannel(world: World, channelId: string): { guild: Guild; channel: Channel | Thread } {
  for (const guild of world.guilds.values()) {
    const channel = guild.channels.get(channelId) ?? guild.threads.get(channelId)
    if (channel) return { guild, channel }
  }
  throw new DiscordError('unknownChannel')
}

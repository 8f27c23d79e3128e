import type { EventEmitter } from 'node:events'
import type {
  APIAnnouncementThreadChannel,
  APIApplication,
  APIApplicationCommand,
  APIAuditLogEntry,
  APIAutoModerationRule,
  APIBan,
  APIEmoji,
  APIEntitlement,
  APIGuild,
  APIGuildCategoryChannel,
  APIGuildForumChannel,
  APIGuildMediaChannel,
  APIGuildMember,
  APIGuildOnboarding,
  APIGuildScheduledEvent,
  APIGuildStageVoiceChannel,
  APIGuildVoiceChannel,
  APIGuildWelcomeScreen,
  InviteTargetType,
  APIInteraction,
  APIMessage,
  APINewsChannel,
  APIPrivateThreadChannel,
  APIPublicThreadChannel,
  APIRole,
  APISKU,
  APIStageInstance,
  APISticker,
  APITextChannel,
  APIUser,
  APIWebhook,
  InteractionResponseType,
} from 'discord-api-types/v10'

export type VoiceChannel = APIGuildVoiceChannel | APIGuildStageVoiceChannel
type TextChannel = APITextChannel | APINewsChannel
/** Every message in it begins a thread. */
export type ForumChannel = APIGuildForumChannel | APIGuildMediaChannel
export type Channel = TextChannel | APIGuildCategoryChannel | VoiceChannel | ForumChannel
export type Thread = APIAnnouncementThreadChannel | APIPublicThreadChannel | APIPrivateThreadChannel
export type Member = APIGuildMember

/** The user who makes a change, and the reason for the audit log. */
export interface Actor {
  readonly id: string
  readonly reason: string | null
}

/** Settings of a guild, under Discord's names. */
export type GuildSettings = Pick<
  APIGuild,
  | 'icon'
  | 'splash'
  | 'discovery_splash'
  | 'banner'
  | 'description'
  | 'features'
  | 'afk_channel_id'
  | 'afk_timeout'
  | 'system_channel_id'
  | 'system_channel_flags'
  | 'widget_channel_id'
  | 'verification_level'
  | 'default_message_notifications'
  | 'mfa_level'
  | 'explicit_content_filter'
  | 'vanity_url_code'
  | 'premium_tier'
  | 'preferred_locale'
  | 'rules_channel_id'
  | 'safety_alerts_channel_id'
  | 'public_updates_channel_id'
  | 'premium_progress_bar_enabled'
> & { widget_enabled: boolean }

export interface InviteTarget {
  readonly type: InviteTargetType
  /** ID of the user who streams, or of the application with the Activity. */
  readonly id: string
}

export interface Invite {
  readonly code: string
  readonly channelId: string
  readonly inviterId: string
  readonly createdAtMs: number
  /** Null never expires. */
  readonly expiresAtMs: number | null
  readonly maxAgeSeconds: number
  /** 0 has no limit. */
  readonly maxUses: number
  readonly temporary: boolean
  /** Target of the invite besides the channel; null for none. */
  readonly target: InviteTarget | null
  /** Roles of those who come by it. */
  readonly roleIds: readonly string[]
  uses: number
}

/** Membership in a thread. */
export interface ThreadMember {
  readonly userId: string
  readonly joinedAtMs: number
}

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
  /** Close code that the voice server sends to the connection of `from`; null for none. */
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
  readonly settings: GuildSettings
  /** Archived ones too. */
  readonly threads: Map<string, Thread>
  /** Members by thread ID, then by user ID. */
  readonly threadMembers: Map<string, Map<string, ThreadMember>>
  readonly bans: Map<string, APIBan>
  /** Oldest first. */
  readonly auditLog: APIAuditLogEntry[]
  readonly webhooks: Map<string, APIWebhook>
  /** By code. */
  readonly invites: Map<string, Invite>
  readonly emojis: Map<string, APIEmoji>
  readonly stickers: Map<string, APISticker>
  readonly scheduledEvents: Map<string, APIGuildScheduledEvent>
  /** Interested users by event ID, in the order in which they subscribed. */
  readonly eventUsers: Map<string, Set<string>>
  /** By channel. */
  readonly stages: Map<string, APIStageInstance>
  readonly automodRules: Map<string, APIAutoModerationRule>
  welcomeScreen: APIGuildWelcomeScreen
  onboarding: Pick<APIGuildOnboarding, 'prompts' | 'default_channel_ids' | 'enabled' | 'mode'>
}

/** A bot's first answer. `data` is a message, the choices of an autocomplete or a form. */
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

export interface ApplicationProfile {
  icon: string | null
  cover_image?: string | undefined
  tags?: APIApplication['tags'] | undefined
  custom_install_url?: string | undefined
  role_connections_verification_url: string | null
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
  /** Whether its owner has switched Activities on. */
  hasActivities: boolean
  /** Number of shards it must have; Discord demands one for every 2,500 guilds. */
  readonly shards: number
  /** Number of its shards that may identify within 5 s; Discord gives the largest bots more than one. */
  readonly maxConcurrency: number
  /** Identifies a day. */
  readonly sessionStarts: number
  /** Commands by ID; those of one guild carry its `guild_id`. */
  readonly commands: Map<string, APIApplicationCommand>
  /** Profile that its owner may show, besides its description. */
  readonly profile: ApplicationProfile
  readonly emojis: Map<string, APIEmoji>
  readonly skus: APISKU[]
  readonly entitlements: Map<string, APIEntitlement>
}

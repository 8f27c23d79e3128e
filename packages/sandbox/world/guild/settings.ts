import {
  GuildDefaultMessageNotifications,
  GuildExplicitContentFilter,
  GuildMFALevel,
  GuildOnboardingMode,
  GuildPremiumTier,
  GuildVerificationLevel,
  Locale,
  type GuildSystemChannelFlags,
} from 'discord-api-types/v10'
import type { Guild, GuildSettings } from '../world.ts'

/** Settings of a new guild. */
function defaultSettings(): GuildSettings {
  return {
    icon: null,
    splash: null,
    discovery_splash: null,
    banner: null,
    description: null,
    features: [],
    afk_channel_id: null,
    afk_timeout: 300,
    system_channel_id: null,
    system_channel_flags: 0 as GuildSystemChannelFlags,
    widget_enabled: false,
    widget_channel_id: null,
    verification_level: GuildVerificationLevel.None,
    default_message_notifications: GuildDefaultMessageNotifications.OnlyMentions,
    mfa_level: GuildMFALevel.None,
    explicit_content_filter: GuildExplicitContentFilter.Disabled,
    vanity_url_code: null,
    premium_tier: GuildPremiumTier.None,
    preferred_locale: Locale.EnglishUS,
    rules_channel_id: null,
    safety_alerts_channel_id: null,
    public_updates_channel_id: null,
    premium_progress_bar_enabled: false,
  }
}

/** Everything that a guild has beside its name, owner and members, empty. */
export function emptyGuildParts(): Omit<
  Guild,
  | 'id'
  | 'now'
  | 'name'
  | 'ownerId'
  | 'unavailable'
  | 'voiceAway'
  | 'channels'
  | 'roles'
  | 'members'
  | 'voice'
  | 'statuses'
> {
  return {
    settings: defaultSettings(),
    threads: new Map(),
    threadMembers: new Map(),
    bans: new Map(),
    auditLog: [],
    webhooks: new Map(),
    invites: new Map(),
    emojis: new Map(),
    stickers: new Map(),
    scheduledEvents: new Map(),
    eventUsers: new Map(),
    stages: new Map(),
    automodRules: new Map(),
    welcomeScreen: { description: null, welcome_channels: [] },
    onboarding: { prompts: [], default_channel_ids: [], enabled: false, mode: GuildOnboardingMode.OnboardingDefault },
  }
}

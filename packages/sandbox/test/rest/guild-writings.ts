import { inHours, PICTURE, UNSEEN, type Places, type Writing } from './writings.ts'

/** Of guilds. */
export function guildWritings(at: Places): readonly Writing[] {
  const { guild, text, voice, role } = at
  const roleValues = {
    name: 'Crew',
    permissions: '1024',
    color: 255,
    colors: { primary_color: 5, secondary_color: 6, tertiary_color: null },
    hoist: true,
    mentionable: true,
    // Only with boosts, which no guild of the sandbox has: refused as Discord does.
    icon: UNSEEN,
    unicode_emoji: UNSEEN,
  }
  const rule = {
    name: 'Words',
    event_type: 1,
    trigger_type: 1,
    trigger_metadata: { keyword_filter: ['b'], regex_patterns: [], allow_list: ['c'] },
    actions: [{ type: 1, metadata: { custom_message: 'No.' } }],
    enabled: true,
    exempt_roles: [role],
    exempt_channels: [text],
  }
  const event = {
    name: 'Concert',
    description: 'Loud',
    image: PICTURE,
    scheduled_start_time: inHours(2),
    scheduled_end_time: inHours(6),
    privacy_level: 2,
    entity_type: 3,
    entity_metadata: { location: 'Pier' },
    channel_id: UNSEEN,
    recurrence_rule: { start: inHours(1), frequency: 2, interval: 1, by_weekday: [0] },
  }
  const outside = { name: 'Show', privacy_level: 2, entity_type: 3, entity_metadata: { location: 'Hall' } }
  return [
    {
      method: 'PATCH',
      operation: '/guilds/{guild_id}',
      path: `/guilds/${guild}`,
      values: {
        name: 'Other name',
        description: 'About it',
        icon: PICTURE,
        splash: PICTURE,
        discovery_splash: PICTURE,
        banner: PICTURE,
        home_header: PICTURE,
        afk_timeout: 900,
        afk_channel_id: voice,
        system_channel_id: text,
        rules_channel_id: text,
        public_updates_channel_id: text,
        safety_alerts_channel_id: text,
        system_channel_flags: 5,
        verification_level: 3,
        default_message_notifications: 1,
        explicit_content_filter: 2,
        preferred_locale: 'de',
        premium_progress_bar_enabled: true,
        features: ['INVITES_DISABLED'],
        // Discord has had no regions of guilds since 2021.
        region: UNSEEN,
      },
    },
    {
      method: 'POST',
      operation: '/guilds/{guild_id}/auto-moderation/rules',
      path: `/guilds/${guild}/auto-moderation/rules`,
      base: { ...rule, trigger_metadata: { keyword_filter: ['a'] } },
      isRemoved: true,
      values: rule,
    },
    {
      method: 'PATCH',
      operation: '/guilds/{guild_id}/members/@me',
      path: `/guilds/${guild}/members/@me`,
      values: { nick: 'DJ', avatar: PICTURE, banner: PICTURE, bio: 'Plays' },
    },
    {
      method: 'PATCH',
      operation: '/guilds/{guild_id}/members/{user_id}',
      path: `/guilds/${guild}/members/${at.member}`,
      values: {
        nick: 'Nick',
        roles: [role],
        communication_disabled_until: inHours(1),
        flags: 4,
        // Fields of members in voice.
        mute: UNSEEN,
        deaf: UNSEEN,
        channel_id: UNSEEN,
      },
    },
    { method: 'POST', operation: '/guilds/{guild_id}/roles', path: `/guilds/${guild}/roles`, values: roleValues },
    {
      method: 'PATCH',
      operation: '/guilds/{guild_id}/roles/{role_id}',
      path: `/guilds/${guild}/roles/${role}`,
      values: roleValues,
    },
    {
      method: 'POST',
      operation: '/guilds/{guild_id}/scheduled-events',
      path: `/guilds/${guild}/scheduled-events`,
      base: { ...outside, scheduled_start_time: inHours(1), scheduled_end_time: inHours(5) },
      values: event,
    },
    {
      method: 'PATCH',
      operation: '/guilds/{guild_id}/widget',
      path: `/guilds/${guild}/widget`,
      values: { enabled: true, channel_id: text },
    },
  ]
}

import { PNG } from './walk.ts'

export const PICTURE = `data:image/png;base64,${PNG.toString('base64')}`
const BUTTON = [{ type: 1, components: [{ type: 2, style: 1, label: 'Go', custom_id: 'go' }] }]
/** Does nothing that anyone could read afterwards, in Discord neither. */
export const UNSEEN = Symbol('unseen')

export type Values = Readonly<Record<string, unknown>>

/** One operation, with a value for every field that Discord's document gives it. */
export interface Writing {
  readonly method: string
  /** Name of the operation in the document. */
  readonly operation: string
  readonly path: string
  /** Fields that each request needs besides the tested one. */
  readonly base?: Values
  /** Whether to delete each created object, since Discord allows only a few. */
  readonly isRemoved?: boolean
  /** A value for each field; `UNSEEN` for those without a trace. */
  readonly values: Values
}

export interface Places {
  readonly me: string
  readonly guild: string
  readonly member: string
  readonly role: string
  readonly text: string
  readonly voice: string
  readonly category: string
  readonly forum: string
  readonly stage: string
  readonly thread: string
  readonly message: string
  readonly webhook: { readonly id: string; readonly token: string }
}

export const inHours = (hours: number) =>
  new Date(Math.ceil(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString()

const CHANNEL_FIELDS: readonly string[] = [
  'archived',
  'locked',
  'invitable',
  'auto_archive_duration',
  'applied_tags',
  'type',
  'name',
]
/** All fields of channels; those that a type has not are left alone, as Discord does. */
function channelValues({ role, category }: Places, has: readonly string[]): Values {
  const all: Values = {
    topic: 'A topic',
    nsfw: true,
    rate_limit_per_user: 7,
    bitrate: 32_000,
    user_limit: 7,
    rtc_region: 'rotterdam',
    video_quality_mode: 2,
    default_auto_archive_duration: 1440,
    default_thread_rate_limit_per_user: 8,
    default_reaction_emoji: { emoji_id: null, emoji_name: '🎵' },
    default_sort_order: 1,
    default_forum_layout: 2,
    available_tags: [{ name: 'solved', moderated: true }],
    flags: 16,
  }
  const common = {
    position: 3,
    parent_id: category,
    permission_overwrites: [{ id: role, type: 0, allow: '1024', deny: '0' }],
    icon: PICTURE,
    default_tag_setting: 'match_all',
  }
  const kept = Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, has.includes(name) ? value : UNSEEN]),
  )
  return { ...common, ...kept, ...Object.fromEntries(CHANNEL_FIELDS.map((name) => [name, UNSEEN])), name: 'renamed' }
}
const TEXT = [
  'topic',
  'nsfw',
  'rate_limit_per_user',
  'default_auto_archive_duration',
  'default_thread_rate_limit_per_user',
]
const VOICE = ['nsfw', 'rate_limit_per_user', 'bitrate', 'user_limit', 'rtc_region', 'video_quality_mode']
const FORUM = [
  ...TEXT,
  'default_reaction_emoji',
  'default_sort_order',
  'default_forum_layout',
  'available_tags',
  'flags',
]

function messageValues({ message }: Places): Values {
  return {
    content: 'Other words',
    embeds: [{ title: 'Title' }],
    components: BUTTON,
    flags: 4,
    poll: { question: { text: 'Which?' }, answers: [{ poll_media: { text: 'This' } }] },
    nonce: '123',
    tts: true,
    message_reference: { message_id: message },
    shared_client_theme: { colors: ['ffffff'], gradient_angle: 0, base_mix: 1 },
    // Tests of their own show what these do.
    allowed_mentions: UNSEEN,
    sticker_ids: UNSEEN,
    attachments: UNSEEN,
    enforce_nonce: UNSEEN,
  }
}

/** Operations on applications, channels, messages and the bot itself. */
export function ownWritings(at: Places): readonly Writing[] {
  const { me, guild, text, voice } = at
  const command = { name: 'other', description: 'Other', type: 1, handler: 2 }
  const commandValues = {
    ...command,
    name_localizations: { de: 'anders' },
    description_localizations: { de: 'Anders' },
    options: [{ type: 3, name: 'query', description: 'Query', required: true }],
    default_member_permissions: 8,
    dm_permission: false,
    contexts: [0],
    integration_types: [0, 1],
  }
  return [
    {
      method: 'PATCH',
      operation: '/applications/{application_id}',
      path: `/applications/${me}`,
      values: {
        description: 'Plays',
        icon: PICTURE,
        cover_image: PICTURE,
        tags: ['music'],
        custom_install_url: 'https://example.org/install',
        role_connections_verification_url: 'https://example.org/verify',
        flags: 1 << 19,
        team_id: '1',
        interactions_endpoint_url: 'https://example.org',
        explicit_content_filter: 1,
        max_participants: 5,
        type: 4,
        install_params: { scopes: ['bot'] },
        integration_types_config: { 0: {} },
        event_webhooks_status: 2,
        event_webhooks_url: 'https://example.org',
        event_webhooks_types: ['QUEST_USER_ENROLLMENT'],
      },
    },
    {
      method: 'POST',
      operation: '/applications/{application_id}/commands',
      path: `/applications/${me}/commands`,
      base: { name: 'first', description: 'First' },
      values: commandValues,
    },
    {
      method: 'POST',
      operation: '/applications/{application_id}/guilds/{guild_id}/commands',
      path: `/applications/${me}/guilds/${guild}/commands`,
      base: { name: 'first', description: 'First' },
      // Only global commands say where they can be used.
      values: { ...commandValues, dm_permission: UNSEEN, contexts: UNSEEN, integration_types: UNSEEN },
    },
    {
      method: 'POST',
      operation: '/channels/{channel_id}/invites',
      path: `/channels/${voice}/invites`,
      values: {
        max_age: 77,
        max_uses: 5,
        temporary: true,
        unique: UNSEEN,
        target_type: UNSEEN,
        target_user_id: UNSEEN,
        target_application_id: UNSEEN,
        role_ids: UNSEEN,
      },
    },
    {
      method: 'POST',
      operation: '/channels/{channel_id}/messages',
      path: `/channels/${text}/messages`,
      base: { content: 'Words' },
      values: messageValues(at),
    },
    {
      method: 'PATCH',
      operation: '/channels/{channel_id}/messages/{message_id}',
      path: `/channels/${text}/messages/${at.message}`,
      values: messageValues(at),
    },
    {
      method: 'POST',
      operation: '/webhooks/{webhook_id}/{webhook_token}',
      path: `/webhooks/${at.webhook.id}/${at.webhook.token}?wait=true`,
      base: { content: 'Words' },
      // A webhook's name and picture are those of the author; threads are for forums.
      values: { ...messageValues(at), username: UNSEEN, avatar_url: UNSEEN, thread_name: UNSEEN, applied_tags: UNSEEN },
    },
    {
      method: 'PATCH',
      operation: '/webhooks/{webhook_id}',
      path: `/webhooks/${at.webhook.id}`,
      values: { name: 'Ushers', avatar: PICTURE, channel_id: voice },
    },
    ...(
      [
        [at.text, TEXT],
        [at.voice, VOICE],
        [at.stage, ['topic', ...VOICE]],
        [at.forum, FORUM],
      ] as const
    ).map(([id, has]) => ({
      method: 'PATCH',
      operation: '/channels/{channel_id}',
      path: `/channels/${id}`,
      values: channelValues(at, has),
    })),
    ...(
      [
        [0, TEXT],
        [2, VOICE],
        [13, ['topic', ...VOICE]],
        [15, FORUM],
      ] as const
    ).map(([type, has]) => ({
      method: 'POST',
      operation: '/guilds/{guild_id}/channels',
      path: `/guilds/${guild}/channels`,
      base: { name: 'new', type },
      values: channelValues(at, has),
    })),
    {
      method: 'PATCH',
      operation: '/users/@me',
      path: '/users/@me',
      values: { username: 'renamed', avatar: PICTURE, banner: PICTURE },
    },
    {
      method: 'POST',
      operation: '/users/@me/channels',
      path: '/users/@me/channels',
      base: { recipient_id: at.member },
      values: { recipient_id: UNSEEN, access_tokens: ['a'], nicks: { 1: 'a' } },
    },
  ]
}

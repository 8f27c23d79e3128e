import {
  AuditLogEvent,
  ChannelType,
  GatewayDispatchEvents,
  GuildFeature,
  GuildOnboardingMode,
  GuildOnboardingPromptType,
} from 'discord-api-types/v10'
import { z } from 'zod'
import { DiscordError, invalidForm } from '../../world/errors.ts'
import { changesBetween, recordAudit } from '../../world/guild/audit-log.ts'
import { describeGuild } from '../../world/guild/describe.ts'
import { invitesOf } from '../../world/guild/invites.ts'
import { may, Permission } from '../../world/permissions.ts'
import { getGuild, tell, type Guild } from '../../world/world.ts'
import { Id, parseBody } from '../form.ts'
import { actorOf, demand, guildOf, ok, param, type Call, type OpenCall, type Route } from '../route.ts'

const GUILD = '/guilds/{guildId}'
const MAX_WIDGET_MEMBERS = 100

/** Without an invite to the widget's channel the widget has no way in. */
function showWidget(call: OpenCall) {
  const guild = getGuild(call.world, param(call, 'guildId'))
  const { widget_enabled: isOn, widget_channel_id: channelId } = guild.settings
  if (!isOn) throw new DiscordError('widgetDisabled')
  const code = invitesOf(call.world, guild).find((one) => one.channelId === channelId)?.code
  const channels = [...guild.channels.values()].filter(({ type }) => type === ChannelType.GuildVoice)
  return ok({
    id: guild.id,
    name: guild.name,
    instant_invite: code === undefined ? null : `https://discord.com/invite/${code}`,
    channels: channels.map(({ id, name, position }) => ({ id, name, position })),
    // Ids are numbers of the list, so that no one is known by them.
    members: [...guild.members.values()].slice(0, MAX_WIDGET_MEMBERS).map(({ user }, at) => ({
      id: String(at),
      username: user.global_name ?? user.username,
      discriminator: '0000',
      avatar: null,
      status: 'online',
      avatar_url: `${call.world.url}/cdn/embed/avatars/${at % 6}.png`,
    })),
    presence_count: guild.members.size,
  })
}

const settingsOf = ({ settings }: Guild) => ({
  enabled: settings.widget_enabled,
  channel_id: settings.widget_channel_id,
})

function showWidgetSettings(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  return ok(settingsOf(guild))
}

const WidgetChange = z.object({ enabled: z.boolean().nullish(), channel_id: Id.nullish() })

function editWidget(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  const { enabled, channel_id: channelId } = parseBody(WidgetChange, call.body)
  if (channelId && !guild.channels.has(channelId)) throw new DiscordError('unknownChannel')
  const { widget_enabled, widget_channel_id } = guild.settings
  if (typeof enabled === 'boolean') guild.settings.widget_enabled = enabled
  if (channelId !== undefined) guild.settings.widget_channel_id = channelId
  const { widget_enabled: isOn, widget_channel_id: to } = guild.settings
  const changes = changesBetween({ widget_enabled, widget_channel_id }, { widget_enabled: isOn, widget_channel_id: to })
  tellUpdate(call, guild)
  recordAudit(call.world, guild, actorOf(call), { type: AuditLogEvent.GuildUpdate, targetId: guild.id, changes })
  return ok(settingsOf(guild))
}

function tellUpdate(call: Call, guild: Guild): void {
  tell(call.world, guild.id, { t: GatewayDispatchEvents.GuildUpdate, d: describeGuild(guild) })
}

function showVanity(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  if (!guild.settings.features.includes(GuildFeature.VanityURL)) throw new DiscordError('missingAccess')
  return ok({ code: guild.settings.vanity_url_code, uses: 0 })
}

function showWelcome(call: Call) {
  const guild = guildOf(call)
  if (
    !guild.settings.features.includes(GuildFeature.WelcomeScreenEnabled) &&
    !may(guild, call.me.id, Permission.ManageGuild)
  ) {
    throw new DiscordError('unknownWelcomeScreen')
  }
  return ok(guild.welcomeScreen)
}

const WelcomeChange = z.object({
  enabled: z.boolean().nullish(),
  description: z.string().max(140).nullish(),
  welcome_channels: z
    .array(
      z.object({
        channel_id: Id,
        description: z.string().min(1).max(50),
        emoji_id: Id.nullish().transform((id) => id ?? null),
        emoji_name: z
          .string()
          .nullish()
          .transform((name) => name ?? null),
      }),
    )
    .max(5)
    .nullish(),
})

function editWelcome(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild)
  const { enabled, description, welcome_channels: channels } = parseBody(WelcomeChange, call.body)
  for (const [at, { channel_id: id }] of (channels ?? []).entries()) {
    if (!guild.channels.has(id))
      throw invalidForm(`welcome_channels.${at}.channel_id`, 'INVALID_CHANNEL', 'Unknown channel.')
  }
  if (description !== undefined) guild.welcomeScreen.description = description
  if (channels !== undefined) guild.welcomeScreen.welcome_channels = channels ?? []
  if (typeof enabled === 'boolean') {
    const others = guild.settings.features.filter((one) => one !== GuildFeature.WelcomeScreenEnabled)
    guild.settings.features = enabled ? [...others, GuildFeature.WelcomeScreenEnabled] : others
  }
  tellUpdate(call, guild)
  return ok(guild.welcomeScreen)
}

const onboardingOf = (guild: Guild) => ({ guild_id: guild.id, ...guild.onboarding })

const ids = z
  .array(Id)
  .max(50)
  .nullish()
  .transform((list) => list ?? [])
const yes = (usual: boolean) =>
  z
    .boolean()
    .nullish()
    .transform((value) => value ?? usual)
const Onboarding = z.object({
  enabled: z.boolean().nullish(),
  mode: z.enum(GuildOnboardingMode).nullish(),
  default_channel_ids: z.array(Id).max(500).nullish(),
  prompts: z
    .array(
      z.object({
        id: Id,
        title: z.string().min(1).max(100),
        single_select: yes(false),
        required: yes(false),
        in_onboarding: yes(false),
        type: z
          .enum(GuildOnboardingPromptType)
          .nullish()
          .transform((type) => type ?? GuildOnboardingPromptType.MultipleChoice),
        options: z
          .array(
            z.object({
              id: Id.nullish(),
              title: z.string().min(1).max(50),
              description: z.string().max(100).nullish(),
              emoji_id: Id.nullish(),
              emoji_name: z.string().nullish(),
              emoji_animated: z.boolean().nullish(),
              role_ids: ids,
              channel_ids: ids,
            }),
          )
          .min(1)
          .max(50),
      }),
    )
    .max(15)
    .nullish(),
})

type Prompt = NonNullable<z.infer<typeof Onboarding>['prompts']>[number]

function describePrompt({ options, ...prompt }: Prompt, idFor: (id: string | null | undefined) => string) {
  const described = options.map(({ id, emoji_id, emoji_name, emoji_animated, description, ...option }) => {
    const emoji = { id: emoji_id ?? null, name: emoji_name ?? null, animated: emoji_animated ?? false }
    return Object.assign(option, { id: idFor(id), description: description ?? '', emoji })
  })
  return Object.assign(prompt, { id: idFor(prompt.id), options: described })
}

/** New prompts and options get ids of Discord's; those that are known keep theirs. */
function putOnboarding(call: Call) {
  const guild = guildOf(call)
  demand(call, guild, Permission.ManageGuild | Permission.ManageRoles)
  const { enabled, mode, default_channel_ids: channels, prompts } = parseBody(Onboarding, call.body)
  const { world } = call
  const known = new Set(
    guild.onboarding.prompts.flatMap((prompt) => [prompt.id, ...prompt.options.map(({ id }) => id)]),
  )
  const idFor = (id: string | null | undefined) => (id && known.has(id) ? id : world.nextId())
  const asked = prompts?.map((prompt) => describePrompt(prompt, idFor))
  guild.onboarding = {
    prompts: asked ?? guild.onboarding.prompts,
    default_channel_ids: channels ?? guild.onboarding.default_channel_ids,
    enabled: enabled ?? guild.onboarding.enabled,
    mode: mode ?? guild.onboarding.mode,
  }
  const facts = { type: AuditLogEvent.OnboardingUpdate, targetId: guild.id }
  recordAudit(world, guild, actorOf(call), facts)
  return ok(onboardingOf(guild))
}

export const COMMUNITY_ROUTES: readonly Route[] = [
  { method: 'GET', path: `${GUILD}/widget.json`, open: showWidget },
  { method: 'GET', path: `${GUILD}/widget`, handle: showWidgetSettings },
  { method: 'PATCH', path: `${GUILD}/widget`, handle: editWidget },
  { method: 'GET', path: `${GUILD}/vanity-url`, handle: showVanity },
  { method: 'GET', path: `${GUILD}/welcome-screen`, handle: showWelcome },
  { method: 'PATCH', path: `${GUILD}/welcome-screen`, handle: editWelcome },
  { method: 'GET', path: `${GUILD}/onboarding`, handle: (call) => ok(onboardingOf(guildOf(call))) },
  { method: 'PUT', path: `${GUILD}/onboarding`, handle: putOnboarding },
]

import { ACCOUNT_ROUTES } from './application/accounts.ts'
import { APPLICATION_EMOJI_ROUTES } from './application/emojis.ts'
import { COMMAND_ROUTES } from './application/commands.ts'
import { ENTITLEMENT_ROUTES } from './application/entitlements.ts'
import { CHANNEL_ROUTES } from './channel/channels.ts'
import { DM_ROUTES } from './channel/dms.ts'
import { INVITE_ROUTES } from './channel/invites.ts'
import { THREAD_MEMBER_ROUTES } from './channel/thread-members.ts'
import { THREAD_ROUTES } from './channel/threads.ts'
import { WEBHOOK_MESSAGE_ROUTES } from './channel/webhook-messages.ts'
import { WEBHOOK_ROUTES } from './channel/webhooks.ts'
import { AUDIT_LOG_ROUTES } from './guild/audit-log.ts'
import { AUTOMOD_ROUTES } from './guild/automod.ts'
import { BAN_ROUTES } from './guild/bans.ts'
import { GUILD_CHANNEL_ROUTES } from './guild/channels.ts'
import { COMMUNITY_ROUTES } from './guild/community.ts'
import { EXPRESSION_ROUTES } from './guild/expressions.ts'
import { GUILD_ROUTES } from './guild/guilds.ts'
import { MEMBER_ROUTES } from './guild/members.ts'
import { ROLE_ROUTES } from './guild/roles.ts'
import { SCHEDULED_EVENT_ROUTES } from './guild/scheduled-events.ts'
import { STAGE_ROUTES } from './guild/stage-instances.ts'
import { VOICE_STATE_ROUTES } from './guild/voice-states.ts'
import { INTERACTION_ROUTES } from './interactions.ts'
import { MESSAGE_ROUTES } from './messages/messages.ts'
import { PIN_ROUTES } from './messages/pins.ts'
import { POLL_ROUTES } from './messages/polls.ts'
import { REACTION_ROUTES } from './messages/reactions.ts'
import type { Route } from './route.ts'

/** Discord's REST interface, as far as bots use it. What is not here is answered with 501. */
export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...COMMAND_ROUTES,
  ...APPLICATION_EMOJI_ROUTES,
  ...ENTITLEMENT_ROUTES,
  ...INTERACTION_ROUTES,
  ...CHANNEL_ROUTES,
  ...DM_ROUTES,
  ...THREAD_ROUTES,
  ...THREAD_MEMBER_ROUTES,
  ...INVITE_ROUTES,
  ...WEBHOOK_ROUTES,
  ...WEBHOOK_MESSAGE_ROUTES,
  ...MESSAGE_ROUTES,
  ...REACTION_ROUTES,
  ...PIN_ROUTES,
  ...POLL_ROUTES,
  ...GUILD_ROUTES,
  ...GUILD_CHANNEL_ROUTES,
  ...ROLE_ROUTES,
  ...MEMBER_ROUTES,
  ...BAN_ROUTES,
  ...AUDIT_LOG_ROUTES,
  ...EXPRESSION_ROUTES,
  ...SCHEDULED_EVENT_ROUTES,
  ...STAGE_ROUTES,
  ...AUTOMOD_ROUTES,
  ...COMMUNITY_ROUTES,
  ...VOICE_STATE_ROUTES,
]

import { ACCOUNT_ROUTES } from './accounts.ts'
import { CHANNEL_ROUTES } from './channels.ts'
import { COMMAND_ROUTES } from './commands.ts'
import { GUILD_ROUTES } from './guilds.ts'
import { INTERACTION_ROUTES } from './interactions.ts'
import { MEMBER_ROUTES } from './members.ts'
import { MESSAGE_ROUTES } from './messages/messages.ts'
import { PIN_ROUTES } from './messages/pins.ts'
import { POLL_ROUTES } from './messages/polls.ts'
import type { Route } from './route.ts'

/** Everything of Discord's REST interface that a music bot uses. */
export const ROUTES: readonly Route[] = [
  ...ACCOUNT_ROUTES,
  ...COMMAND_ROUTES,
  ...INTERACTION_ROUTES,
  ...CHANNEL_ROUTES,
  ...MESSAGE_ROUTES,
  ...PIN_ROUTES,
  ...POLL_ROUTES,
  ...GUILD_ROUTES,
  ...MEMBER_ROUTES,
]

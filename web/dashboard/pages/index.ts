import type { PageRoute } from '../http/route.ts'
import { DISCORD } from './auth/discord.ts'
import { LINKS } from './auth/links.ts'
import { ACCOUNT_PAGES } from './account/account.ts'
import { AUDIT_PAGES } from './audit/audit.ts'
import { BOT_PAGES } from './bots/bots.ts'
import { SIGN_IN } from './auth/sign-in.ts'
import { EVENT_PAGES } from './events/events.ts'
import { JOB_PAGES } from './jobs/jobs.ts'
import { KEY_PAGES } from './keys/keys.ts'
import { LAVALINK_PAGES } from './lavalink/lavalink.ts'
import { MEMBER_PAGES } from './members/members.ts'
import { POOL_PAGES } from './pools/pools.ts'
import { PLAYER_PAGES } from './players/players.ts'
import { OVERVIEW_PAGES } from './overview/overview.ts'
import { PROJECT_PAGES } from './projects/projects.ts'
import { REQUEST_PAGES } from './requests/requests.ts'
import { SEARCH } from './search/search.ts'
import { SOURCE_PAGES } from './sources/sources.ts'
import { START } from './start.ts'
import { TRIAL_KEYS } from './keys/trial.ts'
import { USAGE_PAGES } from './usage/usage.ts'
import { WEBHOOK_PAGES } from './webhooks/webhooks.ts'

/** Every page and form of the dashboard. */
export const PAGES: readonly PageRoute[] = [
  ...START,
  ...SIGN_IN,
  ...LINKS,
  ...DISCORD,
  ...PROJECT_PAGES,
  ...OVERVIEW_PAGES,
  ...KEY_PAGES,
  ...TRIAL_KEYS,
  ...BOT_PAGES,
  ...POOL_PAGES,
  ...PLAYER_PAGES,
  ...LAVALINK_PAGES,
  ...SOURCE_PAGES,
  ...SEARCH,
  ...USAGE_PAGES,
  ...REQUEST_PAGES,
  ...JOB_PAGES,
  ...EVENT_PAGES,
  ...WEBHOOK_PAGES,
  ...MEMBER_PAGES,
  ...AUDIT_PAGES,
  ...ACCOUNT_PAGES,
]

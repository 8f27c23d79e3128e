import type { Route } from '../route.ts'
import { DISCORD } from './entry/discord.ts'
import { LINKS } from './entry/links.ts'
import { ACCOUNT_PAGES } from './account/account.ts'
import { AUDIT_PAGES } from './audit/audit.ts'
import { BOT_PAGES } from './bots/bots.ts'
import { SIGN_IN } from './entry/sign-in.ts'
import { KEY_PAGES } from './keys/keys.ts'
import { MEMBER_PAGES } from './members/members.ts'
import { PLAYER_PAGES } from './players/players.ts'
import { PROJECT_PAGES } from './projects/projects.ts'
import { START } from './start.ts'

/** Every page and form of the dashboard. */
export const PAGES: readonly Route[] = [
  ...START,
  ...SIGN_IN,
  ...LINKS,
  ...DISCORD,
  ...PROJECT_PAGES,
  ...KEY_PAGES,
  ...BOT_PAGES,
  ...PLAYER_PAGES,
  ...MEMBER_PAGES,
  ...AUDIT_PAGES,
  ...ACCOUNT_PAGES,
]

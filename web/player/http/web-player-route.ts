import type { OneTimeTokens } from '../../http/one-time-tokens.ts'
import type { Assets } from '../../http/assets.ts'
import type { WebPlayerContext } from './context.ts'
import type { Covers } from './covers.ts'
import type { LivePages } from './live.ts'
import type { MemberLimits } from './member-limits.ts'
import type { Visit } from './visit.ts'

/** Parts that requests share. */
export interface WebPlayerParts {
  readonly context: WebPlayerContext
  readonly assets: Assets
  /** The same files under the path that Discord's proxy forwards. */
  readonly proxiedAssets: Assets
  readonly live: LivePages
  readonly limits: MemberLimits
  readonly covers: Covers
  readonly tickets: OneTimeTokens
}

export type VisitHandler = (visit: Visit, parts: WebPlayerParts) => Promise<void> | void

export interface WebPlayerRoute {
  readonly method: 'GET' | 'POST'
  /** The path behind `/listen`; `:guildId` is the guild of the visit. */
  readonly path: string
  readonly run: VisitHandler
  /** Runs at the service with the bot that the member hears. */
  readonly isAtOwner?: true
}

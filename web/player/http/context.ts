import type { EventBus } from '../../../bot/events.ts'
import type { Forwarding } from '../../../lib/sharing/forwarding.ts'
import type { WebBot, WebMembership, WebPlayers } from '../../../bot/commands/web/web-players.ts'
import type { OneTimeRecords } from '../../../db/people/one-time-records.ts'
import type { WebPlayerAccess } from '../../../db/people/web-player-access.ts'
import type { Logger } from '../../../lib/log.ts'
import type { DiscordSignIn } from '../../../upstream/discord/discord-oauth.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'

export interface WebPlayerPeers {
  readonly forwarding: Forwarding
  /** Those of other services; of one that does not answer none. */
  botsIn(guildId: string): Promise<readonly WebBot[]>
  membershipsOf(guildId: string, userId: string): Promise<readonly WebMembership[]>
}

/** All that the web player works with. service/ fills it, tests fill it with what they need. */
export interface WebPlayerContext {
  readonly access: WebPlayerAccess
  readonly players: WebPlayers
  /** For ways to Discord and back. */
  readonly oneTime: OneTimeRecords
  /** The services that run other bots, or other guilds of the same; null if this one runs all. */
  readonly peers: WebPlayerPeers | null
  /** Calls when a player may look different. @returns a function that ends the subscription. */
  readonly onPlayerChanged: (listener: (player: { readonly guildId: string }) => void) => () => void
  readonly events: Pick<EventBus, 'subscribe'>
  readonly egress: Pick<Egress, 'open'>
  /** Null if it is not configured. */
  readonly discord: DiscordSignIn | null
  /** The application that Discord opens the page for as an Activity; null if that is switched off. */
  readonly activityClientId: string | null
  /** Address ranges (CIDR) of proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: readonly string[]
  /** Where browsers reach the service, without a slash at the end; known once it listens. */
  readonly baseUrl: () => string
  readonly now: () => number
  readonly log: Logger
}

/** How long a page may show what it shows until it is asked again whether its viewer is still a member. */
export const LOOK_AGAIN_MS = 60_000

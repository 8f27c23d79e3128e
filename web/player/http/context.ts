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
  /** Bots of other services; a service that does not answer counts as empty. */
  botsIn(guildId: string): Promise<readonly WebBot[]>
  membershipsOf(guildId: string, userId: string): Promise<readonly WebMembership[]>
}

/** All that the web player works with. service/ fills it, tests fill it with what they need. */
export interface WebPlayerContext {
  readonly access: WebPlayerAccess
  readonly players: WebPlayers
  /** State of sign-ins on the way to Discord and back. */
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
  /** The public URL of the service, without a slash at the end; known once it listens. */
  readonly baseUrl: () => string
  readonly now: () => number
  readonly log: Logger
}

/** The interval at which the membership of a page's viewer is checked again. */
export const LOOK_AGAIN_MS = 60_000

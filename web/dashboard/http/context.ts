import type { Readable } from 'node:stream'
import type { EventBus } from '../../../bot/events.ts'
import type { PlayerService } from '../../../bot/player-service.ts'
import type { TrackMetadata } from '../../../bot/tracks/track-metadata.ts'
import type { Sources } from '../../../bot/sources/source.ts'
import type { BotStatus } from '../../../bot/discord/bot-manager.ts'
import type { PlayHistory } from '../../../db/music/play-history.ts'
import type { SourceSwitches } from '../../../db/music/source-switches.ts'
import type { GuildSettingsRecords } from '../../../db/music/guild-settings.ts'
import type { Jobs } from '../../../jobs/queue/job-service.ts'
import type { SessionDirectory } from '../../../api/lavalink/sessions/session-directory.ts'
import type { Logger } from '../../../lib/log.ts'
import type { Forwarding } from '../../../lib/sharing/forwarding.ts'
import type { RequestLog, RequestSearch } from '../../../lib/request-log/request-log.ts'
import type { PeopleStores, Repositories } from '../../../db/repositories.ts'
import type { DiscordSignIn } from '../../../upstream/discord/discord-oauth.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { WebhookService } from '../../../api/webhooks/webhook-service.ts'
import type { Passwords } from '../auth/passwords.ts'
import type { RecentEvents } from './recent-events.ts'
import type { Streams } from '../../http/event-streams.ts'
import type { Throttle } from '../auth/sign-in-throttle.ts'
import type { OneTimeTokens } from '../../http/one-time-tokens.ts'

interface Discord {
  /** Without the version: `https://discord.com/api`. */
  readonly apiUrl: string
  readonly called: string
  readonly sandbox: boolean
}

/** The bots that run, as far as pages ask for them. */
export interface BotControl extends Omit<BotStatus, 'isSpokenForHere'> {
  countGuilds(botId: string): number
  /** Learns what other services run of these bots, for the pages that follow. Never rejects. */
  refresh(botIds: readonly string[]): Promise<void>
  /** Applies changes of the database. */
  sync(): Promise<void>
}

/** All that pages may reach. service/service.ts fills it, tests fill it with what they need. */
export interface DashboardContext extends PeopleStores, Pick<Repositories, 'projects' | 'keys' | 'bots' | 'pools'> {
  readonly requests: Pick<RequestLog, 'isOn' | 'lateMs' | 'list' | 'nextId' | 'bodies'> & RequestSearch
  /** URL template of the trace viewer, with `{traceId}` in it; null if the operator sets none. */
  readonly traceUrl: string | null
  readonly usage: Pick<Repositories['usage'], 'summary' | 'totals' | 'refusals' | 'peaks'>
  readonly fleet: BotControl
  readonly music: PlayerService
  /** The way to the services that run other players; null if this one runs all. */
  readonly forwarding: Forwarding | null
  /** Calls when a player may look different. @returns a function that ends the subscription. */
  readonly onPlayerChanged: (
    listener: (player: { readonly botId: string; readonly guildId: string }) => void,
  ) => () => void
  /** Sessions of Lavalink clients; null if that API is off. */
  readonly lavalink: Pick<SessionDirectory, 'list' | 'end' | 'stopPlayer'> | null
  readonly trackMetadata: Pick<TrackMetadata, 'lyrics'>
  /** Settings that members make in their guilds. */
  readonly settings: Pick<GuildSettingsRecords, 'get'>
  /** Whether a bot ever played anything. */
  readonly history: Pick<PlayHistory, 'hasAny'>
  readonly sources: Pick<Sources, 'states'>
  readonly sourceSwitches: Pick<SourceSwitches, 'set'>
  readonly events: EventBus
  readonly recentEvents: RecentEvents
  readonly jobs: Pick<Jobs, 'list' | 'get' | 'open'>
  readonly webhooks: WebhookService
  readonly egress: Pick<Egress, 'open' | 'check'>
  /** The sound of a channel of the sandbox; null if there is no sandbox. */
  readonly listen: ((guildId: string, channelId: string) => Promise<Readable>) | null
  readonly streams: Streams
  /** Discord and the sandbox: the first that knows a bot's token is where the bot lives. */
  readonly discords: readonly Discord[]
  readonly passwords: Passwords
  readonly throttle: Throttle
  readonly tickets: OneTimeTokens
  /** Null if it is not configured. */
  readonly discord: DiscordSignIn | null
  /** The public URL of the service, without a slash at the end; known once it listens. */
  readonly baseUrl: () => string
  readonly now: () => number
  readonly log: Logger
}

import type { BotStopReason } from '../events.ts'
import type { OwnVoice } from '../player/player.ts'
import type { BotGuild, BotState } from './bot-status.ts'
import type { JoinPurpose } from './joins/join-turns.ts'
import type { OnHeld } from './gateway-outbox.ts'

/** A Discord bot account that plays for one project. It stays until it is stopped, through every outage of Discord. */
export interface Bot {
  readonly id: string
  readonly projectId: string
  /** Whether Discord can be reached as this bot at this moment. */
  readonly isConnected: boolean
  /** Whether the bot is connected and Discord answers none of its joins. */
  readonly isUnanswered: boolean
  /** Whether this service speaks for the whole bot: one of the services that run its shards does. */
  readonly isSpokenForHere: boolean
  /** Whether other services run all of it now. */
  readonly isStandby: boolean
  readonly state: BotState
  /** Guilds that the bot is a member of, once the gateway is ready. */
  guilds(): readonly BotGuild[]
  /** Waits out a short reconnect. @returns whether the bot is connected now. */
  waitConnected(): Promise<boolean>
  /** @throws {Fault} see `joinableChannel`. */
  joinable(guildId: string, channelId: string | undefined): string
  /** @throws {Fault} of a moved guild while it is not known whether the bot has a player in a guild. */
  assertSettled(guildId: string): void
  /** Whether it is a member of a guild, in service or not. */
  isIn(guildId: string): boolean
  /** The voice state that Discord shows in a guild; null if the bot is not in the guild, or the guild is out of service. */
  voiceIn(guildId: string): Pick<OwnVoice, 'channelId'> | null
  countListeners(guildId: string, channelId: string): number
  listeners(guildId: string, channelId: string): readonly string[]
  /** Display name of a member; null if Discord has not sent the member. */
  memberName(guildId: string, userId: string): string | null
  /** Resolves when a join there would be sent at once. @throws {Fault} see `JoinTurns.take`. */
  joinTurn(guildId: string, purpose: JoinPurpose): Promise<void>
  /** Sends a payload about the bot's own voice to Discord's main gateway, as soon as Discord's limit allows. */
  sendVoice(guildId: string, payload: unknown, onHeld?: OnHeld): void
  /** Compares what Discord shows of it in a guild with its player there. */
  reconcile(guildId: string): void
  /** Closes its players, leaves Discord and emits the reason. */
  stop(reason: Extract<BotStopReason, 'shutdown' | 'removed' | 'disconnected'>): Promise<void>
}

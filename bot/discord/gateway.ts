import {
  Client,
  GatewayCloseCodes,
  GatewayDispatchEvents,
  GatewayIntentBits,
  Options,
  type RESTOptions,
} from 'discord.js'
import { discordFetch } from '../../upstream/discord/discord-fetch.ts'
import { VERSION } from '../../lib/identity.ts'
import type { Logger } from '../../lib/log.ts'
import { monotonicNow } from '../../lib/clock.ts'
import { disarm } from '../../lib/patches/discord-client.ts'
import { systemClock } from '../player/timers.ts'
import { createCaches } from './shards/caches.ts'
import { gatewayOutbox } from './gateway-outbox.ts'
import { createJoinAnswers, type JoinAnswers } from './joins/join-answers.ts'
import { createJoinTurns, type JoinPurpose } from './joins/join-turns.ts'
import { shardOf } from '../../lib/sharing/shard-of.ts'
import type { ShardLease } from './shards/shard-directory.ts'
import { ShardPool, type ShardPoolOptions } from './shards/shard-pool.ts'

/** One discord.js client: a session with Discord, from its login to its end. It is never used again afterwards. */
export type Gateway = ReturnType<typeof createGateway>

const REST_TIMEOUT_MS = 15_000
const HOURLY_SECONDS = 3600
const COUNTS_KEPT_MS = 1000

/**
 * Over the global `fetch`: forms with files, which the library makes of the global `FormData`, are refused by a client that is
 * another copy. The two declare the same options in different words.
 */
export const makeRequest = discordFetch('bot') as unknown as RESTOptions['makeRequest']

const { Guilds, GuildVoiceStates, GuildMessages, MessageContent } = GatewayIntentBits

/** The intents that playing music requires. */
const INTENTS = [Guilds, GuildVoiceStates]

export interface GatewayOptions {
  readonly apiUrl: string
  /** Base URL of its pictures. Defaults to Discord's CDN. */
  readonly cdnUrl: string | null
  readonly log: Logger
}

interface ConnectOptions extends Omit<ShardPoolOptions, 'log'> {
  /** Whether to log in with the Message Content intent, which Discord must have granted. */
  readonly readsMessages: boolean
  /** At least one. Others can be added. */
  readonly leases: readonly ShardLease[]
}

export function createGateway({ log, ...where }: GatewayOptions, connect: ConnectOptions) {
  const shards = new ShardPool(connect.leases, { ...connect, log })
  const client = createClient(where, connect.readsMessages, shards)
  shards.bind(client)
  const refused = Promise.withResolvers<number>()
  const shardIdOf = (guildId: string) => shardOf(guildId, connect.limits.shardCount)
  const turns = createJoinTurns(systemClock)
  const answers = followJoins(client, shardIdOf)
  const outbox = gatewayOutbox(client, { log, shards, shardIdOf, turns, onJoin: (guildId) => answers.asked(guildId) })
  let isClosing = false

  client.on('error', (err) => log.warn({ err }, 'discord client failed'))
  client.on('shardError', (err) => log.warn({ err }, 'gateway connection failed'))
  client.on('shardDisconnect', ({ code }) => refused.resolve(code))
  client.on('shardReconnecting', () => {
    if (!isClosing) log.info('gateway disconnected')
  })
  client.on('shardReady', () => outbox.flush())
  client.on('shardResume', () => outbox.flush())

  return {
    client,
    /** Whether payloads would reach Discord now, for all guilds that it knows. */
    get isConnected(): boolean {
      return client.isReady() && shards.areEstablishedReady
    },
    /** The one of its connections to Discord, which share the guilds between them, that is the one of that guild. */
    shardOf: shardIdOf,
    shards,
    shardCount: connect.limits.shardCount,
    countGuilds: createGuildCounts(client),
    /** Resolves when all guilds are known. @throws when Discord is away or refuses; the gateway is over then. */
    login: (token: string): Promise<void> => logIn(client, token),
    /** Resolves when a join there would be sent at once. @throws {Fault} see `JoinTurns.take`. */
    joinTurn: (guildId: string, purpose: JoinPurpose) => turns.take(shardIdOf(guildId), guildId, purpose),
    /** Sends a payload about the bot's own voice; while the connection is away, the last one for each guild waits for it. */
    sendVoice: outbox.put,
    /** Discord keeps the connection open, and has answered none of the last joins. */
    get isSilent(): boolean {
      return answers.isSilent
    },
    /** Takes the bot out of the call that Discord shows it in. */
    leaveVoice(guildId: string) {
      const d = { guild_id: guildId, channel_id: null, self_mute: false, self_deaf: false }
      outbox.put(guildId, { op: 4, d })
    },
    /** Waits a moment for what was handed to the connections. */
    sent: () => outbox.sent(),
    /** Resolves with Discord's close code when it will not have this session any more. */
    refused: refused.promise,
    async close() {
      isClosing = true
      shards.close()
      turns.close()
      await outbox.drained()
      disarm(client)
      await client.destroy()
    },
  }
}

async function logIn(client: Client, token: string): Promise<void> {
  const ready = Promise.withResolvers<void>()
  client.once('clientReady', () => ready.resolve())
  await client.login(token)
  await ready.promise
}

/** Whether Discord answers joins: with the bot's own voice, or with a fresh connection. */
function followJoins(client: Client, shardIdOf: (guildId: string) => number): JoinAnswers {
  const answers = createJoinAnswers()
  const onAnswer = (shardId: number) => answers.answered((guildId) => shardIdOf(guildId) === shardId)
  client.on('shardReady', onAnswer)
  client.on('shardResume', onAnswer)
  client.ws.on(GatewayDispatchEvents.VoiceStateUpdate, ({ user_id: userId, guild_id: guildId = '' }: OwnVoiceState) => {
    if (userId === client.user?.id) onAnswer(shardIdOf(guildId))
  })
  return answers
}

interface OwnVoiceState {
  readonly user_id: string
  readonly guild_id?: string
}

/** Counts for all shards at once, and seldom: there may be tens of thousands of guilds. */
function createGuildCounts(client: Client): (shardId: number) => number {
  let counts = new Map<number, number>()
  let countedAtMs = -Infinity
  return (shardId) => {
    if (monotonicNow() - countedAtMs > COUNTS_KEPT_MS) {
      counts = new Map()
      for (const guild of client.guilds.cache.values()) counts.set(guild.shardId, (counts.get(guild.shardId) ?? 0) + 1)
      countedAtMs = monotonicNow()
    }
    return counts.get(shardId) ?? 0
  }
}

/** Whether Discord said that the token is worth nothing. */
export function isUnauthorized(codeOrError: unknown): boolean {
  if (codeOrError === GatewayCloseCodes.AuthenticationFailed) return true
  if (!(codeOrError instanceof Error)) return false
  return (
    ('code' in codeOrError && codeOrError.code === 'TokenInvalid') ||
    ('status' in codeOrError && codeOrError.status === 401)
  )
}

/** Logging in again is pointless until the bot or this program is changed. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  GatewayCloseCodes.InvalidShard,
  GatewayCloseCodes.ShardingRequired,
  GatewayCloseCodes.InvalidAPIVersion,
  GatewayCloseCodes.InvalidIntents,
  GatewayCloseCodes.DisallowedIntents,
])

const FIRST_RETRY_MS = 1000
const LAST_RETRY_MS = 60_000
/** Logins are counted, and a thousand in a day cost a bot its token. */
const REFUSED_RETRY_MS = 15 * 60_000

/** Pause before the next login after this many failures, the last one with this close code or error. */
export function loginPauseMs(failures: number, why: unknown): number {
  const leastMs = REFUSALS.has(why) ? REFUSED_RETRY_MS : Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS)
  return Math.round(leastMs * (1 + Math.random() / 4))
}

function createClient({ apiUrl, cdnUrl }: Omit<GatewayOptions, 'log'>, readsMessages: boolean, shards: ShardPool) {
  const pictures = cdnUrl === null ? {} : { cdn: cdnUrl }
  const isIdle = (member: { readonly id: string; readonly voice?: { readonly channelId: string | null } }): boolean =>
    member.id !== client.user?.id && !member.voice?.channelId
  const client: Client = new Client({
    ...shards.clientOptions,
    intents: readsMessages ? [...INTENTS, GuildMessages, MessageContent] : INTENTS,
    rest: {
      ...pictures,
      api: apiUrl,
      timeout: REST_TIMEOUT_MS,
      makeRequest,
      userAgentAppendix: `Bandstand/${VERSION}`,
    },
    makeCache: createCaches(),
    sweepers: {
      ...Options.DefaultSweeperSettings,
      // Members are met in voice channels and never said to leave the guild; those who listen are kept.
      guildMembers: { interval: HOURLY_SECONDS, filter: () => isIdle },
      // Users who wrote messages.
      users: { interval: HOURLY_SECONDS, filter: () => (user) => user.id !== client.user?.id },
    },
  })
  return client
}

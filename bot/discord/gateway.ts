import {
  Client,
  GatewayCloseCodes,
  GatewayIntentBits,
  Options,
  ShardClientUtil,
  Status,
  type RESTOptions,
} from 'discord.js'
import { VERSION } from '../../lib/identity.ts'
import type { Logger } from '../../lib/log.ts'
import { monotonicNow } from '../../lib/clock.ts'
import { settleWithin } from '../../lib/deadline.ts'

/** One discord.js client: a session with Discord, from its login to its end. It is never used again afterwards. */
export interface Gateway {
  readonly client: Client
  /** Whether payloads would reach Discord now, for all guilds. */
  readonly isConnected: boolean
  /** Whether one of its connections to Discord, which share the guilds between them, is the one of that guild. */
  serves(shardId: number, guildId: string): boolean
  /** Resolves when all guilds are known. @throws when Discord is away or refuses; the gateway is over then. */
  login(token: string): Promise<void>
  /** Sends a payload about the bot's own voice; while the connection is away, the last one for each guild waits for it. */
  sendVoice(guildId: string, payload: unknown): void
  /** Takes the bot out of the call that Discord shows it in. */
  leaveVoice(guildId: string): void
  /** Resolves with Discord's close code when it will not have this session any more. */
  readonly refused: Promise<number>
  close(): Promise<void>
}

const REST_TIMEOUT_MS = 15_000
const HOURLY_SECONDS = 3600

/**
 * Node's own. The library's undici would find the dispatcher of ours, which is a later one and refuses its forms with
 * files. The two declare the same options in different words.
 */
export const plainFetch = fetch as unknown as RESTOptions['makeRequest']

/** What a bot that only plays music never looks at. */
const UNCACHED = {
  MessageManager: 0,
  PresenceManager: 0,
  ReactionManager: 0,
  GuildEmojiManager: 0,
  GuildStickerManager: 0,
  GuildScheduledEventManager: 0,
  AutoModerationRuleManager: 0,
} as const

const { Guilds, GuildVoiceStates, GuildMessages, MessageContent } = GatewayIntentBits

/** What playing music takes. */
const INTENTS = [Guilds, GuildVoiceStates]

export interface GatewayOptions {
  readonly apiUrl: string
  /** Base URL of its pictures. Defaults to Discord's CDN. */
  readonly cdnUrl: string | null
  readonly log: Logger
}

/** @param readsMessages whether to log in with the Message Content intent, which Discord must have granted. */
export function createGateway({ log, ...where }: GatewayOptions, readsMessages: boolean): Gateway {
  const client = createClient(where, readsMessages)
  const refused = Promise.withResolvers<number>()
  const outbox = createOutbox(client, log)
  let isClosing = false

  client.on('error', (err) => log.warn({ err }, 'discord client failed'))
  client.on('shardError', (err) => log.warn({ err }, 'gateway connection failed'))
  client.on('shardDisconnect', ({ code }) => refused.resolve(code))
  client.on('shardReconnecting', () => {
    if (!isClosing) log.info('gateway disconnected')
  })
  for (const back of ['shardReady', 'shardResume'] as const) {
    client.on(back, () => outbox.flush())
  }

  return {
    client,
    get isConnected() {
      return client.isReady() && client.ws.shards.every(({ status }) => status === Status.Ready)
    },
    serves: (shardId, guildId) => ShardClientUtil.shardIdForGuildId(guildId, client.ws.shards.size) === shardId,
    async login(token) {
      const ready = Promise.withResolvers<void>()
      client.once('clientReady', () => ready.resolve())
      await client.login(token)
      await ready.promise
    },
    sendVoice: outbox.put,
    leaveVoice(guildId) {
      const d = { guild_id: guildId, channel_id: null, self_mute: false, self_deaf: false }
      outbox.put(guildId, { op: 4, d })
    },
    refused: refused.promise,
    async close() {
      isClosing = true
      await outbox.drained()
      disarm(client)
      await client.destroy()
    },
  }
}

/** Whether Discord said that the token is worth nothing. */
export function isUnauthorized(codeOrError: unknown): boolean {
  if (codeOrError === GatewayCloseCodes.AuthenticationFailed) return true
  return codeOrError instanceof Error && 'code' in codeOrError && codeOrError.code === 'TokenInvalid'
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

/** How long to wait with the next login after so many that failed, the last one with this close code or error. */
export function loginPauseMs(failures: number, why: unknown): number {
  const leastMs = REFUSALS.has(why) ? REFUSED_RETRY_MS : Math.min(FIRST_RETRY_MS * 2 ** failures, LAST_RETRY_MS)
  return Math.round(leastMs * (1 + Math.random() / 4))
}

function createClient({ apiUrl, cdnUrl }: Omit<GatewayOptions, 'log'>, readsMessages: boolean): Client {
  const pictures = cdnUrl === null ? {} : { cdn: cdnUrl }
  const isIdle = (member: { readonly id: string; readonly voice?: { readonly channelId: string | null } }): boolean =>
    member.id !== client.user?.id && !member.voice?.channelId
  const client: Client = new Client({
    // As many connections as Discord wants: one for every 2,500 guilds at the least.
    shards: 'auto',
    intents: readsMessages ? [...INTENTS, GuildMessages, MessageContent] : INTENTS,
    rest: {
      ...pictures,
      api: apiUrl,
      timeout: REST_TIMEOUT_MS,
      makeRequest: plainFetch,
      userAgentAppendix: `Bandstand/${VERSION}`,
    },
    makeCache: Options.cacheWithLimits({ ...Options.DefaultMakeCacheSettings, ...UNCACHED }),
    sweepers: {
      ...Options.DefaultSweeperSettings,
      // Members are met in voice channels and never said to leave the guild; those who listen are kept.
      guildMembers: { interval: HOURLY_SECONDS, filter: () => isIdle },
      // Of those who wrote something.
      users: { interval: HOURLY_SECONDS, filter: () => (user) => user.id !== client.user?.id },
    },
  })
  return client
}

/** Discord takes 120 payloads a minute, heartbeats and logins included. */
const MOST_SENT = 105
const SEND_WINDOW_MS = 60_000
const DRAINED_WITHIN_MS = 1000

interface Outbox {
  readonly put: (guildId: string, payload: unknown) => void
  flush(): void
  /** Resolves when what was handed to the connection has been sent, or after a moment. */
  drained(): Promise<void>
}

/**
 * Discord's own queue would hold what is sent during a resume until the next new session, and a failed send of it would
 * end the process as an unhandled rejection. So payloads wait here, and only for a connection that works. They also wait
 * here for Discord's limit: in the library's queue, joins that were given up long ago would hold up every later one.
 */
function createOutbox(client: Client, log: Logger): Outbox {
  const waiting = new Map<string, unknown>()
  const sending = new Set<Promise<void>>()
  const sentAtMs: number[] = []
  let timer: NodeJS.Timeout | undefined

  /** How long until one more may be sent. */
  function waitMs(): number {
    const nowMs = monotonicNow()
    while ((sentAtMs[0] ?? nowMs) <= nowMs - SEND_WINDOW_MS) sentAtMs.shift()
    return sentAtMs.length < MOST_SENT ? 0 : (sentAtMs[0] ?? 0) + SEND_WINDOW_MS - nowMs
  }

  /** The last request of a guild replaces the ones before it, and goes to the end. */
  function keep(guildId: string, payload: unknown): void {
    waiting.delete(guildId)
    waiting.set(guildId, payload)
  }

  function send(guildId: string, payload: unknown): void {
    const shard = client.ws.shards.get(client.guilds.cache.get(guildId)?.shardId ?? 0)
    const { _ws: connections } = client.ws as unknown as Connections
    if (!shard || shard.status !== Status.Ready || !connections) return keep(guildId, payload)
    const delayMs = waitMs()
    if (delayMs > 0) {
      keep(guildId, payload)
      timer ??= setTimeout(() => {
        timer = undefined
        flush()
      }, delayMs).unref()
      return
    }
    waiting.delete(guildId)
    sentAtMs.push(monotonicNow())
    const task = connections
      .send(shard.id, payload)
      .catch((err: unknown) => log.warn({ err, guildId }, 'sending voice payload failed'))
      .finally(() => sending.delete(task))
    sending.add(task)
  }

  function flush(): void {
    const due = [...waiting]
    waiting.clear()
    for (const [guildId, payload] of due) send(guildId, payload)
  }

  return {
    put: send,
    flush,
    async drained() {
      clearTimeout(timer)
      waiting.clear()
      if (sending.size > 0) await settleWithin(DRAINED_WITHIN_MS, Promise.all(sending))
    },
  }
}

/** The part of discord.js 14's inside that its `shard.send` calls without waiting for the answer, and its shards. */
interface Connections {
  readonly _ws: {
    send(shardId: number, payload: unknown): Promise<void>
    connect: () => Promise<void>
    readonly strategy: { connect: () => Promise<void>; readonly shards: ReadonlyMap<number, Shard> }
  } | null
}

interface Shard {
  internalConnect: () => Promise<void>
  readonly timeoutAbortControllers: Map<string, AbortController>
}

const stay = (): Promise<void> => Promise.resolve()

/**
 * A client that is destroyed in the middle of its login continues it, and one that waits for its first hello, or
 * between two connections, reconnects half a second later. So each of these steps is taken away first.
 */
function disarm(client: Client): void {
  const { _ws: connections } = client.ws as unknown as Connections
  if (!connections) return
  connections.connect = stay
  connections.strategy.connect = stay
  for (const shard of connections.strategy.shards.values()) {
    shard.internalConnect = stay
    // A client that times out waiting for hello destroys itself twice, and the first call never resolves.
    shard.timeoutAbortControllers.clear()
  }
}

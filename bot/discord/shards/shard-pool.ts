import { Status, WebSocketShard, WebSocketShardEvents, type Client, type ClientOptions } from 'discord.js'
import { settleWithin } from '../../../lib/deadline.ts'
import type { Logger } from '../../../lib/log.ts'
import type { Clock } from '../../player/timers.ts'
import { dropUncached } from './caches.ts'
import { guildsOfShard, addUnavailable, noteOutage, withoutGuilds } from './announced-guilds.ts'
import { insideOf, shardInside, waitForPresentShards, type ClientShard } from '../../../lib/patches/discord-client.ts'
import { LateGuilds, loadLate, type GatewayPacket } from './late-guilds.ts'
import { LeasedStrategy, type WsManager } from './leased-strategy.ts'
import { SessionKeeper } from './session-keeper.ts'
import type { ConnectLimits, ShardLease, ShardSession } from './shard-directory.ts'

/** Discord's response to `GET /gateway/bot`. */
export interface GatewayInformation {
  readonly url: string
  readonly shards: number
  readonly session_start_limit: {
    readonly total: number
    readonly remaining: number
    readonly reset_after: number
    readonly max_concurrency: number
  }
}

export interface ShardPoolOptions {
  readonly information: GatewayInformation
  readonly limits: ConnectLimits
  readonly waitForIdentify: (shardId: number, signal: AbortSignal) => Promise<void>
  readonly clock: Clock
  readonly log: Logger
}

const CLOSE_MS = 1000

interface Entry {
  readonly lease: ShardLease
  readonly keeper: SessionKeeper | null
  /** Whether all its guilds were known once. */
  isEstablished: boolean
  /** Whether the shard continues the session of its former owner, who has saved the guilds. */
  isResumed: boolean
}

/**
 * The connections of one client. They come and go one at a time, and one whose former owner left its session resumes
 * it, with the guilds that the former owner knew.
 */
export class ShardPool {
  readonly #options: ShardPoolOptions
  readonly #entries = new Map<number, Entry>()
  readonly #late = new LateGuilds()
  #client: Client | null = null
  #strategy: LeasedStrategy | null = null

  /** @param leases those to log in with at first. */
  constructor(leases: readonly ShardLease[], options: ShardPoolOptions) {
    this.#options = options
    for (const lease of leases)
      this.#entries.set(lease.shard.shardId, { lease, keeper: null, isEstablished: false, isResumed: false })
  }

  get clientOptions(): Pick<ClientOptions, 'shards' | 'shardCount' | 'ws'> {
    return {
      shards: [...this.#entries.keys()],
      shardCount: this.#options.limits.shardCount,
      ws: { buildStrategy: (manager) => this.#buildStrategy(manager) },
    }
  }

  /** Before the client logs in. */
  bind(client: Client): void {
    this.#client = client
    client.on('raw', (event: { t: string; d: unknown }, shardId: number) =>
      this.#entries.get(shardId)?.keeper?.onDispatch(event),
    )
    client.on('shardReady', (shardId, unavailable) => {
      this.#establish(shardId)
      if (unavailable) void addUnavailable(client, shardId, [...unavailable])
    })
    waitForPresentShards(client)
    this.#adapt(client)
    for (const [shardId, { lease }] of this.#entries) this.#entries.set(shardId, this.#createEntry(lease))
  }

  /** Whether the guild may be there, and is not known yet. */
  isLate(shardId: number, guildId: string): boolean {
    const isEstablished = this.#entries.get(shardId)?.isEstablished ?? false
    return this.#late.has(shardId, guildId) || (!isEstablished && !this.#client?.guilds.cache.has(guildId))
  }

  has(shardId: number): boolean {
    return this.#entries.has(shardId)
  }

  /** The lease under which this service runs the shard's guilds. */
  leaseOf(shardId: number): ShardLease | undefined {
    return this.#entries.get(shardId)?.lease
  }

  /** Connected, with all its guilds. */
  isReady(shardId: number): boolean {
    return (this.#entries.get(shardId)?.isEstablished ?? false) && this.#statusOf(shardId) === Status.Ready
  }

  /** Whether all that were ready once are so now. */
  get areEstablishedReady(): boolean {
    return [...this.#entries].every(([id, { isEstablished }]) => !isEstablished || this.#statusOf(id) === Status.Ready)
  }

  /** One more, of a client that has logged in. Errors come as events of the client. */
  add(lease: ShardLease): void {
    const { shardId } = lease.shard
    const client = this.#client
    if (!client || this.#entries.has(shardId)) return
    this.#entries.set(shardId, this.#createEntry(lease))
    const shard = Reflect.construct(WebSocketShard, [client.ws, shardId]) as WebSocketShard
    shard.status = Status.Connecting
    shard.on('allReady', (unavailable?: Set<string>) => {
      client.emit('shardReady', shardId, unavailable)
      insideOf(client).checkShardsReady()
    })
    client.ws.shards.set(shardId, shard)
    this.#strategy
      ?.start(shardId)
      .catch((err: unknown) => this.#options.log.warn({ err, shardId }, 'shard not started'))
  }

  /** Saves what its next owner needs, so that little is left for `handOver`. Never rejects. */
  async save(shardId: number): Promise<void> {
    await this.#entries.get(shardId)?.keeper?.flush()
  }

  /** Saves its session and closes the connection; Discord keeps the session for the next owner. Never rejects. */
  async handOver(shardId: number): Promise<void> {
    const entry = this.#entries.get(shardId)
    await entry?.keeper?.flush()
    await settleWithin(CLOSE_MS, this.#remove(shardId))
  }

  /** When this returns, nothing is sent or received any more. */
  cut(shardId: number): void {
    this.#strategy?.cut(shardId)
    void this.#remove(shardId)
  }

  close(): void {
    for (const { keeper } of this.#entries.values()) keeper?.stop()
  }

  #adapt(client: Client): void {
    const inside = insideOf(client)
    const handle = inside.handlePacket.bind(inside)
    inside.handlePacket = (packet, shard) => {
      const isHeld = packet !== undefined && this.#late.hold(packet, shard.id)
      if (packet && !isHeld) noteOutage(client, shard.id, packet)
      if (packet?.t === 'GUILD_CREATE') dropUncached(packet.d as object)
      return !isHeld && handle(packet?.t === 'READY' ? withoutGuilds(client, packet) : packet, shard)
    }
  }

  #createEntry(lease: ShardLease): Entry {
    const { clock, log } = this.#options
    const [client, { sessions }] = [this.#client, lease]
    const keeper = sessions && client ? new SessionKeeper({ client, lease, sessions, clock, log }) : null
    return { lease, keeper, isEstablished: false, isResumed: false }
  }

  #establish(shardId: number): void {
    const entry = this.#entries.get(shardId)
    if (!entry) return
    entry.isEstablished = true
    // A saved session must be complete.
    if (this.#late.count(shardId) === 0) entry.keeper?.begin(entry.isResumed)
    entry.isResumed = false
  }

  async #remove(shardId: number): Promise<void> {
    const client = this.#client
    this.#entries.get(shardId)?.keeper?.stop()
    this.#entries.delete(shardId)
    this.#late.end(shardId)
    await this.#strategy?.end(shardId)
    if (!client || this.#entries.has(shardId)) return
    client.ws.shards.delete(shardId)
    insideOf(client).checkShardsReady()
    for (const guild of guildsOfShard(client, shardId)) {
      for (const channelId of guild.channels.cache.keys()) client.channels.cache.delete(channelId)
      client.guilds.cache.delete(guild.id)
    }
  }

  #statusOf(shardId: number): Status | undefined {
    return this.#client?.ws.shards.get(shardId)?.status
  }

  #buildStrategy(manager: WsManager): LeasedStrategy {
    const { information, waitForIdentify } = this.#options
    const isShared = [...this.#entries.values()].some(({ lease }) => lease.sessions !== null)
    // The library would refuse to resume where no login is left; `waitForIdentify` counts them for all services.
    const remaining = isShared ? Infinity : information.session_start_limit.remaining
    const data = { ...information, session_start_limit: { ...information.session_start_limit, remaining } }
    Object.assign(manager, { gatewayInformation: { data, expiresAt: Infinity } })
    manager.options.buildIdentifyThrottler = async () => ({ waitForIdentify })
    manager.options.retrieveSessionInfo = (shardId) => shardInside(this.#client, shardId)?.sessionInfo ?? null
    manager.options.updateSessionInfo = (shardId, session) => {
      const shard = shardInside(this.#client, shardId)
      if (shard) shard.sessionInfo = session
      this.#entries.get(shardId)?.keeper?.onSession(session)
    }
    this.#strategy = new LeasedStrategy(manager, (shardId) => this.#prepare(shardId))
    return this.#strategy
  }

  /** Before a shard connects: the session that its former owner left. @returns whether it is still to connect. */
  async #prepare(shardId: number): Promise<boolean> {
    const entry = this.#entries.get(shardId)
    const sessions = entry?.lease.sessions
    if (!entry || !sessions) return entry !== undefined
    try {
      const session = await sessions.load()
      if (session) await this.#replay(entry, session)
    } catch (err) {
      this.#options.log.warn({ err, shardId }, 'session of the former owner not readable, logging in')
    }
    return this.#entries.get(shardId) === entry
  }

  /** Replays the packets that Discord sent to the former owner. */
  async #replay(entry: Entry, session: ShardSession): Promise<void> {
    const { shardId, shardCount } = entry.lease.shard
    const client = this.#client
    const shard = shardInside(client, shardId)
    if (!client || !shard) return
    const inside = insideOf(client)
    // The shard is not ready before Discord has resumed it.
    shard.expectedGuilds = new Set(['resuming'])
    inside.handlePacket({ t: 'READY', d: { user: session.user, application: session.application, guilds: [] } }, shard)
    clearTimeout(shard.readyTimeout ?? undefined)
    shard.readyTimeout = null
    const others = new Set(await entry.lease.sessions?.guildIds())
    if (others.size < session.guildCount) throw new Error(`Of ${session.guildCount} guilds, ${others.size} are stored.`)
    for await (const guilds of entry.lease.sessions?.guilds(session.first) ?? []) {
      for (const d of guilds) inside.handlePacket({ t: 'GUILD_CREATE', d }, shard)
      for (const guild of guilds) others.delete((guild as { readonly id: string }).id)
    }
    if (this.#entries.get(shardId) !== entry) return
    this.#late.begin(shardId, others)
    const { sequence, sessionId, resumeUrl } = session
    shard.sessionInfo = { sequence, sessionId, shardId, shardCount, resumeURL: resumeUrl }
    entry.keeper?.onSession(shard.sessionInfo)
    const onResumed = (): void => {
      entry.isResumed = true
      shard.off(WebSocketShardEvents.Ready, forget)
      shard.expectedGuilds = new Set()
      shard.checkReady()
      void this.#loadLate(entry, shard)
    }
    // Discord did not resume it, and tells of the guilds itself.
    const forget = (): void => {
      this.#late.end(shardId)
      shard.off(WebSocketShardEvents.Resumed, onResumed)
    }
    shard.once(WebSocketShardEvents.Resumed, onResumed)
    shard.once(WebSocketShardEvents.Ready, forget)
  }

  /** Without them the session is of no use: it logs in. */
  async #loadLate(entry: Entry, shard: ClientShard): Promise<void> {
    const [client, { sessions }, { id: shardId }] = [this.#client, entry.lease, shard]
    const isCurrent = () => this.#entries.get(shardId) === entry
    if (this.#late.count(shardId) === 0 || !sessions || !client) return
    const handle = (packet: GatewayPacket) => void insideOf(client).handlePacket(packet, shard)
    try {
      await loadLate(this.#late, { shardId, sessions, handle, isCurrent })
      if (isCurrent()) entry.keeper?.begin(true)
    } catch (err) {
      if (!isCurrent()) return
      this.#options.log.warn({ err, shardId }, 'guilds of the former owner not readable, logging in')
      this.#late.end(shardId)
      await this.#strategy?.logInAgain(shardId)
    }
  }
}

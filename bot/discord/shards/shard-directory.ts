/** One of the connections to Discord that share the guilds of a bot between them. */
export interface Shard {
  readonly botId: string
  readonly shardId: number
  readonly shardCount: number
}

/** The right to run a shard. At any moment at most one service holds it. */
export interface ShardLease {
  readonly shard: Shard
  /** Larger than that of every earlier owner, so that the database can refuse what an earlier owner still writes. */
  readonly token: number
  /** Read it before anything is sent: a service that could not renew in time has lost the shard. */
  readonly isHeld: boolean
  /**
   * About when its former owner fell silent that was lost, by this service's monotonic clock; null if it handed the shard over,
   * or if there was none.
   */
  readonly formerSilentAtMs: number | null
  /** Store of the shard's session with Discord for the next owner; null if sessions end with this service. */
  readonly sessions: SessionStore | null
}

/** A session with Discord that another connection can resume. */
export interface ShardSession {
  readonly sessionId: string
  readonly resumeUrl: string
  /** Sequence of the last event that the guilds reflect. */
  readonly sequence: number
  /** The bot's user and application, as READY had them. */
  readonly user: object
  readonly application: object
  /** Guilds where the bot is in voice, or was a moment ago: the next owner reads them before all others. */
  readonly first: readonly string[]
  /** Number of stored guilds. With fewer, the session is of no use. */
  readonly guildCount: number
}

/** The state that the owner of a shard leaves to the next one. Discord does not send a resumed session its guilds again. */
export interface SessionStore {
  /** Null if none was left, or if it is not of this number of shards. */
  load(): Promise<ShardSession | null>
  guildIds(): Promise<readonly string[]>
  /** The guilds of that session, as GUILD_CREATE had them, in batches; of those that are named, the ones that are stored. */
  guilds(named?: readonly string[]): AsyncIterable<readonly object[]>
  /** Guilds of a session that has just begun, together. @throws while they cannot be saved. */
  savePage(guilds: ReadonlyMap<string, object>): Promise<void>
  /** Guilds that changed, in place of what a page has of them; null for one that is gone. @throws while it cannot be saved. */
  saveGuilds(guilds: ReadonlyMap<string, object | null>): Promise<void>
  /**
   * After the guilds that it reflects. @returns false if it has less than was saved, as after a loss of its data: then it is not saved.
   * @throws while it cannot be saved.
   */
  save(session: ShardSession): Promise<boolean>
  /** The session is over: the next owner has to log in. */
  clear(): Promise<void>
}

/** Connection limits of a bot, from Discord's `GET /gateway/bot`. */
export interface ConnectLimits {
  /** Number of connections that Discord recommends. */
  readonly shardCount: number
  /** Number of connections that may log in at once. */
  readonly maxConcurrency: number
  /** Logins allowed a day, logins left, and the time until the reset. */
  readonly total: number
  readonly remaining: number
  readonly resetAfterMs: number
}

export interface ShardLoad {
  readonly guilds: number
  readonly players: number
  /** Connected, with all its guilds. A service takes no more shards than can log in soon. */
  readonly isReady: boolean
  /** Whether the shard's saved players are being restored. */
  readonly isRestoring: boolean
}

/** Runs the shards of one bot in this service. */
export interface ShardRunner {
  /** This service holds them from now on. */
  start(leases: readonly ShardLease[]): void
  /** Saves its players and leaves Discord such that another service can resume. Never rejects. */
  handOver(shardId: number): Promise<void>
  /** The lease is lost. When this returns, nothing of the shard sounds or is sent any more. */
  cut(shardId: number): void
  load(shardId: number): ShardLoad
}

/** A bot that this service takes part in running. */
export interface ShardMembership {
  /** Resolves when this shard may log in. @throws {Error} when `signal` aborts. */
  waitForIdentify(shardId: number, signal: AbortSignal): Promise<void>
  /** Something that balance depends on has changed: a shard is ready. */
  changed(): void
  /** Gives up all its shards, whose runner has ended them. */
  close(): Promise<void>
}

export interface ShardOwner {
  readonly serviceId: string
  /** URL at which the other services reach it. */
  readonly url: string
}

export interface ShardDirectory {
  /** Whether other services may run shards of the same bots. */
  readonly isShared: boolean
  /** Whether this service hands its shards over, and acquires none. */
  readonly isDraining: boolean
  join(botId: string, limits: ConnectLimits, runner: ShardRunner): ShardMembership
  /** The token for what is written about a guild; 0 if this service does not hold its shard. */
  leaseOf(botId: string, guildId: string): number
  /** Whether this service may act in a guild now. */
  isHeldHere(botId: string, guildId: string): boolean
  /** The other service that runs a guild of a bot; null if none is known to. */
  whoRuns(botId: string, guildId: string): ShardOwner | null
  /** Number of players that other services have for a project. About a second old. */
  countElsewhere(projectId: string): number
  /** Hands all shards over, one after the other, and takes no more. */
  drain(): Promise<void>
}

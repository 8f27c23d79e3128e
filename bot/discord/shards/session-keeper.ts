import { type GatewayPacket, guildOf } from './late-guilds.ts'
import type { APIVoiceState, GatewayGuildCreateDispatchData } from 'discord-api-types/v10'
import type { Client } from 'discord.js'
import type { Logger } from '../../../lib/log.ts'
import type { Clock } from '../../player/timers.ts'
import type { SessionInfo } from '../../../lib/patches/discord-client.ts'
import { guildsOfShard } from './announced-guilds.ts'
import type { SessionStore, ShardLease } from './shard-directory.ts'
import { StoredGuilds } from './stored-guilds.ts'

interface SessionKeeperOptions {
  readonly client: Client
  readonly lease: ShardLease
  readonly sessions: SessionStore
  readonly clock: Clock
  readonly log: Logger
}

/**
 * Save interval. After a crash Discord sends the events since the last save again; it keeps a few hundred for a
 * session.
 */
const SAVE_EVERY_MS = 1000

const ABOUT_GUILDS = /^(?:GUILD_|CHANNEL_|VOICE_STATE_)/

/**
 * Keeps the session of one shard, and the guilds that it has told of, where the next owner finds them. Guilds are
 * stored on pages while Discord describes them, then those that change, and the session last.
 */
export class SessionKeeper {
  readonly #options: SessionKeeperOptions
  readonly #guilds: StoredGuilds
  readonly #voiced: VoicedGuilds
  #session: SessionInfo | null = null
  #saved: SessionInfo | null = null
  /** The session whose guilds are stored. */
  #storedId: string | null = null
  /** Discord describes the guilds of a new session. */
  #isLoggingIn = false
  #isComplete = false
  #isStopped = false
  #saving: Promise<void> = Promise.resolve()
  #cancel: (() => void) | null = null

  constructor(options: SessionKeeperOptions) {
    this.#options = options
    this.#guilds = new StoredGuilds(options)
    this.#voiced = new VoicedGuilds(options.clock)
  }

  /** The session or its sequence has changed; null: Discord does not know it any more. */
  onSession(now: SessionInfo | null): void {
    if (now?.sessionId !== this.#session?.sessionId) this.#isComplete = false
    this.#session = now
  }

  /** Before the client handles it. */
  onDispatch(event: GatewayPacket): void {
    this.#voiced.onDispatch(event, this.#options.client.user?.id)
    if (event.t === 'READY') return this.#beginLogin()
    if (event.t !== 'GUILD_CREATE' || !this.#isLoggingIn) return this.#noteChange(event)
    const d = event.d as GatewayGuildCreateDispatchData
    if (!d.unavailable && this.#guilds.described(d)) this.#storePage()
  }

  /** All guilds are known from now on. @param areSaved the former owner of this session has saved them. */
  begin(areSaved: boolean): void {
    const { client, lease } = this.#options
    this.#isLoggingIn = false
    this.#isComplete = true
    this.#storePage()
    if (areSaved) this.#storedId = this.#session?.sessionId ?? null
    for (const guild of guildsOfShard(client, lease.shard.shardId)) {
      if (guild.voiceStates.cache.get(client.user?.id ?? '')?.channelId) this.#voiced.add(guild.id)
      if (areSaved) this.#guilds.found(guild.id)
      else this.#guilds.known(guild.id)
    }
    this.#schedule()
  }

  /** Saves what is not saved yet, for an orderly hand-over. Never rejects. */
  flush(): Promise<void> {
    return this.#inTurn(() => this.#save())
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel?.()
  }

  #schedule(): void {
    this.#cancel?.()
    if (this.#isStopped) return
    this.#cancel = this.#options.clock.after(SAVE_EVERY_MS, () => void this.flush().finally(() => this.#schedule()))
  }

  /** @param act never rejects. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    return (this.#saving = this.#saving.then(act))
  }

  #beginLogin(): void {
    const sessionId = this.#session?.sessionId
    this.#isLoggingIn = true
    void this.#inTurn(async () => {
      if (sessionId !== this.#session?.sessionId || !this.#options.lease.isHeld) return
      await this.#clear().catch((err: unknown) => this.#options.log.debug({ err }, 'clearing session failed'))
    })
  }

  #storePage(): void {
    const sessionId = this.#session?.sessionId
    const isStillWanted = (): boolean =>
      this.#storedId === sessionId && this.#session?.sessionId === sessionId && this.#options.lease.isHeld
    void this.#inTurn(this.#guilds.takePage(isStillWanted))
  }

  #noteChange(event: GatewayPacket): void {
    const changed = ABOUT_GUILDS.test(event.t) ? guildOf(event) : undefined
    if (changed !== undefined) this.#guilds.changed(changed)
  }

  /** Empties the store, which belongs to the present session from then on. */
  async #clear(): Promise<void> {
    const sessionId = this.#session?.sessionId ?? null
    this.#storedId = null
    await this.#options.sessions.clear()
    this.#guilds.forget()
    this.#storedId = sessionId
  }

  async #save(): Promise<void> {
    const { lease, log } = this.#options
    if (!this.#isComplete || !lease.isHeld || this.#session === this.#saved) return
    // Events up to this one are in the state that is stored below.
    const upTo = this.#session
    try {
      if (this.#storedId !== (upTo?.sessionId ?? null)) await this.#clear()
      if (!upTo || (await this.#saveAll(upTo))) this.#saved = upTo
      // The store has lost guilds, and all are stored again with the next turn.
      else this.#storedId = null
    } catch (err) {
      log.debug({ err }, 'saving session failed')
    }
  }

  /** @returns false if the store has lost guilds. */
  async #saveAll(session: SessionInfo): Promise<boolean> {
    const { client, lease, sessions } = this.#options
    await this.#guilds.store()
    const { user, application } = client
    if (!user || !application || !lease.isHeld) return true
    return sessions.save({
      sessionId: session.sessionId,
      resumeUrl: session.resumeURL,
      sequence: session.sequence,
      user: { id: user.id, username: user.username, discriminator: user.discriminator, avatar: user.avatar, bot: true },
      application: { id: application.id, flags: application.flags?.bitfield ?? 0 },
      first: this.#voiced.list(),
      guildCount: this.#guilds.count,
    })
  }
}

/** Time after the bot left a channel in which the guild still counts as one of the first, with which a hand-over begins. */
const LEFT_MS = 10_000
const MOST_FIRST = 1000

/** Guilds where the bot is in voice, or was a moment ago. */
export class VoicedGuilds {
  readonly #clock: Pick<Clock, 'nowMs'>
  /** Guild → when the bot left; Infinity while it is there. */
  readonly #leftAtMs = new Map<string, number>()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  add(guildId: string): void {
    this.#leftAtMs.set(guildId, Infinity)
  }

  onDispatch({ t, d }: GatewayPacket, ownId: string | undefined): void {
    if (t !== 'VOICE_STATE_UPDATE') return
    const {
      user_id: userId,
      guild_id: guildId,
      channel_id: channelId,
    } = d as APIVoiceState & { readonly guild_id?: string }
    if (userId !== ownId || guildId === undefined) return
    if (channelId !== null) this.add(guildId)
    else if (this.#leftAtMs.get(guildId) === Infinity) this.#leftAtMs.set(guildId, this.#clock.nowMs())
  }

  list(): readonly string[] {
    const sinceMs = this.#clock.nowMs() - LEFT_MS
    for (const [guildId, leftAtMs] of this.#leftAtMs) if (leftAtMs < sinceMs) this.#leftAtMs.delete(guildId)
    return [...this.#leftAtMs.keys()].slice(0, MOST_FIRST)
  }
}

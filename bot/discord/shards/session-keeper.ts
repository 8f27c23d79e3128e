import type { Client, Guild } from 'discord.js'
import type { APIVoiceState } from 'discord-api-types/v10'
import type { Logger } from '../../../lib/log.ts'
import { slices } from '../../../lib/process/slices.ts'
import type { Clock } from '../../player/timers.ts'
import { snapshotGuild } from './guild-snapshot.ts'
import { guildOf, type Packet } from './late-guilds.ts'
import type { SessionStore, ShardLease } from './shard-directory.ts'

/** A session as @discordjs/ws has it. */
export interface SessionInfo {
  readonly sequence: number
  readonly sessionId: string
  readonly shardId: number
  readonly shardCount: number
  readonly resumeURL: string
}

/** Keeps the session of one shard, and the guilds that it has told of, where the next owner finds them. */
export interface SessionKeeper {
  /** The session or its sequence has changed; null: Discord does not know it any more. */
  onSession(session: SessionInfo | null): void
  onDispatch(event: { readonly t: string; readonly d: unknown }): void
  /** All guilds are known from now on. @param areSaved the former owner of this session has saved them. */
  begin(areSaved: boolean): void
  /** Saves what is not saved yet, for an orderly hand-over. Never rejects. */
  flush(): Promise<void>
  stop(): void
}

export interface SessionKeeperOptions {
  readonly client: Client
  readonly lease: ShardLease
  readonly sessions: SessionStore
  readonly clock: Clock
  readonly log: Logger
}

/** What a crash makes Discord send again; it keeps a few hundred events for a session. */
const SAVE_EVERY_MS = 1000
/** So many guilds are described and packed within a few milliseconds. */
const GUILDS_AT_ONCE = 10

/** For so long after the bot left a channel there, a guild is one of the first: a hand-over begins with that. */
const LEFT_MS = 10_000
const MOST_FIRST = 1000

const ABOUT_GUILDS = /^(?:GUILD_|CHANNEL_|VOICE_STATE_)/

export function createSessionKeeper(options: SessionKeeperOptions): SessionKeeper {
  const { clock, lease } = options
  const dirty = new Set<string>()
  const stored = new Set<string>()
  const voiced = new VoicedGuilds(clock)
  let session: SessionInfo | null = null
  let saved: SessionInfo | null = null
  /** The session whose guilds are stored. */
  let storedId: string | null = null
  let isComplete = false
  let isStopped = false
  let saving: Promise<void> = Promise.resolve()
  let cancel: (() => void) | null = null

  function schedule(): void {
    cancel?.()
    if (!isStopped) cancel = clock.after(SAVE_EVERY_MS, () => void saveInTurn().finally(schedule))
  }

  const saveInTurn = (): Promise<void> => (saving = saving.then(save))

  async function save(): Promise<void> {
    if (!isComplete || !lease.isHeld || session === saved) return
    // What is written below reflects at least all events up to this one.
    const upTo = session
    try {
      if (storedId !== upTo?.sessionId) await options.sessions.clear().then(() => stored.clear())
      storedId = upTo?.sessionId ?? null
      if (!upTo || (await saveAll(options, { dirty, stored, first: voiced.list() }, upTo))) saved = upTo
    } catch (err) {
      options.log.debug({ err }, 'saving session failed')
    }
  }

  return {
    onSession(now) {
      if (now?.sessionId !== session?.sessionId) isComplete = false
      session = now
    },
    onDispatch(event) {
      voiced.onDispatch(event, options.client.user?.id)
      markChanged(dirty, event)
    },
    begin(areSaved) {
      isComplete = true
      if (areSaved) storedId = session?.sessionId ?? null
      for (const guild of guildsOf(options)) {
        if (guild.voiceStates.cache.get(options.client.user?.id ?? '')?.channelId) voiced.add(guild.id)
        if (areSaved) stored.add(guild.id)
        else dirty.add(guild.id)
      }
      schedule()
    },
    flush: () => saveInTurn(),
    stop() {
      isStopped = true
      cancel?.()
    },
  }
}

function guildsOf({ client, lease }: SessionKeeperOptions): Iterable<Guild> {
  return client.guilds.cache.filter(({ shardId }) => shardId === lease.shard.shardId).values()
}

/** Guilds where the bot is in voice, or was a moment ago. */
class VoicedGuilds {
  readonly #clock: Pick<Clock, 'nowMs'>
  /** Guild → when the bot left; Infinity while it is there. */
  readonly #leftAtMs = new Map<string, number>()

  constructor(clock: Pick<Clock, 'nowMs'>) {
    this.#clock = clock
  }

  add(guildId: string): void {
    this.#leftAtMs.set(guildId, Infinity)
  }

  onDispatch({ t, d }: { readonly t: string; readonly d: unknown }, ownId: string | undefined): void {
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

function markChanged(dirty: Set<string>, event: Packet): void {
  const changed = ABOUT_GUILDS.test(event.t) ? guildOf(event) : undefined
  if (changed !== undefined) dirty.add(changed)
}

interface Unsaved {
  readonly dirty: Set<string>
  /** Guilds that the store should have. */
  readonly stored: Set<string>
  readonly first: readonly string[]
}

/** @returns false if the store has lost guilds, which are written again with the next turn. */
async function saveAll(
  { client, lease, sessions }: SessionKeeperOptions,
  { dirty, stored, first }: Unsaved,
  session: SessionInfo,
): Promise<boolean> {
  for (const ids = [...dirty]; ids.length > 0; await slices.next()) {
    const some = ids.splice(0, GUILDS_AT_ONCE)
    const guilds = some.map((id) => [id, client.guilds.cache.get(id)] as const)
    for (const id of some) dirty.delete(id)
    try {
      await sessions.saveGuilds(new Map(guilds.map(([id, guild]) => [id, guild ? snapshotGuild(guild) : null])))
      for (const [id, guild] of guilds) void (guild ? stored.add(id) : stored.delete(id))
    } catch (err) {
      for (const id of some) dirty.add(id)
      throw err
    }
  }
  const { user, application } = client
  if (!user || !application || !lease.isHeld) return true
  const hasAll = await sessions.save({
    sessionId: session.sessionId,
    resumeUrl: session.resumeURL,
    sequence: session.sequence,
    user: { id: user.id, username: user.username, discriminator: user.discriminator, avatar: user.avatar, bot: true },
    application: { id: application.id, flags: application.flags?.bitfield ?? 0 },
    first,
    guildCount: stored.size,
  })
  if (!hasAll) for (const id of stored) dirty.add(id)
  return hasAll
}

import { Status, type Guild } from 'discord.js'
import type { Logger } from '../../lib/log.ts'
import { slices } from '../../lib/process/slices.ts'
import { ownVoice } from './voice-channels.ts'
import type { Clock } from '../player/timers.ts'
import type { Gateway } from './gateway.ts'
import type { Player } from '../player/player.ts'
import type { Players } from '../player/player-registry.ts'
import type { SessionRestore } from '../player/restore/session-restore.ts'

interface ReconcilerOptions {
  /** Of the bot. */
  readonly id: string
  readonly gateway: Pick<Gateway, 'client' | 'leaveVoice'>
  readonly players: Pick<Players, 'findAny'>
  readonly sessionRestore: Pick<SessionRestore, 'isRestoring'>
  readonly clock: Clock
  readonly log: Logger
}

const CHECK_EVERY_MS = 60_000
/** A join or leave that was just sent shows within this time; only a difference that outlasts it is repaired. */
const GRACE_MS = 3000
/**
 * Each repair sends up to two of the 120 payloads a minute that Discord takes; most of them are for joins of callers.
 */
const MAX_REPAIRS_PER_MINUTE = 20
/** Guilds compared in one go, which takes less than a millisecond. */
const GUILDS_AT_ONCE = 250

/** Discord shows the bot in one channel, or nowhere (null), and its player is in another, or there is none. */
interface Mismatch {
  readonly guild: Guild
  readonly shownChannelId: string | null
  readonly player: Player | undefined
  /** When it is repaired if it is still there. */
  readonly dueMs: number
}

/** Compares the players of one bot with where Discord shows it, and repairs what differs. */
export class Reconciler {
  readonly #options: ReconcilerOptions
  readonly #mismatches = new Map<string, Mismatch>()
  #repairedAtMs: readonly number[] = []
  #pass: 'none' | 'running' | 'again' = 'none'
  #isClosed = false
  #cancel: () => void
  #cancelSoon: (() => void) | null = null

  constructor(options: ReconcilerOptions) {
    this.#options = options
    this.#cancel = options.clock.after(CHECK_EVERY_MS, () => this.check())
  }

  /** Looks now, at one guild or at all: after the gateway or a guild came back, or a player ended. Also each minute. */
  check(guildId?: string): void {
    if (guildId !== undefined) {
      const guild = this.#options.gateway.client.guilds.cache.get(guildId)
      if (guild) this.#checkOne(guild)
      this.#plan()
    } else if (this.#pass === 'none') {
      this.#pass = 'running'
      void this.#checkAll()
    } else {
      this.#pass = 'again'
    }
  }

  /** Looks at all within a few seconds, once for all calls until then. */
  checkSoon(): void {
    this.#cancelSoon ??= this.#options.clock.after(GRACE_MS, () => {
      this.#cancelSoon = null
      this.check()
    })
  }

  close(): void {
    this.#isClosed = true
    this.#cancel()
    this.#cancelSoon?.()
  }

  async #checkAll(): Promise<void> {
    const { cache } = this.#options.gateway.client.guilds
    let compared = 0
    for (const guild of cache.values()) {
      this.#checkOne(guild)
      compared += 1
      if (compared % GUILDS_AT_ONCE === 0) await slices.next()
      if (this.#isClosed) return
    }
    for (const guildId of this.#mismatches.keys()) if (!cache.has(guildId)) this.#mismatches.delete(guildId)
    const isAskedAgain = this.#pass === 'again'
    this.#pass = 'none'
    this.#plan()
    if (isAskedAgain) this.check()
  }

  #checkOne(guild: Guild): void {
    const found = compare(this.#options, guild, this.#options.clock.nowMs() + GRACE_MS)
    if (found) this.#mismatches.set(guild.id, this.#follow(found, this.#mismatches.get(guild.id)))
    else this.#mismatches.delete(guild.id)
  }

  /** @returns the mismatch as it is from now on. */
  #follow(found: Mismatch, before: Mismatch | undefined): Mismatch {
    const isSame = before?.shownChannelId === found.shownChannelId && before.player === found.player
    if (!isSame) return found
    const nowMs = this.#options.clock.nowMs()
    this.#repairedAtMs = this.#repairedAtMs.filter((atMs) => atMs > nowMs - CHECK_EVERY_MS)
    if (before.dueMs > nowMs || this.#repairedAtMs.length >= MAX_REPAIRS_PER_MINUTE) return before
    this.#repairedAtMs = [...this.#repairedAtMs, nowMs]
    repair(this.#options, found)
    return { ...found, dueMs: nowMs + CHECK_EVERY_MS }
  }

  /** When all are compared the next time. */
  #plan(): void {
    const { clock } = this.#options
    const nowMs = clock.nowMs()
    const waits = Array.from(this.#mismatches.values(), ({ dueMs }) => (dueMs > nowMs ? dueMs - nowMs : GRACE_MS))
    this.#cancel()
    if (!this.#isClosed) this.#cancel = clock.after(Math.min(CHECK_EVERY_MS, ...waits), () => this.check())
  }
}

/** Null if both agree, or where a join, a recovery or a leave is under way. */
function compare(options: ReconcilerOptions, guild: Guild, dueMs: number): Mismatch | null {
  const { id, gateway, players, sessionRestore } = options
  if (!guild.available || guild.shard.status !== Status.Ready) return null
  const player = players.findAny(id, guild.id)
  const shownChannelId = ownVoice(gateway.client, guild).channelId
  const { channelId, isChanging } = player?.presence() ?? {
    channelId: null,
    isChanging: sessionRestore.isRestoring(id, guild.id),
  }
  if (isChanging || shownChannelId === channelId) return null
  return { guild, shownChannelId, player, dueMs }
}

/** Without a player the bot leaves. A player follows a move, and joins again where Discord shows the bot nowhere. */
function repair({ gateway, log }: ReconcilerOptions, { guild, shownChannelId, player }: Mismatch): void {
  log.warn(
    { guildId: guild.id, shownChannelId, playerChannelId: player?.presence().channelId ?? null },
    'voice state reconciled',
  )
  if (!player) gateway.leaveVoice(guild.id)
  else if (shownChannelId !== null) player.placed(ownVoice(gateway.client, guild))
  else player.recover()
}

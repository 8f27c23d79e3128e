import { Status, type Guild } from 'discord.js'
import type { Logger } from '../../lib/log.ts'
import { ownVoice } from './voice-channels.ts'
import type { Clock } from '../player/timers.ts'
import type { Gateway } from './gateway.ts'
import type { Player } from '../player/player.ts'
import type { Players } from '../player/player-registry.ts'
import type { SessionRestore } from '../player/restore/session-restore.ts'

/** Compares the players of one bot with where Discord shows it, and repairs what differs. */
export interface Reconciler {
  /** Looks now, at one guild or at all: after the gateway or a guild came back, or a player ended. Also each minute. */
  check(guildId?: string): void
  /** Looks at all within a few seconds, once for all calls until then. */
  checkSoon(): void
  close(): void
}

export interface ReconcilerOptions {
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
/** Each repair sends up to two of the 120 payloads a minute that Discord takes; most of them are for joins of callers. */
const MAX_REPAIRS_PER_MINUTE = 20

/** Discord shows the bot in one channel, or nowhere (null), and its player is in another, or there is none. */
interface Mismatch {
  readonly guild: Guild
  readonly shownChannelId: string | null
  readonly player: Player | undefined
  /** When it is repaired if it is still there. */
  readonly dueMs: number
}

export function createReconciler(options: ReconcilerOptions): Reconciler {
  const { gateway, clock } = options
  let mismatches = new Map<string, Mismatch>()
  let repairedAtMs: number[] = []
  let cancel = clock.after(CHECK_EVERY_MS, () => check())

  /** @returns the mismatch as it is from now on. */
  function follow(found: Mismatch, before: Mismatch | undefined): Mismatch {
    const isSame = before?.shownChannelId === found.shownChannelId && before.player === found.player
    if (!isSame) return found
    const nowMs = clock.nowMs()
    if (before.dueMs > nowMs || repairedAtMs.length >= MAX_REPAIRS_PER_MINUTE) return before
    repairedAtMs.push(nowMs)
    repair(options, found)
    return { ...found, dueMs: nowMs + CHECK_EVERY_MS }
  }

  function check(guildId?: string): void {
    const nowMs = clock.nowMs()
    repairedAtMs = repairedAtMs.filter((atMs) => atMs > nowMs - CHECK_EVERY_MS)
    const before = mismatches
    mismatches = new Map(guildId === undefined ? [] : before)
    const { cache } = gateway.client.guilds
    for (const guild of guildId === undefined ? cache.values() : [cache.get(guildId)]) {
      const found = guild && compare(options, guild, nowMs + GRACE_MS)
      if (found) mismatches.set(guild.id, follow(found, before.get(guild.id)))
      else if (guild) mismatches.delete(guild.id)
    }
    cancel()
    const waits = Array.from(mismatches.values(), ({ dueMs }) => (dueMs > nowMs ? dueMs - nowMs : GRACE_MS))
    cancel = clock.after(Math.min(CHECK_EVERY_MS, ...waits), () => check())
  }

  let cancelSoon: (() => void) | null = null
  return {
    check,
    checkSoon() {
      cancelSoon ??= clock.after(GRACE_MS, () => {
        cancelSoon = null
        check()
      })
    },
    close() {
      cancel()
      cancelSoon?.()
    },
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

import type { SavedPlayer } from '../../db/music/players.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { QueuedTrack } from './player-parts.ts'
import type { RestoredState } from './player.ts'
import type { GuildDefaults, Players } from './player-registry.ts'
import type { SavedPlayers } from './saved-players.ts'
import type { Recommendation } from '../autoplay/song.ts'
import type { Clock } from './timers.ts'
import { decodeToken } from '../tracks/track-token.ts'

/** Discord takes 120 payloads a minute from a bot; joins that wait behind them for long would seem to fail. */
const JOINS_AT_ONCE = 5

/** A guild that a bot sees for the first time since it connected. */
export interface SeenGuild {
  readonly id: string
  /** Where Discord still shows the bot. */
  readonly ownChannelId: string | null
  /** @throws {Fault} when the channel is gone or closed to the bot. */
  joinable(channelId: string): string
  countListeners(channelId: string): number
  /** Takes the bot out of the call that Discord shows it in. */
  leave(): void
}

/** Brings back the players that a restart interrupted. */
export interface SessionRestore {
  /**
   * Saved players continue where they were if humans still listen, or if they stay around the clock, and are forgotten
   * otherwise. A call that no player belongs to, left over from a crash, is left.
   */
  comeBack(bot: { readonly id: string; readonly projectId: string }, guilds: readonly SeenGuild[]): void
  /** Whether a saved player of this guild waits for its turn to join. */
  isRestoring(botId: string, guildId: string): boolean
}

export interface SessionRestoreOptions {
  readonly players: Players
  readonly states: Pick<SavedPlayers, 'list' | 'remove'>
  readonly guildDefaultsOf: (botId: string, guildId: string) => Pick<GuildDefaults, 'stays'>
  readonly clock: Pick<Clock, 'dateMs'>
  readonly log: Logger
}

export function createSessionRestore({
  players,
  states,
  guildDefaultsOf,
  clock,
  log,
}: SessionRestoreOptions): SessionRestore {
  /** Saved players that wait for their turn, or join now. */
  const restoring = new Set<string>()

  function forget({ projectId, botId, guildId }: SavedPlayer): void {
    states.remove(projectId, botId, guildId)
  }

  async function restore(saved: SavedPlayer): Promise<void> {
    const { botId, guildId, channelId, positionMs } = saved
    try {
      await players.restore({ ...saved, ...tracksOf(saved) })
      log.info({ botId, guildId, channelId, positionMs }, 'player restored')
    } catch (err) {
      log.warn({ err, botId, guildId, channelId }, 'restoring player failed')
      // Without an audio node, or during a shutdown, it is not the channel's fault: the next start may do better.
      if (err instanceof Fault && err.code === 'validation_error') forget(saved)
    } finally {
      restoring.delete(`${botId} ${guildId}`)
    }
  }

  async function restoreInTurn(waiting: SavedPlayer[]): Promise<void> {
    for (let saved = waiting.shift(); saved; saved = waiting.shift()) await restore(saved)
  }

  /** @returns what is to be restored of the guild, if anything. */
  function settle(guild: SeenGuild, botId: string, saved: SavedPlayer | undefined): readonly SavedPlayer[] {
    if (players.findAny(botId, guild.id)) return []
    if (saved && isWanted(saved, guild, { ...guildDefaultsOf(botId, guild.id), nowMs: clock.dateMs() })) return [saved]
    if (saved) {
      log.info({ botId, guildId: guild.id, channelId: saved.channelId }, 'saved player discarded')
      forget(saved)
    }
    if (guild.ownChannelId !== null) {
      log.info({ botId, guildId: guild.id, channelId: guild.ownChannelId }, 'left empty voice channel')
      guild.leave()
    }
    return []
  }

  return {
    comeBack({ id, projectId }, guilds) {
      const saved = new Map(states.list(projectId, id).map((state) => [state.guildId, state]))
      const waiting = guilds.flatMap((guild) => settle(guild, id, saved.get(guild.id)))
      for (const { botId, guildId } of waiting) restoring.add(`${botId} ${guildId}`)
      for (let line = 0; line < JOINS_AT_ONCE; line += 1) void restoreInTurn(waiting)
    },
    isRestoring: (botId, guildId) => restoring.has(`${botId} ${guildId}`),
  }
}

/** Whether to restore: something to play and a listener, or `stay`, and within the time limit. */
function isWanted(saved: SavedPlayer, guild: SeenGuild, { stays, nowMs }: { stays: boolean; nowMs: number }): boolean {
  if (saved.sleep !== null && saved.sleep.endsAtMs !== null && saved.sleep.endsAtMs <= nowMs) return false
  if (!stays && (saved.current === null || guild.countListeners(saved.channelId) === 0)) return false
  try {
    guild.joinable(saved.channelId)
    return true
  } catch {
    return false
  }
}

/** Equal tokens become the same track object, so `previous` finds it in the queue. */
function tracksOf(saved: SavedPlayer): Pick<RestoredState, 'current' | 'queue' | 'past' | 'nextTrack'> {
  const known = new Map<string, QueuedTrack>()
  function toQueued(encoded: string, requesterId: string | null): QueuedTrack {
    const there = known.get(`${encoded} ${requesterId}`)
    const track = there ?? { info: decodeToken(encoded), encoded, requesterId }
    known.set(`${encoded} ${requesterId}`, track)
    return track
  }

  if (saved.current !== null && saved.recommendation !== null) {
    const requesterId = saved.requesterIds[0] ?? null
    const recommendation = saved.recommendation as Recommendation
    known.set(`${saved.current} ${requesterId}`, { ...toQueued(saved.current, requesterId), recommendation })
  }
  const line = saved.current === null ? saved.queue : [saved.current, ...saved.queue]
  const tracks = line.map((encoded, at) => toQueued(encoded, saved.requesterIds[at] ?? null))
  const past = saved.past.map((encoded) => tracks.find((it) => it.encoded === encoded) ?? toQueued(encoded, null))
  const nextTrack = saved.nextTrack === null ? null : toQueued(saved.nextTrack, null)
  if (saved.current === null) return { current: null, queue: tracks, past, nextTrack }
  return { current: tracks[0] ?? null, queue: tracks.slice(1), past, nextTrack }
}

import type { SavedPlayer } from '../../../db/music/players.ts'
import { wait } from '../../../lib/clock.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import type { QueuedTrack } from '../player-parts.ts'
import type { RestoredState } from '../player.ts'
import type { GuildDefaults, Players } from '../player-registry.ts'
import type { SavedPlayers } from '../saved-players.ts'
import type { Recommendation } from '../../autoplay/song.ts'
import type { Clock } from '../timers.ts'
import { tempoOf } from '../audio-settings/filters.ts'
import { decodeToken } from '../../tracks/track-token.ts'
import { createRestoreQueue } from './restore-queue.ts'

const NO_AGES: ReadonlyMap<string, number> = new Map()
const guildIdOf = ({ guildId }: SavedPlayer): string => guildId
/** Positions are saved every 2.5 s, and a service that is cut off falls silent 2.4 s later. */
const MOST_PLAYED_ON_MS = 6000
const LEFT_OF_TRACK_MS = 1000
/** Until the next try where the database did not answer. */
const RETRY_MS = 2000
/** An audio node may end while players join by it; the next attempt is by another. With none, a while passes until one is back. */
const JOIN_AGAIN_AFTER_MS = [200, 1000, 2000, 4000, 8000, 15_000, 30_000]
/** Limit of guilds named in a query; with more, all saved players of the bot are read. */
const MOST_NAMED = 500

/** A guild that a bot sees for the first time since it connected. */
interface SeenGuild {
  readonly id: string
  /** The voice channel in which Discord still shows the bot. */
  readonly ownChannelId: string | null
  /** Another service ran the bot there until now, and Discord still believes it. Defaults to no. */
  readonly isTakenOver?: boolean
  /** @throws {Fault} when the channel is gone or closed to the bot. */
  joinable(channelId: string): string
  countListeners(channelId: string): number
  /** Takes the bot out of the call that Discord shows it in. */
  leave(): void
}

interface SeenBot {
  readonly id: string
  readonly projectId: string
  /** Whether it has left Discord since. Defaults to no. */
  readonly isGone?: () => boolean
  /** The lease under which this service owns the guilds. Defaults to that of a single service. */
  readonly lease?: number
  /** About when another service fell silent that was lost, by `clock.nowMs`; null or left out: none was. */
  readonly formerSilentAtMs?: number | null
}

interface Saved extends Pick<GuildDefaults, 'stays'> {
  readonly state: SavedPlayer
  /** Whether the player's position is further than the saved one. */
  readonly hasPlayedOn: boolean
}

interface Returning {
  readonly saved: SavedPlayer
  /** Another service played it until now. */
  readonly isContinued: boolean
  /** On purpose: it was not lost. */
  readonly isHandedOver: boolean
  readonly listeners: number
  /** This service does not run the guild any more. */
  readonly isGone: () => boolean
}

/** Brings back the players that a restart interrupted. */
export type SessionRestore = ReturnType<typeof createSessionRestore>

interface SessionRestoreOptions {
  readonly players: Players
  readonly states: Pick<SavedPlayers, 'list' | 'save' | 'remove' | 'claim' | 'ages'>
  readonly readDefaults: (botId: string, guildId: string) => Promise<Pick<GuildDefaults, 'stays'>>
  readonly clock: Pick<Clock, 'nowMs' | 'dateMs' | 'after'>
  readonly log: Logger
}

export function createSessionRestore(options: SessionRestoreOptions) {
  const { players, states, clock, log } = options
  const readSaved = createSavedReads(options)
  /** Saved players that wait for their turn, or join now. */
  const restoring = new Set<string>()

  const forget = ({ projectId, botId, guildId }: SavedPlayer) => states.remove(projectId, botId, guildId)

  const queue = createRestoreQueue({ restore: (one: Returning) => restore(options, restoring, one), clock, log })

  /** @returns what is to be restored of the guild, if anything. */
  function settle(guild: SeenGuild, bot: SeenBot, saved: Saved | undefined): readonly Returning[] {
    const botId = bot.id
    if (players.findAny(botId, guild.id)) return []
    if (saved && isWanted(saved.state, guild, { stays: saved.stays, nowMs: clock.dateMs() })) {
      // The voice connection of the former owner is over; asked for the same channel, Discord would not open another.
      if (guild.isTakenOver && guild.ownChannelId !== null) guild.leave()
      const listeners = guild.countListeners(saved.state.channelId)
      const isContinued = guild.isTakenOver ?? false
      const isHandedOver = isContinued && (bot.formerSilentAtMs ?? null) === null
      // A service that takes it over next, perhaps before it is back, does not learn when its former one fell silent.
      if (saved.hasPlayedOn) states.save(saved.state)
      const isGone = bot.isGone ?? (() => false)
      return [{ saved: saved.state, isContinued, isHandedOver, listeners, isGone }]
    }
    if (saved) {
      log.info({ botId, guildId: guild.id, channelId: saved.state.channelId }, 'saved player discarded')
      forget(saved.state)
    }
    if (guild.ownChannelId !== null) {
      log.info({ botId, guildId: guild.id, channelId: guild.ownChannelId }, 'left empty voice channel')
      guild.leave()
    }
    return []
  }

  return {
    /**
     * Saved players continue where they were if humans still listen, or if they stay around the clock, and are forgotten
     * otherwise. A call that no player belongs to, left over from a crash, is left.
     * Resolves when all of them are back, or could not be brought back. Never rejects.
     */
    async comeBack(bot: SeenBot, guilds: readonly SeenGuild[]) {
      const keys = guilds.filter(mayReturn).map((guild) => `${bot.id} ${guild.id}`)
      for (const key of keys) restoring.add(key)
      const saved = await readSaved(bot, guilds)
      for (const key of keys) restoring.delete(key)
      if (bot.isGone?.()) return
      const waiting = guilds.flatMap((guild) => settle(guild, bot, saved.get(guild.id)))
      for (const { saved: one } of waiting) restoring.add(`${one.botId} ${one.guildId}`)
      await queue.add(bot.id, waiting)
    },
    /** Whether a saved player of this guild waits for its turn to join. */
    isRestoring: (botId: string, guildId: string) => restoring.has(`${botId} ${guildId}`),
    /** Since the service began. @param botId defaults to all bots. */
    progress: (botId?: string) => queue.progress(botId),
  }
}

/** @returns whether it came back. */
async function restore(options: SessionRestoreOptions, restoring: Set<string>, returning: Returning): Promise<boolean> {
  const { states, log } = options
  const { projectId, botId, guildId, channelId, positionMs } = returning.saved
  try {
    await joinInTime(options, returning)
    log.info({ botId, guildId, channelId, positionMs }, 'player restored')
    return true
  } catch (err) {
    log.warn({ err, botId, guildId, channelId }, 'restoring player failed')
    // Without an audio node, or during a shutdown, it is not the channel's fault: the next start may do better.
    if (err instanceof Fault && err.code === 'validation_error') states.remove(projectId, botId, guildId)
    return false
  } finally {
    restoring.delete(`${botId} ${guildId}`)
  }
}

/** @throws {Fault} why the last attempt failed. */
async function joinInTime(
  { players, clock, log }: SessionRestoreOptions,
  { saved, isContinued, isHandedOver, isGone }: Returning,
): Promise<void> {
  for (const againAfterMs of [...JOIN_AGAIN_AFTER_MS, null]) {
    try {
      return await players.restore({ ...saved, ...tracksOf(saved), isContinued, isHandedOver })
    } catch (err) {
      const mayCome = err instanceof Fault && err.code === 'service_unavailable' && againAfterMs !== null
      if (!mayCome || isGone()) throw err
      log.info({ err, botId: saved.botId, guildId: saved.guildId, againAfterMs }, 'restoring player again')
      await wait(clock, againAfterMs)
      if (isGone()) throw err
    }
  }
}

/**
 * Whether a player that is requested now could replace a saved one. A service that hands a guild over has left its channel
 * already.
 */
function mayReturn({ ownChannelId, isTakenOver }: SeenGuild): boolean {
  return isTakenOver === true || ownChannelId !== null
}

type FoundPlayers = ReadonlyMap<string, Saved>

/** Guilds that come one by one, as after an outage, are read together: one read at a time takes all that wait. */
function createSavedReads(options: SessionRestoreOptions) {
  const waiting = new Map<string, { readonly guilds: SeenGuild[]; readonly found: Promise<FoundPlayers> }>()
  const running = new Map<string, Promise<unknown>>()

  return (bot: SeenBot, guilds: readonly SeenGuild[]): Promise<FoundPlayers> => {
    const key = `${bot.id} ${bot.lease ?? 0}`
    const joined = waiting.get(key)
    joined?.guilds.push(...guilds)
    if (joined) return joined.found
    const all = [...guilds]
    const read = async (): Promise<FoundPlayers> => {
      await running.get(key)
      waiting.delete(key)
      const reading = readSaved(options, bot, all)
      running.set(key, reading)
      const saved = await reading
      if (running.get(key) === reading) running.delete(key)
      return saved
    }
    const found = read()
    waiting.set(key, { guilds: all, found })
    return found
  }
}

/** Reads the saved players of these guilds, by guild, as soon as the database answers. */
async function readSaved(
  { states, readDefaults, clock, log }: SessionRestoreOptions,
  { id, projectId, isGone = () => false, lease = 0, formerSilentAtMs = null }: SeenBot,
  guilds: readonly SeenGuild[],
): Promise<ReadonlyMap<string, Saved>> {
  const named = guilds.length <= MOST_NAMED ? guilds.map((guild) => guild.id) : undefined
  while (!isGone()) {
    try {
      if (lease > 0) await states.claim(id, named ?? guilds.map((guild) => guild.id), lease)
      const saved = await states.list(projectId, id, named)
      const silentAtMs = formerSilentAtMs ?? -Infinity
      const ages = formerSilentAtMs === null ? NO_AGES : await states.ages(id, saved.map(guildIdOf))
      const nowMs = clock.nowMs()
      const all = saved.map(async (state): Promise<[string, Saved]> => {
        const { stays } = await readDefaults(id, state.guildId)
        const ageMs = ages.get(state.guildId) ?? -Infinity
        const silent = playedOn(state, silentAtMs - (nowMs - ageMs))
        return [state.guildId, { state: silent, stays, hasPlayedOn: silent.positionMs !== state.positionMs }]
      })
      return new Map(await Promise.all(all))
    } catch (err) {
      log.error({ err, botId: id }, 'reading saved players failed')
      await wait(clock, RETRY_MS)
    }
  }
  return new Map()
}

/** The player as it was when its former owner fell silent, so long after it had saved it. */
function playedOn(saved: SavedPlayer, afterMs: number): SavedPlayer {
  if (saved.current === null || saved.paused || afterMs <= 0) return saved
  const { lengthMs, isStream } = decodeToken(saved.current)
  if (isStream) return saved
  const furtherMs = Math.min(afterMs, MOST_PLAYED_ON_MS) * tempoOf(saved.filters)
  // The end of a track that was just over is heard once more.
  const mostMs = lengthMs > 0 ? Math.max(saved.positionMs, lengthMs - LEFT_OF_TRACK_MS) : Infinity
  return { ...saved, positionMs: Math.round(Math.min(saved.positionMs + furtherMs, mostMs)) }
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

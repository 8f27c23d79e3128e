import { randomBytes } from 'node:crypto'
import type { AudioEvent, AudioNode } from '../../bot/audio/node/protocol.ts'
import type { Clock } from '../../bot/player/timers.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { Release } from '../../lib/sharing/fair-share.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import type { PlayerCeiling } from '../players/player-ceiling.ts'
import { LavalinkPlayer } from '../players/player.ts'
import type { StatsObject } from '../protocol/stats.ts'
import type { TrackService } from '../tracks/track-service.ts'
import { createMachineStats } from './stats.ts'
import { Session } from './session.ts'

/** Sessions that one project may have. */
const MAX_SESSIONS = 20
/** So that no foreign bot is ever taken for one of ours, or of another session. */
const BOT_PREFIX = 'lavalink:'
/** After its end a player is not brought back by what a client had still to say of it. */
const LATE_MS = 10_000

export interface SessionsOptions {
  readonly nodes: readonly AudioNode[]
  readonly tracks: TrackService
  readonly ceiling: PlayerCeiling
  readonly clock: Clock
  readonly log: Logger
}

/** Who connects, and which session it wants back. */
export interface Arrival {
  readonly caller: NodeCaller
  readonly userId: string
  readonly clientName: string | null
  readonly sessionId: string | undefined
}

/** All sessions of the node, with their players. */
export class Sessions {
  readonly #options: SessionsOptions
  readonly #sessions = new Map<string, Session>()
  readonly #places = new WeakMap<LavalinkPlayer, Release>()
  /** When players were destroyed, by session and guild. */
  readonly #destroyed = new Map<string, number>()
  readonly #machine: () => Pick<StatsObject, 'uptime' | 'memory' | 'cpu'>

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#machine = createMachineStats(() => options.clock.nowMs())
    for (const node of options.nodes) {
      node.onEvent((event) => this.#hear(event))
      node.onRestarted(() => this.#recover(node))
    }
  }

  all(): Iterable<Session> {
    return this.#sessions.values()
  }

  /** @throws {Fault} `not_found`, also for the session of another project */
  get(caller: NodeCaller, id: string): Session {
    const session = this.#sessions.get(id)
    if (session?.caller.projectId === caller.projectId) return session
    throw new Fault('not_found', 'Session not found')
  }

  /** The session that a client may have back, or a new one. @throws {Fault} `rate_limited` at the bound of the project */
  open({ caller, userId, clientName, sessionId }: Arrival): { readonly session: Session; readonly resumed: boolean } {
    const known = sessionId === undefined ? undefined : this.#sessions.get(sessionId)
    const isSame = known?.caller.projectId === caller.projectId && known.userId === userId
    if (known && isSame && known.isResuming) return { session: known, resumed: true }
    const count = [...this.#sessions.values()].filter((one) => one.caller.projectId === caller.projectId).length
    if (count >= MAX_SESSIONS) {
      throw new Fault('rate_limited', `Your project has ${count} sessions open, which is the most. Close one.`)
    }
    const id = randomBytes(16).toString('hex')
    const session = new Session({
      id,
      caller,
      userId,
      clientName,
      clock: this.#options.clock,
      statsMessage: () => ({ op: 'stats', ...this.stats(), frameStats: null }),
      onOver: (over) => void this.end(over, 1000, 'The session is over.'),
    })
    this.#sessions.set(id, session)
    return { session, resumed: false }
  }

  /** Ends a session with its players. */
  async end(session: Session, code: number, reason: string): Promise<void> {
    if (!this.#sessions.delete(session.id)) return
    const { log } = this.#options
    log.info({ projectId: session.caller.projectId, players: session.players.size, reason }, 'lavalink session ended')
    for (const player of session.players.values()) this.#places.get(player)?.()
    await session.close(code, reason)
  }

  async close(code: number, reason: string): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.end(session, code, reason)))
  }

  /** @throws {Fault} `not_found` */
  player(session: Session, guildId: string): LavalinkPlayer {
    const player = session.players.get(guildId)
    if (!player) throw new Fault('not_found', 'Player not found')
    return player
  }

  /**
   * The player of a guild, made where there is none.
   * @param isLate whether what is asked may still be about a player that was destroyed
   * @throws {Fault} `player_limit`; `not_found` for one that was destroyed just now
   */
  ensurePlayer(session: Session, guildId: string, isLate: boolean): LavalinkPlayer {
    const there = session.players.get(guildId)
    if (there) return there
    const { ceiling, clock, log, tracks } = this.#options
    const destroyedAtMs = this.#destroyed.get(`${session.id} ${guildId}`) ?? -Infinity
    if (isLate && clock.nowMs() - destroyedAtMs < LATE_MS) throw new Fault('not_found', 'Player not found')
    const node = this.#leastLoaded()
    const release = ceiling.acquire(session.caller)
    const { caller, userId } = session
    const owner = { botId: `${BOT_PREFIX}${session.id}`, guildId, projectId: caller.projectId, userId }
    const send = session.send.bind(session)
    const player = new LavalinkPlayer({ owner, caller, node, tracks, clock, log, send })
    this.#places.set(player, release)
    session.players.set(guildId, player)
    return player
  }

  /** Resolves when the player has left. No-op where there is none. */
  async destroyPlayer(session: Session, guildId: string): Promise<void> {
    const player = session.players.get(guildId)
    if (!player) return
    const { clock } = this.#options
    const key = `${session.id} ${guildId}`
    this.#destroyed.set(key, clock.nowMs())
    clock.after(LATE_MS, () => this.#destroyed.delete(key))
    session.players.delete(guildId)
    this.#places.get(player)?.()
    await player.destroy()
  }

  /** Of all sessions together. */
  stats(): Omit<StatsObject, 'frameStats'> {
    let players = 0
    let playingPlayers = 0
    for (const session of this.#sessions.values()) {
      players += session.players.size
      for (const player of session.players.values()) if (player.isPlaying) playingPlayers++
    }
    return { players, playingPlayers, ...this.#machine() }
  }

  #hear(event: AudioEvent): void {
    if (!event.botId.startsWith(BOT_PREFIX)) return
    const session = this.#sessions.get(event.botId.slice(BOT_PREFIX.length))
    session?.players.get(event.guildId)?.hear(event)
  }

  #recover(node: AudioNode): void {
    for (const session of this.#sessions.values()) {
      for (const player of session.players.values()) if (player.node === node) player.recover()
    }
  }

  /** @throws {Fault} `service_unavailable` when no audio node is alive. */
  #leastLoaded(): AudioNode {
    const loads = new Map(this.#options.nodes.filter(({ isAlive }) => isAlive).map((node) => [node, 0]))
    for (const session of this.#sessions.values()) {
      for (const { node } of session.players.values()) loads.set(node, (loads.get(node) ?? 0) + 1)
    }
    const [best] = [...loads].filter(([node]) => node.isAlive).toSorted(([, a], [, b]) => a - b)
    if (best) return best[0]
    throw new Fault('service_unavailable', 'No audio node is running. Try again in a moment.', { retryAfterMs: 2000 })
  }
}

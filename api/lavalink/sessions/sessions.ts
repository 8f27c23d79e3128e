import { randomBytes } from 'node:crypto'
import type { AudioEvent, AudioNode } from '../../../bot/audio/node/protocol.ts'
import type { Clock } from '../../../bot/player/timers.ts'
import { Fault } from '../../../lib/errors.ts'
import type { Logger } from '../../../lib/log.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import type { PlayerCeiling } from '../players/player-ceiling.ts'
import { LavalinkPlayer } from '../players/player.ts'
import type { StatsObject } from '../protocol/stats.ts'
import { TrackMarks } from '../plugins/track-marks.ts'
import type { TrackKnowledge } from '../tracks/open-tracks.ts'
import type { TrackService } from '../tracks/track-service.ts'
import { LavalinkSession } from './session.ts'
import { createMachineStats } from './stats.ts'

/** Sessions that one project may have. */
const MAX_SESSIONS = 20
/** So that no foreign bot is ever taken for one of ours, or of another session. */
const BOT_PREFIX = 'lavalink:'
/** Time for a socket to show that it is alive when another one asks for its session. */
const PROBE_MS = 1500

export interface SessionsOptions {
  readonly nodes: readonly AudioNode[]
  readonly tracks: TrackService
  readonly knowledge: TrackKnowledge
  readonly ceiling: PlayerCeiling
  readonly clock: Clock
  readonly log: Logger
}

/** The client that connects, and the session it wants to resume. */
export interface SessionRequest {
  readonly caller: NodeCaller
  readonly userId: string
  readonly clientName: string | null
  readonly sessionId: string | undefined
}

/** All sessions of the node, with their players. */
export class LavalinkSessions {
  readonly #options: SessionsOptions
  readonly #sessions = new Map<string, LavalinkSession>()
  readonly #machine: () => Pick<StatsObject, 'uptime' | 'memory' | 'cpu'>

  constructor(options: SessionsOptions) {
    this.#options = options
    this.#machine = createMachineStats(() => options.clock.nowMs())
    for (const node of options.nodes) {
      node.onEvent((event) => this.#hear(event))
      node.onRestarted(() => this.#recover(node))
    }
  }

  all(): Iterable<LavalinkSession> {
    return this.#sessions.values()
  }

  /** @throws {Fault} `not_found`, also for the session of another project */
  get(caller: NodeCaller, id: string): LavalinkSession {
    const session = this.#sessions.get(id)
    if (session?.caller.projectId === caller.projectId) return session
    throw new Fault('not_found', 'Session not found')
  }

  /**
   * The session that a client may have back: one of its project and its bot that is kept, and whose socket is gone. A
   * connection can be gone without a word, so that one that seems open has to show that it is alive.
   */
  async findResumable({ caller, userId, sessionId = '' }: SessionRequest): Promise<LavalinkSession | null> {
    const session = this.#sessions.get(sessionId)
    const isTheirs = session?.caller.projectId === caller.projectId && session.userId === userId
    if (!session || !isTheirs || !session.isResuming) return null
    const isTaken = await session.isAlive(PROBE_MS)
    return isTaken || !this.#sessions.has(sessionId) ? null : session
  }

  /** @throws {Fault} `rate_limited` at the bound of the project */
  create({ caller, userId, clientName }: SessionRequest): LavalinkSession {
    let count = 0
    for (const session of this.#sessions.values()) if (session.caller.projectId === caller.projectId) count++
    if (count >= MAX_SESSIONS) {
      throw new Fault('rate_limited', `Session limit reached (${MAX_SESSIONS}). Close one.`)
    }
    const id = randomBytes(16).toString('hex')
    const { clock, ceiling } = this.#options
    const session: LavalinkSession = new LavalinkSession({
      id,
      caller,
      userId,
      clientName,
      clock,
      createPlayer: (guildId) => this.#createPlayer(session, guildId),
      createMarks: (guildId) => this.#createMarks(session, guildId),
      acquire: () => ceiling.acquire(caller),
      refresh: () => this.#refresh(session),
      stats: () => this.stats(),
      onOver: () => void this.end(session, 1000, 'The session is over.'),
    })
    this.#sessions.set(id, session)
    return session
  }

  /** Ends a session with its players. */
  async end(session: LavalinkSession, code: number, reason: string): Promise<void> {
    if (!this.#sessions.delete(session.id)) return
    const { projectId } = session.caller
    this.#options.log.info({ projectId, players: session.players.size, reason }, 'lavalink session ended')
    await session.close(code, reason)
  }

  async close(code: number, reason: string): Promise<void> {
    await Promise.all([...this.#sessions.values()].map((session) => this.end(session, code, reason)))
  }

  /** Totals over all sessions. */
  stats(): Omit<StatsObject, 'frameStats'> {
    let players = 0
    let playingPlayers = 0
    for (const session of this.#sessions.values()) {
      players += session.players.size
      for (const player of session.players.all()) if (player.isPlaying) playingPlayers++
    }
    return { players, playingPlayers, ...this.#machine() }
  }

  /** Players on one of the audio threads. */
  countOn(node: AudioNode): number {
    let count = 0
    for (const session of this.#sessions.values()) {
      for (const player of session.players.all()) if (player.node === node) count++
    }
    return count
  }

  #createPlayer(session: LavalinkSession, guildId: string): LavalinkPlayer {
    const { clock, log, tracks } = this.#options
    const { id, caller, userId } = session
    const owner = { botId: `${BOT_PREFIX}${id}`, guildId, projectId: caller.projectId, userId }
    const node = this.#leastLoaded()
    const marks = () => session.marks.find(guildId)
    return new LavalinkPlayer({ owner, node, tracks, clock, log, marks, send: (message) => session.send(message) })
  }

  #createMarks(session: LavalinkSession, guildId: string): TrackMarks {
    const { clock, log, knowledge } = this.#options
    const { caller } = session
    return new TrackMarks({ caller, guildId, knowledge, clock, log, send: (event) => session.send(event) })
  }

  async #refresh(session: LavalinkSession): Promise<void> {
    const nodes = new Set([...session.players.all()].map(({ node }) => node))
    const read = [...nodes].filter(({ isAlive }) => isAlive).map((node) => node.snapshots(`${BOT_PREFIX}${session.id}`))
    for (const answer of await Promise.allSettled(read)) {
      if (answer.status === 'rejected') continue
      for (const snapshot of answer.value) session.players.find(snapshot.guildId)?.refresh(snapshot)
    }
  }

  #hear(event: AudioEvent): void {
    if (!event.botId.startsWith(BOT_PREFIX)) return
    const session = this.#sessions.get(event.botId.slice(BOT_PREFIX.length))
    session?.players.find(event.guildId)?.hear(event)
  }

  #recover(node: AudioNode): void {
    for (const session of this.#sessions.values()) {
      for (const player of session.players.all()) if (player.node === node) player.recover()
    }
  }

  /** @throws {Fault} `service_unavailable` when no audio node is alive. */
  #leastLoaded(): AudioNode {
    const loads = new Map(this.#options.nodes.filter(({ isAlive }) => isAlive).map((node) => [node, 0]))
    for (const session of this.#sessions.values()) {
      for (const { node } of session.players.all()) {
        const load = loads.get(node)
        if (load !== undefined) loads.set(node, load + 1)
      }
    }
    const [best] = [...loads].toSorted(([, a], [, b]) => a - b)
    if (best) return best[0]
    throw new Fault('service_unavailable', 'No audio node is running. Try again in a moment.', { retryAfterMs: 2000 })
  }
}

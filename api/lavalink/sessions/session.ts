import type { Clock } from '../../../bot/player/timers.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import type { Release } from '../../../lib/sharing/fair-share.ts'
import type { LavalinkPlayer } from '../players/player.ts'
import { toWireJson } from '../protocol/json.ts'
import type { Message } from '../protocol/messages.ts'
import type { FrameStats, StatsObject } from '../protocol/stats.ts'
import { MissedMessages } from './missed-messages.ts'
import type { TrackMarks } from '../plugins/track-marks.ts'
import { SessionMarks } from './session-marks.ts'
import { SessionPlayers } from './session-players.ts'
import type { SessionObject, SessionUpdate } from '../protocol/session.ts'

const PLAYER_UPDATE_MS = 5000
/**
 * A frame that comes by itself soon after `ready`: moonlink.js reads what came together with the answer to its handshake only
 * when more follows.
 */
const FIRST_STATS_MS = 100
const STATS_MS = 60_000
const DEFAULT_TIMEOUT_S = 60
/** The close code of a socket that was silent when another one came for its session. */
const RESUMED = 4000

/** The open socket of a session. */
export interface SessionSocket {
  send(text: string): void
  /** Asks the client for a sign of life. */
  isAlive(withinMs: number): Promise<boolean>
  /** Resolves when it is gone. Safe to repeat. */
  close(code: number, reason: string): Promise<void>
}

interface SessionFacts {
  readonly id: string
  readonly caller: NodeCaller
  /** The bot of the client; all players of the session are its. */
  readonly userId: string
  readonly clientName: string | null
}

interface SessionParts extends SessionFacts {
  readonly clock: Clock
  readonly createPlayer: (guildId: string) => LavalinkPlayer
  readonly createMarks: (guildId: string) => TrackMarks
  readonly acquire: () => Release
  /** Brings its players up to what the audio nodes know. Never throws. */
  readonly refresh: () => Promise<void>
  readonly stats: () => Omit<StatsObject, 'frameStats'>
  /** Called when the socket is gone and the session is not kept, or was not resumed in time. */
  readonly onOver: () => void
}

/** One client of the node: its players, and the socket that hears of them. */
export class LavalinkSession {
  readonly id: string
  readonly caller: NodeCaller
  readonly userId: string
  readonly clientName: string | null
  readonly players: SessionPlayers
  readonly marks: SessionMarks
  /** Wall clock in milliseconds. */
  readonly openedAtMs: number
  readonly #parts: SessionParts
  #socket: SessionSocket | null = null
  #lostAtMs: number | null = null
  readonly #missed = new MissedMessages()
  #isResuming = false
  #timeoutS = DEFAULT_TIMEOUT_S
  #cancelTimers: (() => void)[] = []

  constructor(parts: SessionParts) {
    this.id = parts.id
    this.caller = parts.caller
    this.userId = parts.userId
    this.clientName = parts.clientName
    const { clock, createPlayer: create, acquire } = parts
    this.openedAtMs = clock.dateMs()
    this.marks = new SessionMarks(parts.createMarks)
    const onDestroyed = (guildId: string) => this.marks.drop(guildId)
    this.players = new SessionPlayers({ clock, create, acquire, onDestroyed })
    this.#parts = parts
  }

  get isResuming(): boolean {
    return this.#isResuming
  }

  get isOnline(): boolean {
    return this.#socket !== null
  }

  /** Whether its socket is open and answers. */
  async isAlive(withinMs: number): Promise<boolean> {
    return this.#socket?.isAlive(withinMs) ?? false
  }

  /** When its socket was lost; null while it has one. */
  get lostAtMs(): number | null {
    return this.#socket === null ? this.#lostAtMs : null
  }

  get timeoutSeconds(): number {
    return this.#timeoutS
  }

  update({ resuming, timeout }: SessionUpdate): SessionObject {
    this.#isResuming = resuming ?? this.#isResuming
    this.#timeoutS = timeout ?? this.#timeoutS
    return { resuming: this.#isResuming, timeout: this.#timeoutS }
  }

  /** A socket is there: it hears what the session missed, in order, and from then on all that happens. */
  attach(socket: SessionSocket): void {
    const resumed = this.#cancelTimers.length > 0
    this.#stopTimers()
    void this.#socket?.close(RESUMED, 'The session was resumed by another socket.')
    this.#socket = socket
    this.send({ op: 'ready', resumed, sessionId: this.id })
    for (const text of this.#missed.take()) socket.send(text)
    for (const player of this.players.all()) player.tellState()
    this.#startTimers()
  }

  /** A socket is gone. That of before a resumption changes nothing. */
  detach(socket: SessionSocket): void {
    if (this.#socket !== socket) return
    this.#socket = null
    this.#lostAtMs = this.#parts.clock.dateMs()
    this.#stopTimers()
    const over = () => this.#parts.onOver()
    if (!this.#isResuming) return over()
    this.#cancelTimers = [this.#parts.clock.after(this.#timeoutS * 1000, over)]
  }

  /** Tells the client, or keeps it for when it is back. Where it stands and how it fares is told then anyway. */
  send(message: Message): void {
    if (this.#socket) this.#socket.send(toWireJson(message))
    else if (message.op === 'event') this.#missed.add(toWireJson(message))
  }

  /** Ends it with its players. */
  async close(code: number, reason: string): Promise<void> {
    this.#stopTimers()
    const socket = this.#socket
    this.#socket = null
    this.marks.close()
    await Promise.all([socket?.close(code, reason), this.players.destroyAll()])
  }

  #startTimers(): void {
    const { clock } = this.#parts
    this.#cancelTimers = [
      clock.after(FIRST_STATS_MS, () => this.#tellStats()),
      repeat(clock, STATS_MS, () => this.#tellStats()),
      repeat(clock, PLAYER_UPDATE_MS, () => void this.#tellPlayers()),
    ]
  }

  #tellStats(): void {
    this.send({ op: 'stats', ...this.#parts.stats(), frameStats: meanFrames(this.players.all()) })
  }

  async #tellPlayers(): Promise<void> {
    await this.#parts.refresh()
    for (const player of this.players.all()) if (player.hasTrack) player.tellState()
  }

  #stopTimers(): void {
    for (const cancel of this.#cancelTimers) cancel()
    this.#cancelTimers = []
  }
}

/** Calls again and again until it is cancelled. */
function repeat(clock: Clock, everyMs: number, call: () => void): () => void {
  let cancel = clock.after(everyMs, turn)
  function turn(): void {
    cancel = clock.after(everyMs, turn)
    call()
  }
  return () => cancel()
}

/** Mean per player, over those that have played for a whole minute. */
function meanFrames(players: Iterable<LavalinkPlayer>): FrameStats | null {
  const counted = [...players].map(({ frames }) => frames).filter((frames) => frames !== null)
  if (counted.length === 0) return null
  const mean = (name: keyof FrameStats) =>
    Math.trunc(counted.reduce((sum, frames) => sum + frames[name], 0) / counted.length)
  return { sent: mean('sent'), nulled: mean('nulled'), deficit: mean('deficit') }
}

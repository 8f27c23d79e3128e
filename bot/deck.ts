import type { PlayerState, PlayerStates } from '../db/players.ts'
import { Fault } from '../errors.ts'
import type { Logger } from '../log.ts'
import type { AudioNode, PlayerRef, Sound } from './audio/protocol.ts'
import type { Clock } from './clock.ts'
import type { BotEvent, EventBus } from './events.ts'
import type { PlayerInfo, QueueInfo } from './music.ts'
import { channelOf, isPaused, next, positionAt, type Happening, type Phase } from './phase.ts'
import { EMPTY, type Rotation } from './rotation.ts'
import type { Sources } from './sources/source.ts'
import { toTrack, type EncodedTrack, type TrackInfo } from './track.ts'
import { FULL, type Volume } from './volume.ts'

export interface QueuedTrack {
  readonly info: TrackInfo
  readonly encoded: string
}

export interface PlayerRules {
  /** How long a player stays with nothing to play. */
  readonly idleMs: number
  /** How long it stays with no human in its channel, playing or not. */
  readonly aloneMs: number
}

/** What a player is made of; all of it is handed in. */
export interface PlayerParts {
  readonly ref: PlayerRef
  readonly projectId: string
  readonly node: AudioNode
  readonly sources: Pick<Sources, 'open'>
  readonly events: EventBus
  readonly states: Pick<PlayerStates, 'save' | 'remove'>
  readonly rules: PlayerRules
  readonly clock: Clock
  /** Carries the bot and the guild already. */
  readonly log: Logger
  /** Humans in a channel of the player's guild at this moment. */
  countListeners(channelId: string): number
}

/** The state of one player. Only the functions of this folder that take a deck change it. */
export interface Deck {
  readonly parts: PlayerParts
  phase: Phase
  rotation: Rotation<QueuedTrack>
  volume: Volume
  lastPlayId: number
  /** When the current play began to sound, and where: tells a track from one that ends before it begins. */
  started: { readonly atMs: number; readonly positionMs: number } | null
  /** Aborts the opening of a track that is no longer wanted. */
  loading: AbortController | null
  /** The audio node knows nothing of this player (it came back from nothing): until it has joined again, it only plans. */
  isAdrift: boolean
  /** Since when nobody has listened. */
  aloneSinceMs: number | null
  /** Set once the player is told to close; nothing new is begun then. */
  isClosing: boolean
  /** Resolved when voice is left and nothing remains. */
  readonly gone: PromiseWithResolvers<void>
  cancelTimers: () => void
  /** What to do when nobody needs the player any more. */
  onUnneeded: () => void
}

export function createDeck(parts: PlayerParts, channelId: string): Deck {
  return {
    parts,
    phase: { at: 'joining', channelId },
    rotation: EMPTY,
    volume: FULL,
    lastPlayId: 0,
    started: null,
    loading: null,
    isAdrift: false,
    aloneSinceMs: null,
    isClosing: false,
    gone: Promise.withResolvers(),
    cancelTimers: () => undefined,
    onUnneeded: () => undefined,
  }
}

/** The one door through which the phase changes. Timers and the saved state follow. */
export function change(deck: Deck, happening: Happening): void {
  const before = deck.phase
  deck.phase = next(before, happening, deck.parts.clock.nowMs())
  if (deck.phase === before || happening.type === 'measured') return
  countListeners(deck)
  save(deck)
}

/** Looks again who listens, and sets the timers that close a player which nobody needs. */
export function countListeners(deck: Deck): void {
  const { clock, rules } = deck.parts
  deck.cancelTimers()
  const channelId = channelOf(deck.phase)
  if (channelId === null || deck.phase.at === 'joining') return
  const nowMs = clock.nowMs()
  deck.aloneSinceMs = deck.parts.countListeners(channelId) > 0 ? null : (deck.aloneSinceMs ?? nowMs)
  const aloneAtMs = deck.aloneSinceMs === null ? Infinity : deck.aloneSinceMs + rules.aloneMs
  const idleAtMs = deck.phase.at === 'idle' ? deck.phase.sinceMs + rules.idleMs : Infinity
  const closesAtMs = Math.min(aloneAtMs, idleAtMs)
  deck.cancelTimers =
    closesAtMs === Infinity ? () => undefined : clock.after(Math.max(closesAtMs - nowMs, 0), () => deck.onUnneeded())
}

/** Writes the whole state down, unless there is no player yet or any more. A disk that fails does not stop the music. */
export function save(deck: Deck): void {
  const state = toState(deck)
  if (state === null) return
  try {
    deck.parts.states.save(state)
  } catch (err) {
    deck.parts.log.error({ err }, 'player not saved')
  }
}

export function emit(deck: Deck, event: DeckEvent): void {
  const { projectId, ref, events } = deck.parts
  events.emit({ projectId, event: { ...event, ...ref } })
}

export function soundOf(deck: Deck): Sound {
  return { volume: deck.volume.level, muted: deck.volume.muted, paused: isPaused(deck.phase) }
}

export function positionOf(deck: Deck): number {
  const positionMs = positionAt(deck.phase, deck.parts.clock.nowMs())
  const lengthMs = deck.rotation.current?.info.lengthMs ?? 0
  return Math.round(lengthMs > 0 ? Math.min(positionMs, lengthMs) : positionMs)
}

export function infoOf(deck: Deck): PlayerInfo {
  const { current, queue, loop } = deck.rotation
  return {
    node: { id: deck.parts.node.id },
    channelId: channelOf(deck.phase) ?? '',
    paused: isPaused(deck.phase),
    positionMs: positionOf(deck),
    volume: deck.volume.level,
    muted: deck.volume.muted,
    loop,
    current: current && toEncoded(current),
    queue: queue.map(toEncoded),
  }
}

export function queueOf(deck: Deck): QueueInfo {
  const { current, queue, loop } = deck.rotation
  const waitingMs = queue.reduce((sum, { info }) => sum + lengthOf(info), 0)
  const leftMs = current ? Math.max(lengthOf(current.info) - positionOf(deck), 0) : 0
  return {
    current: current && toTrack(current.info),
    queue: queue.map(({ info }) => toTrack(info)),
    loop,
    lengthMs: waitingMs + leftMs,
  }
}

export function noPlayer(guildId: string): Fault {
  return new Fault('not_found', `There is no player in guild ${guildId}. POST …/play starts one.`)
}

/** @throws {Fault} `not_found` when the player has closed while the caller waited for its turn. */
export function assertOpen(deck: Deck): void {
  if (deck.isClosing || deck.phase.at === 'closed') throw noPlayer(deck.parts.ref.guildId)
}

/** @throws {Fault} `service_unavailable` while the audio node is being restarted. */
export function assertNode(deck: Deck): void {
  const { node } = deck.parts
  if (node.isAlive) return
  throw new Fault('service_unavailable', `The audio node ${node.id} is being restarted. Try again in a moment.`, {
    retryAfterMs: 2000,
  })
}

type DeckEvent = BotEvent extends infer E
  ? E extends { guildId: string }
    ? Omit<E, 'botId' | 'guildId'>
    : never
  : never

function toState(deck: Deck): PlayerState | null {
  const channelId = channelOf(deck.phase)
  if (channelId === null || deck.phase.at === 'joining') return null
  const { current, queue, loop } = deck.rotation
  return {
    projectId: deck.parts.projectId,
    ...deck.parts.ref,
    channelId,
    current: current && current.encoded,
    queue: queue.map(({ encoded }) => encoded),
    positionMs: positionOf(deck),
    volume: deck.volume.level,
    muted: deck.volume.muted,
    volumeBeforeMute: deck.volume.levelBeforeMute,
    paused: isPaused(deck.phase),
    loop,
  }
}

function toEncoded({ info, encoded }: QueuedTrack): EncodedTrack {
  return { ...toTrack(info), encoded }
}

function lengthOf({ isStream, lengthMs }: TrackInfo): number {
  return isStream ? 0 : lengthMs
}

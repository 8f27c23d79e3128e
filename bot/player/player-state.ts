import type { PlayerState } from '../../db/music/players.ts'
import { Fault } from '../../lib/errors.ts'
import type { Logger } from '../../lib/log.ts'
import type { TelemetryHooks } from '../../lib/telemetry-hooks.ts'
import type { AudioNode, PlayerRef, Sound } from '../audio/node/protocol.ts'
import type { Clock } from './timers.ts'
import type { BotEvent, EventBus } from '../events.ts'
import { NO_FILTERS, tempoOf, type Filters } from './audio-settings/filters.ts'
import type { PlayerInfo, QueueInfo, Requesters, Silence } from '../music.ts'
import { channelOf, isPaused, next, positionAt, type PlayerEvent, type Phase } from './phase.ts'
import { EMPTY, type Queue } from './queue/queue.ts'
import type { SavedPlayers } from './saved-players.ts'
import type { Sources } from '../sources/source.ts'
import { toTrack, type EncodedTrack, type TrackInfo } from '../tracks/track.ts'
import { FULL, type Volume } from './audio-settings/volume.ts'

export interface QueuedTrack {
  readonly info: TrackInfo
  readonly encoded: string
  /** The Discord user who asked for it; null where a program did. */
  readonly requesterId: string | null
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
  readonly states: Pick<SavedPlayers, 'assertWritable' | 'save' | 'remove'>
  readonly rules: PlayerRules
  /** Whether every track is to be as loud as the others. */
  readonly isLevelled: boolean
  readonly clock: Clock
  /** Carries the bot and the guild already. */
  readonly log: Logger
  readonly observer: Pick<TelemetryHooks, 'opened'>
  /** Humans in a channel of the player's guild at this moment. */
  readonly countListeners: (channelId: string) => number
  /** Whether the bot can reach Discord's gateway: without it nobody can join anything. */
  readonly isBotConnected: () => boolean
  /** The last moment in the channel. Soon over, and never rejects. */
  readonly beforeLeaving: () => Promise<void>
}

/** The state of one player. Only the functions of this folder that take it change it. */
export interface PlayerCore {
  readonly parts: PlayerParts
  phase: Phase
  rotation: Queue<QueuedTrack>
  volume: Volume
  lastPlayId: number
  /** When the current play began to sound, and where: tells a track from one that ends before it begins. */
  started: { readonly atMs: number; readonly positionMs: number } | null
  /** Aborts the opening of a track that is no longer wanted. */
  loading: AbortController | null
  /** The audio node has no voice for this player: until it has joined again, it only plans. */
  isAdrift: boolean
  streamTitle: string | null
  privacyCode: string | null
  /** Why Discord lets nobody hear the bot. */
  silenced: Silence | null
  filters: Filters
  /** Plays after the current one, ahead of the queue. */
  nextTrack: QueuedTrack | null
  /** What sounds over the current track. */
  layers: readonly { readonly id: string; readonly track: QueuedTrack; volume: number }[]
  /** What the audio node goes on with by itself when the current track ends. */
  prepared: { readonly playId: number; readonly track: QueuedTrack } | null
  /** Since when nobody has listened. */
  aloneSinceMs: number | null
  /** Set once the player is told to close; nothing new is begun then. */
  isClosing: boolean
  /** What it is now could not be saved: the database was busy, or the disk full. */
  isUnsaved: boolean
  /** Resolved when voice is left and nothing remains. */
  readonly gone: PromiseWithResolvers<void>
  cancelTimers: () => void
  /** What to do when nobody needs the player any more. */
  onUnneeded: () => void
}

export function createPlayerCore(parts: PlayerParts, channelId: string): PlayerCore {
  return {
    parts,
    phase: { at: 'joining', channelId },
    rotation: EMPTY,
    volume: FULL,
    lastPlayId: 0,
    started: null,
    loading: null,
    isAdrift: false,
    streamTitle: null,
    privacyCode: null,
    silenced: null,
    filters: NO_FILTERS,
    nextTrack: null,
    prepared: null,
    layers: [],
    aloneSinceMs: null,
    isClosing: false,
    isUnsaved: false,
    gone: Promise.withResolvers(),
    cancelTimers: () => undefined,
    onUnneeded: () => undefined,
  }
}

/** The one door through which the phase changes. Timers and the saved state follow. */
export function applyEvent(core: PlayerCore, happening: PlayerEvent): void {
  const before = core.phase
  core.phase = next(before, happening, core.parts.clock.nowMs())
  if (core.phase === before || happening.type === 'measured') return
  countListeners(core)
  save(core)
}

/** Looks again who listens, and sets the timers that close a player which nobody needs. */
export function countListeners(core: PlayerCore): void {
  const { clock, rules } = core.parts
  core.cancelTimers()
  const channelId = channelOf(core.phase)
  if (channelId === null || core.phase.at === 'joining') return
  const nowMs = clock.nowMs()
  core.aloneSinceMs = core.parts.countListeners(channelId) > 0 ? null : (core.aloneSinceMs ?? nowMs)
  const aloneAtMs = core.aloneSinceMs === null ? Infinity : core.aloneSinceMs + rules.aloneMs
  const idleAtMs = core.phase.at === 'idle' ? core.phase.sinceMs + rules.idleMs : Infinity
  const closesAtMs = Math.min(aloneAtMs, idleAtMs)
  core.cancelTimers =
    closesAtMs === Infinity ? () => undefined : clock.after(Math.max(closesAtMs - nowMs, 0), () => core.onUnneeded())
}

/** Writes the whole state down, unless there is no player yet or any more. A disk that fails does not stop the music. */
export function save(core: PlayerCore): void {
  const state = toState(core)
  if (state === null) return
  try {
    core.parts.states.save(state)
    core.isUnsaved = false
  } catch (err) {
    if (!core.isUnsaved) core.parts.log.error({ err }, 'player not saved')
    core.isUnsaved = true
  }
}

/**
 * Carries out what a caller asks for where it can be saved.
 * @throws {Fault} `service_unavailable` where it cannot: nothing has changed then, unless the message says that it has.
 */
export async function acknowledged<T>(core: PlayerCore, operation: () => Promise<T>): Promise<T> {
  core.parts.states.assertWritable()
  const result = await operation()
  if (core.isUnsaved) throw notSaved()
  return result
}

export function notSaved(): Fault {
  const what = 'This was done, but could not be saved: the disk is full or the database locked.'
  return new Fault(
    'service_unavailable',
    `${what} It is saved as soon as that works, and lost if the service ends before.`,
  )
}

/** Saves what could not be saved when it changed. */
export function saveMissed(core: PlayerCore): void {
  if (core.isUnsaved && !core.isClosing) save(core)
}

export function emit(core: PlayerCore, event: CoreEvent): void {
  const { projectId, ref, events } = core.parts
  events.emit({ projectId, event: { ...event, ...ref } })
}

/** How it is meant to sound. */
export function soundOf(core: PlayerCore): Sound {
  const { volume, filters, parts } = core
  const { isLevelled } = parts
  return { volume: volume.level, muted: volume.muted, paused: isPaused(core.phase), filters, isLevelled }
}

/** What the audio node is told of it: what nobody would hear waits. */
export function audible(core: PlayerCore, sound: Sound): Sound {
  return core.silenced === null ? sound : { ...sound, paused: true }
}

export function positionOf(core: PlayerCore): number {
  const positionMs = positionAt(
    core.phase,
    core.parts.clock.nowMs(),
    core.silenced === null ? tempoOf(core.filters) : 0,
  )
  const lengthMs = core.rotation.current?.info.lengthMs ?? 0
  return Math.round(lengthMs > 0 ? Math.min(positionMs, lengthMs) : positionMs)
}

export function infoOf(core: PlayerCore): PlayerInfo {
  const { current, queue, loop } = core.rotation
  return {
    node: { id: core.parts.node.id },
    channelId: channelOf(core.phase) ?? '',
    paused: isPaused(core.phase),
    positionMs: positionOf(core),
    volume: core.volume.level,
    muted: core.volume.muted,
    loop,
    current: current && toEncoded(current),
    queue: queue.map(toEncoded),
    streamTitle: core.streamTitle,
    privacyCode: core.privacyCode,
    silenced: core.silenced,
    filters: core.filters,
  }
}

export function queueOf(core: PlayerCore): QueueInfo {
  const { current, queue, loop } = core.rotation
  const waitingMs = queue.reduce((sum, { info }) => sum + lengthOf(info), 0)
  const leftMs = current ? Math.max(lengthOf(current.info) - positionOf(core), 0) : 0
  return {
    current: current && toTrack(current.info),
    queue: queue.map(({ info }) => toTrack(info)),
    loop,
    lengthMs: waitingMs + leftMs,
  }
}

export function requestersOf({ rotation: { current, queue } }: PlayerCore): Requesters {
  return { current: current?.requesterId ?? null, queue: queue.map(({ requesterId }) => requesterId) }
}

export function noPlayer(guildId: string): Fault {
  return new Fault('not_found', `There is no player in guild ${guildId}. POST …/play starts one.`)
}

/** @throws {Fault} `not_found` when the player has closed while the caller waited for its turn. */
export function assertOpen(core: PlayerCore): void {
  if (core.isClosing || core.phase.at === 'closed') throw noPlayer(core.parts.ref.guildId)
}

/** @throws {Fault} `service_unavailable` while the audio node is being restarted. */
export function assertNode(core: PlayerCore): void {
  const { node } = core.parts
  if (node.isAlive) return
  throw new Fault('service_unavailable', `The audio node ${node.id} is being restarted. Try again in a moment.`, {
    retryAfterMs: 2000,
  })
}

type CoreEvent = BotEvent extends infer E
  ? E extends { guildId: string }
    ? Omit<E, 'botId' | 'guildId'>
    : never
  : never

function toState(core: PlayerCore): PlayerState | null {
  const channelId = channelOf(core.phase)
  if (channelId === null || core.phase.at === 'joining') return null
  const { current, queue, past, loop } = core.rotation
  return {
    projectId: core.parts.projectId,
    ...core.parts.ref,
    channelId,
    current: current && current.encoded,
    queue: queue.map(({ encoded }) => encoded),
    past: past.map(({ encoded }) => encoded),
    requesterIds: [...(current ? [current] : []), ...queue].map(({ requesterId }) => requesterId),
    positionMs: positionOf(core),
    volume: core.volume.level,
    muted: core.volume.muted,
    volumeBeforeMute: core.volume.levelBeforeMute,
    paused: isPaused(core.phase),
    loop,
    filters: core.filters,
    nextTrack: core.nextTrack && core.nextTrack.encoded,
  }
}

function toEncoded({ info, encoded }: QueuedTrack): EncodedTrack {
  return { ...toTrack(info), encoded }
}

function lengthOf({ isStream, lengthMs }: TrackInfo): number {
  return isStream ? 0 : lengthMs
}

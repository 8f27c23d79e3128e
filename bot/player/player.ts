import type { PlayerPosition, SavedPlayer } from '../../db/music/players.ts'
import type { AudioEvent, AudioNode, PlayerRef } from '../audio/node/protocol.ts'
import { beginRecovery, end, isKick, join, moveTo, onVoiceLost } from './voice-lifecycle.ts'
import { DISCONNECTED, IDLE, STOPPED, type CloseReason, type RunAutomatic } from './voice-lifecycle.ts'
import { OPERATIONS, type Operation, type OperationName, type Output, type ResolvedInput } from './operations.ts'
import { infoOf, movingPosition, type PlayerInfo } from './player-info.ts'
import type { PlayerParts, QueuedTrack, Silence } from './player-parts.ts'
import { createPlayerState, type PlayerState } from './player-state.ts'
import { NO_RULES } from './queue/queue-limits.ts'
import { openEarly } from './opening.ts'
import { loadOf, type PlayerLoad } from './placement/player-load.ts'
import { addTracks, resume, trackEnded, type Placing, type Queued } from './playback.ts'
import { endsWithTrack } from './audio-settings/sleep.ts'
import { applySettings } from './audio-settings/player-patch.ts'
import { refreshSound, setSilence } from './audio-settings/volume-control.ts'
import { renewSegments, emitSkipped } from './position/skip-segments.ts'
import { followChapters } from './position/follow-chapters.ts'
import { channelOf, playOf } from './phase.ts'
import { prepareNext } from './queue/next-track.ts'
import { suggest, suggestionRequestOf, type SuggestionRequest } from './queue/suggestion.ts'
import { setLevel } from './audio-settings/volume-state.ts'
import { acknowledged, createOperationQueue, type OperationQueue } from './operation-queue.ts'

/**
 * One bot in one guild. Whatever is asked of it and whatever happens to it takes turns, so that a skip, a play and a
 * close that come at once leave it in a state that one order of them explains.
 */
export interface Player {
  readonly ref: PlayerRef
  readonly projectId: string
  readonly node: AudioNode
  load(): PlayerLoad
  /** Whether the player is closed, or will be as soon as voice is left. */
  readonly isClosed: boolean
  /** Resolves when nothing of it is left. Never rejects. */
  readonly gone: Promise<void>
  info(): PlayerInfo
  /** Sets the volume that it begins with, before it joins. */
  begin(volume: number): void
  /** Stays without tracks, even after a play that fails: a member called it in. */
  keep(): void
  /** The first join. @throws {Fault} when Discord does not let the bot in; the player is closed then. */
  join(): Promise<void>
  /** The first join of a saved player, which resumes at its position. @throws {Fault} like `join`. */
  restore(saved: RestoredState): Promise<void>
  /** Adds without rules at the end of the queue, unless `placing` says otherwise. */
  add(tracks: readonly QueuedTrack[], placing?: Partial<GuardedPlacing>): Promise<Queued>
  /** The request for autoplay to choose a track; null while it has nothing to do. */
  suggestionRequest(): SuggestionRequest | null
  /** Takes what autoplay has chosen for `seed`. @returns whether it came in time. @throws {Fault} as `add`. */
  suggest(track: QueuedTrack, seed: QueuedTrack): Promise<boolean>
  /** @param guard Is called before anything changes, at last when the turn has come; what it throws refuses the operation. */
  perform<Name extends OperationName>(name: Name, input: ResolvedInput<Name>, guard?: Guard): Promise<Output<Name>>
  /** @throws {Fault} if a caller closed it and that could not be saved. */
  close(ending: CloseReason): Promise<void>
  /** Closes it where nothing that was added could be played yet, and nothing waits. @returns whether that was so. */
  closeUnused(): Promise<boolean>
  onAudioEvent(event: AudioEvent): void
  /** Updates the bot's voice state, as Discord shows it. */
  placed(voice: OwnVoice): void
  listenersChanged(): void
  settingsChanged(): void
  presence(): Presence
  /** Whether the player waits for its audio node or its bot to come back. */
  readonly isAdrift: boolean
  /** Recovers after its audio node or its bot came back without knowing the player. */
  recover(): void
  /** Resumes at its position on another audio node. */
  moveTo(node: AudioNode): void
  /** The position for the regular save; null unless the player is playing. */
  position(): PlayerPosition | null
}

/** Looks at a player before an operation. */
export type Guard = (state: PlayerState) => void

/** The rules and place for added tracks, and their guard. */
interface GuardedPlacing extends Placing {
  /** Same guard as in `perform`. */
  readonly guard: Guard
}

/** The bot's voice state in its guild, as Discord shows it. */
export interface OwnVoice {
  /** Null is nowhere. */
  readonly channelId: string | null
  /** Why it cannot be heard there; null if it can. */
  readonly silenced: Silence | null
}

/** The voice state that Discord should show. */
interface Presence {
  /** Null once closed. */
  readonly channelId: string | null
  /** A join, a recovery or a leave is under way: Discord may show something else for a moment. */
  readonly isChanging: boolean
}

export interface RestoredState extends Omit<
  SavedPlayer,
  'current' | 'queue' | 'past' | 'nextTrack' | 'requesterIds' | 'recommendation'
> {
  readonly current: QueuedTrack | null
  readonly queue: readonly QueuedTrack[]
  readonly past: readonly QueuedTrack[]
  readonly nextTrack: QueuedTrack | null
  /** Another service played it until now: its listeners know of the current track. */
  readonly isContinued?: boolean
  /** That one was not lost but gave it up, and has left the channel. */
  readonly isHandedOver?: boolean
}

export function createPlayer(parts: PlayerParts, channelId: string): Player {
  const state = createPlayerState(parts, channelId, {
    onIdle: () => closeAutomatic(IDLE),
    onFade: () => runAutomatic(() => refreshSound(state)),
  })
  const operations = createOperationQueue()

  /** Runs an operation that no caller requested; errors go to the log. */
  function runAutomatic(operation: () => Promise<void>): void {
    operations.runAlways(operation).catch((err: unknown) => parts.log.error({ err }, 'player failed'))
  }

  async function close(ending: CloseReason): Promise<void> {
    state.set({ isClosing: true })
    state.loading?.abort()
    // A join may take long; leaving ends it.
    if (state.phase.at === 'joining' && parts.node.isAlive) parts.node.leave(parts.ref).catch(() => undefined)
    await operations.runAlways(() => end(state, ending))
  }

  function closeAutomatic(ending: CloseReason): void {
    close(ending).catch((err: unknown) => parts.log.error({ err }, 'player failed to close'))
  }

  return {
    ref: parts.ref,
    projectId: parts.projectId,
    get node() {
      return parts.node
    },
    load: () => loadOf(state),
    get isClosed() {
      return state.isClosing || state.phase.at === 'closed'
    },
    gone: state.gone.promise,
    info: () => infoOf(state),
    begin: (volume) => state.setSound(setLevel(state.volume, volume), state.filters),
    keep: () => state.set({ isUsed: true }),
    join: () => operations.runAlways(() => join(state, 'caller')),
    restore: (saved) => restore({ state, operations, runAutomatic }, saved),
    add: (tracks, placing) => add({ state, operations }, tracks, placing),
    suggestionRequest: () => suggestionRequestOf(state),
    suggest: (track, seed) => operations.take(() => suggest(state, track, seed)),
    perform: (name, input, guard) => perform({ state, operations, close, guard }, name, input),
    close,
    closeUnused: async () => (state.isUnused ? close(IDLE).then(() => true) : false),
    onAudioEvent: (event) => onAudioEvent({ state, runAutomatic, closeAutomatic }, event),
    placed: (voice) => place({ state, runAutomatic, closeAutomatic }, voice),
    listenersChanged: () => onListenersChanged(state),
    settingsChanged: () => onSettingsChanged({ state, runAutomatic, closeAutomatic }),
    presence: () => presenceOf(state),
    get isAdrift() {
      return state.isAdrift
    },
    recover: () => beginRecovery(state, runAutomatic),
    moveTo: (node) => moveTo(state, node, runAutomatic),
    position: () => movingPosition(state),
  }
}

interface Performing {
  readonly state: PlayerState
  readonly operations: OperationQueue
  readonly close: (ending: CloseReason) => Promise<void>
  readonly guard: Guard | undefined
}

function add(
  { state, operations }: Pick<Performing, 'state' | 'operations'>,
  tracks: readonly QueuedTrack[],
  { rules = NO_RULES, when = 'last', total = null, guard }: Partial<GuardedPlacing> = {},
): Promise<Queued> {
  guard?.(state)
  if (when === 'now' && !operations.isFull) state.loading?.abort()
  const run = async () => {
    guard?.(state)
    return addTracks(state, tracks, { rules, when, total })
  }
  return acknowledged(operations, state, run)
}

async function perform<Name extends OperationName>(
  { state, operations, close, guard }: Performing,
  name: Name,
  input: ResolvedInput<Name>,
): Promise<Output<Name>> {
  const operation: Operation = OPERATIONS[name]
  const run = async () => {
    guard?.(state)
    return (await operation.run(state, input, () => close(STOPPED))) as Output<Name>
  }
  if (!operation.isChange) return run()
  guard?.(state)
  if (operation.isInterrupting?.(state, input) && !operations.isFull) state.loading?.abort()
  return acknowledged(operations, state, run)
}

type Restoring = Pick<Performing, 'state' | 'operations'> & Pick<AutomaticActions, 'runAutomatic'>

function restore({ state, operations, runAutomatic }: Restoring, saved: RestoredState): Promise<void> {
  putBack(state, saved)
  // A lost player may still be audible, and Discord may show it in the channel: joining takes longer then.
  const early = saved.isHandedOver ? openEarly(state, saved.positionMs) : null
  const joined = operations.runAlways(() => join(state, 'player', early))
  runAutomatic(() => resume(state, saved.positionMs, { ...saved, early }))
  return joined
}

interface AutomaticActions {
  readonly state: PlayerState
  readonly runAutomatic: RunAutomatic
  readonly closeAutomatic: (ending: CloseReason) => void
}

function place({ state, runAutomatic, closeAutomatic }: AutomaticActions, { channelId, silenced }: OwnVoice): void {
  if (isKick(state, channelId)) closeAutomatic(DISCONNECTED)
  else if (setSilence(state, silenced)) runAutomatic(() => refreshSound(state))
}

function onAudioEvent({ state, runAutomatic, closeAutomatic }: AutomaticActions, event: AudioEvent): void {
  const { log } = state.parts
  switch (event.type) {
    case 'trackEnded':
      if (event.reason === 'finished' && event.playId === playOf(state.phase) && endsWithTrack(state)) {
        return closeAutomatic(IDLE)
      }
      return runAutomatic(() => trackEnded(state, event))
    case 'position':
      state.apply({ type: 'measured', playId: event.playId, positionMs: event.positionMs })
      followChapters(state)
      return prepareNext(state)
    case 'voiceReady':
      return state.apply({ type: 'voiceReady', channelId: event.channelId })
    case 'voiceRestoring':
      log.warn({ closeCode: event.closeCode }, 'voice connection interrupted')
      return state.apply({ type: 'voiceRestoring' })
    case 'voiceLost':
      log.warn({ why: event.loss.why, closeCode: event.loss.closeCode }, 'voice connection lost')
      return onVoiceLost(state, closeAutomatic)
    case 'trackStuck':
      return log.warn({ waitedMs: event.waitedMs }, 'track stuck')
    case 'streamTitle':
      return event.playId === playOf(state.phase) ? state.set({ streamTitle: event.title }) : undefined
    case 'privacyCode':
      return state.set({ privacyCode: event.code })
    case 'segmentSkipped':
      return event.playId === playOf(state.phase) ? emitSkipped(state, event.segment) : undefined
    case 'layerEnded':
      return state.removeLayer(event.layerId)
    case 'trackStarted':
    case 'gatewayPayload':
    // Only players of Lavalink clients emit these.
    case 'trackCleanedUp':
    case 'voiceClosed':
      return undefined
  }
}

function onListenersChanged(state: PlayerState): void {
  state.countListeners()
  state.parts.autoplay.onDue()
}

function onSettingsChanged({ state, runAutomatic }: AutomaticActions): void {
  onListenersChanged(state)
  void renewSegments(state)
  runAutomatic(() => applySettings(state))
}

function putBack(state: PlayerState, saved: RestoredState): void {
  const { current, queue, past, loop, volume, muted, volumeBeforeMute, filters, nextTrack } = saved
  state.putBack({
    volume: { level: volume, muted, levelBeforeMute: volumeBeforeMute },
    rotation: { current, queue, past, loop },
    filters,
    nextTrack,
  })
  state.sleep.set(saved.sleep)
  if (current !== null) state.apply({ type: 'returns', positionMs: saved.positionMs, paused: saved.paused })
}

function presenceOf({ phase, isClosing, isAdrift }: PlayerState): Presence {
  const isChanging = isClosing || isAdrift || phase.at === 'joining' || phase.at === 'closed'
  return { channelId: channelOf(phase), isChanging }
}

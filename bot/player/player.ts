import type { PlayerPosition, PlayerState } from '../../db/music/players.ts'
import type { AudioEvent, AudioNode, PlayerRef } from '../audio/node/protocol.ts'
import { end, detachFromVoice, isKick, join, DISCONNECTED, recover, IDLE, type CloseReason } from './voice-lifecycle.ts'
import {
  acknowledged,
  applyEvent,
  countListeners,
  createPlayerCore,
  infoOf,
  positionOf,
  queueOf,
  requestersOf,
  saveMissed,
  type PlayerCore,
  type PlayerParts,
  type QueuedTrack,
} from './player-state.ts'
import type {
  MixLayer,
  PlayerInfo,
  PlayerPatch,
  QueueEdit,
  QueueInfo,
  QueueRules,
  Requesters,
  Silence,
} from '../music.ts'
import { NO_RULES } from './queue/queue-policy.ts'
import { addTracks, patch, previous, resume, skip, trackEnded, type Queued } from './playback.ts'
import { endMute, mute, setSilence, waitOrGoOn } from './audio-settings/volume-control.ts'
import { channelOf, playOf } from './phase.ts'
import { addLayer, changeLayer, forgetLayer, listLayers, removeLayer } from './audio-settings/mix-layers.ts'
import { prepareNext, setNextTrack } from './queue/next-track.ts'
import type { Track } from '../tracks/track.ts'
import { setLevel } from './audio-settings/volume.ts'
import { editQueue } from './queue/queue-editing.ts'
import { createOperationQueue, type OperationQueue } from './operation-queue.ts'

/**
 * One bot in one guild. Whatever is asked of it and whatever happens to it takes turns, so that a skip, a play and a
 * close that come at once leave it in a state that one order of them explains.
 */
export interface Player {
  readonly ref: PlayerRef
  readonly projectId: string
  readonly node: AudioNode
  /** It is over, or will be as soon as voice is left. */
  readonly isClosed: boolean
  /** Resolves when nothing of it is left. Never rejects. */
  readonly gone: Promise<void>
  info(): PlayerInfo
  queue(): QueueInfo
  /** Sets the volume that it begins with, before it joins. */
  begin(volume: number): void
  /** The first join. @throws {Fault} when Discord does not let the bot in; the player is closed then. */
  join(): Promise<void>
  /** The first join of a saved player, which goes on where it was. @throws {Fault} like `join`. */
  restore(saved: RestoredState): Promise<void>
  requesters(): Requesters
  add(tracks: readonly QueuedTrack[], rules?: QueueRules): Promise<Queued>
  skip(): Promise<Track | null>
  previous(): Promise<Track | null>
  edit(edit: QueueEdit): Promise<QueueInfo>
  mute(muted: boolean): Promise<boolean>
  unmute(): Promise<boolean>
  patch(wish: PlayerPatch): Promise<PlayerInfo>
  addLayer(track: QueuedTrack, volume: number): Promise<MixLayer>
  layers(): Promise<readonly MixLayer[]>
  changeLayer(id: string, volume: number): Promise<MixLayer>
  removeLayer(id: string): Promise<MixLayer>
  /** What plays after the current track, ahead of the queue. */
  nextTrack(): QueuedTrack | null
  /** @throws {Fault} `conflict` for a track that has nothing to follow. */
  setNextTrack(track: QueuedTrack | null): Promise<QueuedTrack | null>
  /** @throws {Fault} when it is closed but that could not be saved, and a caller asked for it. */
  close(ending: CloseReason): Promise<void>
  hear(event: AudioEvent): void
  /** How Discord shows the bot now. */
  placed(voice: OwnVoice): void
  /** Members came or went. */
  listenersChanged(): void
  presence(): Presence
  /** It waits for its audio node or its bot to come back. */
  readonly isAdrift: boolean
  /** Its audio node or its bot came back, and knows nothing of it. */
  recover(): void
  /** Saves what could not be saved when it changed, if anything. */
  saveMissed(): void
  /** For the regular save; null when there is nothing that moves. */
  position(): PlayerPosition | null
}

/** How Discord shows the bot in its guild. */
export interface OwnVoice {
  /** Null is nowhere. */
  readonly channelId: string | null
  /** Why nobody can hear it there; null where everybody can. */
  readonly silenced: Silence | null
}

/** Where Discord should show the bot. */
export interface Presence {
  /** Null once closed. */
  readonly channelId: string | null
  /** A join, a recovery or a leave is under way: Discord may show something else for a moment. */
  readonly isChanging: boolean
}

export interface RestoredState extends Omit<PlayerState, 'current' | 'queue' | 'past' | 'nextTrack' | 'requesterIds'> {
  readonly current: QueuedTrack | null
  readonly queue: readonly QueuedTrack[]
  readonly past: readonly QueuedTrack[]
  readonly nextTrack: QueuedTrack | null
}

export function createPlayer(parts: PlayerParts, channelId: string): Player {
  const core = createPlayerCore(parts, channelId)
  const turns = createOperationQueue()
  core.onUnneeded = () => closeByItself(IDLE)

  /** What the player does by itself has nobody to tell of a failure but the log. */
  function byItself(operation: () => Promise<void>): void {
    turns.takeAlways(operation).catch((err: unknown) => parts.log.error({ err }, 'player failed'))
  }

  async function close(ending: CloseReason): Promise<void> {
    core.isClosing = true
    core.loading?.abort()
    // A join may take long; leaving ends it.
    if (core.phase.at === 'joining' && parts.node.isAlive) parts.node.leave(parts.ref).catch(() => undefined)
    await turns.takeAlways(() => end(core, ending))
  }

  function closeByItself(ending: CloseReason): void {
    close(ending).catch((err: unknown) => parts.log.error({ err }, 'player failed to close'))
  }

  return {
    ref: parts.ref,
    projectId: parts.projectId,
    node: parts.node,
    get isClosed() {
      return core.isClosing || core.phase.at === 'closed'
    },
    gone: core.gone.promise,
    info: () => infoOf(core),
    queue: () => queueOf(core),
    requesters: () => requestersOf(core),
    begin(volume) {
      core.volume = setLevel(core.volume, volume)
    },
    join: () => turns.takeAlways(() => join(core)),
    async restore(saved) {
      putBack(core, saved)
      const joined = turns.takeAlways(() => join(core))
      byItself(() => resume(core, saved.positionMs, saved.paused))
      await joined
    },
    ...requests(core, turns),
    close,
    hear: (event) => hear({ core, byItself, closeByItself }, event),
    placed: (voice) => place({ core, byItself, closeByItself }, voice),
    listenersChanged: () => countListeners(core),
    presence: () => presenceOf(core),
    get isAdrift() {
      return core.isAdrift
    },
    recover: () => beginRecovery(core, byItself),
    saveMissed: () => saveMissed(core),
    position: () => movingPosition(core),
  }
}

/** What callers ask for. */
function requests(
  core: PlayerCore,
  turns: OperationQueue,
): Pick<
  Player,
  | 'add'
  | 'skip'
  | 'previous'
  | 'edit'
  | 'mute'
  | 'unmute'
  | 'patch'
  | 'nextTrack'
  | 'setNextTrack'
  | 'addLayer'
  | 'layers'
  | 'changeLayer'
  | 'removeLayer'
> {
  const take = <T>(operation: () => Promise<T>) => turns.take(() => acknowledged(core, operation))

  /** The track that is being opened is left anyway. */
  function stopLoading(): void {
    if (!turns.isFull) core.loading?.abort()
  }

  return {
    add: (tracks, rules = NO_RULES) => take(() => addTracks(core, tracks, rules)),
    skip() {
      stopLoading()
      return take(() => skip(core))
    },
    previous() {
      if (core.rotation.past.length > 0) stopLoading()
      return take(() => previous(core))
    },
    edit: (edit) => take(async () => editQueue(core, edit)),
    mute: (muted) => take(() => mute(core, muted)),
    unmute: () => take(() => endMute(core)),
    addLayer: (track, volume) => take(() => addLayer(core, track, volume)),
    layers: () => listLayers(core),
    changeLayer: (id, volume) => take(() => changeLayer(core, id, volume)),
    removeLayer: (id) => take(() => removeLayer(core, id)),
    nextTrack: () => core.nextTrack,
    setNextTrack: (track) => take(async () => setNextTrack(core, track)),
    patch: (wish) => take(() => patch(core, wish)).then(() => infoOf(core)),
  }
}

function beginRecovery(core: PlayerCore, byItself: Hearing['byItself']): void {
  detachFromVoice(core)
  byItself(() => recover(core, () => beginRecovery(core, byItself)))
}

interface Hearing {
  readonly core: PlayerCore
  readonly byItself: (operation: () => Promise<void>) => void
  readonly closeByItself: (ending: CloseReason) => void
}

function place({ core, byItself, closeByItself }: Hearing, { channelId, silenced }: OwnVoice): void {
  if (isKick(core, channelId)) closeByItself(DISCONNECTED)
  else if (setSilence(core, silenced)) byItself(() => waitOrGoOn(core))
}

/** What the audio node tells of this player. */
function hear({ core, byItself, closeByItself }: Hearing, event: AudioEvent): void {
  const { log } = core.parts
  switch (event.type) {
    case 'trackEnded':
      return byItself(() => trackEnded(core, event))
    case 'position':
      applyEvent(core, { type: 'measured', playId: event.playId, positionMs: event.positionMs })
      return prepareNext(core)
    case 'voiceReady':
      return applyEvent(core, { type: 'voiceReady', channelId: event.channelId })
    case 'voiceRestoring':
      log.warn({ closeCode: event.closeCode }, 'voice lost for a moment')
      return applyEvent(core, { type: 'voiceRestoring' })
    case 'voiceLost':
      log.warn({ why: event.loss.why, closeCode: event.loss.closeCode }, 'voice lost for good')
      return onVoiceLost(core, closeByItself)
    case 'trackStuck':
      return log.warn({ waitedMs: event.waitedMs }, 'track stuck')
    case 'streamTitle':
      if (event.playId === playOf(core.phase)) core.streamTitle = event.title
      return undefined
    case 'privacyCode':
      core.privacyCode = event.code
      return undefined
    case 'layerEnded':
      return forgetLayer(core, event.layerId)
    case 'trackStarted':
    case 'gatewayPayload':
      return undefined
  }
}

function onVoiceLost(core: PlayerCore, closeByItself: Hearing['closeByItself']): void {
  // A first join that fails is told to the one who asked for it.
  if (core.phase.at === 'joining') return
  // Discord ends the voice of a bot whose session is being renewed: it joins again when that is done.
  if (core.parts.isBotConnected()) closeByItself(DISCONNECTED)
  else detachFromVoice(core)
}

function putBack(core: PlayerCore, saved: RestoredState): void {
  const { current, queue, past, loop, volume, muted, volumeBeforeMute, filters, nextTrack } = saved
  core.volume = { level: volume, muted, levelBeforeMute: volumeBeforeMute }
  core.rotation = { current, queue, past, loop }
  core.filters = filters
  core.nextTrack = nextTrack
}

function presenceOf({ phase, isClosing, isAdrift }: PlayerCore): Presence {
  const isChanging = isClosing || isAdrift || phase.at === 'joining' || phase.at === 'closed'
  return { channelId: channelOf(phase), isChanging }
}

function movingPosition(core: PlayerCore): PlayerPosition | null {
  if (core.phase.at !== 'playing') return null
  return { projectId: core.parts.projectId, ...core.parts.ref, positionMs: positionOf(core) }
}

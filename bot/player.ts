import type { PlayerPosition, PlayerState } from '../db/players.ts'
import type { AudioEvent, AudioNode, PlayerRef } from './audio/protocol.ts'
import { end, isKick, join, LOST, recover, UNNEEDED, type Ending } from './connection.ts'
import {
  change,
  countListeners,
  createDeck,
  infoOf,
  positionOf,
  queueOf,
  type Deck,
  type PlayerParts,
  type QueuedTrack,
} from './deck.ts'
import type { PlayerInfo, PlayerPatch, QueueInfo } from './music.ts'
import { addTracks, endMute, mute, patch, resume, skip, trackEnded, type Queued } from './playing.ts'
import type { Track } from './track.ts'
import { createTurns } from './turns.ts'

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
  /** The first join. @throws {Fault} when Discord does not let the bot in; the player is closed then. */
  join(): Promise<void>
  /** Goes on where a saved player was. */
  restore(saved: RestoredState): Promise<void>
  add(tracks: readonly QueuedTrack[]): Promise<Queued>
  skip(): Promise<Track | null>
  mute(muted: boolean): Promise<boolean>
  unmute(): Promise<boolean>
  patch(wish: PlayerPatch): Promise<PlayerInfo>
  close(ending: Ending): Promise<void>
  hear(event: AudioEvent): void
  /** Where Discord shows the bot now; null is nowhere. */
  placed(channelId: string | null): void
  /** Members came or went. */
  listenersChanged(): void
  /** Its audio node or its bot came back from nothing. */
  recover(): void
  /** For the regular save; null when there is nothing that moves. */
  position(): PlayerPosition | null
}

export interface RestoredState extends Omit<PlayerState, 'current' | 'queue'> {
  readonly current: QueuedTrack | null
  readonly queue: readonly QueuedTrack[]
}

export function createPlayer(parts: PlayerParts, channelId: string): Player {
  const deck = createDeck(parts, channelId)
  const turns = createTurns()
  deck.onUnneeded = () => void close(UNNEEDED)

  /** What the player does by itself has nobody to tell of a failure but the log. */
  function byItself(operation: () => Promise<void>): void {
    turns.takeAlways(operation).catch((err: unknown) => parts.log.error({ err }, 'player failed'))
  }

  async function close(ending: Ending): Promise<void> {
    deck.isClosing = true
    deck.loading?.abort()
    // A join may take long; leaving ends it.
    if (deck.phase.at === 'joining' && parts.node.isAlive) parts.node.leave(parts.ref).catch(() => undefined)
    await turns.takeAlways(() => end(deck, ending))
  }

  return {
    ref: parts.ref,
    projectId: parts.projectId,
    node: parts.node,
    get isClosed() {
      return deck.isClosing || deck.phase.at === 'closed'
    },
    gone: deck.gone.promise,
    info: () => infoOf(deck),
    queue: () => queueOf(deck),
    join: () => turns.takeAlways(() => join(deck)),
    restore: (saved) => turns.takeAlways(() => putBack(deck, saved)),
    add: (tracks) => turns.take(() => addTracks(deck, tracks)),
    skip() {
      // The track that is being opened is left anyway.
      if (!turns.isFull) deck.loading?.abort()
      return turns.take(() => skip(deck))
    },
    mute: (muted) => turns.take(() => mute(deck, muted)),
    unmute: () => turns.take(() => endMute(deck)),
    patch: (wish) => turns.take(() => patch(deck, wish)).then(() => infoOf(deck)),
    close,
    hear: (event) => hear({ deck, byItself, close }, event),
    placed: (where) => void (isKick(deck, where) && close(LOST)),
    listenersChanged: () => countListeners(deck),
    recover() {
      change(deck, { type: 'voiceRestoring' })
      deck.isAdrift = true
      deck.loading?.abort()
      byItself(() => recover(deck))
    },
    position: () => movingPosition(deck),
  }
}

interface Hearing {
  readonly deck: Deck
  readonly byItself: (operation: () => Promise<void>) => void
  readonly close: (ending: Ending) => Promise<void>
}

/** What the audio node tells of this player. */
function hear({ deck, byItself, close }: Hearing, event: AudioEvent): void {
  const { log } = deck.parts
  switch (event.type) {
    case 'trackEnded':
      return byItself(() => trackEnded(deck, event.playId, event.reason))
    case 'position':
      return change(deck, { type: 'measured', playId: event.playId, positionMs: event.positionMs })
    case 'voiceReady':
      return change(deck, { type: 'voiceReady', channelId: event.channelId })
    case 'voiceRestoring':
      log.warn({ closeCode: event.closeCode }, 'voice lost for a moment')
      return change(deck, { type: 'voiceRestoring' })
    case 'voiceLost':
      log.warn({ why: event.loss.why, closeCode: event.loss.closeCode }, 'voice lost for good')
      // A first join that fails is told to the one who asked for it.
      return void (deck.phase.at === 'joining' || close(LOST))
    case 'trackStuck':
      return log.warn({ waitedMs: event.waitedMs }, 'track stuck')
    case 'streamTitle':
    case 'privacyCode':
    case 'trackStarted':
    case 'gatewayPayload':
      return undefined
  }
}

async function putBack(deck: Deck, saved: RestoredState): Promise<void> {
  const { current, queue, loop, volume, muted, volumeBeforeMute } = saved
  deck.volume = { level: volume, muted, levelBeforeMute: volumeBeforeMute }
  deck.rotation = { current, queue, loop }
  await resume(deck, saved.positionMs, saved.paused)
}

function movingPosition(deck: Deck): PlayerPosition | null {
  if (deck.phase.at !== 'playing') return null
  return { projectId: deck.parts.projectId, ...deck.parts.ref, positionMs: positionOf(deck) }
}

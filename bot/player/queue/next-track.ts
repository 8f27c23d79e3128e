import { Fault } from '../../../lib/errors.ts'
import { tempoOf } from '../audio-settings/filters.ts'
import { openTrack } from '../track-opening.ts'
import { playOf } from '../phase.ts'
import { assertOpen, positionOf, save, type PlayerCore, type QueuedTrack } from '../player-state.ts'
import { advance, type EndReason, type Queue } from './queue.ts'

/** How long before its end the next track is opened. The audio node keeps up to 15 s ahead. */
const PREPARE_MS = 30_000
const OPEN_TIMEOUT_MS = 10_000

/** @throws {Fault} `conflict` when nothing plays that it could follow. */
export function setNextTrack(core: PlayerCore, track: QueuedTrack | null): QueuedTrack | null {
  assertOpen(core)
  if (track !== null && core.rotation.current === null) {
    const message = 'Nothing is playing that this track could follow. POST …/play plays it at once.'
    throw new Fault('conflict', message, { reason: 'nothing_playing' })
  }
  core.nextTrack = track
  save(core)
  prepareNext(core)
  return track
}

/** The rotation after the current track was left. The next track goes before the queue, and before any repetition. */
export function rotationAfter({ rotation, nextTrack }: PlayerCore, leaving: EndReason): Queue<QueuedTrack> {
  if (nextTrack === null) return advance(rotation, leaving)
  const repeats = rotation.loop === 'track' && leaving === 'ended'
  return advance({ ...rotation, queue: [nextTrack, ...rotation.queue] }, repeats ? 'skipped' : leaving)
}

/** Lets the audio node open what follows while the current track is near its end. Looks again whenever it is called. */
export function prepareNext(core: PlayerCore): void {
  const { node, ref, log } = core.parts
  const upcoming = isNearEnd(core) ? rotationAfter(core, 'ended').current : null
  if (upcoming === (core.prepared?.track ?? null)) return
  if (upcoming) core.lastPlayId += 1
  const prepared = upcoming && { playId: core.lastPlayId, track: upcoming }
  core.prepared = prepared
  // What cannot be opened now is opened, or told of, when its turn has come.
  const failed = (err: unknown): void => log.debug({ err }, 'next track not prepared')
  if (prepared) open(core, prepared).catch(failed)
  else node.prepare(ref, null).catch(failed)
}

async function open(core: PlayerCore, prepared: NonNullable<PlayerCore['prepared']>): Promise<void> {
  const { node, ref } = core.parts
  const { playId, track } = prepared
  const playable = await openTrack(core, track, AbortSignal.timeout(OPEN_TIMEOUT_MS))
  if (core.prepared !== prepared || core.isClosing) return
  await node.prepare(ref, { playId, playable, isSeamless: track === core.nextTrack })
}

function isNearEnd(core: PlayerCore): boolean {
  const { current } = core.rotation
  if (current === null || core.isAdrift || core.isClosing || core.started === null) return false
  if (playOf(core.phase) === null || current.info.isStream || !core.parts.node.isAlive) return false
  const { lengthMs } = current.info
  return lengthMs === 0 || lengthMs - positionOf(core) <= PREPARE_MS * tempoOf(core.filters)
}

import { Fault } from '../../../lib/errors.ts'
import type { QueueRules } from '../../music.ts'
import type { QueuedTrack } from '../player-state.ts'
import { add, addByTurns, type Added, type Queue } from './queue.ts'

export const NO_RULES: QueueRules = { fair: false, duplicates: true, mostPerMember: null }

/**
 * Takes tracks in by a guild's rules, as many of them as the rules let in.
 * @throws {Fault} `conflict` when the rules let none in.
 */
export function enqueue(
  rotation: Queue<QueuedTrack>,
  tracks: readonly QueuedTrack[],
  rules: QueueRules,
): Added<QueuedTrack> {
  const wanted = rules.duplicates ? tracks : withoutKnown(rotation, tracks)
  if (wanted.length === 0 && tracks.length > 0) {
    throw new Fault('conflict', 'This plays or waits already.', { reason: 'duplicate' })
  }
  const allowed = wanted.slice(0, roomFor(rotation, wanted[0]?.requesterId ?? null, rules))
  if (allowed.length === 0 && wanted.length > 0) {
    throw new Fault('conflict', `One member may have ${rules.mostPerMember} tracks waiting, and they wait already.`, {
      reason: 'too_many_queued',
    })
  }
  return rules.fair ? addByTurns(rotation, allowed, ({ requesterId }) => requesterId) : add(rotation, allowed)
}

function withoutKnown({ current, queue }: Queue<QueuedTrack>, tracks: readonly QueuedTrack[]) {
  const known = new Set([...queue, ...(current ? [current] : [])].map(({ encoded }) => encoded))
  return tracks.filter(({ encoded }) => {
    const isNew = !known.has(encoded)
    known.add(encoded)
    return isNew
  })
}

function roomFor(
  { current, queue }: Queue<QueuedTrack>,
  requesterId: string | null,
  { mostPerMember }: QueueRules,
): number {
  if (mostPerMember === null || requesterId === null) return Infinity
  const waiting = queue.filter((track) => track.requesterId === requesterId).length
  return Math.max(mostPerMember - waiting + (current === null ? 1 : 0), 0)
}

import { Fault } from '../../../lib/errors.ts'
import type { QueuedTrack } from '../player-parts.ts'
import type { When } from '../inputs.ts'
import { add, addByTurns, addInFront, withoutDuplicates, type Added, type Queue } from './queue.ts'
import { counted } from '../../../lib/text.ts'

/** Queue rules that a guild sets for its members. */
export interface QueueRules {
  /** Members take turns. */
  readonly fair: boolean
  /** Whether a track may wait that waits or plays already. */
  readonly duplicates: boolean
  /** Limit of waiting tracks of one member; null means no limit. */
  readonly mostPerMember: number | null
}

export const NO_RULES: QueueRules = { fair: false, duplicates: true, mostPerMember: null }

/**
 * Takes tracks in by a guild's rules, as many of them as the rules let in. Turns are not waited for by what goes ahead.
 * @throws {Fault} `conflict` when the rules let none in.
 */
export function enqueue(
  rotation: Queue<QueuedTrack>,
  tracks: readonly QueuedTrack[],
  rules: QueueRules,
  when: When = 'last',
): Added<QueuedTrack> {
  const wanted = rules.duplicates ? tracks : withoutDuplicates(tracks, [...rotation.queue, rotation.current])
  if (wanted.length === 0 && tracks.length > 0) {
    throw new Fault('conflict', 'The queue already contains this track.', { reason: 'duplicate' })
  }
  const allowed = wanted.slice(0, roomFor(rotation, wanted[0]?.requesterId ?? null, rules))
  if (allowed.length === 0 && wanted.length > 0) {
    throw new Fault(
      'conflict',
      `Queue limit reached (${counted(rules.mostPerMember ?? 0, 'track')} for each member). Add more after one has played.`,
      {
        reason: 'too_many_queued',
      },
    )
  }
  if (when !== 'last') return addInFront(rotation, allowed)
  return rules.fair ? addByTurns(rotation, allowed, ({ requesterId }) => requesterId) : add(rotation, allowed)
}

function roomFor({ current, queue }: Queue<QueuedTrack>, requesterId: string | null, { mostPerMember }: QueueRules) {
  if (mostPerMember === null || requesterId === null) return Infinity
  const waiting = queue.filter((track) => track.requesterId === requesterId).length
  return Math.max(mostPerMember - waiting + (current === null ? 1 : 0), 0)
}

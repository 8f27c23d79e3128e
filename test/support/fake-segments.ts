import type { SegmentHooks } from '../../bot/player/player-parts.ts'
import { toSegments } from '../../bot/tracks/segments.ts'
import type { SegmentCategory } from '../../lib/music/segment-categories.ts'
import type { VideoSegment } from '../../upstream/music/sponsorblock.ts'

export interface FakeSegments extends SegmentHooks {
  /** Segments by the identifier of the track. */
  readonly marked: Map<string, readonly VideoSegment[]>
  /** Requested identifiers, in order. */
  readonly asked: string[]
  /** Answers wait for this promise. */
  gate: Promise<void>
}

/** Knows of tracks of any source what a test has marked. */
export function createFakeSegments(): FakeSegments {
  let categories: readonly SegmentCategory[] = []
  const fake: FakeSegments = {
    marked: new Map(),
    asked: [],
    gate: Promise.resolve(),
    get categories() {
      return categories
    },
    async set(wanted) {
      categories = wanted
    },
    async find({ identifier, lengthMs }) {
      if (categories.length === 0) return []
      fake.asked.push(identifier)
      await fake.gate
      return toSegments(fake.marked.get(identifier) ?? [], categories, lengthMs)
    },
  }
  return fake
}

import type { SegmentCategory } from '../../lib/music/segment-categories.ts'
import type { VideoSegment } from '../../upstream/music/sponsorblock.ts'

/** A part of a track that is passed over, or silent while the position runs on. */
export interface Segment {
  /** Category of the first segment, if several overlapping ones are skipped as one. */
  readonly category: SegmentCategory
  readonly action: 'skip' | 'mute'
  readonly startMs: number
  readonly endMs: number
}

/** Audio shorter than this between, before or after segments would be a crackle. */
const SLACK_MS = 750

/**
 * Segments of a track to skip or mute, in order. Skipped ones never overlap; at the very end they reach to its length.
 * Empty if next to nothing would be left of the track.
 */
export function toSegments(found: readonly VideoSegment[], categories: readonly SegmentCategory[], lengthMs: number) {
  const limitMs = lengthMs > 0 ? lengthMs : Infinity
  const wanted = found
    .filter(({ category, startMs }) => categories.includes(category) && startMs < limitMs)
    .map(({ category, action, startMs, endMs }) => ({
      category,
      action,
      startMs: startMs < SLACK_MS ? 0 : startMs,
      endMs: endMs > limitMs - SLACK_MS ? limitMs : endMs,
    }))
    .toSorted((a, b) => a.startMs - b.startMs)
  const skips = merge(wanted.filter(({ action }) => action === 'skip'))
  if (skips[0]?.startMs === 0 && skips[0].endMs >= limitMs) return []
  const mutes = merge(wanted.filter(({ action }) => action === 'mute'))
  return [...skips, ...mutes].toSorted((a, b) => a.startMs - b.startMs)
}

/** Moves a position inside a skipped segment to the segment's end; any other position stays unchanged. */
export function behindSegments(segments: readonly Segment[], positionMs: number) {
  const over = segments.find(
    ({ action, startMs, endMs }) => action === 'skip' && startMs <= positionMs && positionMs < endMs,
  )
  return over ? { positionMs: over.endMs, over } : { positionMs, over: null }
}

function merge(sorted: readonly Segment[]): readonly Segment[] {
  const merged: Segment[] = []
  for (const segment of sorted) {
    const last = merged.at(-1)
    if (last && segment.startMs <= last.endMs + SLACK_MS) {
      merged[merged.length - 1] = { ...last, endMs: Math.max(last.endMs, segment.endMs) }
    } else merged.push(segment)
  }
  return merged
}

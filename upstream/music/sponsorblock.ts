import { createHash } from 'node:crypto'
import { z } from 'zod'
import { SEGMENT_CATEGORIES, type SegmentCategory } from '../../lib/music/segment-categories.ts'
import { createCache, type CachedService } from '../http/cache.ts'
import { createUpstream, notFound, urlPath, type UpstreamContext } from '../http/client.ts'
import { usable } from './schemas.ts'

/** A part of a video that its viewers marked. */
export interface VideoSegment {
  readonly category: SegmentCategory
  readonly action: 'skip' | 'mute'
  readonly startMs: number
  readonly endMs: number
}

/** What viewers of YouTube's videos marked as worth passing over. */
export type SponsorBlock = ReturnType<typeof createSponsorBlock>

/** Too short to name a video: about 65,000 groups of all there are. */
const PREFIX_DIGITS = 4
const KNOWN_MS = 3_600_000
const UNKNOWN_MS = 600_000
/** A group with all its categories has about 50 KB. */
const MAX_BYTES = 2 * 1024 * 1024
const MOST_SEGMENTS = 200
const LEAST_MS = 500
/** Lengths are rounded, by them and by YouTube. */
const LENGTH_SLACK_MS = 3000

const Video = z.object({ videoID: z.string(), segments: z.array(z.unknown()) })
/** Where not one of them is a video, the answer has changed. */
const Group = z.array(z.unknown()).refine((all) => all.length === 0 || usable(Video, all).length > 0)
const Segment = z.object({
  segment: z.tuple([z.number().nonnegative(), z.number().nonnegative()]),
  category: z.enum(SEGMENT_CATEGORIES),
  actionType: z.enum(['skip', 'mute']),
  /** 1: a moderator vouches for it; then votes do not count. */
  locked: z.number().nullish(),
  votes: z.number().nullish(),
  /** Of the video when it was marked, in seconds; 0 where it is not known. */
  videoDuration: z.number().nullish(),
})

export function createSponsorBlock(context: UpstreamContext, { baseUrl, timeoutMs, cacheMax: max }: CachedService) {
  const service = createUpstream(context, {
    name: 'SponsorBlock',
    id: 'sponsorblock',
    baseUrl,
    timeoutMs,
    maxBytes: MAX_BYTES,
  })
  const known = createCache<readonly z.output<typeof Segment>[]>({
    name: 'sponsorblock',
    max,
    ttlMs: ({ length }) => (length > 0 ? KNOWN_MS : UNKNOWN_MS),
    metrics: context.metrics,
    now: context.now,
  })

  /** Asked for everything: the answer does for all servers, and tells nothing of what one of them passes over. */
  async function load(videoId: string) {
    const prefix = createHash('sha256').update(videoId).digest('hex').slice(0, PREFIX_DIGITS)
    const query = {
      service: 'YouTube',
      categories: JSON.stringify(SEGMENT_CATEGORIES),
      actionTypes: JSON.stringify(['skip', 'mute']),
    }
    const path = urlPath`/api/skipSegments/${prefix}`
    const group = (await service.find({ path, query, shape: Group, absent: notFound })) ?? []
    const video = usable(Video, group).find(({ videoID }) => videoID === videoId)
    return usable(Segment, video?.segments ?? []).slice(0, MOST_SEGMENTS)
  }

  return {
    /**
     * The segments of a video, in any order; empty if none are known. The service learns the first four digits of the
     * hash of the video's id, which thousands of videos share, and never the id.
     * @param lengthMs of the video as it is now: segments of another cut of it do not count. 0: not known.
     * @throws {UpstreamFailure}
     */
    async find(videoId: string, lengthMs: number): Promise<readonly VideoSegment[]> {
      const segments = await known.get(videoId, () => load(videoId))
      return segments
        .filter((segment) => isTrusted(segment, lengthMs))
        .map(toSegment)
        .filter(({ startMs, endMs }) => endMs - startMs >= LEAST_MS)
    },
  }
}

function isTrusted({ locked, votes, videoDuration }: z.output<typeof Segment>, lengthMs: number): boolean {
  const markedMs = (videoDuration ?? 0) * 1000
  const isOfOtherCut = markedMs > 0 && lengthMs > 0 && Math.abs(markedMs - lengthMs) > LENGTH_SLACK_MS
  return !isOfOtherCut && (locked === 1 || (votes ?? 0) >= 0)
}

function toSegment({ segment: [start, end], category, actionType }: z.output<typeof Segment>): VideoSegment {
  return { category, action: actionType, startMs: Math.round(start * 1000), endMs: Math.round(end * 1000) }
}

import { createLru } from '../../lib/sharing/lru.ts'
import { abortable } from '../../lib/deadline.ts'
import type { Logger } from '../../lib/log.ts'
import type { Sources } from '../sources/source.ts'
import { toChapters, type Chapter } from './chapters.ts'
import type { TrackInfo } from './track.ts'

interface ChapterLookupOptions {
  readonly sources: Pick<Sources, 'chapters'>
  readonly log: Logger
}

/** The chapters of a track; empty if none are known or they cannot be had. Never rejects. */
export type ChapterLookup = (track: TrackInfo) => Promise<readonly Chapter[]>

const READ_MS = 15_000
const KEPT_MS = 600_000
const KEPT_MAX = 200

/** Asks the track's own source, and remembers for a while what it said. */
export function createChapterLookup({ sources, log }: ChapterLookupOptions): ChapterLookup {
  const kept = createLru<string, readonly Chapter[]>(KEPT_MAX, { ttl: KEPT_MS })
  return async (track) => {
    const { sourceName, identifier, lengthMs } = track
    const key = `${sourceName} ${identifier}`
    const known = kept.get(key)
    if (known) return known
    try {
      const signal = AbortSignal.timeout(READ_MS)
      const chapters = toChapters(await abortable(sources.chapters(track, signal), signal), lengthMs)
      kept.set(key, chapters)
      return chapters
    } catch (err) {
      log.debug({ err, sourceName }, 'chapter lookup failed')
      return []
    }
  }
}

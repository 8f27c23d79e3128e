import { createFairShare } from '../../../lib/sharing/fair-share.ts'
import { runForProject } from '../../../lib/request-context.ts'
import { abortable } from '../../../lib/deadline.ts'
import { failingAs } from '../../../upstream/http/failure.ts'
import type { Lyrics, LyricsOf } from '../../../upstream/music/lyrics.ts'
import type { LyricLine } from '../../../upstream/music/lrc.ts'
import type { TrackInfo } from '../../../bot/tracks/track.ts'
import type { NodeCaller } from '../http/node-keys.ts'
import type { LineObject, LyricsObject, OlderLyricsObject } from '../protocol/lyrics.ts'

/** The lyrics of a track; null where there are none. @throws {Fault} where they cannot be looked up */
export type FindLyrics = (track: TrackInfo, caller: NodeCaller, signal: AbortSignal) => Promise<LyricsOf | null>

const PROVIDER = 'LRCLIB'
/** Clients wait for ten seconds. */
const FIND_MS = 9500
const LOOKUPS = { what: 'look-ups of lyrics', total: 48, share: 12, maxWaiting: 24, maxWaitMs: 5000 }

/** Looks lyrics up for projects, each within its share. */
export function createFindLyrics(lyrics: Lyrics): FindLyrics {
  const lookups = createFairShare(LOOKUPS)
  return async (track, { projectId }, signal) => {
    if (track.isStream) return null
    const ending = AbortSignal.any([signal, AbortSignal.timeout(FIND_MS)])
    const work = () => failingAs('service_unavailable', () => abortable(lyrics.find(track), ending))
    const found = await lookups.run(projectId, () => runForProject(projectId, work), ending)
    return found && found.lines.length > 0 ? found : null
  }
}

export function toLyricsObject({ lines, synced }: LyricsOf): LyricsObject {
  const timed = synced ? lines.map(toLineObject) : []
  return { sourceName: PROVIDER, provider: PROVIDER, text: textOf(lines), lines: timed, plugin: {} }
}

export function toOlderLyrics({ lines, synced }: LyricsOf, { title, author }: TrackInfo): OlderLyricsObject {
  const about = { track: { title, author, album: null, albumArt: [] }, source: PROVIDER } as const
  if (!synced) return { type: 'text', ...about, text: textOf(lines) }
  const ranges = lines.map(({ text: line, timeMs, durationMs }) => {
    const start = timeMs ?? 0
    return { line, range: { start, end: start + (durationMs ?? 0) } }
  })
  return { type: 'timed', ...about, lines: ranges }
}

function toLineObject({ text, timeMs, durationMs }: LyricLine): LineObject {
  return { timestamp: timeMs ?? 0, duration: durationMs, line: text, plugin: {} }
}

function textOf(lines: readonly LyricLine[]): string {
  return lines.map(({ text }) => text).join('\n')
}

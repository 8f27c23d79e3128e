import type { TrackMetadata } from '../../bot/tracks/track-metadata.ts'
import { decodeToken } from '../../bot/tracks/track-token.ts'
import { Fault } from '../../lib/errors.ts'

const LINE_MS = 2500

/**
 * Knows the words of tracks by their titles: `song` has a timed line every 2.5 s from 2.5 s on, `plain` and `long` lines
 * without times, `hum` no one who sings, `down` a service that does not answer, and all others nothing at all.
 */
export function createFakeTrackMetadata(): TrackMetadata {
  return {
    async lyrics(_, meant) {
      const { title } = decodeToken('encoded' in meant ? meant.encoded : '')
      const common = { source: 'lrclib', lang: null, instrumental: title === 'hum' } as const
      if (title === 'down') throw new Fault('service_unavailable', 'The lyrics library does not answer.')
      if (title === 'song') return { ...common, synced: true, lines: linesOf(12, true) }
      if (title === 'plain') return { ...common, synced: false, lines: linesOf(4, false) }
      if (title === 'long') return { ...common, synced: false, lines: linesOf(100, false) }
      if (title === 'hum') return { ...common, synced: false, lines: [] }
      throw new Fault('not_found', 'There are no lyrics for this track.')
    },
    meaning: () => Promise.reject(new Fault('not_found', 'There is no description of this track.')),
    recommendations: async () => [],
  }
}

function linesOf(count: number, isTimed: boolean) {
  return Array.from({ length: count }, (_, index) => ({
    text: index === 3 ? '' : `line ${index + 1} of *it*`,
    timeMs: isTimed ? (index + 1) * LINE_MS : null,
    durationMs: isTimed ? LINE_MS : null,
  }))
}

import { z } from 'zod'
import { createCache } from '../http/cache.ts'
import { createUpstream, notFound, type UpstreamContext } from '../http/client.ts'
import { readLrc, readPlain, type LyricLine } from './lrc.ts'
import { alike, folded, sameVersion, songNames, type SongName, type TrackName } from './title-matching.ts'
import { usable } from './schemas.ts'

const Record = z.object({
  trackName: z.string().nullish(),
  artistName: z.string().nullish(),
  duration: z.number().nullish(),
  instrumental: z.boolean().default(false),
  plainLyrics: z.string().nullish(),
  syncedLyrics: z.string().nullish(),
})
type Record = z.output<typeof Record>

export interface LyricsOf {
  readonly source: 'lrclib'
  /** The language in which it is sung, if known. */
  readonly lang: string | null
  /** Whether every line has a time. */
  readonly synced: boolean
  /** Instrumental: there are no lines. */
  readonly instrumental: boolean
  readonly lines: readonly LyricLine[]
}

interface SongTrack extends TrackName {
  /** 0 where it is unknown. */
  readonly lengthMs: number
}

export type Lyrics = ReturnType<typeof createLyrics>

/** It looks elsewhere for what it does not have, which takes a while. */
const TIMEOUT_MS = 8000
const FOUND_MS = 24 * 3_600_000
const MISSING_MS = 3_600_000
/** It knows no longer tracks, and refuses to look for them. */
const LENGTH_MAX_S = 3600
/** Wrong lyrics are worse than none. */
const ALIKE_MIN = 0.6
const APART_MAX_MS = 5000

export function createLyrics(
  context: UpstreamContext,
  options: { readonly baseUrl: string; readonly cacheMax: number; readonly timeoutMs?: number },
) {
  const { baseUrl, cacheMax: max, timeoutMs = TIMEOUT_MS } = options
  const { metrics, now } = context
  const api = createUpstream(context, { id: 'lrclib', name: 'The lyrics library', baseUrl, timeoutMs })
  const cache = createCache<LyricsOf | null>({
    name: 'lyrics',
    max,
    ttlMs: FOUND_MS,
    missingTtlMs: MISSING_MS,
    metrics,
    now,
  })

  const exact = ({ title, artist }: SongName, seconds: number) =>
    api.find({
      path: '/api/get',
      query: { track_name: title, artist_name: artist, duration: seconds > 0 ? seconds : undefined },
      shape: Record,
      absent: notFound,
    })
  const search = async (query: { readonly [name: string]: string }) =>
    usable(Record, await api.get({ path: '/api/search', query, shape: z.array(z.unknown()) }))

  async function look(track: SongTrack): Promise<LyricsOf | null> {
    const names = songNames(track).filter(({ title }) => title !== '')
    const [name] = names
    if (!name) return null
    const seconds = Math.round(track.lengthMs / 1000)
    const found = name.artist === '' ? null : await exact(name, seconds <= LENGTH_MAX_S ? seconds : 0)
    if (found && hasText(found)) return toLyrics(found, track)
    const byFields = await search({ track_name: name.title, artist_name: name.artist })
    const candidates = byFields.length > 0 ? byFields : await search({ q: `${name.artist} ${name.title}`.trim() })
    const best = choose(candidates, names, track)
    return best && toLyrics(best, track)
  }

  return {
    /** Null when there are none. @throws {UpstreamFailure} */
    find: (track: SongTrack): Promise<LyricsOf | null> => {
      const key = JSON.stringify([folded(track.title), folded(track.author), Math.round(track.lengthMs / 1000)])
      return cache.get(key, () => look(track))
    },
  }
}

/** The song itself: about as long, then with times, then most alike. */
function choose(records: readonly Record[], names: readonly SongName[], { title, lengthMs }: SongTrack): Record | null {
  const rated = records
    .filter((record) => hasText(record) && sameVersion(record.trackName ?? '', title))
    .map((record) => ({
      record,
      alike: Math.max(...names.map((name) => likeness(name, record))),
      fits: lengthMs > 0 && Math.abs((record.duration ?? 0) * 1000 - lengthMs) <= APART_MAX_MS ? 1 : 0,
      timed: record.syncedLyrics ? 1 : 0,
    }))
    .filter((it) => it.alike >= ALIKE_MIN)
  const order = rated.toSorted((a, b) => b.fits - a.fits || b.timed - a.timed || b.alike - a.alike)
  return order[0]?.record ?? null
}

function likeness({ title, artist }: SongName, { trackName, artistName }: Record): number {
  const [name] = songNames({ title: trackName ?? '', author: artistName ?? '' })
  return Math.min(alike(title, name?.title ?? ''), artist === '' ? 1 : alike(artist, artistName ?? ''))
}

function hasText({ instrumental, plainLyrics, syncedLyrics }: Record): boolean {
  return instrumental || Boolean(plainLyrics?.trim()) || Boolean(syncedLyrics?.trim())
}

/** Times of another recording than the one that plays would run away from it. */
function toLyrics(record: Record, { lengthMs }: SongTrack): LyricsOf {
  const recordMs = (record.duration ?? 0) * 1000
  const fits = lengthMs === 0 || recordMs === 0 || Math.abs(recordMs - lengthMs) <= APART_MAX_MS
  const timed = record.syncedLyrics ? readLrc(record.syncedLyrics, lengthMs || recordMs) : []
  const synced = fits && timed.length > 0
  const plain = readPlain(record.plainLyrics ?? '')
  const untimed = plain.length > 0 ? plain : timed.map(({ text }) => ({ text, timeMs: null, durationMs: null }))
  return {
    source: 'lrclib',
    lang: null,
    synced,
    instrumental: record.instrumental,
    lines: synced ? timed : untimed,
  }
}

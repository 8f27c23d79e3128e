import type { WantedTrack } from '../../upstream/music/title-matching.ts'
import type { TrackInfo } from '../tracks/track.ts'
import type { Recommendation, Song } from './song.ts'

/** A track that was played, and what became of it. */
export interface HeardSong extends Song {
  /** `failed`: it never began to sound. */
  readonly verdict: 'liked' | 'neutral' | 'rejected' | 'failed'
}

export interface Proposal extends Song, Recommendation {
  readonly wanted: WantedTrack
  /** The source track; null if not resolved yet. */
  readonly track: TrackInfo | null
  /** Position in the provider's list, 0 for the best. */
  readonly rank: number
  /** Weight of the provider's list, at most 1. */
  readonly weight: number
}

/** One song, with the proposal that spoke for it most. */
export interface ChosenSong extends Proposal {
  readonly score: number
}

export interface Listening {
  /** The oldest first; what plays now is the last. */
  readonly plays: readonly HeardSong[]
  /** Songs that the listeners keep. */
  readonly favourites: ReadonlySet<string>
}

/** A song is not played again before so many others. */
const NO_REPEAT_WITHIN = 50
const MOST_OF_ARTIST_IN_A_ROW = 2
/** A skip before this says that the track was not wanted. */
export const EARLY_SKIP_MS = 20_000

/** Reciprocal rank fusion: the first places of a list count more than the rest, but not everything. */
const RANK_OFFSET = 8
const FAVOURITE_FACTOR = 1.6
const SONG_REJECTED_FACTOR = 0.2
const ARTIST_REJECTED_FACTOR = 0.5
const ARTIST_LIKED_FACTOR = 1.08
const MOST_LIKES = 4
/** Share of chance in a score, so the same track is not always followed by the same one. */
const CHANCE = 0.2

/** Classifies a finished play. `lengthMs` 0 means unknown. */
export function verdictOf(play: {
  readonly heardMs: number
  readonly lengthMs: number
  readonly ended: 'finished' | 'skipped' | 'failed' | 'closed'
}): HeardSong['verdict'] {
  const { heardMs, lengthMs, ended } = play
  if (ended === 'finished' || (lengthMs > 0 && heardMs * 2 >= lengthMs)) return 'liked'
  return ended === 'skipped' && heardMs < EARLY_SKIP_MS ? 'rejected' : 'neutral'
}

/** Whether the rules let a song follow: not played lately, its artist neither twice in a row nor just rejected. */
export function isAllowed({ song, artist }: Song, plays: readonly HeardSong[]): boolean {
  // Failed tracks are not retried soon, and do not count as heard.
  const heard = plays.filter(({ verdict }) => verdict !== 'failed')
  const lately = plays.slice(-NO_REPEAT_WITHIN).concat(heard.slice(-NO_REPEAT_WITHIN))
  if (lately.some((play) => play.song === song)) return false
  const last = heard.slice(-MOST_OF_ARTIST_IN_A_ROW)
  const isThird = last.length === MOST_OF_ARTIST_IN_A_ROW && last.every((play) => play.artist === artist)
  const before = last.at(-1)
  const isRejected = before?.verdict === 'rejected' && before.artist === artist
  return artist === '' || (!isThird && !isRejected)
}

/**
 * Candidates for the next track, best first. The lists of all providers are merged by rank. Early skips count against a
 * song and its artist, liked plays count for the artist, and favourites of members weigh more.
 * @param random gives numbers from 0 up to, but not including, 1.
 */
export function rankProposals(proposals: readonly Proposal[], { plays, favourites }: Listening, random: () => number) {
  const opinions = opinionsOf(plays)
  const choices: ChosenSong[] = []
  for (const [song, all] of Map.groupBy(proposals, (it) => it.song)) {
    const [first] = all
    if (!first || !isAllowed(first, plays)) continue
    const best = all.reduce((a, b) => (partOf(b) > partOf(a) ? b : a))
    const sum = all.reduce((total, it) => total + partOf(it), 0)
    const liking = (favourites.has(song) ? FAVOURITE_FACTOR : 1) * opinions(first)
    const chance = 1 - CHANCE / 2 + CHANCE * random()
    const track = best.track ?? all.find((it) => it.track !== null)?.track ?? null
    choices.push({ ...best, track, score: sum * liking * chance })
  }
  return choices.toSorted((a, b) => b.score - a.score)
}

function partOf({ weight, rank }: Proposal): number {
  return weight / (RANK_OFFSET + rank)
}

/** Returns a function that gives the factor for a song's score, from the listeners' earlier verdicts. */
function opinionsOf(plays: readonly HeardSong[]): (song: Song) => number {
  const rejectedSongs = new Map<string, number>()
  const rejectedArtists = new Map<string, number>()
  const likedArtists = new Map<string, number>()
  for (const { song, artist, verdict } of plays) {
    if (verdict === 'rejected') increment(rejectedSongs, song)
    if (artist === '') continue
    if (verdict === 'rejected') increment(rejectedArtists, artist)
    if (verdict === 'liked') increment(likedArtists, artist)
  }
  return ({ song, artist }) =>
    SONG_REJECTED_FACTOR ** (rejectedSongs.get(song) ?? 0) *
    ARTIST_REJECTED_FACTOR ** (rejectedArtists.get(artist) ?? 0) *
    ARTIST_LIKED_FACTOR ** Math.min(likedArtists.get(artist) ?? 0, MOST_LIKES)
}

function increment(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1)
}

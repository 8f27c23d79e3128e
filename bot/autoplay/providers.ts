import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Collections } from '../../db/music/collections.ts'
import type { LibraryRecords, SimilarTrack } from '../../db/music/library.ts'
import type { GuildRef, PlayHistory } from '../../db/music/play-history.ts'
import type { CoverUrlOf } from '../covers/cover-addresses.ts'
import { toTrackInfo } from '../sources/library/library.ts'
import { UNKNOWN_AUTHOR } from '../sources/library/scan.ts'
import type { Recommender } from '../tracks/recommenders.ts'
import { decodeToken } from '../tracks/track-token.ts'
import type { TrackInfo } from '../tracks/track.ts'
import type { Proposal } from './chooser.ts'
import { songOf, type Recommendation } from './song.ts'

/** The seed tracks of a choice, and its listeners. */
interface ProposalRequest {
  readonly guild: GuildRef
  /** Tracks that members heard, the nearest first, each with its weight. */
  readonly seeds: readonly { readonly track: TrackInfo; readonly weight: number }[]
  readonly listenerIds: readonly string[]
}

export interface ProvidersOptions {
  readonly recommenders: readonly Recommender[]
  /** null if the source `library` is off. */
  readonly library: Pick<LibraryRecords, 'similar'> | null
  /** Left out: tracks of the library have no covers. */
  readonly coverUrlOf?: CoverUrlOf
  readonly history: Pick<PlayHistory, 'following'>
  readonly collections: Pick<Collections, 'favourites'>
}

/** Weight of each list. Recommendation services count most, unrelated library tracks least. */
const WEIGHTS = { named: 1, related: 0.9, history: 0.6, favourites: 0.3 } as const
const LIBRARY_WEIGHTS: Readonly<Record<SimilarTrack['shares'] & string, number>> = {
  genre: 0.5,
  folder: 0.4,
  album: 0.35,
  artist: 0.35,
}
const JUST_THERE_WEIGHT = 0.05

const MOST_OF_LIBRARY = 40
const MOST_OF_HISTORY = 20
const FAVOURITES_EACH = 20
const MOST_LISTENERS = 8

export interface Gathered {
  readonly proposals: readonly Proposal[]
  /** Songs that the listeners keep. */
  readonly favourites: ReadonlySet<string>
}

/** Collects proposals from all recommenders and the local lists. Never rejects. */
export async function gatherProposals(options: ProvidersOptions, request: ProposalRequest): Promise<Gathered> {
  const asked = request.seeds.flatMap((seed) =>
    options.recommenders.map((recommender) => proposalsOf(recommender, seed.track, seed.weight)),
  )
  const local: Proposal[] = []
  for (const { track, weight } of request.seeds) {
    local.push(...(await fromLibrary(options, track, weight)))
    // Each reads the database: others have a turn in between.
    await nextTurn()
    local.push(...(await fromHistory(options, request.guild, { track, weight })))
  }
  const kept = await favouritesOf(options, request)
  const proposals = [...(await Promise.all(asked)).flat(), ...local, ...kept]
  return { proposals, favourites: new Set(kept.map(({ song }) => song)) }
}

async function proposalsOf(recommender: Recommender, seed: TrackInfo, weight: number): Promise<readonly Proposal[]> {
  const songs = await recommender.find(seed)
  return songs.map(({ wanted, track }, rank) => {
    const provider = track ? track.source : recommender.name
    const place = { rank, weight: weight * (track ? WEIGHTS.related : WEIGHTS.named) }
    return toProposal({ wanted, track }, place, { provider, because: 'similar', of: seed.title })
  })
}

async function fromLibrary({ library, coverUrlOf = () => null }: ProvidersOptions, seed: TrackInfo, weight: number) {
  if (!library) return []
  const id = seed.sourceName === 'local' ? seed.identifier : null
  const author = seed.author === UNKNOWN_AUTHOR ? '' : seed.author
  const ranks = new Map<SimilarTrack['shares'], number>()
  const similar = await library.similar({ id, author }, MOST_OF_LIBRARY)
  return similar.map((found) => {
    const rank = ranks.get(found.shares) ?? 0
    ranks.set(found.shares, rank + 1)
    const listWeight = found.shares === null ? JUST_THERE_WEIGHT : LIBRARY_WEIGHTS[found.shares]
    return toProposal(
      playing(toTrackInfo(found, coverUrlOf)),
      { rank, weight: weight * listWeight },
      reasonOf(found, seed),
    )
  })
}

function reasonOf({ shares, author, genre }: SimilarTrack, seed: TrackInfo): Recommendation {
  const provider = 'library'
  if (shares === 'artist') return { provider, because: 'artist', of: author }
  if (shares === 'genre') return { provider, because: 'genre', of: genre }
  return shares === null ? { provider, because: 'library', of: null } : { provider, because: 'similar', of: seed.title }
}

async function fromHistory(
  { history }: ProvidersOptions,
  guild: GuildRef,
  { track: seed, weight }: ProposalRequest['seeds'][number],
): Promise<readonly Proposal[]> {
  const reason = { provider: 'history', because: 'history', of: seed.title } as const
  const tokens = await history.following(guild, songOf(seed).song, MOST_OF_HISTORY)
  const place = (rank: number) => ({ rank, weight: weight * WEIGHTS.history })
  return tokens.map((token, rank) => toProposal(playing(decodeToken(token)), place(rank), reason))
}

/** Favourites are returned without their owners: lists of members are private. */
async function favouritesOf({ collections }: ProvidersOptions, { guild: { botId }, listenerIds }: ProposalRequest) {
  const reason = { provider: 'favourites', because: 'favourite', of: null } as const
  const all: Proposal[] = []
  for (const userId of listenerIds.slice(0, MOST_LISTENERS)) {
    await nextTurn()
    const tokens = await collections.favourites({ botId, userId }, FAVOURITES_EACH)
    // Among a member's favourites none is better than another.
    const place = { rank: tokens.length, weight: WEIGHTS.favourites }
    all.push(...tokens.map((token) => toProposal(playing(decodeToken(token)), place, reason)))
  }
  return all
}

function playing(track: TrackInfo): Pick<Proposal, 'wanted' | 'track'> {
  return { wanted: track, track }
}

function toProposal(
  found: Pick<Proposal, 'wanted' | 'track'>,
  place: Pick<Proposal, 'rank' | 'weight'>,
  reason: Recommendation,
): Proposal {
  return { ...songOf(found.wanted), ...found, ...place, ...reason }
}

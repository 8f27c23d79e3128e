import { parseJson } from '../../../lib/text.ts'
import { readPage } from '../../../upstream/music/page.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import { z } from 'zod'
import { unplayable } from '../../../lib/errors.ts'
import { outgoingBudget } from '../../../lib/request-context.ts'
import type { Egress } from '../../../upstream/egress/egress-guard.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { normalizeTitle } from '../http/text.ts'
import type { Reader } from '../library/reader.ts'
import type { Found, FoundList, Source } from '../source.ts'
import type { Feed, FeedEpisode } from './feed.ts'
import type { DirectoryEpisode, PodcastDirectory, Show } from './podcast-directory.ts'

/** Of one feed. */
const LIST_MAX = 100
const SCHEMES: Readonly<Record<string, string>> = {
  'podcast:': 'https:',
  'feed:': 'https:',
  'podcast+http:': 'http:',
}

/**
 * Episodes by name and shows by name, from Apple's directory, and those of any feed by its address.
 * @param web opens what a feed names.
 * @param egress for chapters.
 */
export function createPodcastSource(directory: PodcastDirectory, reader: Reader, web: Source, egress: Egress): Source {
  const readFeed = (url: string, signal: AbortSignal) => reader.run('feed', { url, outgoing: outgoingBudget() }, signal)

  async function fromFeed(url: string, signal: AbortSignal, count = LIST_MAX): Promise<Found> {
    const feed = await readFeed(url, signal)
    const tracks = feed.episodes.slice(0, count).map((episode) => toTrackInfo(episode, feed))
    if (tracks.length === 0) throw unplayable('This podcast has no episodes.', 'nothing_found')
    return { tracks, playlist: feed.title ?? 'Podcast' }
  }

  async function fromApple({ show, episode }: AppleLink, signal: AbortSignal, count: number): Promise<Found> {
    const found = episode === null ? null : await directory.episode(show, episode)
    if (found) return { tracks: [listedEpisode(found)], playlist: null }
    const { feedUrl } = (await directory.show(show)) ?? {}
    if (feedUrl === undefined) throw unplayable("Apple Podcasts doesn't have this show.", 'nothing_found')
    return fromFeed(feedUrl, signal, count)
  }

  return {
    name: 'podcast',
    sourceName: 'podcast',
    claims: (url) => url.protocol in SCHEMES || appleLink(url) !== null,
    resolve: async (url, signal) => {
      const apple = appleLink(url)
      const count = countIn(url)
      if (apple) return fromApple(apple, signal, count)
      const scheme = SCHEMES[url.protocol]
      return fromFeed(scheme === undefined ? url.href : scheme + url.href.slice(url.protocol.length), signal, count)
    },
    search: async (text, limit) => (await directory.episodes(text, limit)).map(listedEpisode),
    lists: async ({ kind, text, limit, offset }) => {
      if (kind !== 'podcast' || text === '') return []
      return (await directory.shows(text, offset + limit)).slice(offset).flatMap(toList)
    },
    // Tokens are input: both addresses are fetched like any that a caller names.
    open: (track, signal, isFresh) => web.open(onTheWeb(track), signal, isFresh),
    chapters: async (track, signal) => {
      const [, chaptersUrl] = track.identifier.split(' ', 2)
      const written = chaptersUrl === undefined ? [] : await readPodcastChapters(chaptersUrl, { egress, signal })
      return written.length > 0 ? written : ((await web.chapters?.(onTheWeb(track), signal)) ?? [])
    },
    close: () => undefined,
  }
}

/** `#newest=3` after an address: so many episodes and no more. */
function countIn({ hash }: URL): number {
  const count = Number(/^#newest=(\d{1,3})$/.exec(hash)?.[1] ?? LIST_MAX)
  return Math.min(LIST_MAX, Math.max(1, count))
}

/** The episode as any file of the web. */
function onTheWeb(track: TrackInfo): TrackInfo {
  const [url = ''] = track.identifier.split(' ', 1)
  return { ...track, identifier: url, sourceName: 'http' }
}

interface AppleLink {
  readonly show: string
  readonly episode: string | null
}

/** `https://podcasts.apple.com/us/podcast/name/id1200361736?i=1000600000000`. */
function appleLink({ hostname, pathname, searchParams }: URL): AppleLink | null {
  const [, show] = hostname === 'podcasts.apple.com' ? (/\/id(\d{1,15})$/.exec(pathname) ?? []) : []
  const episode = searchParams.get('i')
  return show === undefined ? null : { show, episode: /^\d{1,15}$/.test(episode ?? '') ? episode : null }
}

function toList({ collectionName, artistName, trackCount, artworkUrl600, feedUrl }: Show): readonly FoundList[] {
  const url = URL.parse(feedUrl)
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return []
  return [
    {
      kind: 'podcast',
      title: normalizeTitle(collectionName) ?? 'Podcast',
      author: normalizeTitle(artistName),
      trackCount: trackCount ?? null,
      uri: url.protocol === 'https:' ? `podcast:${url.href.slice(6)}` : `podcast+${url.href}`,
      artworkUrl: artworkUrl600 ?? null,
    },
  ]
}

function toTrackInfo(episode: FeedEpisode, feed: Feed): TrackInfo {
  const { url, chaptersUrl, title, author, lengthMs, artworkUrl } = episode
  return {
    ...EPISODE,
    title: title ?? 'Untitled',
    author: author ?? feed.title ?? feed.author ?? new URL(url).host,
    lengthMs,
    // No address has a space.
    identifier: chaptersUrl === null ? url : `${url} ${chaptersUrl}`,
    uri: url,
    artworkUrl: artworkUrl ?? feed.artworkUrl,
  }
}

function listedEpisode(episode: DirectoryEpisode): TrackInfo {
  return {
    ...EPISODE,
    title: normalizeTitle(episode.trackName) ?? 'Untitled',
    author: normalizeTitle(episode.collectionName) ?? 'Unknown podcast',
    lengthMs: Math.round(episode.trackTimeMillis ?? 0),
    identifier: episode.episodeUrl,
    uri: episode.episodeUrl,
    artworkUrl: episode.artworkUrl600 ?? null,
  }
}

const EPISODE = { isStream: false, isrc: null, sourceName: 'podcast', probe: null } as const

/** Largest file, which parses in a few milliseconds. Files of a hundred chapters with pictures and links have 40 KiB. */
const MAX_BYTES = 512 * 1024

const File = z.object({ chapters: z.array(z.unknown()) })
/** `toc: false`: it changes the picture alone, and is in no list. */
const Entry = z.object({ startTime: z.number(), title: z.string().nullish(), toc: z.boolean().nullish() })

/**
 * The chapters of an episode by the address that its feed gives in `podcast:chapters`, a JSON file of Podcasting 2.0.
 * @throws {Fault} if it cannot be fetched. Returns an empty list for other files.
 */
export async function readPodcastChapters(
  url: string,
  { egress, signal }: { readonly egress: Egress; readonly signal: AbortSignal },
): Promise<readonly FoundChapter[]> {
  const { status, text } = await readPage(url, { egress, signal, name: 'The podcast', maxBytes: MAX_BYTES })
  return status === 200 ? parsePodcastChapters(text) : []
}

export function parsePodcastChapters(text: string): readonly FoundChapter[] {
  const file = File.safeParse(parseJson(text))
  const entries = file.success ? usable(Entry, file.data.chapters) : []
  return entries
    .filter(({ toc }) => toc !== false)
    .map(({ title, startTime }) => ({ title: title ?? '', startMs: startTime * 1000 }))
}

import { unplayable } from '../../../lib/errors.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import { chaptersOfDescription } from '../chapters/description-chapters.ts'
import { VideoChapter, videoUrl, type YouTubePlayable, type YouTubeVideo } from './schemas.ts'
import type { YouTube } from './youtube-client.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { abortable } from '../../../lib/deadline.ts'
import { knownSource } from '../known-hosts.ts'
import type { Found, Playable, Source } from '../source.ts'
import { normalizeTitle } from '../http/text.ts'

const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
const LIST_ID = /^(?:PL|OLAK5uy_|RDCLAK5uy_|UU|LL|FL)[A-Za-z0-9_-]{2,60}$/
/** A mix ends in the video that it begins with. */
const MIX_ID = /^RD(?:AMVM|MM|QM)?([A-Za-z0-9_-]{11})$/
/** Videos of a mix, which has no end. */
const MIX_LENGTH = 50
const NO_VIDEO =
  'The track token names YouTube as its source, but no YouTube video. Send the unchanged token from a search.'

interface YouTubeSourceMeans {
  /** Opens playlists of segments, which live streams are. */
  readonly web: Source
  /** Finds the id of a channel by its page; null where there is none. */
  readonly findChannel: (page: URL, signal: AbortSignal) => Promise<string | null>
}

export function createYouTubeSource(youTube: YouTube, { web, findChannel }: YouTubeSourceMeans): Source {
  const readMix = async (seed: string, signal: AbortSignal): Promise<Found> => {
    const first = await abortable(youTube.video(seed), signal)
    const more = await youTube.mix(seed, MIX_LENGTH - 1, signal)
    const tracks = [first, ...more].filter((it) => !isUpcoming(it)).map(toTrackInfo)
    return { tracks, playlist: `Mix - ${tracks[0]?.title ?? ''}` }
  }
  const readList = async (id: string, signal: AbortSignal): Promise<Found> => {
    const { title, videos, total } = await youTube.list(id, signal)
    const tracks = videos.filter((it) => !isUpcoming(it)).map(toTrackInfo)
    if (tracks.length === 0) throw unplayable('This playlist has no playable video.')
    return { tracks, playlist: normalizeTitle(title) ?? 'YouTube', total }
  }

  return {
    name: 'youtube',
    sourceName: 'youtube',
    // Starting a program takes longer than asking a server, and may be the second thing that is tried.
    patienceMs: 12_000,
    findsIsrc: true,
    claims: (url) => knownSource(url)?.name === 'youtube',
    health: () => youTube.health(),
    ways: () => youTube.ways(),
    budget: () => youTube.budget(),
    resolve: async (url, signal) => {
      const { video, list, mix } = namedBy(url)
      if (mix) return readMix(mix, signal)
      if (video) {
        const found = await abortable(youTube.video(video), signal)
        refuse(found)
        return { tracks: [toTrackInfo(found)], playlist: null }
      }
      if (list) return readList(list, signal)
      const channel = isChannel(url) ? await findChannel(url, signal) : null
      if (!channel) throw unplayable('Send the URL of a YouTube video, playlist or channel.')
      // All uploads of a channel are a playlist with an id of the same end.
      return readList(channel.replace(/^UC/, 'UU'), signal)
    },
    search: async (text, limit, signal) => recorded(await youTube.search(text, limit, signal)),
    songs: async (text, limit, signal) => {
      const songs = await youTube.songs(text, limit, signal).catch(() => null)
      signal.throwIfAborted()
      // Few ways to YouTube can ask YouTube Music.
      return recorded(songs ?? (await youTube.search(text, limit, signal)))
    },
    related: async ({ identifier }, limit, signal) =>
      VIDEO_ID.test(identifier) ? (await youTube.mix(identifier, limit, signal)).map(toTrackInfo) : [],
    open: async ({ identifier }, signal, isFresh): Promise<Playable> => {
      if (!VIDEO_ID.test(identifier)) throw unplayable(NO_VIDEO)
      const found = await abortable(youTube.video(identifier, isFresh), signal)
      refuse(found)
      return isSegments(found) ? web.open(segmentsOf(found), signal, isFresh) : audioOf(found)
    },
    chapters: async ({ identifier }, signal) =>
      VIDEO_ID.test(identifier) ? chaptersOf(await abortable(youTube.video(identifier), signal)) : [],
    close: () => youTube.close(),
  }
}

function audioOf(found: YouTubePlayable): Playable {
  const isOpus = found.ext === 'webm' && found.acodec === 'opus'
  const isLocalStream = isLive(found) && typeof found.operatorHost === 'string'
  const codec = isOpus && !isLocalStream ? 'webm-opus' : 'other'
  const at = { kind: 'http', url: found.url ?? '', codec, isStream: isLocalStream } as const
  return typeof found.operatorHost === 'string' ? { ...at, operatorHost: found.operatorHost } : at
}

interface Named {
  readonly video: string | null
  readonly list: string | null
  /** The video that a mix begins with. */
  readonly mix: string | null
}

/** A video wins over the list that it was found in, and over a mix that was not asked for. */
function namedBy(url: URL): Named {
  const [, first = '', second = ''] = url.pathname.split('/')
  const inPath = url.hostname === 'youtu.be' ? first : /^(?:shorts|live|embed|v)$/.test(first) ? second : ''
  const video = url.searchParams.get('v') ?? inPath
  const list = url.searchParams.get('list') ?? ''
  const isMix = !VIDEO_ID.test(video) || url.searchParams.get('start_radio') === '1'
  return {
    video: VIDEO_ID.test(video) ? video : null,
    list: LIST_ID.test(list) ? list : null,
    mix: (isMix && MIX_ID.exec(list)?.[1]) || null,
  }
}

/** `/@name`, and the older forms. */
function isChannel({ pathname }: URL): boolean {
  return /^\/(?:@[^/]{1,100}|(?:channel|c|user)\/[^/]{1,100})(?:\/(?:featured|videos|streams|releases|shorts)?)?$/.test(
    pathname,
  )
}

/** Streams are found by their links alone. */
function recorded(videos: readonly YouTubeVideo[]): readonly TrackInfo[] {
  return videos.filter((it) => !isLive(it) && !isUpcoming(it)).map(toTrackInfo)
}

function isUpcoming({ live_status }: YouTubeVideo): boolean {
  return live_status === 'is_upcoming'
}

function isLive({ is_live, live_status }: YouTubeVideo): boolean {
  return is_live === true || live_status === 'is_live'
}

function isSegments({ protocol }: YouTubePlayable): boolean {
  return protocol?.startsWith('m3u8') === true
}

function chaptersOf({ chapters, description }: YouTubePlayable): readonly FoundChapter[] {
  const shown = usable(VideoChapter, chapters ?? [])
  if (shown.length === 0) return chaptersOfDescription(description ?? '')
  return shown.map(({ start_time: seconds, title }) => ({ title: title ?? '', startMs: seconds * 1000 }))
}

/** The address as a track of the web. */
function segmentsOf(found: YouTubePlayable): TrackInfo {
  const url = found.url ?? ''
  return { ...toTrackInfo(found), identifier: url, uri: url, sourceName: 'http' }
}

function refuse(found: YouTubePlayable): void {
  if (isUpcoming(found)) throw unplayable("This hasn't started yet.")
  const isFile = found.protocol === 'https' || found.protocol === 'http'
  if (found.url && (isFile || isSegments(found))) return
  throw unplayable('YouTube provides this in no playable format.')
}

function toTrackInfo(video: YouTubeVideo): TrackInfo {
  const { id, title, duration } = video
  const isStream = isLive(video)
  const author = video.artists?.[0] ?? video.artist ?? video.channel ?? video.uploader
  return {
    title: normalizeTitle(title) ?? 'Untitled',
    author: normalizeTitle(author?.replace(/ - Topic$/, '')) ?? 'Unknown artist',
    lengthMs: isStream ? 0 : Math.round((duration ?? 0) * 1000),
    identifier: id,
    isStream,
    uri: videoUrl(id),
    // Every video has this one; larger ones are missing now and then.
    artworkUrl: `https://i.ytimg.com/vi/${id}/hqdefault.jpg`,
    isrc: null,
    sourceName: 'youtube',
    probe: null,
  }
}

import { unplayable } from '../../../lib/errors.ts'
import { usable } from '../../../upstream/music/schemas.ts'
import type { FoundChapter } from '../../tracks/chapters.ts'
import { chaptersOfDescription } from '../chapters/description-chapters.ts'
import { VideoChapter, videoUrl, type YouTubePlayable, type YouTubeVideo } from './schemas.ts'
import type { YouTube } from './youtube-client.ts'
import type { TrackInfo } from '../../tracks/track.ts'
import { abortable } from '../../../lib/deadline.ts'
import { knownSource } from '../known-hosts.ts'
import type { Playable, Source } from '../source.ts'
import { normalizeTitle } from '../http/text.ts'

const VIDEO_ID = /^[A-Za-z0-9_-]{11}$/
const LIST_ID = /^(?:PL|OLAK5uy_|UU|LL|FL)[A-Za-z0-9_-]{2,60}$/
const NO_VIDEO =
  'The track token names YouTube as its source, but no YouTube video. Send the unchanged token from a search.'

/** `web` opens playlists of segments, which live streams are. */
export function createYouTubeSource(youTube: YouTube, web: Source): Source {
  return {
    name: 'youtube',
    sourceName: 'youtube',
    // Starting a program takes longer than asking a server, and may be the second thing that is tried.
    patienceMs: 12_000,
    claims: (url) => knownSource(url)?.name === 'youtube',
    health: () => youTube.health(),
    resolve: async (url, signal) => {
      const { video, list } = namedBy(url)
      if (video) {
        const found = await abortable(youTube.video(video), signal)
        refuse(found)
        return { tracks: [toTrackInfo(found)], playlist: null }
      }
      if (!list) throw unplayable('Send the URL of a YouTube video or playlist.')
      const { title, videos } = await youTube.list(list, signal)
      const tracks = videos.filter((it) => !isUpcoming(it)).map(toTrackInfo)
      if (tracks.length === 0) throw unplayable('This playlist has no playable video.')
      return { tracks, playlist: normalizeTitle(title) ?? 'YouTube' }
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
      if (isSegments(found)) return web.open(segmentsOf(found), signal, isFresh)
      const isOpus = found.ext === 'webm' && found.acodec === 'opus'
      return { kind: 'http', url: found.url ?? '', codec: isOpus ? 'webm-opus' : 'other', isStream: false }
    },
    chapters: async ({ identifier }, signal) =>
      VIDEO_ID.test(identifier) ? chaptersOf(await abortable(youTube.video(identifier), signal)) : [],
    close: () => youTube.close(),
  }
}

/** A video wins over the list that it was found in: mixes are made for one person and have no end. */
function namedBy(url: URL): { readonly video: string | null; readonly list: string | null } {
  const [, first = '', second = ''] = url.pathname.split('/')
  const inPath = url.hostname === 'youtu.be' ? first : /^(?:shorts|live|embed|v)$/.test(first) ? second : ''
  const video = url.searchParams.get('v') ?? inPath
  const list = url.searchParams.get('list') ?? ''
  return { video: VIDEO_ID.test(video) ? video : null, list: LIST_ID.test(list) ? list : null }
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

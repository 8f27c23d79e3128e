import { z } from 'zod'
import { LIBRARY_WAYS, type LibraryWay } from './helper/protocol.ts'

/** A video in yt-dlp's format, into which the answers of other clients are translated. */
export const Video = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{11}$/),
  title: z.string(),
  artists: z.array(z.string()).nullish(),
  artist: z.string().nullish(),
  channel: z.string().nullish(),
  uploader: z.string().nullish(),
  duration: z.number().nonnegative().nullish(),
  is_live: z.boolean().nullish(),
  live_status: z.string().nullish(),
})
export const Playable = Video.extend({
  url: z.url({ protocol: /^https?$/ }).nullish(),
  ext: z.string().nullish(),
  acodec: z.string().nullish(),
  /** `https` or `http` for a file, `m3u8` or `m3u8_native` for a playlist of segments. */
  protocol: z.string().nullish(),
  description: z.string().nullish(),
  chapters: z.array(z.unknown()).nullish(),
})
/** A chapter that YouTube itself shows on the bar of the player. */
export const VideoChapter = z.object({ start_time: z.number(), title: z.string().nullish() })
export const List = z.object({
  title: z.string().nullish(),
  entries: z.array(z.unknown()),
  playlist_count: z.int().nonnegative().nullish(),
})

export type YouTubeVideo = z.output<typeof Video>
export type YouTubePlayable = z.output<typeof Playable> & {
  /** `host:port` of the helper that serves the audio, which only the audio thread reaches. */
  readonly operatorHost?: string | null
}

/** A way to the audio of a video: YouTube's own clients, its website's protocol, and yt-dlp. */
export type YouTubeWay = LibraryWay | 'yt-dlp'

export interface YouTubeList {
  readonly title: string
  readonly videos: readonly YouTubeVideo[]
  /** Number of entries on YouTube; null where unknown, and for mixes, which have no end. */
  readonly total: number | null
}

/** The ways of some clients, in their initial order. */
export function waysOf(clients: readonly YouTubeClientName[]): readonly YouTubeWay[] {
  return clients.flatMap((name): readonly YouTubeWay[] => {
    if (name === 'yt-dlp') return ['yt-dlp']
    return name === 'youtubei' ? LIBRARY_WAYS : []
  })
}

export const YOUTUBE_CLIENTS = ['youtubei', 'yt-dlp', 'play-dl'] as const
export type YouTubeClientName = (typeof YOUTUBE_CLIENTS)[number]

/** One way to ask YouTube. Each method throws `Fault`s that a caller may read. */
export interface YouTubeClient {
  /** Name in `YOUTUBE_CLIENTS`. */
  readonly name: YouTubeClientName
  search(text: string, limit: number, signal: AbortSignal): Promise<readonly YouTubeVideo[]>
  /** Songs alone, by YouTube Music. */
  songs?(text: string, limit: number, signal: AbortSignal): Promise<readonly YouTubeVideo[]>
  list(id: string, signal: AbortSignal): Promise<YouTubeList>
  /** @throws {Fault} `validation_error` for what cannot be had, with YouTube's reason. */
  video?(id: string, way: YouTubeWay): Promise<YouTubePlayable>
  /** The endless mix that begins with a video, without that one. */
  mix?(id: string, limit: number, signal: AbortSignal): Promise<readonly YouTubeVideo[]>
}

export function videoUrl(id: string): string {
  return `https://www.youtube.com/watch?v=${id}`
}

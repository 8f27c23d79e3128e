/** Requests to YouTube, the same for each client library. */
export type YoutubeRequest =
  | { readonly task: 'search'; readonly text: string; readonly limit: number }
  /** Search in YouTube Music, which knows songs alone. */
  | { readonly task: 'songs'; readonly text: string; readonly limit: number }
  | { readonly task: 'list'; readonly id: string; readonly limit: number }
  /** The endless mix that begins with a video. */
  | { readonly task: 'mix'; readonly id: string; readonly limit: number }
  | { readonly task: 'video'; readonly id: string }

/** Libraries that run in the helper. */
export type YoutubeLibrary = 'youtubei' | 'play-dl'

export interface HelperSettings {
  /** Address of `www.youtube.com`. */
  readonly baseUrl: string
  /** Hosts reachable even at private addresses. */
  readonly allowHosts: readonly string[]
  readonly poToken: string | null
  readonly visitorData: string | null
}

/** The first message has the settings. */
export type ToHelper =
  | { readonly settings: HelperSettings }
  | { readonly id: number; readonly library: YoutubeLibrary; readonly ask: YoutubeRequest }

export type FromHelper =
  /** Once, after the settings. */
  | { readonly ready: true }
  /** The receiver validates it: libraries change their shapes. */
  | { readonly id: number; readonly answer: unknown }
  /** `refused`: in YouTube's own words, about what was asked for. `broken`: anything else. */
  | { readonly id: number; readonly failure: { readonly kind: 'refused' | 'broken'; readonly reason: string } }

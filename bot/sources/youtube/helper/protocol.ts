/** Requests to YouTube, the same for each client library. */
export type YoutubeRequest =
  | { readonly task: 'search'; readonly text: string; readonly limit: number }
  /** Search in YouTube Music, which knows songs alone. */
  | { readonly task: 'songs'; readonly text: string; readonly limit: number }
  | { readonly task: 'list'; readonly id: string; readonly limit: number }
  /** The endless mix that begins with a video. */
  | { readonly task: 'mix'; readonly id: string; readonly limit: number }
  | { readonly task: 'video'; readonly id: string; readonly way: LibraryWay }

/** YouTube's own clients that get audio, and the protocol that its website plays by. */
export const LIBRARY_WAYS = ['visionos', 'sabr', 'ios', 'tv'] as const
export type LibraryWay = (typeof LIBRARY_WAYS)[number]

/** Libraries that run in the helper. */
export type YoutubeLibrary = 'youtubei' | 'play-dl'

export interface HelperSettings {
  /** Address of `www.youtube.com`. */
  readonly baseUrl: string
  /** Hosts reachable even at private addresses. */
  readonly allowHosts: readonly string[]
  readonly visitorData: string | null
  /** Whether the operator runs a provider of tokens. */
  readonly hasTokens: boolean
}

/** The first message has the settings. */
export type ToHelper =
  | { readonly settings: HelperSettings }
  | { readonly id: number; readonly library: YoutubeLibrary; readonly ask: YoutubeRequest }
  /** The answer to `wants`; null where the provider has none. */
  | { readonly granted: number; readonly token: string | null }

export type FromHelper =
  /** Once, after the settings. */
  | { readonly ready: true }
  /** A token for a video or a session. `isFresh`: YouTube does not take the former one. */
  | { readonly wants: number; readonly binding: string; readonly isFresh: boolean }
  /** Number of responses that carry audio to a player, and the port that serves them. */
  | { readonly streams: number; readonly port: number }
  /** The receiver validates it: libraries change their shapes. */
  | { readonly id: number; readonly answer: unknown }
  /** `refused`: in YouTube's own words, about what was asked for. `broken`: anything else. */
  | { readonly id: number; readonly failure: { readonly kind: 'refused' | 'broken'; readonly reason: string } }

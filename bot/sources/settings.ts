import { z } from 'zod'
import { address, text } from '../../upstream/http/env.ts'
import { YOUTUBE_CLIENTS } from './youtube/youtube-client.ts'

/** Everything that `MUSIC_SOURCES` may name. */
export const SOURCE_NAMES = [
  'library',
  'http',
  'radio',
  'soundcloud',
  'bandcamp',
  'youtube',
  'spotify',
  'deezer',
  'apple',
] as const
export type SourceName = (typeof SOURCE_NAMES)[number]

/** The variables of the outside places that music comes from; `.env.example` explains each. */
export const MUSIC_ENV = {
  YOUTUBE_CLIENTS: text
    .default(YOUTUBE_CLIENTS.join(','))
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(YOUTUBE_CLIENTS)).nonempty()),
  YOUTUBE_URL: address('https://www.youtube.com'),
  YOUTUBE_PO_TOKEN: text.optional(),
  YOUTUBE_VISITOR_DATA: text.optional(),
  YTDLP_PATH: text.default('yt-dlp'),
  YTDLP_JS_RUNTIME: text.regex(/^(?:node|deno|bun|quickjs)(?::.+)?$/, 'must be a runtime that yt-dlp knows').optional(),
  YTDLP_COOKIES_FILE: text.optional(),
  SOUNDCLOUD_CLIENT_ID: text.optional(),
  SOUNDCLOUD_API_URL: address('https://api-v2.soundcloud.com'),
  SOUNDCLOUD_WEB_URL: address('https://soundcloud.com'),
  RADIO_BROWSER_URL: address('https://all.api.radio-browser.info'),
  BANDCAMP_URL: address('https://bandcamp.com'),
  SPOTIFY_WEB_URL: address('https://open.spotify.com'),
  ITUNES_URL: address('https://itunes.apple.com'),
  DEEZER_API_URL: address('https://api.deezer.com'),

  LRCLIB_URL: address('https://lrclib.net'),
  WIKIPEDIA_URL: text
    .regex(/^https?:\/\/[^\s/]+$/, 'must be an address without a path')
    .default('https://{lang}.wikipedia.org'),
  GENIUS_ACCESS_TOKEN: text.optional(),
  GENIUS_URL: address('https://api.genius.com'),
  LASTFM_API_KEY: text.optional(),
  LASTFM_URL: address('https://ws.audioscrobbler.com'),
  LISTENBRAINZ_TOKEN: text.optional(),
  LISTENBRAINZ_URL: address('https://api.listenbrainz.org'),
} as const

const Env = z.object(MUSIC_ENV)

export type MusicSettings = ReturnType<typeof musicSettings>

export function musicSettings(e: z.output<typeof Env>) {
  return {
    youTube: {
      clients: e.YOUTUBE_CLIENTS,
      baseUrl: e.YOUTUBE_URL,
      poToken: e.YOUTUBE_PO_TOKEN ?? null,
      visitorData: e.YOUTUBE_VISITOR_DATA ?? null,
      command: e.YTDLP_PATH,
      // The one that runs this.
      jsRuntime: e.YTDLP_JS_RUNTIME ?? `node:${process.execPath}`,
      cookiesFile: e.YTDLP_COOKIES_FILE ?? null,
    },
    soundCloud: {
      clientId: e.SOUNDCLOUD_CLIENT_ID ?? null,
      apiUrl: e.SOUNDCLOUD_API_URL,
      webUrl: e.SOUNDCLOUD_WEB_URL,
    },
    radioBrowser: { baseUrl: e.RADIO_BROWSER_URL },
    bandcamp: { baseUrl: e.BANDCAMP_URL },
    spotify: { baseUrl: e.SPOTIFY_WEB_URL },
    apple: { baseUrl: e.ITUNES_URL },
    deezer: { baseUrl: e.DEEZER_API_URL },
    lyrics: { baseUrl: e.LRCLIB_URL },
    wikipediaUrl: e.WIKIPEDIA_URL,
    genius: { baseUrl: e.GENIUS_URL, token: e.GENIUS_ACCESS_TOKEN ?? null },
    lastFm: { baseUrl: e.LASTFM_URL, key: e.LASTFM_API_KEY ?? null },
    listenBrainz: { baseUrl: e.LISTENBRAINZ_URL, token: e.LISTENBRAINZ_TOKEN ?? null },
  } as const
}

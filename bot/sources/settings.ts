import { delimiter } from 'node:path'
import { z } from 'zod'
import { changedUrls, UPSTREAM_ENV, urlsOf } from '../../upstream/http/addresses.ts'
import { address, optionalAddress, text } from '../../upstream/http/env.ts'
import { unknownItem } from '../../lib/validation/issue-message.ts'
import { YOUTUBE_CLIENTS } from './youtube/schemas.ts'

/**
 * Content of a source: files of this machine, URLs, radio stations by name, songs by name and by link, podcasts by name
 * and by feed, or links to songs that other sources play.
 */
export type SourceKind = 'files' | 'addresses' | 'stations' | 'songs' | 'podcasts' | 'links'

export interface SourceFacts {
  readonly kind: SourceKind
  /** Name of the product. */
  readonly title: string
  /** Hosts of the links that people share. */
  readonly hosts?: RegExp
  /** A server of the operator's own, which may hold few songs. */
  readonly isOperators?: boolean
  /** Variables that it cannot be switched on without. */
  readonly needs?: readonly string[]
  /** Also required: all variables of one of these groups. */
  readonly needsOneOf?: readonly (readonly string[])[]
}

/**
 * Everything that `MUSIC_SOURCES` may name, in the order in which a search asks it by default: songs before stations,
 * some of which are called like songs.
 */
const SOURCES = {
  library: { kind: 'files', title: 'Library' },
  http: { kind: 'addresses', title: 'Links' },
  subsonic: {
    kind: 'songs',
    title: 'Subsonic',
    isOperators: true,
    needs: ['SUBSONIC_URL', 'SUBSONIC_USER', 'SUBSONIC_PASSWORD'],
  },
  jellyfin: {
    kind: 'songs',
    title: 'Jellyfin',
    isOperators: true,
    needs: ['JELLYFIN_URL'],
    needsOneOf: [['JELLYFIN_API_KEY'], ['JELLYFIN_USER', 'JELLYFIN_PASSWORD']],
  },
  soundcloud: { kind: 'songs', title: 'SoundCloud', hosts: /^(?:(?:www|m|on)\.)?soundcloud\.com$/ },
  bandcamp: { kind: 'songs', title: 'Bandcamp', hosts: /^(?:.+\.)?bandcamp\.com$/ },
  youtube: {
    kind: 'songs',
    title: 'YouTube',
    hosts: /^(?:(?:www|m|music)\.)?youtube\.com$|^youtu\.be$|^(?:www\.)?youtube-nocookie\.com$/,
  },
  radio: { kind: 'stations', title: 'Radio Browser' },
  podcast: { kind: 'podcasts', title: 'Podcasts', hosts: /^podcasts\.apple\.com$/ },
  spotify: { kind: 'links', title: 'Spotify', hosts: /^(?:open|play)\.spotify\.com$|^spotify\.link$/ },
  deezer: {
    kind: 'links',
    title: 'Deezer',
    hosts: /^(?:www\.)?deezer\.com$|^link\.deezer\.com$|^deezer\.page\.link$/,
  },
  apple: { kind: 'links', title: 'Apple Music', hosts: /^(?:(?:geo\.)?music|itunes)\.apple\.com$/ },
} as const satisfies Readonly<Record<string, SourceFacts>>

export type SourceName = keyof typeof SOURCES
export const SOURCE_FACTS: Readonly<Record<SourceName, SourceFacts>> = SOURCES
export const SOURCE_NAMES = Object.keys(SOURCES) as SourceName[]

/** Sources that ask no music site: they play files of this machine, or an address from a caller. */
export const OWN_SOURCES: ReadonlySet<string> = new Set<SourceName>(['library', 'http'])

/** The variables of the outside places that music comes from; `.env.example` explains each. */
export const MUSIC_ENV = {
  YOUTUBE_CLIENTS: text
    .default(YOUTUBE_CLIENTS.join(','))
    .transform((list) => list.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(YOUTUBE_CLIENTS, { error: unknownItem('client', YOUTUBE_CLIENTS) })).nonempty()),
  YOUTUBE_TOKEN_PROVIDER_URL: optionalAddress,
  YOUTUBE_VISITOR_DATA: text.optional(),
  YTDLP_PATH: text.default('yt-dlp'),
  YTDLP_JS_RUNTIME: text
    .regex(/^(?:node|deno|bun|quickjs)(?::.+)?$/, 'Must be a runtime that yt-dlp supports.')
    .optional(),
  YTDLP_COOKIES_FILE: text.optional(),
  YTDLP_UPDATES: z.enum(['off', 'stable', 'nightly']).default('off'),
  SOUNDCLOUD_CLIENT_ID: text.optional(),
  SPOTIFY_CLIENT_ID: text.optional(),
  SPOTIFY_CLIENT_SECRET: text.optional(),
  RADIO_BROWSER_URL: optionalAddress,
  SUBSONIC_URL: optionalAddress,
  SUBSONIC_USER: text.optional(),
  SUBSONIC_PASSWORD: z.string().min(1).optional(),
  JELLYFIN_URL: optionalAddress,
  JELLYFIN_API_KEY: text.optional(),
  JELLYFIN_USER: text.optional(),
  JELLYFIN_PASSWORD: z.string().min(1).optional(),

  SPONSORBLOCK_URL: address('https://sponsor.ajay.app'),
  LRCLIB_URL: address('https://lrclib.net'),
  GENIUS_ACCESS_TOKEN: text.optional(),
  LASTFM_API_KEY: text.optional(),
  LISTENBRAINZ_TOKEN: text.optional(),
} as const

/** Variables that have no effect any more, and what to do instead. */
const RETIRED: Readonly<Record<string, string>> = {
  YOUTUBE_PO_TOKEN:
    'YouTube binds tokens to videos now. Run a token provider and set YOUTUBE_TOKEN_PROVIDER_URL, or leave it out.',
}

export const RETIRED_NAMES: ReadonlySet<string> = new Set(Object.keys(RETIRED))

/** Settings in use that have no effect any more. */
export function retiredSettings(env: Readonly<Record<string, string | undefined>>) {
  return Object.entries(RETIRED).flatMap(([setting, instead]) => (env[setting] ? [{ setting, instead }] : []))
}

const Env = z.object({ ...MUSIC_ENV, ...UPSTREAM_ENV })
const SPOTIFY_APP = ['SPOTIFY_CLIENT_ID', 'SPOTIFY_CLIENT_SECRET'] as const

/** A source that was switched on needs what it cannot work without, and an app both of its credentials. */
export function requireSourceSettings(
  e: z.output<typeof Env> & { readonly MUSIC_SOURCES?: readonly SourceName[] | undefined },
  context: z.core.$RefinementCtx,
): void {
  for (const [one, other] of [SPOTIFY_APP, SPOTIFY_APP.toReversed()] as const) {
    if (e[one] === undefined || e[other] !== undefined) continue
    context.addIssue({ code: 'custom', path: [other], message: `Required, because ${one} is set.` })
  }
  for (const name of e.MUSIC_SOURCES ?? [])
    for (const variable of unsetFor(name, e)) {
      context.addIssue({
        code: 'custom',
        path: [variable],
        message: `Required, because MUSIC_SOURCES contains ${name}.`,
      })
    }
}

/** Sources enabled where `MUSIC_SOURCES` is not set: all whose required variables are set. */
export function defaultSources(e: z.output<typeof Env>): readonly SourceName[] {
  return SOURCE_NAMES.filter((name) => unsetFor(name, e).length === 0)
}

/** Variables that a source cannot be switched on without, and that are not set. */
function unsetFor(name: SourceName, e: Readonly<Record<string, unknown>>): readonly string[] {
  const { needs = [], needsOneOf = [] } = SOURCE_FACTS[name]
  const unsetOf = (variables: readonly string[]) => variables.filter((variable) => e[variable] === undefined)
  // The group with the fewest missing variables.
  const [shortest = []] = needsOneOf.map(unsetOf).toSorted((a, b) => a.length - b.length)
  return [...unsetOf(needs), ...shortest]
}

export type MusicSettings = ReturnType<typeof musicSettings>

/**
 * @param programFolder where the operator's command puts programs
 * @param path where the shell looks for programs
 */
export function musicSettings(e: z.output<typeof Env>, programFolder: string, path: string) {
  const url = urlsOf(changedUrls(e))
  return {
    /** Missing variables by source. */
    unset: Object.fromEntries(SOURCE_NAMES.map((name) => [name, unsetFor(name, e)])),
    youTube: {
      clients: e.YOUTUBE_CLIENTS,
      baseUrl: url('youtube'),
      tokenProviderUrl: e.YOUTUBE_TOKEN_PROVIDER_URL ?? null,
      visitorData: e.YOUTUBE_VISITOR_DATA ?? null,
      command: e.YTDLP_PATH,
      /** Folders in which the command is looked for. What was fetched for this service comes first. */
      searchPath: [programFolder, path].join(delimiter),
      programFolder,
      releasesUrl: url('yt-dlp-releases'),
      /** Channel of automatic updates, and of the operator's command. */
      updates: e.YTDLP_UPDATES,
      // The one that runs this.
      jsRuntime: e.YTDLP_JS_RUNTIME ?? `node:${process.execPath}`,
      cookiesFile: e.YTDLP_COOKIES_FILE ?? null,
    },
    soundCloud: {
      clientId: e.SOUNDCLOUD_CLIENT_ID ?? null,
      apiUrl: url('soundcloud-api'),
      webUrl: url('soundcloud-web'),
    },
    radioBrowser: { baseUrl: e.RADIO_BROWSER_URL ?? null, listUrl: url('radio-browser-servers') },
    bandcamp: { baseUrl: url('bandcamp') },
    subsonic: { baseUrl: e.SUBSONIC_URL ?? '', user: e.SUBSONIC_USER ?? '', password: e.SUBSONIC_PASSWORD ?? '' },
    jellyfin: {
      baseUrl: e.JELLYFIN_URL ?? '',
      apiKey: e.JELLYFIN_API_KEY ?? null,
      user: e.JELLYFIN_USER ?? null,
      password: e.JELLYFIN_PASSWORD ?? null,
    },
    spotify: {
      baseUrl: url('spotify'),
      apiUrl: url('spotify-api'),
      accountsUrl: url('spotify-accounts'),
      clientId: e.SPOTIFY_CLIENT_ID ?? null,
      clientSecret: e.SPOTIFY_CLIENT_SECRET ?? null,
    },
    apple: { baseUrl: url('itunes'), webUrl: url('apple-music') },
    podcasts: { baseUrl: url('itunes') },
    deezer: { baseUrl: url('deezer') },
    sponsorBlock: { baseUrl: e.SPONSORBLOCK_URL },
    lyrics: { baseUrl: e.LRCLIB_URL },
    wikipediaUrl: url('wikipedia'),
    genius: { baseUrl: url('genius'), token: e.GENIUS_ACCESS_TOKEN ?? null },
    lastFm: { baseUrl: url('lastfm'), key: e.LASTFM_API_KEY ?? null },
    listenBrainz: { baseUrl: url('listenbrainz'), token: e.LISTENBRAINZ_TOKEN ?? null },
  } as const
}

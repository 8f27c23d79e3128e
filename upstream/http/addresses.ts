import { z } from 'zod'
import { findNearest } from '../../lib/validation/nearest.ts'
import { trimTrailing } from '../../lib/text.ts'

interface Address {
  readonly url: string
  /** The setting of its own that it once had. */
  readonly was?: string
}

/** Where the outside services are whose address only mirrors and stand-ins change, by the names in `UPSTREAM_URLS`. */
export const UPSTREAMS = {
  youtube: { was: 'YOUTUBE_URL', url: 'https://www.youtube.com' },
  'yt-dlp-releases': { was: 'YTDLP_RELEASES_URL', url: 'https://github.com/yt-dlp/yt-dlp/releases' },
  'soundcloud-api': { was: 'SOUNDCLOUD_API_URL', url: 'https://api-v2.soundcloud.com' },
  'soundcloud-web': { was: 'SOUNDCLOUD_WEB_URL', url: 'https://soundcloud.com' },
  'radio-browser-servers': { was: 'RADIO_BROWSER_SERVERS_URL', url: 'https://all.api.radio-browser.info' },
  bandcamp: { was: 'BANDCAMP_URL', url: 'https://bandcamp.com' },
  'spotify-accounts': { url: 'https://accounts.spotify.com' },
  'spotify-api': { url: 'https://api.spotify.com' },
  'apple-music': { url: 'https://music.apple.com' },
  spotify: { was: 'SPOTIFY_WEB_URL', url: 'https://open.spotify.com' },
  deezer: { was: 'DEEZER_API_URL', url: 'https://api.deezer.com' },
  itunes: { was: 'ITUNES_URL', url: 'https://itunes.apple.com' },
  wikipedia: { was: 'WIKIPEDIA_URL', url: 'https://{lang}.wikipedia.org' },
  genius: { was: 'GENIUS_URL', url: 'https://api.genius.com' },
  lastfm: { was: 'LASTFM_URL', url: 'https://ws.audioscrobbler.com' },
  listenbrainz: { was: 'LISTENBRAINZ_URL', url: 'https://api.listenbrainz.org' },
  'open-meteo': { was: 'OPEN_METEO_BASE_URL', url: 'https://api.open-meteo.com' },
  'open-meteo-geocoding': { was: 'OPEN_METEO_GEOCODING_URL', url: 'https://geocoding-api.open-meteo.com' },
  openweathermap: { was: 'OPENWEATHER_BASE_URL', url: 'https://api.openweathermap.org' },
  'weather-icons': { was: 'WEATHER_ICON_BASE_URL', url: 'https://openweathermap.org/img/wn' },
  mymemory: { was: 'MYMEMORY_URL', url: 'https://api.mymemory.translated.net' },
  deepl: { was: 'DEEPL_BASE_URL', url: 'https://api.deepl.com' },
  'google-translate': { was: 'GOOGLE_TRANSLATE_BASE_URL', url: 'https://translation.googleapis.com' },
  getbible: { was: 'GETBIBLE_URL', url: 'https://api.getbible.net/v2' },
  'getbible-search': { was: 'GETBIBLE_SEARCH_URL', url: 'https://search.getbible.net/v2' },
  helloao: { was: 'HELLOAO_URL', url: 'https://bible.helloao.org' },
  bolls: { was: 'BOLLS_URL', url: 'https://bolls.life' },
  'mojang-services': { was: 'MOJANG_SERVICES_URL', url: 'https://api.minecraftservices.com' },
  'mojang-api': { was: 'MOJANG_API_URL', url: 'https://api.mojang.com' },
  'mojang-session': { was: 'MOJANG_SESSION_URL', url: 'https://sessionserver.mojang.com' },
  'minecraft-textures': { was: 'MINECRAFT_TEXTURES_URL', url: 'https://textures.minecraft.net' },
  geyser: { was: 'GEYSER_API_URL', url: 'https://api.geysermc.org' },
  'roblox-users': { was: 'ROBLOX_USERS_URL', url: 'https://users.roblox.com' },
  'roblox-thumbnails': { was: 'ROBLOX_THUMBNAILS_URL', url: 'https://thumbnails.roblox.com' },
  'roblox-groups': { was: 'ROBLOX_GROUPS_URL', url: 'https://groups.roblox.com' },
  'roblox-games': { was: 'ROBLOX_GAMES_URL', url: 'https://games.roblox.com' },
  'roblox-friends': { was: 'ROBLOX_FRIENDS_URL', url: 'https://friends.roblox.com' },
  'roblox-apis': { was: 'ROBLOX_APIS_URL', url: 'https://apis.roblox.com' },
  otakugifs: { was: 'OTAKUGIFS_URL', url: 'https://api.otakugifs.xyz' },
  purrbot: { was: 'PURRBOT_URL', url: 'https://api.purrbot.site/v2' },
  nekosbest: { was: 'NEKOS_BEST_URL', url: 'https://nekos.best/api/v2' },
} as const satisfies Readonly<Record<string, Address>>

export type UpstreamName = keyof typeof UPSTREAMS
export const UPSTREAM_NAMES = Object.keys(UPSTREAMS) as UpstreamName[]

/** Those that the operator changed, without a slash at the end. */
export type UpstreamUrls = Readonly<Partial<Record<UpstreamName, string>>>

const HttpUrl = z.url({ protocol: /^https?$/ })

const changes = z.string().transform((text, context): UpstreamUrls => {
  const entries = text.split(',').map((entry) => entry.trim())
  const read = entries.filter((entry) => entry !== '').map(toPair)
  const names = read.map(([name]) => name)
  const faults = read.map(([name, url]) => faultOf(name, url))
  const twice = names.filter((name, i) => names.indexOf(name) < i).map((name) => `Has ${name} twice.`)
  for (const message of [...faults, ...twice]) if (message !== null) context.addIssue({ code: 'custom', message })
  return Object.fromEntries(read.map(([name, url]) => [name, trimTrailing(url, '/')]))
})

function toPair(entry: string): readonly [name: string, url: string] {
  const at = entry.indexOf('=')
  return at === -1 ? [entry, ''] : [entry.slice(0, at).trim(), entry.slice(at + 1).trim()]
}

/** The URL itself is not told, since it may have a password. */
function faultOf(name: string, url: string): string | null {
  if (!isUpstream(name)) return unknownName(name)
  const { success } = HttpUrl.safeParse(url)
  return success ? null : `The URL of ${name} must be like ${UPSTREAMS[name].url}: write ${name}=https://….`
}

function unknownName(name: string): string {
  // Without a name, what was written is most likely a URL.
  if (!/^[\w-]{1,40}$/.test(name)) return `Must be a list of name=URL with commas between. ${KNOWN}`
  const nearest = findNearest(name, UPSTREAM_NAMES)
  return `Unknown name: ${name}. ${nearest === null ? '' : `Did you mean ${nearest}? `}${KNOWN}`
}

const KNOWN = `The names are ${UPSTREAM_NAMES.join(', ')}.`

function isUpstream(name: string): name is UpstreamName {
  return Object.hasOwn(UPSTREAMS, name)
}

type FormerName = Extract<(typeof UPSTREAMS)[UpstreamName], { readonly was: string }>['was']

const FORMER: readonly (readonly [UpstreamName, FormerName])[] = UPSTREAM_NAMES.flatMap((name) => {
  const address = UPSTREAMS[name]
  return 'was' in address ? [[name, address.was] as const] : []
})
const FORMER_ENV = Object.fromEntries(FORMER.map(([, was]) => [was, HttpUrl.optional()])) as Readonly<
  Record<FormerName, z.ZodOptional<z.ZodURL>>
>

export const FORMER_NAMES: ReadonlySet<string> = new Set(Object.keys(FORMER_ENV))

/** The variable with the addresses of the outside services; `.env.example` lists their names. */
export const UPSTREAM_ENV = { UPSTREAM_URLS: changes.default({}), ...FORMER_ENV } as const

/** The addresses that the operator changed, in the settings of their own that they once had too. */
export function changedUrls(e: z.output<z.ZodObject<typeof UPSTREAM_ENV>>): UpstreamUrls {
  const former = FORMER.flatMap(([name, was]) => {
    const url = e[was]
    return url === undefined ? [] : [[name, trimTrailing(url, '/')]]
  })
  return { ...Object.fromEntries(former), ...e.UPSTREAM_URLS }
}

/** Settings in use that have a former name, each with how it is written now. */
export function formerSettings(
  env: Readonly<Record<string, string | undefined>>,
): readonly { readonly setting: string; readonly now: string }[] {
  return FORMER.map(([name, was]) => ({ setting: was, now: `UPSTREAM_URLS=${name}=URL` })).filter(
    ({ setting }) => env[setting],
  )
}

/** Tells where a service is: where the operator says, else at its default, for which a key may have another one. */
export function urlsOf(changed: UpstreamUrls) {
  return (name: UpstreamName, byDefault: string = UPSTREAMS[name].url): string => changed[name] ?? byDefault
}

import { z } from 'zod'
import { address, optionalAddress, text } from './env.ts'
import { DETECTION_MODELS } from '../local/protocol.ts'
import { PROVIDERS } from '../roleplay/actions.ts'
import { userAgent } from '../../lib/identity.ts'

/** The variables of the outside services; `.env.example` explains each. `config.ts` reads them with all others. */
export const LOOKUP_ENV = {
  UPSTREAM_USER_AGENT: text.optional(),
  UPSTREAM_CONTACT: text.regex(/^[^\s()]{3,200}$/, 'Must be a URL or an email address.').optional(),
  UPSTREAM_TIMEOUT_MS: z.coerce.number().int().min(100).max(60_000).default(5000),
  UPSTREAM_RETRIES: z.coerce.number().int().min(0).max(1).default(1),
  UPSTREAM_CACHE_MAX_ENTRIES: z.coerce.number().int().min(1).max(1_000_000).default(5000),
  HTTPS_PROXY: z.url({ protocol: /^https?$/ }).optional(),

  WEATHER_PROVIDER: z.enum(['auto', 'open-meteo', 'openweathermap']).default('auto'),
  OPENWEATHER_API_KEY: text.optional(),
  OPENWEATHER_BASE_URL: address('https://api.openweathermap.org'),
  OPEN_METEO_API_KEY: text.optional(),
  OPEN_METEO_BASE_URL: optionalAddress,
  OPEN_METEO_GEOCODING_URL: optionalAddress,
  WEATHER_ICON_BASE_URL: address('https://openweathermap.org/img/wn'),

  TRANSLATE_PROVIDER: z.enum(['auto', 'mymemory', 'libretranslate', 'deepl', 'google', 'none']).default('auto'),
  MYMEMORY_URL: address('https://api.mymemory.translated.net'),
  MYMEMORY_EMAIL: z.email().optional(),
  LIBRETRANSLATE_URL: optionalAddress,
  LIBRETRANSLATE_API_KEY: text.optional(),
  DEEPL_API_KEY: text.optional(),
  DEEPL_BASE_URL: optionalAddress,
  GOOGLE_TRANSLATE_API_KEY: text.optional(),
  GOOGLE_TRANSLATE_BASE_URL: address('https://translation.googleapis.com'),

  MOJANG_SERVICES_URL: address('https://api.minecraftservices.com'),
  MOJANG_API_URL: address('https://api.mojang.com'),
  MOJANG_SESSION_URL: address('https://sessionserver.mojang.com'),
  MINECRAFT_TEXTURES_URL: address('https://textures.minecraft.net'),
  GEYSER_API_URL: address('https://api.geysermc.org'),

  ROBLOX_API_KEY: text.optional(),
  ROBLOX_USERS_URL: address('https://users.roblox.com'),
  ROBLOX_THUMBNAILS_URL: address('https://thumbnails.roblox.com'),
  ROBLOX_GROUPS_URL: address('https://groups.roblox.com'),
  ROBLOX_GAMES_URL: address('https://games.roblox.com'),
  ROBLOX_FRIENDS_URL: address('https://friends.roblox.com'),
  ROBLOX_APIS_URL: address('https://apis.roblox.com'),

  ROLEPLAY_PROVIDERS: z
    .string()
    .default('otakugifs,purrbot')
    .transform((names) => names.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(PROVIDERS)).min(1)),
  OTAKUGIFS_URL: address('https://api.otakugifs.xyz'),
  PURRBOT_URL: address('https://api.purrbot.site/v2'),
  NEKOS_BEST_URL: address('https://nekos.best/api/v2'),

  BIBLE_PROVIDER: z.enum(['getbible', 'helloao', 'bolls', 'local']).default('getbible'),
  BIBLE_LICENSES: z.enum(['free', 'all']).default('free'),
  GETBIBLE_URL: address('https://api.getbible.net/v2'),
  GETBIBLE_SEARCH_URL: address('https://search.getbible.net/v2'),
  HELLOAO_URL: address('https://bible.helloao.org'),
  BOLLS_URL: address('https://bolls.life'),

  DETECT_MODEL: z.enum(DETECTION_MODELS).default('small'),
} as const

const Env = z.object(LOOKUP_ENV)

/** A provider that was chosen by name needs what it cannot work without. */
export function requireKeys(e: z.output<typeof Env>, context: z.core.$RefinementCtx): void {
  const needs = [
    { chosen: e.WEATHER_PROVIDER === 'openweathermap', variable: 'OPENWEATHER_API_KEY' },
    { chosen: e.TRANSLATE_PROVIDER === 'libretranslate', variable: 'LIBRETRANSLATE_URL' },
    { chosen: e.TRANSLATE_PROVIDER === 'deepl', variable: 'DEEPL_API_KEY' },
    { chosen: e.TRANSLATE_PROVIDER === 'google', variable: 'GOOGLE_TRANSLATE_API_KEY' },
  ] as const
  for (const { chosen, variable } of needs) {
    if (!chosen || e[variable] !== undefined) continue
    context.addIssue({ code: 'custom', path: [variable], message: 'Required by the chosen provider.' })
  }
}

/** Who asks, in every call to the outside. */
export function userAgentOf(e: Pick<z.output<typeof Env>, 'UPSTREAM_USER_AGENT' | 'UPSTREAM_CONTACT'>): string {
  return e.UPSTREAM_USER_AGENT ?? userAgent(e.UPSTREAM_CONTACT)
}

export type LookupSettings = ReturnType<typeof lookupSettings>

/** The settings of the outside services, by area. */
export function lookupSettings(e: z.output<typeof Env>) {
  return {
    userAgent: userAgentOf(e),
    timeoutMs: e.UPSTREAM_TIMEOUT_MS,
    retries: e.UPSTREAM_RETRIES,
    cacheMaxEntries: e.UPSTREAM_CACHE_MAX_ENTRIES,
    proxyUrl: e.HTTPS_PROXY ?? null,
    weather: weatherSettings(e),
    translation: translationSettings(e),
    detection: { model: e.DETECT_MODEL },
    blockGame: {
      servicesUrl: e.MOJANG_SERVICES_URL,
      apiUrl: e.MOJANG_API_URL,
      sessionUrl: e.MOJANG_SESSION_URL,
      texturesUrl: e.MINECRAFT_TEXTURES_URL,
      geyserUrl: e.GEYSER_API_URL,
    },
    gamePlatform: {
      usersUrl: e.ROBLOX_USERS_URL,
      thumbnailsUrl: e.ROBLOX_THUMBNAILS_URL,
      groupsUrl: e.ROBLOX_GROUPS_URL,
      gamesUrl: e.ROBLOX_GAMES_URL,
      friendsUrl: e.ROBLOX_FRIENDS_URL,
      apisUrl: e.ROBLOX_APIS_URL,
      /** Of Open Cloud. */
      key: e.ROBLOX_API_KEY ?? null,
    },
    scripture: {
      provider: e.BIBLE_PROVIDER,
      licenses: e.BIBLE_LICENSES,
      getBible: { baseUrl: e.GETBIBLE_URL, searchUrl: e.GETBIBLE_SEARCH_URL },
      helloAo: { baseUrl: e.HELLOAO_URL },
      bolls: { baseUrl: e.BOLLS_URL },
    },
    roleplay: {
      /** In the order in which they are asked. */
      providers: e.ROLEPLAY_PROVIDERS,
      otakuGifsUrl: e.OTAKUGIFS_URL,
      purrBotUrl: e.PURRBOT_URL,
      nekosBestUrl: e.NEKOS_BEST_URL,
    },
  } as const
}

function weatherSettings(e: z.output<typeof Env>) {
  const keyed = e.WEATHER_PROVIDER === 'openweathermap' || (e.WEATHER_PROVIDER === 'auto' && e.OPENWEATHER_API_KEY)
  // A paid key belongs to hosts of its own.
  const prefix = e.OPEN_METEO_API_KEY ? 'customer-' : ''
  return {
    provider: keyed ? ('openweathermap' as const) : ('open-meteo' as const),
    iconBaseUrl: e.WEATHER_ICON_BASE_URL,
    openWeather: { baseUrl: e.OPENWEATHER_BASE_URL, key: e.OPENWEATHER_API_KEY ?? null },
    openMeteo: {
      baseUrl: e.OPEN_METEO_BASE_URL ?? `https://${prefix}api.open-meteo.com`,
      geocodingUrl: e.OPEN_METEO_GEOCODING_URL ?? `https://${prefix}geocoding-api.open-meteo.com`,
      key: e.OPEN_METEO_API_KEY ?? null,
    },
  } as const
}

/** The provider that was chosen, or the first that has what it needs: the last one needs nothing. */
function translationProvider(e: z.output<typeof Env>) {
  if (e.TRANSLATE_PROVIDER !== 'auto') return e.TRANSLATE_PROVIDER
  if (e.LIBRETRANSLATE_URL) return 'libretranslate'
  if (e.DEEPL_API_KEY) return 'deepl'
  return e.GOOGLE_TRANSLATE_API_KEY ? 'google' : 'mymemory'
}

function translationSettings(e: z.output<typeof Env>) {
  // DeepL tells free keys by their end, and serves them elsewhere.
  const deepLHost = e.DEEPL_API_KEY?.endsWith(':fx') ? 'https://api-free.deepl.com' : 'https://api.deepl.com'
  return {
    provider: translationProvider(e),
    myMemory: { baseUrl: e.MYMEMORY_URL, email: e.MYMEMORY_EMAIL ?? null },
    libreTranslate: { baseUrl: e.LIBRETRANSLATE_URL ?? '', key: e.LIBRETRANSLATE_API_KEY ?? null },
    deepL: { baseUrl: e.DEEPL_BASE_URL ?? deepLHost, key: e.DEEPL_API_KEY ?? '' },
    google: { baseUrl: e.GOOGLE_TRANSLATE_BASE_URL, key: e.GOOGLE_TRANSLATE_API_KEY ?? '' },
  } as const
}

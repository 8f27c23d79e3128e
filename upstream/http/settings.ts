import { z } from 'zod'
import { changedUrls, UPSTREAM_ENV, urlsOf } from './addresses.ts'
import { optionalAddress, text } from './env.ts'
import { DETECTION_MODELS } from '../local/protocol.ts'
import { PROVIDERS } from '../roleplay/actions.ts'
import { userAgent } from '../../lib/identity.ts'
import { unknownItem } from '../../lib/validation/issue-message.ts'

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
  OPEN_METEO_API_KEY: text.optional(),

  TRANSLATE_PROVIDER: z.enum(['auto', 'mymemory', 'libretranslate', 'deepl', 'google', 'none']).default('auto'),
  MYMEMORY_EMAIL: z.email().optional(),
  LIBRETRANSLATE_URL: optionalAddress,
  LIBRETRANSLATE_API_KEY: text.optional(),
  DEEPL_API_KEY: text.optional(),
  GOOGLE_TRANSLATE_API_KEY: text.optional(),

  ROBLOX_API_KEY: text.optional(),

  ROLEPLAY_PROVIDERS: z
    .string()
    .default('otakugifs,purrbot')
    .transform((names) => names.split(',').map((name) => name.trim()))
    .pipe(z.array(z.enum(PROVIDERS, { error: unknownItem('provider', PROVIDERS) })).min(1)),

  BIBLE_PROVIDER: z.enum(['getbible', 'helloao', 'bolls', 'local']).default('getbible'),
  BIBLE_LICENSES: z.enum(['free', 'all']).default('free'),

  DETECT_MODEL: z.enum(DETECTION_MODELS).default('small'),
} as const

const Env = z.object({ ...LOOKUP_ENV, ...UPSTREAM_ENV })

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
  const url = urlsOf(changedUrls(e))
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
      servicesUrl: url('mojang-services'),
      apiUrl: url('mojang-api'),
      sessionUrl: url('mojang-session'),
      texturesUrl: url('minecraft-textures'),
      geyserUrl: url('geyser'),
    },
    gamePlatform: {
      usersUrl: url('roblox-users'),
      thumbnailsUrl: url('roblox-thumbnails'),
      groupsUrl: url('roblox-groups'),
      gamesUrl: url('roblox-games'),
      friendsUrl: url('roblox-friends'),
      apisUrl: url('roblox-apis'),
      /** Of Open Cloud. */
      key: e.ROBLOX_API_KEY ?? null,
    },
    scripture: {
      provider: e.BIBLE_PROVIDER,
      licenses: e.BIBLE_LICENSES,
      getBible: { baseUrl: url('getbible'), searchUrl: url('getbible-search') },
      helloAo: { baseUrl: url('helloao') },
      bolls: { baseUrl: url('bolls') },
    },
    roleplay: {
      /** In the order in which they are asked. */
      providers: e.ROLEPLAY_PROVIDERS,
      otakuGifsUrl: url('otakugifs'),
      purrBotUrl: url('purrbot'),
      nekosBestUrl: url('nekosbest'),
    },
  } as const
}

function weatherSettings(e: z.output<typeof Env>) {
  const keyed = e.WEATHER_PROVIDER === 'openweathermap' || (e.WEATHER_PROVIDER === 'auto' && e.OPENWEATHER_API_KEY)
  // A paid key belongs to hosts of its own.
  const hasPaidKey = e.OPEN_METEO_API_KEY !== undefined
  const url = urlsOf(changedUrls(e))
  return {
    provider: keyed ? ('openweathermap' as const) : ('open-meteo' as const),
    iconBaseUrl: url('weather-icons'),
    openWeather: { baseUrl: url('openweathermap'), key: e.OPENWEATHER_API_KEY ?? null },
    openMeteo: {
      baseUrl: url('open-meteo', hasPaidKey ? 'https://customer-api.open-meteo.com' : undefined),
      geocodingUrl: url(
        'open-meteo-geocoding',
        hasPaidKey ? 'https://customer-geocoding-api.open-meteo.com' : undefined,
      ),
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
  const freeHost = e.DEEPL_API_KEY?.endsWith(':fx') ? 'https://api-free.deepl.com' : undefined
  const url = urlsOf(changedUrls(e))
  return {
    provider: translationProvider(e),
    myMemory: { baseUrl: url('mymemory'), email: e.MYMEMORY_EMAIL ?? null },
    libreTranslate: { baseUrl: e.LIBRETRANSLATE_URL ?? '', key: e.LIBRETRANSLATE_API_KEY ?? null },
    deepL: { baseUrl: url('deepl', freeHost), key: e.DEEPL_API_KEY ?? '' },
    google: { baseUrl: url('google-translate'), key: e.GOOGLE_TRANSLATE_API_KEY ?? '' },
  } as const
}

import type { Lookups } from '../../upstream/lookups.ts'
import { startBolls, startGetBible, startHelloAo } from '../support/upstreams/getbible.ts'
import { IDS, startGeyser, startMojang } from '../support/upstreams/mojang.ts'
import { startOpenMeteo } from '../support/upstreams/open-meteo.ts'
import { OPENWEATHER_KEY, startOpenWeatherMap } from '../support/upstreams/openweathermap.ts'
import { json, JUST_A_MOMENT, NEW_SITE, type Case, type Env } from '../support/upstreams/recorded.ts'
import { startRoblox } from '../support/upstreams/roblox.ts'
import { startStandIn } from '../support/upstreams/stand-in.ts'
import {
  startDeepL,
  startGoogleTranslate,
  startLibreTranslate,
  startMyMemory,
} from '../support/upstreams/translators.ts'
import { robloxAt, upstreamUrls } from '../../tools/stage/upstream-addresses.ts'

export interface LookupCase extends Case {
  readonly env: (url: string) => Env
  readonly ask: (lookups: Lookups) => Promise<unknown>
}

const startGif = (answer: (path: string) => unknown) => startStandIn(({ path }) => ({ json: answer(path) }))
const verses = (provider: string, refs: string, code: string) => (it: Lookups) =>
  it.scripture.verses(code, refs).then((found) => (found.length > 0 ? found : Promise.reject(new Error(provider))))
const translate = ({ translation }: Lookups) => translation.translate({ text: 'Guten Morgen', to: 'en', from: 'de' })
const hug = ({ roleplay }: Lookups) => roleplay.find('hug')
const roblox = (url: string) => upstreamUrls(robloxAt(url))

export const LOOKUPS: readonly LookupCase[] = [
  {
    name: 'open-meteo',
    start: startOpenMeteo,
    env: (url) => upstreamUrls({ 'open-meteo': url, 'open-meteo-geocoding': url }),
    ask: ({ weather }) => weather.find('Göteborg'),
    refusal: json({ error: true, reason: 'Minutely API request limit exceeded. Please try again in one minute.' }, 429),
    changed: json({ places: [{ name: 'Göteborg', location: { lat: 57.7, lon: 11.9 } }] }, 200),
  },
  {
    name: 'openweathermap',
    start: startOpenWeatherMap,
    env: (url) => ({ ...upstreamUrls({ openweathermap: url }), OPENWEATHER_API_KEY: OPENWEATHER_KEY }),
    ask: ({ weather }) => weather.find('Göteborg'),
    refusal: json({ cod: 401, message: 'Invalid API key. Please see https://openweathermap.org/faq#error401' }, 401),
    changed: json({ data: [{ dt: 1_795_263_300, temp: 281.2 }], timezone_offset: 3600 }),
  },
  {
    name: 'mymemory',
    start: startMyMemory,
    env: (url) => upstreamUrls({ mymemory: url }),
    ask: translate,
    refusal: json({ message: 'Too many requests', responseDetails: 'slow down' }, 429),
    changed: json({ translation: { text: 'Good morning' }, status: 'ok' }),
  },
  {
    name: 'libretranslate',
    start: startLibreTranslate,
    env: (url) => ({ LIBRETRANSLATE_URL: url }),
    ask: translate,
    refusal: json({ error: 'Slowdown: 20 per 1 minute' }, 429),
    changed: json({ translations: [{ text: 'Good morning' }] }),
  },
  {
    name: 'deepl',
    start: () => startDeepL('deepl-key'),
    env: (url) => ({ ...upstreamUrls({ deepl: url }), DEEPL_API_KEY: 'deepl-key' }),
    ask: translate,
    refusal: json({ message: 'Too many requests' }, 429),
    changed: json({ results: [{ translation: 'Good morning' }] }),
  },
  {
    name: 'google-translate',
    start: () => startGoogleTranslate('google-key'),
    env: (url) => ({ ...upstreamUrls({ 'google-translate': url }), GOOGLE_TRANSLATE_API_KEY: 'google-key' }),
    ask: translate,
    refusal: json(
      {
        error: {
          code: 403,
          message: 'Daily Limit Exceeded',
          errors: [{ domain: 'usageLimits', reason: 'dailyLimitExceeded' }],
        },
      },
      403,
    ),
    changed: json({ translations: [{ translatedText: 'Good morning' }] }),
  },
  {
    name: 'getbible',
    start: startGetBible,
    env: (url) => upstreamUrls({ getbible: `${url}/v2`, 'getbible-search': `${url}/search/v2` }),
    ask: verses('getbible', 'John 3:16', 'kjv'),
    refusal: JUST_A_MOMENT,
    changed: json({ translations: ['kjv', 'web'] }),
  },
  {
    name: 'helloao',
    start: startHelloAo,
    env: (url) => ({ BIBLE_PROVIDER: 'helloao', ...upstreamUrls({ helloao: url }) }),
    ask: verses('helloao', 'John 3:16', 'BSB'),
    refusal: JUST_A_MOMENT,
    changed: NEW_SITE,
  },
  {
    name: 'bolls',
    start: startBolls,
    env: (url) => ({ BIBLE_PROVIDER: 'bolls', ...upstreamUrls({ bolls: url }) }),
    ask: verses('bolls', 'John 3:16', 'YLT'),
    refusal: JUST_A_MOMENT,
    changed: NEW_SITE,
  },
  {
    name: 'mojang',
    start: startMojang,
    env: (url) => upstreamUrls({ 'mojang-services': url, 'mojang-api': url, 'mojang-session': url }),
    ask: ({ blockPlayers }) => blockPlayers.find(IDS.slim),
    refusal: json(
      {
        path: '/session/minecraft/profile',
        errorMessage: 'The client has sent too many requests within a certain amount of time',
      },
      429,
    ),
    changed: json({ profile: { uuid: IDS.slim, gamertag: 'Slim_Jane' } }),
  },
  {
    name: 'geyser',
    start: startGeyser,
    env: (url) => upstreamUrls({ geyser: url }),
    ask: ({ blockPlayers }) => blockPlayers.find('.Bed Rocker'),
    refusal: json({ message: 'Too many requests' }, 429),
    changed: NEW_SITE,
  },
  {
    name: 'roblox',
    start: startRoblox,
    env: roblox,
    ask: ({ gamePlatform }) => gamePlatform.user('7001'),
    refusal: json({ errors: [{ code: 0, message: 'Authorization has been denied for this request.' }] }, 401),
    changed: json({ user: { userId: 7001, username: 'Brick_Smith' } }),
  },
  {
    name: 'otakugifs',
    start: () => startGif(() => ({ url: 'https://cdn.otakugifs.xyz/gifs/hug/1.gif' })),
    env: (url) => ({ ROLEPLAY_PROVIDERS: 'otakugifs', ...upstreamUrls({ otakugifs: url }) }),
    ask: hug,
    refusal: JUST_A_MOMENT,
    changed: json({ gif: { link: 'https://cdn.otakugifs.xyz/gifs/hug/1.gif' } }),
  },
  {
    name: 'purrbot',
    start: () => startGif((path) => ({ link: `https://purrbot.site${path}/hug_001.gif`, error: false, time: 3 })),
    env: (url) => ({ ROLEPLAY_PROVIDERS: 'purrbot', ...upstreamUrls({ purrbot: url }) }),
    ask: hug,
    refusal: json({ error: true, message: 'Forbidden' }, 403),
    changed: NEW_SITE,
  },
  {
    name: 'nekos.best',
    start: () => startGif(() => ({ results: [{ anime_name: 'x', url: 'https://nekos.best/api/v2/hug/1.gif' }] })),
    env: (url) => ({ ROLEPLAY_PROVIDERS: 'nekosbest', ...upstreamUrls({ nekosbest: url }) }),
    ask: hug,
    refusal: json({ code: 429, message: 'Too many requests' }, 429),
    changed: json({ images: ['https://nekos.best/api/v2/hug/1.gif'] }),
  },
]

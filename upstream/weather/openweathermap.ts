import { z } from 'zod'
import { createCache, type CachedService } from '../http/cache.ts'
import { createUpstream, notFoundInJson, type UpstreamContext } from '../http/client.ts'
import { liesIn, type CityName } from './place.ts'
import type { Observation } from './report.ts'
import type { NamedPlace, WeatherProvider } from './provider.ts'

interface OpenWeatherOptions extends CachedService {
  readonly key: string
}

const Place = z.object({
  name: z.string(),
  lat: z.number(),
  lon: z.number(),
  country: z.string().optional(),
  state: z.string().optional(),
})
type Place = z.output<typeof Place>

/** Amounts of the last hour; very old answers tell them for three. */
const Fallen = z.object({ '1h': z.number().optional(), '3h': z.number().optional() }).nullish()

const Current = z.object({
  coord: z.object({ lon: z.number(), lat: z.number() }),
  weather: z.array(z.object({ id: z.number(), main: z.string(), description: z.string(), icon: z.string() })).min(1),
  main: z.object({
    temp: z.number(),
    feels_like: z.number().nullish(),
    temp_min: z.number().nullish(),
    temp_max: z.number().nullish(),
    pressure: z.number(),
    humidity: z.number(),
    sea_level: z.number().nullish(),
    grnd_level: z.number().nullish(),
  }),
  visibility: z.number().nullish(),
  wind: z.object({ speed: z.number(), deg: z.number().nullish(), gust: z.number().nullish() }),
  rain: Fallen,
  snow: Fallen,
  clouds: z.object({ all: z.number() }),
  dt: z.number(),
  sys: z.object({ country: z.string().nullish(), sunrise: z.number().nullish(), sunset: z.number().nullish() }),
  timezone: z.number(),
  name: z.string().nullish(),
})
type Current = z.output<typeof Current>

const DAY_MS = 24 * 60 * 60_000

/** OpenWeatherMap, with an operator's key. */
export function createOpenWeather(context: UpstreamContext, options: OpenWeatherOptions): WeatherProvider {
  const { baseUrl, key: appid, timeoutMs, cacheMax } = options
  const { metrics, now } = context
  const service = createUpstream(context, { name: 'The weather service', id: 'openweathermap', baseUrl, timeoutMs })
  const shared = { max: cacheMax, metrics, now }
  const places = createCache<Place | null>({ name: 'geocoding', ttlMs: DAY_MS, missingTtlMs: 10 * 60_000, ...shared })
  const skies = createCache<Current | null>({ name: 'weather', ttlMs: 10 * 60_000, ...shared })

  const locate = async (city: CityName): Promise<Place | null> => {
    // The geocoder knows states by code and in the United States only; elsewhere `liesIn` tells regions apart.
    const state = city.country === 'US' ? city.region : null
    const q = [city.name, state, city.country].filter((part) => part !== null).join(',')
    const found = await service.find({
      path: '/geo/1.0/direct',
      query: { q, limit: 5, appid },
      shape: z.array(Place),
      absent: notFoundInJson,
    })
    const fits = ({ country, state: region, name }: Place) =>
      liesIn(city, { country: country?.toUpperCase() ?? null, regions: [region ?? '', country ?? '', name] })
    return found?.find(fits) ?? null
  }

  const observe = ({ lat, lon }: Place): Promise<Current | null> =>
    service.find({
      path: '/data/2.5/weather',
      query: { lat, lon, units: 'metric', lang: 'en', appid },
      shape: Current,
      absent: notFoundInJson,
    })

  const suggested = createCache<readonly NamedPlace[]>({ name: 'geocoding', ttlMs: DAY_MS, ...shared })
  const suggest = async (typed: string): Promise<readonly NamedPlace[]> => {
    const query = { q: typed, limit: 5, appid }
    const found = await service.find({ path: '/geo/1.0/direct', query, shape: z.array(Place), absent: notFoundInJson })
    return (found ?? []).flatMap(({ name, state, country }) =>
      country === undefined ? [] : [{ name, region: state ?? null, country: country.toUpperCase() }],
    )
  }

  return {
    host: service.host,
    credit: { name: 'OpenWeather', url: 'https://openweathermap.org/' },
    suggest: (typed) => suggested.get(typed.toLowerCase(), () => suggest(typed)),
    async find(city) {
      const place = await places.get(city.key, () => locate(city))
      if (!place) return null
      const current = await skies.get(`${place.lat.toFixed(2)},${place.lon.toFixed(2)}`, () => observe(place))
      return current && toObservation(place, current)
    },
  }
}

function toObservation(place: Place, seen: Current): Observation {
  const { main, wind, sys } = seen
  const [condition] = seen.weather
  if (!condition) throw new Error('The schema allows no response without a condition.')
  return {
    city: seen.name || place.name,
    country: sys.country ?? place.country ?? '',
    longitude: seen.coord.lon,
    latitude: seen.coord.lat,
    offsetSeconds: seen.timezone,
    observedAt: seen.dt,
    celsius: main.temp,
    feelsLike: main.feels_like ?? main.temp,
    celsiusMin: main.temp_min ?? main.temp,
    celsiusMax: main.temp_max ?? main.temp,
    humidity: main.humidity,
    seaHpa: main.sea_level ?? main.pressure,
    groundHpa: main.grnd_level ?? null,
    visibilityMeters: seen.visibility ?? null,
    cloudiness: seen.clouds.all,
    windSpeed: wind.speed,
    windGust: wind.gust ?? null,
    windDegrees: wind.deg ?? 0,
    rainMm: lastHour(seen.rain),
    snowMm: lastHour(seen.snow),
    sunrise: sys.sunrise ?? null,
    sunset: sys.sunset ?? null,
    condition,
  }
}

function lastHour(fallen: z.output<typeof Fallen>): number {
  return fallen?.['1h'] ?? (fallen?.['3h'] ?? 0) / 3
}

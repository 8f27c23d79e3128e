import { z } from 'zod'
import { createCache, type CachedService } from '../http/cache.ts'
import { createUpstream, type Upstream, type UpstreamContext } from '../http/client.ts'
import { conditionOf } from './conditions.ts'
import { liesIn, type CityName } from './place.ts'
import type { Observation } from './report.ts'
import type { NamedPlace, WeatherProvider } from './provider.ts'

interface OpenMeteoOptions extends CachedService {
  readonly geocodingUrl: string
  readonly key: string | null
}

const Place = z.object({
  name: z.string(),
  latitude: z.number(),
  longitude: z.number(),
  feature_code: z.string().optional(),
  country_code: z.string().optional(),
  country: z.string().optional(),
  timezone: z.string().optional(),
  admin1: z.string().optional(),
  admin2: z.string().optional(),
  admin3: z.string().optional(),
  admin4: z.string().optional(),
})
type Place = z.output<typeof Place>

/** `results` is left out when there are none; then the time it took is all there is. */
const Found = z
  .looseObject({ results: z.array(Place).nullish() })
  .refine((found) => 'results' in found || 'generationtime_ms' in found)

const amounts = z.array(z.number().nullable())
const Forecast = z.object({
  utc_offset_seconds: z.number(),
  current: z.object({
    time: z.number(),
    temperature_2m: z.number(),
    relative_humidity_2m: z.number(),
    apparent_temperature: z.number().nullish(),
    is_day: z.number().nullish(),
    weather_code: z.number().nullish(),
    cloud_cover: z.number(),
    pressure_msl: z.number(),
    surface_pressure: z.number().nullish(),
    wind_speed_10m: z.number(),
    wind_direction_10m: z.number().nullish(),
    wind_gusts_10m: z.number().nullish(),
  }),
  hourly: z.object({
    time: z.array(z.number()),
    rain: amounts,
    showers: amounts,
    snowfall: amounts,
    visibility: amounts,
  }),
  daily: z.object({ sunrise: amounts, sunset: amounts }),
})
type Forecast = z.output<typeof Forecast>

const CURRENT = [
  'temperature_2m,relative_humidity_2m,apparent_temperature,is_day,weather_code,cloud_cover',
  'pressure_msl,surface_pressure,wind_speed_10m,wind_direction_10m,wind_gusts_10m',
].join(',')
/** Snow is given as centimetres of snow; seven of them melt to ten millimetres of water. */
const WATER_PER_SNOW_CM = 10 / 7
const DAY_MS = 24 * 60 * 60_000

/** Open-Meteo: a geocoder and a forecast, without a key on the hosts for non-commercial use. */
export function createOpenMeteo(context: UpstreamContext, options: OpenMeteoOptions): WeatherProvider {
  const { baseUrl, geocodingUrl, key, timeoutMs, cacheMax } = options
  const { metrics, now } = context
  const name = 'The weather service'
  const geocoder = createUpstream(context, { name, id: 'open-meteo-geocoding', baseUrl: geocodingUrl, timeoutMs })
  const forecasts = createUpstream(context, { name, id: 'open-meteo', baseUrl, timeoutMs })
  const shared = { max: cacheMax, metrics, now }
  const places = createCache<Place | null>({ name: 'geocoding', ttlMs: DAY_MS, missingTtlMs: 10 * 60_000, ...shared })
  const skies = createCache<Forecast>({ name: 'weather', ttlMs: 10 * 60_000, ...shared })
  const suggested = createCache<readonly NamedPlace[]>({ name: 'geocoding', ttlMs: DAY_MS, ...shared })
  return {
    host: forecasts.host,
    credit: { name: 'Open-Meteo.com', url: 'https://open-meteo.com/' },
    suggest: (typed) => suggested.get(typed.toLowerCase(), () => suggest(geocoder, typed, key)),
    async find(city) {
      const place = await places.get(city.key, () => locate(geocoder, city, key))
      if (!place) return null
      const around = `${place.latitude.toFixed(2)},${place.longitude.toFixed(2)}`
      return toObservation(place, await skies.get(around, () => observe(forecasts, place, key)))
    },
  }
}

async function suggest(geocoder: Upstream, typed: string, key: string | null): Promise<readonly NamedPlace[]> {
  // As in `locate`: what follows a comma narrows, and the service itself cannot read it.
  const [name = ''] = typed.split(',')
  const query = { name: name.trim(), count: 10, language: 'en', format: 'json', apikey: key ?? undefined }
  const { results } = await geocoder.get({ path: '/v1/search', query, shape: Found })
  return (results ?? []).flatMap(({ name: called, admin1, country_code: country, feature_code: kind = 'PPL' }) =>
    country === undefined || !kind.startsWith('PPL')
      ? []
      : [{ name: called, region: admin1 ?? null, country: country.toUpperCase() }],
  )
}

async function locate(geocoder: Upstream, city: CityName, key: string | null): Promise<Place | null> {
  const isNarrowed = city.country !== null || city.region !== null
  const { results } = await geocoder.get({
    path: '/v1/search',
    query: {
      name: city.name,
      // The filter by country may run after the count was applied: then only a large count finds small places.
      count: isNarrowed ? 100 : 10,
      language: 'en',
      format: 'json',
      countryCode: city.country ?? undefined,
      apikey: key ?? undefined,
    },
    shape: Found,
  })
  const fitting = (results ?? []).filter((place) => liesIn(city, whereabouts(place)))
  return fitting.find(({ feature_code: kind }) => kind?.startsWith('PPL')) ?? fitting[0] ?? null
}

function observe(forecasts: Upstream, { latitude, longitude, timezone }: Place, key: string | null): Promise<Forecast> {
  return forecasts.get({
    path: '/v1/forecast',
    query: {
      latitude,
      longitude,
      current: CURRENT,
      hourly: 'rain,showers,snowfall,visibility',
      past_hours: 2,
      forecast_hours: 2,
      daily: 'sunrise,sunset',
      forecast_days: 1,
      timezone: timezone ?? 'auto',
      timeformat: 'unixtime',
      temperature_unit: 'celsius',
      wind_speed_unit: 'ms',
      precipitation_unit: 'mm',
      apikey: key ?? undefined,
    },
    shape: Forecast,
  })
}

function whereabouts({ country_code: country, admin1, admin2, admin3, admin4, ...place }: Place) {
  const regions = [admin1, admin2, admin3, admin4, place.country].filter((region) => region !== undefined)
  return { country: country?.toUpperCase() ?? null, regions }
}

function toObservation(
  place: Place,
  { utc_offset_seconds: offsetSeconds, current, hourly, daily }: Forecast,
): Observation {
  const hour = hourly.time.findLastIndex((time) => time <= current.time)
  const { icon, ...condition } = conditionOf(current.weather_code ?? null, current.cloud_cover)
  return {
    city: place.name,
    country: place.country_code ?? '',
    // Not the forecast's, which are those of its grid.
    longitude: place.longitude,
    latitude: place.latitude,
    offsetSeconds,
    observedAt: current.time,
    celsius: current.temperature_2m,
    feelsLike: current.apparent_temperature ?? current.temperature_2m,
    // The spread within a city at the moment is something that this service does not know.
    celsiusMin: current.temperature_2m,
    celsiusMax: current.temperature_2m,
    humidity: current.relative_humidity_2m,
    seaHpa: current.pressure_msl,
    groundHpa: current.surface_pressure ?? null,
    visibilityMeters: hourly.visibility[hour] ?? null,
    cloudiness: current.cloud_cover,
    windSpeed: current.wind_speed_10m,
    windGust: current.wind_gusts_10m ?? null,
    windDegrees: current.wind_direction_10m ?? 0,
    rainMm: (hourly.rain[hour] ?? 0) + (hourly.showers[hour] ?? 0),
    snowMm: (hourly.snowfall[hour] ?? 0) * WATER_PER_SNOW_CM,
    sunrise: daily.sunrise[0] ?? null,
    sunset: daily.sunset[0] ?? null,
    condition: { ...condition, icon: icon + (current.is_day === 0 ? 'n' : 'd') },
  }
}

import { startStandIn, type Received, type Reply, type StandIn } from './stand-in.ts'

interface GeocodedPlace {
  readonly name: string
  readonly latitude: number
  readonly longitude: number
  readonly feature_code: string
  readonly country_code?: string
  readonly country?: string
  readonly admin1?: string
  readonly timezone?: string
  readonly population?: number
}

const place = (
  name: string,
  [latitude, longitude]: readonly [number, number],
  [country_code, country]: readonly [string, string],
  more: Partial<GeocodedPlace> = {},
): GeocodedPlace => ({ name, latitude, longitude, feature_code: 'PPL', country_code, country, ...more })

const US = ['US', 'United States'] as const

/** Places of the stand-in by search text; the best match first, as the service gives them. */
const GAZETTEER: ReadonlyMap<string, readonly GeocodedPlace[]> = new Map([
  ['göteborg', [place('Gothenburg', [57.70716, 11.96679], ['SE', 'Sweden'], { timezone: 'Europe/Stockholm' })]],
  ['são paulo', [place('São Paulo', [-23.5475, -46.63611], ['BR', 'Brazil'])]],
  ['łódź', [place('Lodz', [51.75, 19.46667], ['PL', 'Poland'])]],
  ['東京', [place('Tokyo', [35.6895, 139.69171], ['JP', 'Japan'], { feature_code: 'PPLC' })]],
  ['санкт-петербург', [place('Saint Petersburg', [59.93863, 30.31413], ['RU', 'Russia'])]],
  ["coeur d'alene", [place("Coeur d'Alene", [47.67768, -116.78047], US, { admin1: 'Idaho' })]],
  ['saint-étienne', [place('Saint-Étienne', [45.43389, 4.39], ['FR', 'France'])]],
  [
    'paris',
    [
      place('Paris', [48.85341, 2.3488], ['FR', 'France'], { feature_code: 'PPLC', admin1: 'Île-de-France' }),
      place('Paris', [33.66094, -95.55551], US, { admin1: 'Texas' }),
      place('Paris', [36.302, -88.32671], US, { admin1: 'Tennessee' }),
    ],
  ],
  [
    'london',
    [
      place('London', [51.50853, -0.12574], ['GB', 'United Kingdom'], { admin1: 'England' }),
      place('London', [42.98339, -81.23304], ['CA', 'Canada'], { admin1: 'Ontario' }),
    ],
  ],
  [
    'springfield',
    [
      place('Springfield', [-37.6, 144.7], ['AU', 'Australia'], { admin1: 'Victoria' }),
      place('Springfield', [37.21533, -93.29824], US, { admin1: 'Missouri' }),
      place('Springfield', [39.80172, -89.64371], US, { admin1: 'Illinois' }),
    ],
  ],
  ['austin', [place('Austin', [30.26715, -97.74306], US, { admin1: 'Texas' })]],
  ['washington', [place('Washington', [38.89511, -77.03637], US, { admin1: 'Washington, D.C.' })]],
  [
    'victoria',
    [
      place('Victoria', [-37, 144], ['AU', 'Australia'], { feature_code: 'ADM1' }),
      place('Victoria', [48.4359, -123.35155], ['CA', 'Canada'], { feature_code: 'PPLA' }),
    ],
  ],
  ['nowhere', [{ name: 'Nowhere', latitude: 0.1, longitude: -30.2, feature_code: 'PPL' }]],
])

/** 2026-11-21 12:15 UTC. */
export const OBSERVED_AT = 1_795_263_300
const HOUR = 3600
const LAST_HOUR = OBSERVED_AT - (OBSERVED_AT % HOUR)

interface Sky {
  offsetSeconds: number
  current: Record<string, unknown>
  hourly: Record<string, unknown>
  daily: Record<string, unknown>
}

const defaultSky = (): Sky => ({
  offsetSeconds: HOUR,
  current: {
    time: OBSERVED_AT,
    interval: 900,
    temperature_2m: 6.3,
    relative_humidity_2m: 78,
    apparent_temperature: 2.9,
    is_day: 1,
    precipitation: 9,
    rain: 9,
    showers: 9,
    snowfall: 9,
    weather_code: 80,
    cloud_cover: 66,
    pressure_msl: 1003.4,
    surface_pressure: 1001.2,
    wind_speed_10m: 4.27,
    wind_direction_10m: 203,
    wind_gusts_10m: 9.8,
  },
  hourly: {
    time: [-2, -1, 0, 1].map((hours) => LAST_HOUR + hours * HOUR),
    rain: [3, 2, 0.4, 5],
    showers: [3, 2, 0.7, 5],
    snowfall: [3, 2, 0.14, 5],
    visibility: [100, 200, 24_140, 300],
  },
  daily: { time: [LAST_HOUR - 13 * HOUR], sunrise: [1_795_245_720], sunset: [1_795_272_660] },
})

export interface OpenMeteo extends StandIn {
  /** Current weather everywhere; tests change it. */
  sky: Sky
  /** Answers the next request instead of the usual. */
  next: Reply | null
}

/** A stand-in for both of Open-Meteo's services, geocoder and forecast. */
export async function startOpenMeteo(): Promise<OpenMeteo> {
  const stand: { sky: Sky; next: Reply | null } = { sky: defaultSky(), next: null }
  const service = await startStandIn((request) => {
    const once = stand.next
    stand.next = null
    if (once) return once
    if (request.path === '/v1/search') return geocode(request)
    return request.path === '/v1/forecast' ? forecast(request, stand.sky) : undefined
  })
  return Object.assign(stand, service)
}

function geocode({ query }: Received): Reply {
  const count = Number(query.get('count') ?? 10)
  if (count < 1 || count > 100) return failing('Parameter count must be between 1 and 100.')
  const name = query.get('name') ?? ''
  // The filter comes after the count, as in older versions of the service.
  const matches = name.length < 2 ? [] : (GAZETTEER.get(name.toLowerCase()) ?? []).slice(0, count)
  const country = query.get('countryCode')
  const results = country === null ? matches : matches.filter((match) => match.country_code === country)
  return { json: { ...(results.length > 0 && { results }), generationtime_ms: 0.4 } }
}

/** Refuses what would give other units than those that are counted on. */
function forecast({ query }: Received, { offsetSeconds, current, hourly, daily }: Sky): Reply {
  const wanted = { timeformat: 'unixtime', wind_speed_unit: 'ms', forecast_days: '1', past_hours: '2' }
  for (const [name, value] of Object.entries(wanted)) {
    if (query.get(name) !== value) return failing(`The test wants ${name}=${value}.`)
  }
  const latitude = Number(query.get('latitude'))
  if (Math.abs(latitude) > 90) return failing('Latitude must be in range of -90 to 90°.')
  return {
    json: {
      // Coordinates of the grid, not of the city.
      latitude: Math.round(latitude) + 0.25,
      longitude: Math.round(Number(query.get('longitude'))) + 0.25,
      generationtime_ms: 0.2,
      utc_offset_seconds: offsetSeconds,
      timezone: query.get('timezone'),
      timezone_abbreviation: 'GMT',
      elevation: null,
      current,
      hourly,
      daily,
    },
  }
}

const failing = (reason: string): Reply => ({ status: 400, json: { error: true, reason } })

import { startStandIn, type Reply, type StandIn } from './stand-in.ts'
import { OBSERVED_AT } from './open-meteo.ts'

export const OPENWEATHER_KEY = 'owm-test-key-0123456789'

const CITIES = [
  { name: 'Gothenburg', local: 'Göteborg', lat: 57.7072, lon: 11.9668, country: 'SE' },
  { name: 'Paris', lat: 48.8589, lon: 2.32, country: 'FR', state: 'Ile-de-France' },
  { name: 'Paris', lat: 33.6618, lon: -95.5555, country: 'US', state: 'Texas' },
  { name: 'London', lat: 51.5073, lon: -0.1276, country: 'GB', state: 'England' },
  { name: 'London', lat: 42.9832, lon: -81.2434, country: 'CA', state: 'Ontario' },
  { name: 'Portland', lat: 43.6574, lon: -70.2587, country: 'US', state: 'Maine' },
]
const STATE_CODES: Readonly<Record<string, string>> = { TX: 'Texas', ME: 'Maine' }

const current = () => ({
  coord: { lon: 11.9668, lat: 57.7072 },
  weather: [{ id: 520, main: 'Rain', description: 'light intensity shower rain', icon: '09d' }],
  base: 'stations',
  main: {
    temp: 6.31,
    feels_like: 2.94,
    temp_min: 5.6,
    temp_max: 7.2,
    pressure: 1003,
    humidity: 78,
    sea_level: 1004,
    grnd_level: 1001,
  },
  visibility: 10_000,
  wind: { speed: 4.27, deg: 203, gust: 9.8 },
  rain: { '1h': 1.1 },
  clouds: { all: 66 },
  dt: OBSERVED_AT,
  sys: { type: 2, id: 2_000_112, country: 'SE', sunrise: 1_795_245_720, sunset: 1_795_272_660 },
  timezone: 3600,
  id: 2_711_537,
  name: 'Gothenburg',
  cod: 200,
})

export interface OpenWeatherMap extends StandIn {
  /** Current weather everywhere; tests change it. */
  current: Record<string, any>
}

/** A stand-in for OpenWeatherMap: its geocoder and its current weather. */
export async function startOpenWeatherMap(): Promise<OpenWeatherMap> {
  const stand: { current: Record<string, any> } = { current: current() }
  const service = await startStandIn(({ path, query }): Reply | undefined => {
    if (query.get('appid') !== OPENWEATHER_KEY) return { status: 401, json: { cod: 401, message: 'Invalid API key.' } }
    if (path === '/geo/1.0/direct') return { json: geocode(query.get('q') ?? '') }
    if (path !== '/data/2.5/weather') return undefined
    // Kelvin by default: a client that forgets is noticed.
    if (query.get('units') !== 'metric' || query.get('lang') !== 'en') return { json: { ...stand.current, main: {} } }
    return { json: stand.current }
  })
  return Object.assign(stand, service)
}

function geocode(q: string) {
  const [name = '', ...rest] = q.split(',')
  const country = rest.at(-1)
  const state = rest.length === 2 ? (STATE_CODES[rest[0] ?? ''] ?? rest[0]) : undefined
  return CITIES.filter(
    (city) =>
      [city.name, city.local].includes(name) &&
      (country === undefined || city.country === country) &&
      (state === undefined || city.state === state),
  ).map(({ local, ...city }) => Object.assign(city, { local_names: { en: city.name, sv: local } }))
}

import type { NamedPlace, WeatherProvider } from './provider.ts'
import { Fault } from '../../lib/errors.ts'
import type { UpstreamContext } from '../http/client.ts'
import { failingAs, within } from '../http/failure.ts'
import type { LookupSettings } from '../http/settings.ts'
import { createOpenMeteo } from './open-meteo.ts'
import { createOpenWeather } from './openweathermap.ts'
import { readCity, type CityName } from './place.ts'
import { toReport, type Observation } from './report.ts'
import type { WeatherReport } from './schemas.ts'

export type Weather = ReturnType<typeof createWeather>

/** For a whole look-up; each of its calls has its own, shorter bound. */
const LOOKUP_TIMEOUT_MS = 8000

export function createWeather(context: UpstreamContext, settings: LookupSettings) {
  const { weather, timeoutMs, cacheMaxEntries: cacheMax } = settings
  const provider = createProvider(context, weather, { timeoutMs, cacheMax })

  const findFirst = async (readings: readonly CityName[]): Promise<Observation | null> => {
    for (const reading of readings) {
      const observation = await provider.find(reading)
      if (observation) return observation
    }
    return null
  }

  return {
    /** Whose data it is, to be shown beside it. */
    credit: provider.credit,
    /** Places whose names begin like this, each once; every one of them is found when written in a row. */
    suggest: (typed: string): Promise<readonly NamedPlace[]> =>
      failingAs('internal_error', async () => {
        const places = await provider.suggest(typed.normalize('NFC').replaceAll(/\s+/g, ' ').trim())
        return [...new Map(places.map((place) => [Object.values(place).join('|'), place])).values()]
      }),
    /**
     * The weather now in a city: `Paris`, `Paris,FR`, `London,ON,CA`, `Paris, France`.
     * @throws {Fault} `bad_request`, `not_found`, or `internal_error` when the weather service gives no answer.
     */
    find: (city: string): Promise<WeatherReport> =>
      failingAs('internal_error', async () => {
        const readings = readCity(city)
        const who = { name: 'The weather service', host: provider.host }
        const observation = await within(Math.min(LOOKUP_TIMEOUT_MS, 2 * timeoutMs), who, findFirst(readings))
        if (!observation) {
          throw new Fault('not_found', `Unknown city ${city}. Check its spelling and country code.`)
        }
        return toReport(observation, weather.iconBaseUrl)
      }),
  }
}

function createProvider(
  context: UpstreamContext,
  { provider, openMeteo, openWeather }: LookupSettings['weather'],
  bounds: { timeoutMs: number; cacheMax: number },
): WeatherProvider {
  if (provider === 'open-meteo') return createOpenMeteo(context, { ...openMeteo, ...bounds })
  const { baseUrl, key } = openWeather
  // Checked when the configuration is read.
  if (key === null) throw new Error('OPENWEATHER_API_KEY is missing.')
  return createOpenWeather(context, { baseUrl, key, ...bounds })
}

import { z } from 'zod'
import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { text } from '../../schemas/common.ts'

const unixSeconds = z.number().meta({ description: 'Unix time in seconds.' })
const utc = z.string().meta({ description: 'ISO 8601 in UTC.' })
const local = z.string().meta({ description: 'ISO 8601 without an offset, in the time zone of the city.' })

const WeatherData = z
  .object({
    city: z.string(),
    country: z.string().meta({ description: 'ISO 3166 code. Empty for a place outside all countries.' }),
    coordinates: z.object({ lon: z.number(), lat: z.number() }),
    timezone: z.object({
      offsetSeconds: z.number().meta({ description: 'Current offset from UTC.' }),
      offsetHours: z.number(),
      utc: z.string().meta({ description: '`UTC±HH:MM`.' }),
    }),
    observedAt: z.object({ timestamp: unixSeconds, utc, local }),
    temperature: z.object({
      unit: z.enum(['celsius']),
      current: z.number(),
      currentFahrenheit: z.number(),
      feelsLike: z.number(),
      tempMin: z.number().meta({ description: 'Current minimum in the city. Same as `current` if unknown.' }),
      tempMax: z.number().meta({ description: 'Current maximum in the city. Same as `current` if unknown.' }),
    }),
    humidity: z.number().meta({ description: 'Percent.' }),
    pressure: z.object({
      sea: z.number().meta({ description: 'hPa at sea level.' }),
      ground: z.number().nullable().meta({ description: 'hPa at ground level.' }),
    }),
    visibility: z.object({
      meters: z.number().nullable().meta({ description: 'Metres, at most 10000.' }),
      kilometers: z.number().nullable(),
    }),
    cloudiness: z.number().meta({ description: 'Percent.' }),
    wind: z.object({
      speed: z.number().meta({ description: 'Metres per second.' }),
      speedKmh: z.number(),
      gust: z.number().nullable().meta({ description: 'Metres per second.' }),
      deg: z.number().meta({ description: 'Direction of origin, in degrees.' }),
      direction: z.string().meta({ description: 'Direction of origin as one of sixteen compass points.' }),
    }),
    precipitation: z.object({
      rainLastHour: z.number().meta({ description: 'Millimetres.' }),
      snowLastHour: z.number().meta({ description: 'Millimetres of water.' }),
    }),
    sun: z
      .object({
        sunrise: unixSeconds,
        sunset: unixSeconds,
        sunriseUtc: utc,
        sunsetUtc: utc,
        sunriseLocal: local,
        sunsetLocal: local,
        daylightSeconds: z.number(),
        isDaytime: z.boolean(),
      })
      .meta({
        description: 'In polar day, lasts from midnight to midnight; in polar night, 0 s.',
      }),
    weather: z.object({
      id: z.number().meta({ description: 'OpenWeatherMap condition ID, for all providers.' }),
      main: z.string(),
      description: z.string(),
      icon: z.string().meta({ description: 'Filename without extension.' }),
      iconUrl: z.string(),
    }),
  })
  .meta({ id: 'Weather' })

export const weather = route({
  id: 'getWeather',
  method: 'GET',
  url: '/v1/tools/weather',
  summary: 'Get the weather in a city',
  description:
    'A country code may follow the city after a comma, and a state or province may stand between them: `Paris,FR`, ' +
    '`London,ON,CA`. Responses can be ten minutes old. Data by Open-Meteo.com (CC BY 4.0) or OpenWeather, as the ' +
    'operator chose.',
  tag: 'Tools',
  class: 'fetch',
  envelope: envelopes.errorWithId,
  invalid: 'bad_request',
  faults: ['not_found', 'internal_error'],
  query: z.object({ city: text(1, 200).meta({ description: 'City, optionally with a country code after a comma.' }) }),
  data: WeatherData,
  example: {
    query: { city: 'Munich,DE' },
    data: {
      city: 'Munich',
      country: 'DE',
      coordinates: { lon: 11.58, lat: 48.14 },
      timezone: { offsetSeconds: 3600, offsetHours: 1, utc: 'UTC+01:00' },
      observedAt: { timestamp: 1_795_262_400, utc: '2026-11-21T12:00:00Z', local: '2026-11-21T13:00:00' },
      temperature: {
        unit: 'celsius',
        current: 4.2,
        currentFahrenheit: 39.56,
        feelsLike: 1.8,
        tempMin: 4.2,
        tempMax: 4.2,
      },
      humidity: 81,
      pressure: { sea: 1016.4, ground: 953.8 },
      visibility: { meters: 10_000, kilometers: 10 },
      cloudiness: 75,
      wind: { speed: 3.1, speedKmh: 11.16, gust: 7.2, deg: 250, direction: 'WSW' },
      precipitation: { rainLastHour: 0.2, snowLastHour: 0 },
      sun: {
        sunrise: 1_795_242_360,
        sunset: 1_795_274_940,
        sunriseUtc: '2026-11-21T06:26:00Z',
        sunsetUtc: '2026-11-21T15:29:00Z',
        sunriseLocal: '2026-11-21T07:26:00',
        sunsetLocal: '2026-11-21T16:29:00',
        daylightSeconds: 32_580,
        isDaytime: true,
      },
      weather: {
        id: 803,
        main: 'Clouds',
        description: 'broken clouds',
        icon: '04d',
        iconUrl: 'https://openweathermap.org/img/wn/04d@2x.png',
      },
    },
  },
  handle: ({ query }, { weather }) => weather.find(query.city),
})

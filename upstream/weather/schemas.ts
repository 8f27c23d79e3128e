import { z } from 'zod'
import { text } from '../../lib/validation/inputs.ts'

export const WeatherQuery = z.object({
  city: text(1, 200).describe('City, optionally with a country code after a comma.'),
})

const unixSeconds = z.number().describe('Unix time in seconds.')
const utc = z.string().describe('ISO 8601 in UTC.')
const local = z.string().describe("ISO 8601 without an offset, in the city's time zone.")

export const WeatherReport = z
  .object({
    city: z.string(),
    country: z.string().describe('ISO 3166 code. Empty for a place outside all countries.'),
    coordinates: z.object({ lon: z.number(), lat: z.number() }),
    timezone: z.object({
      offsetSeconds: z.number().describe('Current offset from UTC.'),
      offsetHours: z.number(),
      utc: z.string().describe('`UTC±HH:MM`.'),
    }),
    observedAt: z.object({ timestamp: unixSeconds, utc, local }),
    temperature: z.object({
      unit: z.enum(['celsius']),
      current: z.number(),
      currentFahrenheit: z.number(),
      feelsLike: z.number(),
      tempMin: z.number().describe('Current minimum in the city. Same as `current` if unknown.'),
      tempMax: z.number().describe('Current maximum in the city. Same as `current` if unknown.'),
    }),
    humidity: z.number().describe('Percent.'),
    pressure: z.object({
      sea: z.number().describe('hPa at sea level.'),
      ground: z.number().nullable().describe('hPa at ground level.'),
    }),
    visibility: z.object({
      meters: z.number().nullable().describe('Metres, at most 10,000.'),
      kilometers: z.number().nullable(),
    }),
    cloudiness: z.number().describe('Percent.'),
    wind: z.object({
      speed: z.number().describe('Metres per second.'),
      speedKmh: z.number(),
      gust: z.number().nullable().describe('Metres per second.'),
      deg: z.number().describe('Direction of origin, in degrees.'),
      direction: z.string().describe('Direction of origin as one of sixteen compass points.'),
    }),
    precipitation: z.object({
      rainLastHour: z.number().describe('Millimetres.'),
      snowLastHour: z.number().describe('Millimetres of water.'),
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
      .describe('In polar day, lasts from midnight to midnight; in polar night, 0 s.'),
    weather: z.object({
      id: z.number().describe('OpenWeatherMap condition ID, for all providers.'),
      main: z.string(),
      description: z.string(),
      icon: z.string().describe('Filename without extension.'),
      iconUrl: z.string(),
    }),
  })
  .meta({ id: 'Weather' })
export type WeatherReport = z.output<typeof WeatherReport>

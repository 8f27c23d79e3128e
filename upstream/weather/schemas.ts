import { z } from 'zod'
import { text } from '../../lib/validation/inputs.ts'

export const WeatherQuery = z.object({
  city: text(1, 200).meta({ description: 'City, optionally with a country code after a comma.' }),
})

const unixSeconds = z.number().meta({ description: 'Unix time in seconds.' })
const utc = z.string().meta({ description: 'ISO 8601 in UTC.' })
const local = z.string().meta({ description: "ISO 8601 without an offset, in the city's time zone." })

export const WeatherReport = z
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
      meters: z.number().nullable().meta({ description: 'Metres, at most 10,000.' }),
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
export type WeatherReport = z.output<typeof WeatherReport>

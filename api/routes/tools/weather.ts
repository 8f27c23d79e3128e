import * as envelopes from '../../http/envelopes.ts'
import { route } from '../../http/route.ts'
import { WeatherQuery, WeatherReport } from '../../../upstream/weather/schemas.ts'

export const weather = route('getWeather', 'GET /v1/tools/weather', {
  summary: 'Get the weather in a city',
  description:
    'A country code may follow the city after a comma, and a state or province may stand between them: `Paris,FR`, ' +
    '`London,ON,CA`. Responses can be 10 minutes old. Data by Open-Meteo.com (CC BY 4.0) or OpenWeather, whichever ' +
    'the operator chose.',
  tag: 'Tools',
  class: 'fetch',
  envelope: envelopes.errorWithId,
  invalid: 'bad_request',
  faults: ['not_found', 'internal_error'],
  query: WeatherQuery,
  data: WeatherReport,
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
